"""ui.layout.tab_pages: as much room as what is shown needs."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.labels import label
from ui.layout.tab_pages import ShownPage, TabPages, section_tabs


def test_tabs_are_named_by_their_pages_and_scroll_what_is_too_large(qtbot: QtBot) -> None:
    small, large = QLabel("small"), QLabel("large")
    large.setMinimumSize(3000, 2000)
    made = TabPages()
    made.add_page("a", small)
    made.add_page("b", large)
    show(qtbot, made, width=400, height=300)
    before = made.minimumSizeHint()
    made.setCurrentWidget(large)
    assert (made.currentWidget(), made.indexOf(large), made.widget(0)) == (large, 1, small)
    assert made.indexOf(QLabel()) == -1
    assert made.minimumSizeHint() == before
    assert made.size() == QSize(400, 300)
    area = next(area for area in made.findChildren(QScrollArea) if area.isAncestorOf(large))
    assert area.horizontalScrollBar().maximum() > 0
    assert area.verticalScrollBar().maximum() > 0


def test_a_tab_of_words_offers_to_scroll_only_what_lies_below(qtbot: QtBot) -> None:
    made, host = TabPages(), QWidget()
    sections, page = section_tabs("Sections", host), QWidget()
    sections.addTab(page, "a")
    QVBoxLayout(host).addWidget(sections)
    below = QVBoxLayout(page)
    for _ in range(6):
        below.addWidget(label("what a tab of this width holds in two lines " * 2))
    made.add_page("tab", host)
    show(qtbot, made, width=420, height=300)
    bar = next(area for area in made.findChildren(QScrollArea) if area.isAncestorOf(host)).verticalScrollBar()
    around = made.height() - host.parentWidget().height()
    made.resize(420, around + host.heightForWidth(420) + 4)
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    made.resize(420, 100)
    qtbot.waitUntil(lambda: bar.maximum() > 0)


def test_a_section_needs_no_more_room_than_it_shows(qtbot: QtBot) -> None:
    """A larger one, hidden, gives its neighbour no bar with nothing to scroll to."""
    outer, host = TabPages(), QWidget()
    small, large = QLabel("small"), QWidget()
    large.setMinimumSize(300, 2000)
    sections = section_tabs("Sections", host)
    sections.addTab(small, "a")
    sections.addTab(large, "b")
    QVBoxLayout(host).addWidget(sections)
    outer.add_page("tab", host)
    show(qtbot, outer, width=400, height=300)
    bar = next(
        area for area in outer.findChildren(QScrollArea) if area.isAncestorOf(small)
    ).verticalScrollBar()
    for chosen, scrolls in ((small, False), (large, True), (small, False)):
        sections.setCurrentWidget(chosen)
        qtbot.waitUntil(lambda scrolls=scrolls: (bar.maximum() > 0) is scrolls)


def test_a_message_in_the_place_of_a_plot_needs_no_more_than_itself(qtbot: QtBot) -> None:
    pages, small, large = ShownPage(), QLabel("small"), QWidget()
    large.setMinimumSize(300, 2000)
    for page in (small, large):
        pages.addWidget(page)
    show(qtbot, pages, width=400, height=300)
    needed = [pages.minimumSizeHint()]
    pages.setCurrentWidget(large)
    needed.append(pages.minimumSizeHint())
    assert [one.height() for one in needed] == [small.minimumSizeHint().height(), 2000]
    assert {one.width() for one in needed} == {300}, "what lies beside stays where it is"
