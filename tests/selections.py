"""Literal versions of what the selection rules count, and the checks that their tests share."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import Selection, SelectionRequest
from core.selection.registry import select
from tests.records import assert_tells

Place = tuple[int, int]
"""(cell, slot)."""
THRESHOLDS = st.integers(1, 4)


def vehicle_days_of(table: Contributions) -> dict[Place, int]:
    """(cell, slot) -> sum over days of its distinct vehicles, from every single record."""
    seen: dict[Place, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in range(table.hat.size):
        hat = int(table.hat[row])
        place = (int(table.cell[hat]), int(table.slot[hat]))
        for _ in range(int(table.counts[row])):
            seen[place][int(table.day[row])].add(int(table.vehicle[row]))
    return {place: sum(map(len, days.values())) for place, days in seen.items()}


def places(selection: Selection) -> list[Place]:
    return list(zip(selection.cell.tolist(), selection.slot.tolist(), strict=True))


def check_index(selection: Selection, table: Contributions) -> None:
    for place, index in zip(places(selection), selection.index.tolist(), strict=True):
        if index >= 0:
            assert (int(table.cell[index]), int(table.slot[index])) == place
        else:
            assert place not in vehicle_days_of(table)


def check(rule: str, threshold: int, table: Contributions, expected: list[Place]) -> None:
    request = SelectionRequest(rule=rule, threshold=threshold)
    if expected:
        selection = select(table, request)
        assert places(selection) == expected
        assert len(selection) == len(expected)
        assert (selection.index >= 0).all()
        check_index(selection, table)
    else:
        with pytest.raises(InputError, match="leaves no hexagon slot") as caught:
            select(table, request)
        assert_tells(caught.value)
