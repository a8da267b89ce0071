"""ui.layout.scroll_areas: no column becomes so narrow that its page is cut; what appears comes in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.labels import label
from ui.layout.boxes import in_column
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


def test_what_the_keyboard_reaches_comes_in_sight_whichever_way_it_came(qtbot: QtBot) -> None:
    """Shift+Tab from below an area, and a step that begins in a field, left it out of sight."""
    page, place = QWidget(), QWidget()
    column = QVBoxLayout(page)
    fields = [QLineEdit() for _ in range(7)]
    for field in fields:
        field.setMinimumHeight(100)
        column.addWidget(field)
    inner, below = scrolling(page), QPushButton("below")
    inner.setMinimumHeight(250)
    outer = scrolling(place)
    in_column(place, label("above"), inner, below, QLabel("last"))
    place.setMinimumHeight(600)
    show(qtbot, outer, width=420, height=300)
    outer.activateWindow()
    qtbot.waitUntil(outer.isActiveWindow)

    def seen(field: QWidget) -> bool:
        return field.visibleRegion().boundingRect().height() == field.height()

    QWidget.setTabOrder(fields[-1], below)
    below.setFocus()
    qtbot.keyClick(below, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert fields[-1].hasFocus()
    for field in (fields[-1], fields[0], below, fields[3]):
        field.setFocus()
        qtbot.waitUntil(lambda one=field: seen(one))
    fields[-1].setFocus()
    bar = inner.verticalScrollBar()
    qtbot.waitUntil(lambda: seen(fields[-1]))
    bar.setValue(0)
    other = QLineEdit()
    show(qtbot, other)
    for window in (other, outer):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
    qtbot.wait(50)
    assert fields[-1].hasFocus()
    assert bar.value() == 0
    scroll_to(fields[3])  # with what has the keyboard
    fields[0].setFocus()
    qtbot.waitUntil(lambda: seen(fields[3]))
    assert not seen(fields[0])


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
