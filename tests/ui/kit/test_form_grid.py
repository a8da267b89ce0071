"""ui.kit.form_grid: a reason is read beside its editor in a narrow place too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.elided_label import ElidedLabel
from ui.kit.form_grid import FormGrid, align_names, combo


def test_a_reason_that_has_to_be_read_is_no_column_of_single_words(qtbot: QtBot) -> None:
    grid, editor = FormGrid(), QLineEdit()
    grid.add("zone", "Time zone", editor)
    grid.say("zone", "times without offset; the positions are near Berlin: Europe/Berlin")
    grid.mark_open(["zone"])
    show(qtbot, grid, width=grid.minimumSizeHint().width(), height=300)
    (reason,) = grid.findChildren(ElidedLabel)
    line = reason.fontMetrics().lineSpacing()
    assert reason.heightForWidth(reason.width()) < 7 * line


def test_editors_of_grids_below_each_other_begin_at_the_same_place(qtbot: QtBot) -> None:
    page, grids, editors = QWidget(), [FormGrid(), FormGrid()], [QLineEdit(), QLineEdit()]
    column = QVBoxLayout(page)
    for grid, name, editor in zip(grids, ("Time", "Physical maximum of a speed (&Y)"), editors, strict=True):
        grid.add("part", name, editor)
        column.addWidget(grid)
    align_names(*grids)
    show(qtbot, page, width=600, height=200)
    first, second = (editor.mapTo(page, editor.rect().topLeft()).x() for editor in editors)
    assert first == second > 110


_LONG = "times without offset; the positions are near Berlin: Europe/Berlin"


def _grid_of(qtbot: QtBot, reason: str, shorter: str = "", *, width: int) -> tuple[FormGrid, ElidedLabel]:
    """A row of a form as wide as it may be, with the editor of the real one."""
    grid = FormGrid()
    editor = combo(grid, ("a", "a"))
    grid.add("part", "Time zone", editor)
    grid.say("part", reason, shorter)
    show(qtbot, grid, width=width, height=300)
    (label,) = grid.findChildren(ElidedLabel)
    return grid, label


def test_a_reason_without_room_beside_its_editor_is_read_below_it(qtbot: QtBot) -> None:
    grid, reason = _grid_of(qtbot, _LONG, width=430)
    editor = grid.editors[0]
    qtbot.waitUntil(lambda: reason.y() >= editor.geometry().bottom())
    assert reason.x() == editor.x()
    assert reason.height() >= reason.heightForWidth(reason.width())
    grid.resize(900, 300)
    qtbot.waitUntil(lambda: reason.x() > editor.geometry().right())
    assert reason.y() < editor.geometry().bottom()


@pytest.mark.parametrize("text", ["first rows: mostly every 60 s", "no speed after a longer one"])
def test_no_reason_is_cut(qtbot: QtBot, text: str) -> None:
    grid, reason = _grid_of(qtbot, text, width=430)
    assert grid.reason("part") == text
    assert reason.wordWrap()
    qtbot.waitUntil(lambda: reason.height() >= reason.heightForWidth(reason.width()))


def test_a_figure_and_its_unit_stay_in_one_line(qtbot: QtBot) -> None:
    grid, reason = _grid_of(qtbot, "first rows: mostly every 60 s", width=430)
    assert "60\N{NO-BREAK SPACE}s" in reason.text()
    assert grid.reason("part") == "first rows: mostly every 60 s"


def test_a_reason_that_repeats_its_editor_has_a_shorter_wording(qtbot: QtBot) -> None:
    _, reason = _grid_of(qtbot, "named observationDateTime", "by its name", width=400)
    assert reason.shown_text == "by its name"
    reason.parentWidget().resize(900, 300)
    qtbot.waitUntil(lambda: reason.shown_text == "named observationDateTime")


def test_the_name_of_an_editor_of_several_lines_stands_beside_that_which_it_names(qtbot: QtBot) -> None:
    grid, editor = FormGrid(), QWidget()
    lines = [QLineEdit(editor) for _ in range(3)]
    column = QVBoxLayout(editor)
    column.setContentsMargins(0, 0, 0, 0)
    for line in lines:
        column.addWidget(line)
    grid.add("unit", "Unit", editor, beside=lambda: lines[1])
    show(qtbot, grid, width=500, height=200)
    (name,) = (label for label in grid.findChildren(QLabel) if label.text() == "Unit")

    def middle(widget: QWidget, height: int) -> int:
        return widget.mapTo(grid, widget.rect().topLeft()).y() + height // 2

    def text_middle() -> int:
        room = name.contentsRect()
        return name.y() + room.y() + room.height() // 2

    qtbot.waitUntil(lambda: abs(text_middle() - middle(lines[1], lines[1].height())) <= 2)
