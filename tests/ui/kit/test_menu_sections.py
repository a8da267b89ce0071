"""ui.kit.menu_sections: lines and headings of menus are seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from ui.kit.menu_sections import start_section
from ui.kit.theme import Mode, Theme, qt_palette


@pytest.fixture(params=[Mode.DARK, Mode.LIGHT])
def theme(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[Theme]:
    made = Theme(qapp, request.param)
    yield made
    made.set_mode(Mode.LIGHT)


def test_the_line_and_the_words_of_a_heading_are_seen(qtbot: QtBot, theme: Theme) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    start_section(menu, "Projects")
    menu.addAction("pune.hexveil")
    start_section(menu, "Records")
    menu.addAction("pune.parquet")
    menu.resize(menu.sizeHint())
    _, _, line, heading, _ = menu.actions()
    palette = qt_palette(theme.colours)
    of_line = {palette.color(role).name() for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Mid)}
    assert colours_in(menu.grab(menu.actionGeometry(line)).toImage()) == of_line
    assert len(colours_in(menu.grab(menu.actionGeometry(heading)).toImage())) > 5, "the edges of letters"
    assert not heading.isEnabled()


def colours_in(image: QImage) -> set[str]:
    """Without the frame of the menu at either end."""
    return {image.pixelColor(x, y).name() for y in range(image.height()) for x in range(4, image.width() - 4)}
