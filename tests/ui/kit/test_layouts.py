"""ui.kit.layouts: no column can become so narrow that its page is cut."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tests.ui.user_actions import show
from ui.kit.layouts import columns, scrolling


def test_a_page_is_not_cut_however_narrow_its_column_is_made(qtbot):
    page = QWidget()
    page.setMinimumSize(350, 2000)
    area = scrolling(page)
    splitter = columns(area, QWidget(), QWidget())
    show(qtbot, splitter, width=1200, height=400)
    splitter.setSizes([1, 1000, 1])
    assert area.verticalScrollBar().isVisible()
    assert area.viewport().width() >= 350
