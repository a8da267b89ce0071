"""ui.data.mapping_form: the form of the import as a whole; its use is in test_import_dialog."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.data.mapping_form import MappingForm
from ui.kit.form_grid import align_names


def test_one_long_name_moves_the_editors_of_all_parts(qtbot: QtBot) -> None:
    form = MappingForm()
    long = next(name for name in form.limits.findChildren(QLabel) if name.buddy() is form.limits.bound)
    long.setText("A name longer than the others (&U)")
    align_names(form.grid, form.value.grid, form.format.grid, form.limits.grid)
    show(qtbot, form, width=560, height=700)
    places = {editor.mapTo(form, QPoint()).x() for editor in (form.grid.editors[0], form.limits.bound)}
    assert len(places) == 1
