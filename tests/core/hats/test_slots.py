"""Slots of the day and their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.slots import ALL, SLOT_LENGTHS, SlotGrid, clock, parse_clock, require_slot_length
from tests.records import assert_tells


@given(st.integers(0, 24 * 60))
def test_the_clock_comes_back(minutes: int) -> None:
    assert parse_clock(clock(minutes), where="here") == minutes


@pytest.mark.parametrize(
    "text", ["", "9:00", "24:01", "25:00", "12:60", "12:00\n", " 12:00", "12.00", "noon", "١٢:٠٠", "12:00:00"]
)
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a time of day") as caught:
        parse_clock(text, where="hats.hours")
    assert_tells(caught.value)


@pytest.mark.parametrize("minutes", [0, -60, 1, 10, 20, 45, 90, 180, 1440])
def test_a_length_that_is_not_offered_is_refused(minutes: int) -> None:
    with pytest.raises(InputError, match="not offered") as caught:
        require_slot_length(minutes)
    assert_tells(caught.value)


def test_the_lengths_of_the_contract_are_offered() -> None:
    assert tuple(map(require_slot_length, SLOT_LENGTHS)) == (15, 30, 60, 120, 240, ALL)


@pytest.mark.parametrize(
    ("slot", "grid", "label"),
    [
        (20, SlotGrid(60), "20"),
        (9, SlotGrid(60), "09"),
        (4, SlotGrid(120), "08"),
        (19, SlotGrid(30), "09:30"),
        (1, SlotGrid(15), "00:15"),
        (9, SlotGrid(60, 30), "09:30"),
        (2, SlotGrid(240, 60), "09"),
        (0, SlotGrid(720, 540), "09"),
        (0, SlotGrid(90, 0), "00:00"),
    ],
)
def test_a_slot_is_named_by_its_start(slot: int, grid: SlotGrid, label: str) -> None:
    assert grid.label(slot) == label
    assert grid.text(slot)[: len(label)] == label


@given(st.integers(1, 24 * 60), st.data())
def test_every_minute_lies_in_one_slot(length: int, data: st.DataObject) -> None:
    grid = SlotGrid(length, data.draw(st.integers(0, length - 1)))
    minute = data.draw(st.integers(0, 24 * 60 - 1))
    slot = grid.slot_of(minute)
    assert grid.start(slot) <= minute < grid.start(slot) + length
    if slot >= 0 and grid.start(slot) + length <= 24 * 60:
        assert (grid.text(slot), grid.end_text(slot)) == tuple(
            map(clock, (grid.start(slot), grid.start(slot) + length))
        )


def test_a_hat_is_named_as_in_the_report() -> None:
    assert SlotGrid(60).hat_id(20, "8742d9d69ffffff") == "20 8742d9d69ffffff"
    assert SlotGrid(60, 15).hat_id(20, "8742d9d69ffffff") == "20:15 8742d9d69ffffff"
