"""ui.kit.two_line_row: two lines side by side with a bar where the row is marked."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from ui.kit.two_line_row import begin_row


@pytest.mark.parametrize("marked", [False, True])
def test_a_bar_stands_where_the_row_is_marked_and_texts_beside_it(qtbot: QtBot, marked: bool) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    option = QStyleOptionViewItem()
    option.initFrom(view)
    option.widget, option.rect, option.text = view, QRect(0, 0, 200, 40), "told elsewhere"
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    places = begin_row(painter, option, marked=marked, above=4)
    painter.restore()
    painter.end()
    accent = option.palette.color(QPalette.ColorRole.Accent)
    assert (image.pixelColor(1, 20) == accent) is marked
    assert (places.upper, places.lower) == (QRect(10, 4, 182, 16), QRect(10, 20, 182, 16))
    assert places.small.pointSizeF() == option.font.pointSizeF() - 1
    assert option.text == ""
