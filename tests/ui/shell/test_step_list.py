"""ui.shell.step_list: steps by mouse and keyboard, each with sign and note."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import LEFT, show
from ui.kit.theme import LIGHT, Mode, Theme
from ui.session.steps import State, Step
from ui.shell.step_list import StepList

KEYS = ("data", "hexagons", "release")


def steps(*states: State) -> tuple[Step, ...]:
    return tuple(
        Step(key=key, title=key.title(), state=state, note=f"{state}!")
        for key, state in zip(KEYS, states, strict=True)
    )


@pytest.fixture
def listed(qtbot: QtBot, qapp: QApplication) -> StepList:
    made = StepList(Theme(qapp, Mode.LIGHT))
    made.show_steps(steps(State.DONE, State.ATTENTION, State.BLOCKED))
    show(qtbot, made, width=340, height=130)
    return made


def test_each_row_reads_title_and_note(listed: StepList) -> None:
    assert [listed.item(row).text() for row in range(3)] == [
        "Data: done!",
        "Hexagons: attention!",
        "Release: blocked!",
    ]
    assert listed.accessibleName()
    assert listed.item(1).toolTip() == "attention!"


def test_a_click_chooses_a_step_also_a_blocked_one(qtbot: QtBot, listed: StepList) -> None:
    with qtbot.waitSignal(listed.chosen) as chosen:
        place = listed.visualItemRect(listed.item(2)).center()
        qtbot.mouseClick(listed.viewport(), LEFT, pos=place)
    assert chosen.args == ["release"]


def test_arrow_keys_walk_the_steps(qtbot: QtBot, listed: StepList) -> None:
    listed.choose("data")
    told: list[str] = []
    listed.chosen.connect(told.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(listed, key)
    assert told == ["hexagons", "release", "hexagons"]


def test_new_states_keep_the_current_step_and_are_quiet(qtbot: QtBot, listed: StepList) -> None:
    listed.choose("hexagons")
    with qtbot.assertNotEmitted(listed.chosen):
        listed.show_steps(steps(State.DONE, State.DONE, State.OPEN))
    assert listed.currentRow() == 1
    assert listed.item(1).text() == "Hexagons: done!"


def test_the_current_step_is_seen_when_the_list_becomes_low(listed: StepList) -> None:
    """As beside the log on a low screen."""
    listed.show_steps([Step(key=key, title=key, state=State.OPEN, note="") for key in "abcdef"])
    listed.resize(340, 300)
    QApplication.processEvents()
    listed.choose("f")
    listed.resize(340, 190)
    QApplication.processEvents()
    assert listed.viewport().rect().contains(listed.visualItemRect(listed.item(5)))
    assert listed.visualItemRect(listed.item(5)).bottom() == listed.viewport().rect().bottom(), "no empty end"


def test_choosing_an_unknown_step_does_nothing(qtbot: QtBot, listed: StepList) -> None:
    listed.choose("data")
    with qtbot.assertNotEmitted(listed.chosen):
        listed.choose("nowhere")


def test_each_state_looks_different(listed: StepList) -> None:
    pictures = []
    for state in State:
        listed.show_steps(steps(state, State.OPEN, State.OPEN))
        pictures.append(listed.grab(listed.visualItemRect(listed.item(0))).toImage())
    for index, picture in enumerate(pictures):
        assert all(picture != other for other in pictures[index + 1 :])


def _ink(image: QImage) -> int:
    """How many pixels are not the ground, which the last one of the first row is."""
    ground = image.pixel(image.width() - 1, 0)
    return sum(image.pixel(x, y) != ground for x in range(image.width()) for y in range(image.height()))


def _in_its_row(listed: StepList, title: str) -> int:
    """The ink of a row's title; its note is empty."""
    listed.show_steps((Step(key="data", title=title, state=State.DONE, note=""),))
    row = listed.visualItemRect(listed.item(0)).adjusted(31, 0, -2, 0)
    return _ink(listed.viewport().grab(row).toImage())


def _in_the_open(listed: StepList, title: str) -> int:
    """The ink of the same letters where there is room on all sides."""
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    font = QFont(listed.font())
    font.setBold(True)
    painter = QPainter(image)
    painter.setPen(QColor(LIGHT.text))
    painter.setFont(font)
    painter.drawText(QPoint(20, 60), title)
    painter.end()
    return _ink(image)


@pytest.mark.parametrize("points", [8, 9, 10])
@pytest.mark.parametrize("title", ["डेटा", "त्रुटियाँ", "जाँच", "डै"])
def test_vowels_above_a_letter_are_not_cut_off(listed: StepList, title: str, points: int) -> None:
    """By the same letters in the open: whatever typeface earlier tests left, whatever stands in for it."""
    font = listed.font()
    font.setPointSize(points)
    listed.setFont(font)
    at_the_edge = 2  # pixels of the highest letters that the list's upper end takes
    assert _in_its_row(listed, title) >= _in_the_open(listed, title) - at_the_edge


def test_the_two_lines_of_a_row_do_not_touch_in_a_tall_script(qtbot: QtBot, qapp: QApplication) -> None:
    made = StepList(Theme(qapp, Mode.LIGHT))
    step = Step(key="errors", title="त्रुटियाँ", state=State.OPEN, note="तंत्रों की तुलना")
    made.show_steps([step])
    show(qtbot, made, width=340, height=60)
    texts = made.visualItemRect(made.item(0)).adjusted(42, 0, -8, 0)
    image = made.viewport().grab(texts).toImage()
    ground = image.pixelColor(image.width() - 1, 0)
    rows = range(image.height())
    inked = [any(image.pixelColor(x, y) != ground for x in range(image.width())) for y in rows]
    lines = sum(1 for y in rows if inked[y] and not (y and inked[y - 1]))
    assert lines == 2
