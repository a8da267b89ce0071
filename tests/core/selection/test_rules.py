"""Selection rules against literal versions on the contribution table."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections import defaultdict

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.hats.window import build_window
from core.selection.base import Selection, SelectionRequest
from core.selection.rules import all_rules, require_rule, select
from tests.records import assert_tells
from tests.strategies import CELLS, RESOLUTION, U, contributions

Place = tuple[int, int]
THRESHOLDS = st.integers(1, 4)


def _vehicle_days(table: Contributions) -> dict[Place, int]:
    """(cell, slot) -> sum over days of its distinct vehicles, from every single record."""
    seen: dict[Place, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in range(table.hat.size):
        hat = int(table.hat[row])
        place = (int(table.cell[hat]), int(table.slot[hat]))
        for _ in range(int(table.counts[row])):
            seen[place][int(table.day[row])].add(int(table.vehicle[row]))
    return {place: sum(map(len, days.values())) for place, days in seen.items()}


def _places(selection: Selection) -> list[Place]:
    return list(zip(selection.cell.tolist(), selection.slot.tolist(), strict=True))


def _check_index(selection: Selection, table: Contributions) -> None:
    for place, index in zip(_places(selection), selection.index.tolist(), strict=True):
        if index >= 0:
            assert (int(table.cell[index]), int(table.slot[index])) == place
        else:
            assert place not in _vehicle_days(table)


def _check(rule: str, threshold: int, table: Contributions, expected: list[Place]) -> None:
    request = SelectionRequest(rule=rule, threshold=threshold)
    if expected:
        selection = select(table, request)
        assert _places(selection) == expected
        assert len(selection) == len(expected)
        assert (selection.index >= 0).all()
        _check_index(selection, table)
    else:
        with pytest.raises(InputError, match="leaves no HAT") as caught:
            select(table, request)
        assert_tells(caught.value)


@given(contributions(most_hats=7), THRESHOLDS)
def test_rule_hat(table: Contributions, threshold: int) -> None:
    need = table.window.days * threshold
    expected = sorted(place for place, found in _vehicle_days(table).items() if found >= need)
    _check("hat", threshold, table, expected)


@st.composite
def _busy(draw: st.DrawFn) -> Contributions:
    """Tables of two hexagons in which whole days are often busy."""
    table = draw(contributions(most_vehicles=3, most_hats=6, most_days=1))
    few = np.array(CELLS[:2], np.uint64)
    hats = sorted({(int(few[index % 2]), 9 + index // 2) for index in range(table.hats)})
    return dataclasses.replace(
        table,
        cell=np.array([cell for cell, _ in hats], np.uint64),
        slot=np.array([s for _, s in hats], np.int16),
    )


@given(contributions(most_hats=7) | _busy(), THRESHOLDS)
def test_rule_every_slot(table: Contributions, threshold: int) -> None:
    need = table.window.days * threshold
    found = _vehicle_days(table)
    expected = [
        (cell, slot)
        for cell in sorted({cell for cell, _ in found})
        if all(found.get((cell, slot), 0) >= need for slot in table.window.slots)
        for slot in table.window.slots
    ]
    _check("every-slot", threshold, table, expected)


def test_rule_every_slot_keeps_whole_hexagons_only() -> None:
    day = dt.date(2022, 1, 1)
    west, east = CELLS[:2]
    table = Contributions(
        window=build_window(((day, day),), ("09:00", "11:00"), 60),
        resolution=RESOLUTION,
        zone="Asia/Kolkata",
        upper_bound=U,
        vehicles=("a", "b"),
        cell=np.array([west, west, east, east], np.uint64),
        slot=np.array([9, 10, 9, 10], np.int16),
        hat=np.array([0, 0, 1, 1, 2, 2, 3], np.int32),
        vehicle=np.array([0, 1, 0, 1, 0, 1, 0], np.int32),
        day=np.zeros(7, np.int16),
        start=np.arange(8),
        values=np.zeros(7, np.int32),
    )
    _check("every-slot", 2, table, [(west, 9), (west, 10)])
    _check("every-slot", 1, table, [(west, 9), (west, 10), (east, 9), (east, 10)])
    _check("hat", 2, table, [(west, 9), (west, 10), (east, 9)])
    _check("every-slot", 3, table, [])


@given(contributions(), st.lists(st.sampled_from(CELLS), min_size=1, max_size=9))
def test_rule_cells(table: Contributions, cells: list[int]) -> None:
    selection = select(table, SelectionRequest(rule="cells", cells=tuple(cells)))
    assert _places(selection) == [(cell, slot) for cell in sorted(set(cells)) for slot in table.window.slots]
    _check_index(selection, table)


@given(contributions(), st.permutations(CELLS))
def test_the_order_of_a_list_does_not_matter(table: Contributions, cells: list[int]) -> None:
    one, other = (
        select(table, SelectionRequest(rule="cells", cells=tuple(order))) for order in (CELLS, tuple(cells))
    )
    assert _places(one) == _places(other)
    assert one.index.tolist() == other.index.tolist()


@given(contributions())
def test_days_without_records_count_as_days(table: Contributions) -> None:
    first, last = table.window.date_ranges[0]
    longer = dataclasses.replace(table.window, date_ranges=((first, last + dt.timedelta(days=100)),))
    stretched = dataclasses.replace(table, window=longer)
    with pytest.raises(InputError, match="leaves no HAT"):
        select(stretched, SelectionRequest(rule="hat", threshold=1))


@given(contributions())
def test_rules_read_counts_only(table: Contributions) -> None:
    zeros = dataclasses.replace(table, values=np.zeros_like(table.values))
    request = SelectionRequest(rule="cells", cells=CELLS)
    assert _places(select(zeros, request)) == _places(select(table, request))


def test_the_registry_names_its_rules() -> None:
    assert {"cells", "every-slot", "hat"} <= set(all_rules())
    with pytest.raises(InputError, match="unknown") as caught:
        require_rule("best")
    assert_tells(caught.value)


@given(contributions(), st.sampled_from(("hat", "every-slot")))
def test_a_missing_threshold_and_an_empty_list_are_refused(table: Contributions, rule: str) -> None:
    for request in (SelectionRequest(rule=rule), SelectionRequest(rule="cells")):
        with pytest.raises(InputError) as caught:
            select(table, request)
        assert_tells(caught.value)


def test_the_cells_of_these_tests_are_cells() -> None:
    assert all(h3.is_valid_cell(h3.int_to_str(cell)) for cell in CELLS)
