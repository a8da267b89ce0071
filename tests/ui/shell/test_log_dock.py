"""ui.shell.log_dock: a line for each event, without anybody's data."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QPlainTextEdit
from pytestqt.qtbot import QtBot

from core.errors import InputError
from tests.records import SECRET
from tests.ui.user_actions import show
from ui.kit.style_sheet import style_sheet
from ui.kit.theme import DARK, LIGHT, Colours, qt_palette
from ui.shell.log_dock import LogDock


@pytest.fixture
def dock(qtbot: QtBot) -> LogDock:
    made = LogDock()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_its_two_buttons_stand_out(qtbot: QtBot, dock: LogDock, colours: Colours) -> None:
    dock.setStyleSheet(style_sheet())
    dock.setPalette(qt_palette(colours))
    window = QMainWindow()
    qtbot.addWidget(window)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    dock.show()
    show(qtbot, window, width=400, height=150)
    for button in dock.findChildren(QAbstractButton):
        box = button.geometry().adjusted(2, 2, -2, -2)
        image = dock.grab(box).toImage()
        across, down = range(image.width()), range(image.height())
        ground = QColor(colours.raised).lightness()
        seen = [abs(image.pixelColor(x, y).lightness() - ground) for x in across for y in down]
        assert sum(difference > 60 for difference in seen) > 32, button.objectName()


def test_it_is_hidden_at_first_and_cannot_be_written_to(dock: LogDock) -> None:
    assert dock.isHidden()
    assert dock.findChild(QPlainTextEdit).isReadOnly()
    assert dock.text == ""


def test_a_note_is_a_line_with_the_time(dock: LogDock) -> None:
    dock.note("first")
    dock.note("second")
    first, second = dock.text.split("\n")
    assert re.fullmatch(r"\d\d:\d\d:\d\d  first", first)
    assert second.endswith("  second")


def test_an_error_is_one_line_of_three_parts(dock: LogDock) -> None:
    dock.note_error(InputError("What.", where="there", mend="so"))
    dock.note_error(InputError("What."))
    assert [line[10:] for line in dock.text.split("\n")] == ["What. · there · So.", "What."]


def test_an_unexpected_error_tells_only_its_kind(dock: LogDock) -> None:
    dock.note_error(ZeroDivisionError(SECRET))
    assert SECRET not in dock.text
    assert "ZeroDivisionError" in dock.text


def test_it_does_not_grow_for_ever(dock: LogDock) -> None:
    for number in range(2100):
        dock.note(str(number))
    assert len(dock.text.split("\n")) == 2000
    assert dock.text.endswith("2099")


def test_it_opens_as_a_few_lines_and_can_be_made_larger(dock: LogDock) -> None:
    lines = dock.findChild(QPlainTextEdit)
    line = lines.fontMetrics().lineSpacing()
    assert 4 * line < lines.sizeHint().height() < 8 * line
    assert lines.minimumSizeHint().height() < lines.sizeHint().height() < lines.maximumHeight()
