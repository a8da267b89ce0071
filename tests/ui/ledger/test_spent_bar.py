"""ui.ledger.spent_bar: only what is beyond the limit is told as too much."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.progress import silent
from tests.ui.ledger_story import TRAMS, month, pay
from tests.ui.user_actions import show
from ui.kit.theme import Theme
from ui.ledger.spending import spending_of
from ui.ledger.spent_bar import SpentBar

WIDTH = 701
MIDDLE = 13


def _bar(qtbot: QtBot, theme: Theme, ledger: Ledger) -> SpentBar:
    [population] = [one for one in ledger.populations() if one.name == TRAMS]
    bar = SpentBar(theme)
    bar.show_spending(spending_of(population, silent))
    show(qtbot, bar, width=WIDTH, height=bar.height())
    return bar


@pytest.fixture
def over(qtbot: QtBot, theme: Theme, tmp_path: Path) -> SpentBar:
    """Seven are spent, of six."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(8))
    pay(ledger, TRAMS, month(3)[:10], "0.7", bundle="trams-1.0.0", vehicles="tram")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(6))
    return _bar(qtbot, theme, ledger)


def test_only_what_is_beyond_the_limit_is_red(over: SpentBar, theme: Theme) -> None:
    over.mark(over.pieces[0][0].entry.number)
    image = over.grab().toImage()
    good, bad = QColor(theme.colours.accent).rgb(), QColor(theme.colours.bad).rgb()
    assert {image.pixel(x, MIDDLE) for x in range(4, 590)} == {good}
    assert {image.pixel(x, MIDDLE) for x in range(606, WIDTH - 4)} == {bad}


def test_the_frame_is_whole_round_a_full_bar(over: SpentBar, theme: Theme) -> None:
    image = over.grab().toImage()
    frame = QColor(theme.colours.outline).rgb()
    ends = [(x, y) for x in range(0, 590, 7) for y in (0, 25)]
    sides = [(x, y) for x in (0, WIDTH - 1) for y in range(26)]
    assert {image.pixel(*place) for place in ends + sides} == {frame}
