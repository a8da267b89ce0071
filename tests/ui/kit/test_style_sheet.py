"""ui.kit.style_sheet: one sheet for every theme, with every picture that it names."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.form_grid import combo
from ui.kit.style_sheet import style_sheet
from ui.kit.theme import LIGHT, Theme, qt_palette


def test_it_names_no_colour_of_its_own() -> None:
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", style_sheet())
    named = set(re.findall(r"palette\(([a-z-]+)\)", style_sheet()))
    known = {re.sub("(?<=[a-z])(?=[A-Z])", "-", role.name).lower() for role in QPalette.ColorRole}
    assert named <= known
    assert len(named) > 10


def test_each_role_that_tells_something_has_a_colour_of_its_own() -> None:
    palette = qt_palette(LIGHT)
    roles = QPalette.ColorRole
    telling = (roles.Highlight, roles.BrightText, roles.LinkVisited, roles.Shadow, roles.Dark, roles.Mid)
    assert len({palette.color(role).name() for role in telling}) == len(telling)


def test_every_picture_that_it_names_exists() -> None:
    named = re.findall(r"url\(([^)]+)\)", style_sheet())
    assert len(named) >= 3
    for path in named:
        assert Path(path).is_file(), path


def test_no_entry_of_an_open_list_is_cut(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001 - the sheet
    window = QWidget()
    qtbot.addWidget(window)
    box = combo(window, ("km/h", 1), ("m/s", 2), ("mph", 3))
    with qtbot.waitExposed(window):
        window.show()
    QApplication.processEvents()
    # a list that is opened once its box is laid out had less room than its rows need
    box.showPopup()
    view = box.view()
    QApplication.processEvents()
    last = view.visualRect(view.model().index(2, 0))
    assert last.bottom() < view.viewport().height()
    box.hidePopup()
