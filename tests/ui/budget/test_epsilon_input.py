"""ui.budget.epsilon_input: slider and number stay in step; bad text is refused and left to be mended."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QSlider
from pytestqt.qtbot import QtBot

from core.accounting.budgets import EPSILON_STOPS
from core.advice.knob_advice import EpsilonBands
from core.advice.usefulness import Usefulness
from core.errors import InputError
from tests.ui.contrasts import row_of
from tests.ui.user_actions import show, slide, write
from ui.budget.epsilon_input import EpsilonInput
from ui.budget.verdict_strips import band_colour
from ui.kit.theme import Theme


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


def seen_words(told: Told) -> str:
    """What verdict each twentieth of the slider's groove promises, `.` none."""
    slider = told.slider
    row = row_of(slider, round(slider.height() / 2))
    colours: dict[Usefulness, list[float]] = {}
    for word in Usefulness:
        colour, ground = band_colour(word, slider.palette()), slider.palette().window().color()
        parts = zip(colour.getRgbF()[:3], ground.getRgbF()[:3], strict=True)
        colours[word] = [255 * (one * colour.alphaF() + back * (1 - colour.alphaF())) for one, back in parts]

    def word_at(share: float) -> str:
        seen = row[round(share * (len(row) - 1))].getRgb()[:3]
        near = [
            word
            for word, colour in colours.items()
            if all(abs(one - other) < 3 for one, other in zip(seen, colour, strict=True))
        ]
        return near[0].name[0] if near else "."

    return "".join(word_at((place + 0.5) / 20) for place in range(20))


def test_the_groove_shows_from_which_amount_on_a_release_is_rough_and_good(told: Told, theme: Theme) -> None:
    assert theme.colours
    assert seen_words(told) == 20 * "."
    told.input.set_value(EPSILON_STOPS[-1])
    rough, good = EPSILON_STOPS[14], EPSILON_STOPS[25]  # of 35: two fifths and five sevenths of the way
    told.input.show_bands(EpsilonBands(good_error="2 km/h", rough=rough, good=good))
    seen = seen_words(told)
    assert (seen[:7], seen[9:13], seen[15:18]) == (7 * "N", 4 * "R", 3 * "G")
    assert seen[-1] == ".", "the handle lies above"
    told.input.show_bands(EpsilonBands(good_error="2 km/h", rough=rough, good=None))
    assert seen_words(told)[15:18] == 3 * "R", "no amount is enough for good"
    told.input.show_bands(EpsilonBands(good_error="2 km/h", rough=EPSILON_STOPS[0], good=Decimal(10**6)))
    assert seen_words(told)[:18] == 18 * "R", "enough is more than the slider has"
    told.slider.setEnabled(False)
    assert "R" not in seen_words(told)
    told.slider.setEnabled(True)
    told.input.show_bands(None)
    assert seen_words(told) == 20 * "."


def test_what_the_number_is_is_said_in_refusals_and_to_readers(qtbot: QtBot, told: Told) -> None:
    told.input.set_name("Total")
    assert (told.slider.accessibleName(), told.number.accessibleName()) == ("Total, slider", "Total, number")
    write(qtbot, told.number, "-1")
    assert told.refused[0].where == "Total"
    assert told.number.alignment() & Qt.AlignmentFlag.AlignRight
    told.input.set_value(Decimal("0.00001"))
    assert told.slider.value() == 0
    told.input.set_value(Decimal(10**6))
    assert told.slider.value() == told.slider.maximum() == len(EPSILON_STOPS) - 1
