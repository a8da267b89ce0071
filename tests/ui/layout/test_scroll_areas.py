"""ui.layout.scroll_areas: no column becomes so narrow that its page is cut; what appears comes in sight."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSlider, QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.labels import label
from ui.layout.scroll_areas import scroll_to, scroll_to_beginning, scrolling
from ui.layout.window_columns import WindowColumns


def test_a_page_is_not_cut_however_narrow_its_column_is_made(qtbot):
    page = QWidget()
    page.setMinimumSize(350, 2000)
    area = scrolling(page)
    splitter = WindowColumns(QWidget())
    splitter.add(area, QWidget(), QWidget())
    show(qtbot, splitter, width=1200, height=400)
    splitter.setSizes([1, 1, 1000, 1])
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


def page_of_rows(qtbot: QtBot) -> tuple[QScrollArea, list[QLabel]]:
    """Seven rows of 100 pixels, of which 300 are seen; the last is hidden."""
    page = QWidget()
    below = QVBoxLayout(page)
    below.setContentsMargins(0, 0, 0, 0)
    below.setSpacing(0)
    rows = [QLabel(str(number)) for number in range(7)]
    for row in rows:
        row.setFixedHeight(100)
        below.addWidget(row)
    rows[-1].hide()
    area = scrolling(page)
    show(qtbot, area, width=420, height=300)
    return area, rows


def test_what_appears_below_comes_in_sight_and_what_is_seen_stays_where_it_is(qtbot: QtBot) -> None:
    area, rows = page_of_rows(qtbot)
    bar = area.verticalScrollBar()
    scroll_to(rows[2])
    qtbot.wait(50)
    assert bar.value() == 0
    rows[-1].show()
    scroll_to(rows[-1])
    qtbot.waitUntil(lambda: bar.value() == 400)
    rows[-1].setFixedHeight(150)
    qtbot.waitUntil(lambda: bar.value() == 450)
    scroll_to(rows[1])
    qtbot.waitUntil(lambda: bar.value() == 100)
    scroll_to_beginning(area.widget())
    assert bar.value() == 0


def test_what_is_gone_or_was_scrolled_away_is_brought_back_no_more(qtbot: QtBot) -> None:
    area, rows = page_of_rows(qtbot)
    bar = area.verticalScrollBar()
    rows[-1].show()
    scroll_to(rows[-1])
    qtbot.waitUntil(lambda: bar.value() == 400)
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    rows[-1].setFixedHeight(150)
    qtbot.waitUntil(lambda: bar.maximum() == 450)
    assert bar.value() == 0
    scroll_to(rows[-1])
    qtbot.waitUntil(lambda: bar.value() == 450)
    bar.triggerAction(QAbstractSlider.SliderAction.SliderSingleStepSub)
    seen = bar.value()
    rows[-1].hide()
    qtbot.waitUntil(lambda: bar.maximum() == 300)
    assert bar.value() == min(seen, 300)
    scroll_to_beginning(area.widget())
    rows[-1].show()
    qtbot.waitUntil(lambda: bar.maximum() == 450)
    assert bar.value() == 0


def test_a_page_goes_back_where_it_was_once_what_came_in_sight_is_gone(qtbot: QtBot) -> None:
    """A message below a form that was mended meanwhile left the form scrolled to its middle."""
    area, rows = page_of_rows(qtbot)
    bar = area.verticalScrollBar()
    bar.triggerAction(QAbstractSlider.SliderAction.SliderSingleStepAdd)
    before = bar.value()
    assert before > 0
    rows[-1].show()
    scroll_to(rows[-1])
    qtbot.waitUntil(lambda: bar.value() == 400)
    rows[-1].setFixedHeight(150)
    scroll_to(rows[-1])  # another message in its place
    qtbot.waitUntil(lambda: bar.value() == 450)
    rows[-1].hide()
    qtbot.waitUntil(lambda: bar.value() == before)
