"""ui.parameters.knob_line: a sign, a sentence, and what takes it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.advice.knob_advice import KnobAdvice, Sign
from tests.core.advice.test_city_advice import option
from tests.ui.user_actions import press, show
from ui.parameters.knob_line import KnobLine


@pytest.fixture
def line(qtbot: QtBot) -> KnobLine:
    made = KnobLine()
    show(qtbot, made, width=400, height=20)
    return made


def test_advice_is_read_looked_at_and_taken(qtbot: QtBot, line: KnobLine) -> None:
    grid = option(7, 60, 1.9)
    line.tell(KnobAdvice(sign=Sign.BETTER, text="Resolution 7.", grid=grid), reason="It is good.")
    assert (line.sign.text(), line.text.text(), line.take.text()) == ("!", "Resolution 7.", "Take it")
    assert line.text.toolTip() == "Resolution 7.\nIt is good."
    assert line.take.accessibleDescription() == "Resolution 7."
    assert {part.property("look") for part in (line.sign, line.text)} == {"warning"}
    with qtbot.waitSignal(line.taken) as taken:
        press(qtbot, line.take)
    assert taken.args == [grid]


def test_what_is_recommended_already_has_nothing_to_take(line: KnobLine) -> None:
    line.tell(KnobAdvice(sign=Sign.RECOMMENDED, text="This is recommended."))
    assert (line.sign.text(), line.sign.property("look")) == ("✓", "good")
    assert not line.take.isVisible()
    line.tell(None)
    assert line.sign.text() == line.text.text() == ""


def test_a_fact_brings_its_own_button(qtbot: QtBot, line: KnobLine) -> None:
    line.tell_text("One day is nearly empty", take="Leave it out")
    assert (line.sign.text(), line.take.text(), line.take.isVisible()) == ("!", "Leave it out", True)
    assert line.take.accessibleDescription() == line.text.toolTip() == "One day is nearly empty"
    assert {part.property("look") for part in (line.sign, line.text)} == {"warning"}
    with qtbot.waitSignal(line.taken) as taken:
        press(qtbot, line.take)
    assert taken.args == [None]
