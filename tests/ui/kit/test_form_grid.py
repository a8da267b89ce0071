"""ui.kit.form_grid: a reason is read beside its editor in a narrow place too."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.elided_label import ElidedLabel
from ui.kit.form_grid import FormGrid


def test_a_reason_that_has_to_be_read_is_no_column_of_single_words(qtbot: QtBot) -> None:
    grid, editor = FormGrid(), QLineEdit()
    grid.add("zone", "Time zone", editor)
    grid.say("zone", "times without offset; the positions are near Berlin: Europe/Berlin")
    grid.mark_open(["zone"])
    show(qtbot, grid, width=grid.minimumSizeHint().width(), height=300)
    (reason,) = grid.findChildren(ElidedLabel)
    line = reason.fontMetrics().lineSpacing()
    assert reason.heightForWidth(reason.width()) < 7 * line
