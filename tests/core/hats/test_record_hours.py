"""Hours of the day that records call for."""

from __future__ import annotations

import pytest

from core.hats.record_hours import hours_of_records
from core.hats.slots import ALL, SlotLength

USUAL = ("09:00", "21:00")


@pytest.mark.parametrize(
    ("local_hours", "slot_minutes", "hours"),
    [
        pytest.param(range(24), 60, USUAL, id="all day"),
        pytest.param(range(8, 22), 60, USUAL, id="more than the usual"),
        pytest.param((10, 11), 60, USUAL, id="all within the usual"),
        pytest.param(range(6, 19), 60, ("06:00", "19:00"), id="earlier, and not to the end"),
        pytest.param((23,), 60, ("23:00", "24:00"), id="at night"),
        pytest.param((3, *range(6, 19)), 30, ("03:00", "19:00"), id="with a stray one"),
        pytest.param(range(6, 19), 240, ("06:00", "22:00"), id="whole slots"),
        pytest.param((23,), 240, ("20:00", "24:00"), id="whole slots at the end of the day"),
        pytest.param(range(6, 19), ALL, ("06:00", "19:00"), id="one slot"),
    ],
)
def test_hours_are_the_usual_ones_unless_records_lie_elsewhere(
    local_hours: range | tuple[int, ...], slot_minutes: SlotLength, hours: tuple[str, str]
) -> None:
    assert hours_of_records(USUAL, local_hours, slot_minutes) == hours
