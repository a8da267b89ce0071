"""What holds for every widget holds in every state that the window can be put into."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QScrollBar, QWidget

from tests.ui.every_state import states_of
from tests.ui.test_whole_window import LEAST_SHARE, ring_share, take_keyboard, value_of
from tests.ui.user_actions import turn_wheel
from tests.ui.whole_window import followed_while_typed, nameless, stops, unknown_looks, whole_window
from ui.kit.wheel_guard import EDITORS
from ui.shell.main_window import MainWindow
from ui.web_map.map_view import MapView


def shown_in_a_page(widget: QWidget) -> bool:
    """A web page names what is in it itself."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, MapView):
        around = around.parentWidget()
    return around is not None


def faults_of_stops(window: MainWindow, place: QWidget) -> set[tuple[str, str, str]]:
    """What is reached without a ring, or without a name."""
    found = set()
    for widget in list(stops(place)):
        window.setFocus()
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
        if ring_share(window, widget) < LEAST_SHARE:
            found.add(("no ring", type(widget).__name__, name))
        if not name and not shown_in_a_page(widget):
            found.add(("no name", type(widget).__name__, widget.toolTip()))
    return found


def turned_by_the_wheel(window: MainWindow, place: QWidget) -> set[tuple[str, str, str]]:
    """Editors that it changes though they have not the keyboard."""
    found = set()
    window.setFocus()
    for editor in place.findChildren(QWidget):
        if not isinstance(editor, EDITORS) or isinstance(editor, QScrollBar) or not editor.isVisible():
            continue
        for area in (area for area in window.findChildren(QScrollArea) if area.isAncestorOf(editor)):
            area.ensureWidgetVisible(editor)
        before = value_of(editor)
        for notches in (-1, 1, 1):
            turn_wheel(editor, notches=notches)
        if value_of(editor) != before:
            found.add(("turned", type(editor).__name__, editor.accessibleName()))
    return found


def cut_words(place: QWidget) -> set[tuple[str, str, str]]:
    return {
        ("cut", "QLabel", words.text())
        for words in place.findChildren(QLabel)
        if words.isVisible() and words.wordWrap() and words.height() < words.heightForWidth(words.width())
    }


def test_rings_names_wheel_and_words(qapp: QApplication, tmp_path: Path) -> None:
    with whole_window(qapp, tmp_path) as window:
        take_keyboard(window)
        found, names = {}, []
        for name, place in states_of(window, tmp_path):
            names.append(name)
            faults = faults_of_stops(window, place) | turned_by_the_wheel(window, place)
            faults |= unknown_looks(place) | nameless(place) | followed_while_typed(place)
            if faults := faults | cut_words(place):  # at last: words that wrap learn their width first
                found[name] = faults
        assert found == {}
        assert len(names) > 25
