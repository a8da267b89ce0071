"""ui.kit.style_sheet: one sheet for every theme, with every picture that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGroupBox,
    QLabel,
    QPushButton,
    QTabBar,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
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


def test_a_flat_button_that_does_nothing_looks_so(theme: Theme, qtbot: QtBot) -> None:
    assert theme is not None
    button = QPushButton("+")
    button.setProperty("look", "flat")
    show(qtbot, button, width=40, height=24)
    alive = button.grab().toImage()
    button.setEnabled(False)
    assert button.grab().toImage() != alive


def test_every_picture_that_it_names_exists() -> None:
    named = re.findall(r"url\(([^)]+)\)", style_sheet())
    assert len(named) >= 3
    for path in named:
        assert Path(path).is_file(), path


def rows_of_ink(widget: QWidget, box: QRect) -> list[int]:
    """Rows of a box in which anything is written, darker than the ground."""
    image = widget.grab(box).toImage()
    across = range(image.width())
    return [y for y in range(image.height()) if any(image.pixelColor(x, y).lightness() < 150 for x in across)]


@pytest.mark.parametrize("kind", ["tab", "group"])
def test_the_vowels_above_a_letter_are_whole_in_titles(qtbot: QtBot, kind: str) -> None:
    text = "स्थिरांक, चुँ"  # from a moon above the line to a vowel below, taller than the window's own font
    label = QLabel(text)
    made: QTabBar | QGroupBox
    if kind == "tab":
        made = QTabBar()
        made.setDrawBase(False)
        made.addTab(text)
    else:
        made = QGroupBox(text)
    for widget in (label, made):
        qtbot.addWidget(widget)
        widget.setPalette(qt_palette(LIGHT))
        widget.setStyleSheet(style_sheet())
        widget.resize(widget.sizeHint().expandedTo(QSize(0 if kind == "tab" else 200, 24)))
        widget.show()
    box = QRect(16, 0, label.sizeHint().width() + 4, 24)  # of a tab without the line below
    written = rows_of_ink(made, box)
    assert len(written) >= len(rows_of_ink(label, label.rect()))


def test_the_cell_with_the_focus_has_the_colour_of_what_is_chosen(qtbot: QtBot, theme: Theme) -> None:
    """Chosen or not: else the system's style fills it with a grey of its own."""
    table = QTableWidget(2, 2)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    show(qtbot, table, width=300, height=160)
    table.setFocus()
    table.setCurrentCell(0, 0)
    qtbot.waitUntil(table.hasFocus)
    cell = table.visualRect(table.model().index(0, 0))
    seen = table.viewport().grab().toImage().pixelColor(cell.center())
    wanted = qt_palette(theme.colours).color(QPalette.ColorRole.Midlight)
    apart = [abs(one - other) for one, other in zip(seen.getRgb(), wanted.getRgb(), strict=True)]
    assert max(apart) <= 5, "the frame of the focus lies over it, hardly seen"
