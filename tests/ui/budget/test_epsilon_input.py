"""ui.budget.epsilon_input: slider and number stay in step; bad text is refused and left to be mended."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QSlider
from pytestqt.qtbot import QtBot

from core.accounting.budgets import EPSILON_STOPS
from core.errors import InputError
from tests.ui.user_actions import show, slide, write
from ui.budget.epsilon_input import EpsilonInput


class Told:
    """An input with what it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.input = EpsilonInput()
        show(qtbot, self.input, height=40)
        self.input.set_value(Decimal(1))
        self.changed: list[tuple[Decimal, bool]] = []
        self.refused: list[InputError] = []
        self.input.changed.connect(lambda value, dragging: self.changed.append((value, dragging)))
        self.input.refused.connect(self.refused.append)
        self.number = self.input.findChild(QLineEdit)
        self.slider = self.input.findChild(QSlider)


@pytest.fixture
def told(qtbot: QtBot) -> Told:
    return Told(qtbot)


def test_setting_a_value_is_quiet_and_moves_both(told: Told) -> None:
    told.input.set_value(Decimal("0.30"))
    assert told.number.text() == "0.3"
    assert EPSILON_STOPS[told.slider.value()] == Decimal("0.3")
    assert not told.changed


def test_the_slider_tells_the_number_not_that_of_its_stop(qtbot: QtBot, told: Told) -> None:
    heard = QAccessible.queryAccessibleInterface(told.slider)
    for value in ("0.3", "7.25"):
        told.input.set_value(Decimal(value))
        assert heard.text(QAccessible.Text.Description) == value
    slide(qtbot, told.slider, 1)
    assert heard.text(QAccessible.Text.Description) == told.number.text()


def test_the_slider_moves_over_round_stops(qtbot: QtBot, told: Told) -> None:
    slide(qtbot, told.slider, 2)
    slide(qtbot, told.slider, -1)
    assert told.changed == [(Decimal("1.5"), True), (Decimal(2), True), (Decimal("1.5"), True)]
    assert told.number.text() == "1.5"


@pytest.mark.parametrize(
    ("typed", "value"), [("0.123456", "0.123456"), (" 12 ", "12"), ("2.50", "2.5"), ("1000000", "1000000")]
)
def test_any_exact_decimal_may_be_typed(qtbot: QtBot, told: Told, typed: str, value: str) -> None:
    write(qtbot, told.number, typed)
    assert told.changed[0] == (Decimal(value), False)
    assert told.number.text() == value
    stop = EPSILON_STOPS[told.slider.value()]
    assert stop >= Decimal(value) or stop == EPSILON_STOPS[-1]


@pytest.mark.parametrize("typed", ["0", "-1", "inf", "nan", "much", "", "0.0000001", "1e7", "1,5"])
def test_what_is_no_epsilon_is_refused_with_three_parts(qtbot: QtBot, told: Told, typed: str) -> None:
    write(qtbot, told.number, typed)
    assert not told.changed
    error = told.refused[0]
    assert error.what
    assert error.where == "Epsilon"
    assert error.mend
    assert told.number.text() == typed
    assert EPSILON_STOPS[told.slider.value()] == 1


def test_going_back_to_the_old_value_is_told_after_a_refusal(qtbot: QtBot, told: Told) -> None:
    write(qtbot, told.number, "none")
    write(qtbot, told.number, "1")
    assert told.changed[-1] == (Decimal(1), False)


def test_leaving_the_field_counts_as_typing(qtbot: QtBot, told: Told) -> None:
    told.number.setFocus()
    told.number.selectAll()
    qtbot.keyClicks(told.number, "4")
    qtbot.keyClick(told.number, Qt.Key.Key_Tab)
    assert (Decimal(4), False) in told.changed


def test_both_have_names_for_readers(told: Told) -> None:
    assert told.number.accessibleName() != told.slider.accessibleName()
