"""ui.map.slot_bars: small bars, the chosen slot told apart by more than its hue."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.contrasts import LEAST, contrast, row_of
from tests.ui.user_actions import show
from ui.kit.theme import DARK, LIGHT, Colours, qt_palette
from ui.map.slot_bars import SlotBars


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("marked", [0, 1])
def test_the_chosen_slot_stands_on_a_mark_of_its_own(qtbot: QtBot, colours: Colours, marked: int) -> None:
    """Also where it has no value."""
    bars = SlotBars()
    bars.setAutoFillBackground(True)
    bars.setPalette(qt_palette(colours))
    show(qtbot, bars, width=400, height=60)
    bars.show_bars((8.0, None, 3.0, 1.0), ("a", "b", "c", "d"), marked)
    low, ground = row_of(bars, 58), row_of(bars, 2)[399]
    there = [place for place in range(4) if contrast(low[50 + 100 * place], ground) >= LEAST]
    assert there == [marked]
