"""ui.budget.budget_meter: the parts of a limit, seen and heard."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from tests.ui.contrasts import LEAST, contrast, row_of
from tests.ui.user_actions import show
from ui.budget.budget_meter import BudgetMeter
from ui.kit.theme import LIGHT, Mode, Theme


@pytest.mark.parametrize(
    ("spent_", "asked", "over"), [("0.7", "0.3", False), ("0.7", "0.4", True), ("1", "0.1", True)]
)
def test_the_meter_shows_what_does_not_fit(
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001
    spent_: str,
    asked: str,
    over: bool,
) -> None:
    meter = BudgetMeter()
    show(qtbot, meter, width=200, height=14)
    meter.set_amounts(Decimal(spent_), Decimal(spent_) + Decimal(asked), Decimal(1))
    picture = meter.grab().toImage()
    row = [picture.pixelColor(x, picture.height() // 2).name() for x in range(picture.width())]
    assert (QColor(LIGHT.bad).name() in row) is over
    assert (QColor(LIGHT.accent).name() in row) is not over
    assert meter.accessibleName() == f"{spent_} spent and {asked} asked of 1"


@pytest.mark.parametrize(("spent_", "asked"), [("0", "0.1"), ("0.1", "0"), ("0.1", "0.1")])
def test_the_meter_shows_the_least_part_of_a_large_limit(
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001
    spent_: str,
    asked: str,
) -> None:
    meter = BudgetMeter()
    show(qtbot, meter, width=200, height=14)
    meter.set_amounts(Decimal(spent_), Decimal(spent_) + Decimal(asked), Decimal(500))
    row = row_of(meter, meter.height() // 2)
    assert (QColor(LIGHT.muted) in row) is (spent_ != "0")
    assert (QColor(LIGHT.accent) in row) is (asked != "0")


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
@pytest.mark.parametrize("asked", ["0.3", "0.9"])
def test_the_parts_of_the_meter_are_told_apart_without_their_hues(
    qtbot: QtBot, theme: Theme, mode: Mode, asked: str
) -> None:
    theme.set_mode(mode)
    meter = BudgetMeter()
    show(qtbot, meter, width=200, height=14)
    meter.set_amounts(Decimal("0.4"), Decimal("0.4") + Decimal(asked), Decimal(1))
    row = row_of(meter, meter.height() // 2)
    spent, this = row[40], row[100]
    assert any(min(contrast(at, spent), contrast(at, this)) >= LEAST for at in row[60:100])
    theme.set_mode(Mode.LIGHT)


def test_each_further_release_that_fits_has_its_tick(qtbot: QtBot, theme: Theme) -> None:
    meter = BudgetMeter()
    show(qtbot, meter, width=202, height=14)
    assert theme.colours

    def ticks(spent_: str, more: int, begin: int) -> list[int]:
        """Where each stroke after the parts begins."""
        meter.set_amounts(Decimal(spent_), Decimal(spent_) + 10, Decimal(100), more=more)
        row = row_of(meter, 7)
        inked = [x for x in range(begin, 199) if row[x] != meter.palette().button().color()]
        return [x for x in inked if x - 1 not in inked]

    assert ticks("20", 6, 65) == pytest.approx([80, 100, 120, 140, 160, 180], abs=1)
    assert ticks("0", 3, 25) == pytest.approx([40, 60, 80], abs=1)
    assert ticks("80", 3, 185) == [], "none on the frame"
    assert ticks("0", 0, 25) == []
    assert ticks("0", 25, 25) == [], "a meter would be all ticks"


def test_a_limit_of_nothing_is_used_up_and_what_has_no_bound_is_over_it(
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001
) -> None:
    meter = BudgetMeter()
    show(qtbot, meter, width=200, height=14)
    meter.set_amounts(Decimal(0), Decimal(0), Decimal(0))
    assert row_of(meter, 7)[100] == QColor(LIGHT.muted)
    meter.set_amounts(Decimal(2), Decimal("inf"), Decimal(8))
    assert row_of(meter, 7)[25] == QColor(LIGHT.muted)
    assert row_of(meter, 7)[150] == QColor(LIGHT.bad)
    assert meter.accessibleName() == "2 spent and no bound asked of 8"
    meter.set_amounts(Decimal(2), Decimal(5), Decimal(8), text="3.2")
    assert meter.accessibleName() == "2 spent and 3.2 asked of 8"
