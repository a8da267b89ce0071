"""ui.kit.form_grid: a reason is read beside its editor in a narrow place too."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.elided_label import ElidedLabel
from ui.kit.form_grid import FormGrid, align_names


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
