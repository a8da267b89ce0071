"""What the rules share: counting vehicle-days, and the sum they need."""

from __future__ import annotations

import dataclasses
import datetime as dt

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection import base
from core.selection.base import SelectionRequest, chosen, required, vehicle_days
from core.selection.registry import select
from tests.records import assert_tells
from tests.selections import places, vehicle_days_of
from tests.strategies import CELLS, contributions


@given(contributions())
def test_vehicle_days_are_counted_literally(table: Contributions) -> None:
    found = zip(table.cell.tolist(), table.slot.tolist(), vehicle_days(table).tolist(), strict=True)
    assert {(cell, slot): count for cell, slot, count in found} == vehicle_days_of(table)


@given(contributions(), st.integers(1, 50))
def test_the_sum_needed_counts_every_date_of_the_window(table: Contributions, threshold: int) -> None:
    sums = required(table, SelectionRequest(rule="hat", threshold=threshold))
    assert sums.tolist() == [table.window.days * threshold] * table.hats


@given(contributions(), st.sampled_from(("hat", "every-slot")))
def test_a_missing_threshold_is_refused(table: Contributions, rule: str) -> None:
    with pytest.raises(InputError, match="threshold") as caught:
        select(table, SelectionRequest(rule=rule))
    assert_tells(caught.value)


@given(contributions())
def test_nothing_may_be_chosen(table: Contributions) -> None:
    assert len(chosen(table, np.zeros(table.hats, bool))) == 0


@given(contributions())
def test_days_without_records_count_as_days(table: Contributions) -> None:
    first, last = table.window.date_ranges[0]
    longer = dataclasses.replace(table.window, date_ranges=((first, last + dt.timedelta(days=100)),))
    stretched = dataclasses.replace(table, window=longer)
    with pytest.raises(InputError, match="leaves no hexagon slot"):
        select(stretched, SelectionRequest(rule="hat", threshold=1))


@pytest.mark.parametrize("rule", ["cells", "boundary"])
def test_a_list_of_too_many_hats_is_refused(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = find(contributions(), lambda _: True)
    request = SelectionRequest(rule=rule, cells=CELLS)
    size = len(CELLS) * len(table.window.slots)
    monkeypatch.setattr(base, "MOST_HATS", size)
    assert len(select(table, request)) == size
    monkeypatch.setattr(base, "MOST_HATS", size - 1)
    with pytest.raises(InputError, match="more than") as caught:
        select(table, request)
    assert_tells(caught.value)


@given(contributions())
def test_rules_read_counts_only(table: Contributions) -> None:
    zeros = dataclasses.replace(table, values=np.zeros_like(table.values))
    request = SelectionRequest(rule="cells", cells=CELLS)
    assert places(select(zeros, request)) == places(select(table, request))
