"""ui.session.hat_texts: how a slot and a hexagon are called."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from core.geodata.places import cell_at
from core.hats.cells import RESOLUTIONS
from core.hats.groups import DAY_KIND, WEEKDAY, WEEKEND, Group
from core.hats.slots import ALL, PeriodOfDay, SlotGrid
from tests.ui.languages import spoken
from ui.language.translation import catalogue_of, core_text
from ui.session.hat_texts import group_name, group_row, short_cell, slot_in_words, slot_length_text


def test_a_slot_is_called_by_start_or_period_and_labels() -> None:
    assert slot_in_words(SlotGrid(60), 9) == "09:00"
    periods = (PeriodOfDay(540, 600, "peak"),)
    groups = (Group("direction", ("DN", "UP")),)
    assert slot_in_words(SlotGrid(0, periods=periods, groups=groups, a_day=1), 1) == "peak, UP"
    assert (group_name("direction"), group_name("day_kind")) == ("Direction", "Kind of day")
    lengths = [slot_length_text(length) for length in (periods, 30, 60, 240, ALL)]
    assert lengths == ["1 period", "30 minutes", "1 hour", "4 hours", "all hours"]


def test_the_days_of_the_calendar_are_called_as_the_language_does(qapp: QApplication) -> None:
    """Beside labels of records and of files, which are nobody's to translate."""
    days = Group(DAY_KIND, (WEEKDAY, WEEKEND))
    groups = (Group("direction", ("DN", WEEKDAY)), days)
    grid = SlotGrid(60, groups=groups, a_day=24)
    last = grid.slot_in(9, (WEEKDAY, WEEKEND))
    assert slot_in_words(grid, last) == "09:00, weekday, weekend"
    assert days.words == "kind of day (weekday, weekend)"
    with spoken(qapp, catalogue_of("hi")):
        assert slot_in_words(grid, last) == "09:00, weekday, सप्ताहांत"
        assert [words for _, words in group_row(DAY_KIND, ("holiday", WEEKDAY), WEEKDAY).offered] == [
            "holiday",
            "कार्यदिवस",
        ]
        assert "सप्ताहांत" in core_text(days.words)


def test_a_hexagon_leaves_out_what_all_of_its_resolution_end_with() -> None:
    """Half of an id says nothing, and pushed values out of a narrow table."""
    assert short_cell("878d9d69dffffff") == "878d9d69d…"
    assert short_cell("87f3ffff0ffffff") == "87f3ffff0…", "a digit that says something stays, whichever it is"
    for resolution in RESOLUTIONS:
        cells = {cell_at(21.1 + step / 50, 72.8, resolution) for step in range(40)}
        assert len({short_cell(cell) for cell in cells}) == len(cells)
        assert all(len(short_cell(cell)) < len(cell) for cell in cells)
    for name in ("12", "8", "", "Ring Road North", "8-Fffffffffffff"):
        assert short_cell(name) == name, "no hexagon"
