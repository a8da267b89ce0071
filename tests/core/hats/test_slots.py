"""Slots of the day and their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.slots import SLOT_MINUTES, clock, hat_id, parse_clock, require_slot_minutes, slot_label
from tests.records import assert_tells


@given(st.integers(0, 24 * 60))
def test_the_clock_comes_back(minutes: int) -> None:
    assert parse_clock(clock(minutes), where="here") == minutes


@pytest.mark.parametrize(
    "text", ["", "9:00", "24:01", "25:00", "12:60", "12:00\n", " 12:00", "12.00", "noon", "١٢:٠٠", "12:00:00"]
)
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no time of day") as caught:
        parse_clock(text, where="hats.hours")
    assert_tells(caught.value)


@pytest.mark.parametrize("minutes", [0, -60, 1, 10, 20, 45, 90, 180, 1440])
def test_a_length_that_is_not_offered_is_refused(minutes: int) -> None:
    with pytest.raises(InputError, match="not offered") as caught:
        require_slot_minutes(minutes)
    assert_tells(caught.value)


def test_the_lengths_of_the_contract_are_offered() -> None:
    assert tuple(map(require_slot_minutes, SLOT_MINUTES)) == (15, 30, 60, 120)


@pytest.mark.parametrize(
    ("slot", "minutes", "label"),
    [(20, 60, "20"), (9, 60, "09"), (4, 120, "08"), (19, 30, "09:30"), (1, 15, "00:15")],
)
def test_labels(slot: int, minutes: int, label: str) -> None:
    assert slot_label(slot, minutes) == label


def test_a_hat_is_named_as_in_the_report() -> None:
    assert hat_id(20, 60, "8742d9d69ffffff") == "20 8742d9d69ffffff"
