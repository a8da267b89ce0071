"""ui.ledger.day_strip: a day over the limit is told from the others by more than its hue."""

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
from ui.ledger.day_strip import DayStrip
from ui.ledger.spending import spending_of


@pytest.fixture
def strip(theme: Theme, tmp_path: Path) -> DayStrip:
    """Of twenty days the later ten are over a limit that was lowered since."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(80), per_vehicle_day=Decimal(2))
    pay(ledger, TRAMS, month(3)[:10], "0.6", bundle="trams-1.0.0", vehicles="tram")
    pay(ledger, TRAMS, month(3)[10:20], "1.6", bundle="trams-1.0.1", vehicles="tram")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(80), per_vehicle_day=Decimal(1))
    [population] = [one for one in ledger.populations() if one.name == TRAMS]
    made = DayStrip(theme)
    made.show_spending(spending_of(population, silent))
    return made


@pytest.mark.parametrize("width", [600, 40])
def test_days_over_the_limit_are_striped_and_the_others_solid(
    qtbot: QtBot, strip: DayStrip, theme: Theme, width: int
) -> None:
    show(qtbot, strip, width=width, height=strip.height())
    image = strip.grab().toImage()
    good, bad = QColor(theme.colours.accent).rgb(), QColor(theme.colours.bad).rgb()
    assert [day.over for day, _ in strip.columns] == [False] * 10 + [True] * 10
    for day, place in strip.columns:
        x = int(place.center().x())
        seen = [image.pixel(x, y) for y in range(int(place.top()) + 1, int(place.bottom()))]
        if day.over:
            assert bad in seen
            assert seen.count(image.pixel(x, 0)) > len(seen) // 3, (
                "what lies behind shows between the stripes"
            )
        else:
            assert set(seen) == {good}


def test_days_over_the_limit_are_told_by_words_too(strip: DayStrip) -> None:
    told = strip.accessibleDescription().split("; ")
    assert [" over the limit" in day for day in told] == [False] * 10 + [True] * 10
