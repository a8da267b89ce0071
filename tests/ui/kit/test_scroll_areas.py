"""ui.kit.scroll_areas: no column can become so narrow that its page is cut."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.labels import label
from ui.kit.scroll_areas import scrolling
from ui.kit.window_columns import WindowColumns


def test_a_page_is_not_cut_however_narrow_its_column_is_made(qtbot):
    page = QWidget()
    page.setMinimumSize(350, 2000)
    area = scrolling(page)
    splitter = WindowColumns(area)
    splitter.add(QWidget(), QWidget())
    show(qtbot, splitter, width=1200, height=400)
    splitter.setSizes([1, 1000, 1])
    assert area.verticalScrollBar().isVisible()
    assert area.viewport().width() >= 350


def test_a_page_of_words_offers_to_scroll_only_what_lies_below(qtbot: QtBot) -> None:
    page = QWidget()
    below = QVBoxLayout(page)
    for _ in range(6):
        below.addWidget(label("what a column of this width holds in two lines " * 2))
    area = scrolling(page)
    show(qtbot, area, width=420, height=page.heightForWidth(420) + 4)
    assert area.verticalScrollBar().maximum() == 0
    area.resize(420, 60)
    assert area.verticalScrollBar().maximum() >= page.heightForWidth(area.viewport().width()) - 60
    for words in page.findChildren(QLabel):
        words.setWordWrap(False)
    qtbot.waitUntil(lambda: not page.minimumHeight())
    assert page.height() >= page.minimumSizeHint().height()
