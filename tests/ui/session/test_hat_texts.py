"""ui.session.hat_texts: how a slot is called."""

from __future__ import annotations

from core.hats.groups import Group
from core.hats.slots import ALL, PeriodOfDay, SlotGrid
from ui.session.hat_texts import group_name, slot_in_words, slot_length_text


def test_a_slot_is_called_by_start_or_period_and_labels() -> None:
    assert slot_in_words(SlotGrid(60), 9) == "09:00"
    periods = (PeriodOfDay(540, 600, "peak"),)
    groups = (Group("direction", ("DN", "UP")),)
    assert slot_in_words(SlotGrid(0, periods=periods, groups=groups, a_day=1), 1) == "peak, UP"
    assert (group_name("direction"), group_name("day_kind")) == ("Direction", "Kind of day")
    lengths = [slot_length_text(length) for length in (periods, 30, 60, 240, ALL)]
    assert lengths == ["1 period", "30 minutes", "1 hour", "4 hours", "all hours"]
