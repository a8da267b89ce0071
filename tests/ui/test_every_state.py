"""What holds for every widget holds in every state that the window can be put into, in any language."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QScrollBar, QWidget

from core.privacy import Relation
from tests.ui.every_state import states_of
from tests.ui.test_whole_window import LEAST_SHARE, ring_share, take_keyboard, value_of
from tests.ui.told_texts import NAMES, Told, laid_out
from tests.ui.user_actions import turn_wheel
from tests.ui.whole_window import followed_while_typed, nameless, stops, unknown_looks
from ui.kit.wheel_guard import EDITORS
from ui.shell.main_window import MainWindow
from ui.web_map.map_view import MapView

_SPEAK_OF_FILES = ("verified", "a mistake of the program")
"""Of a bundle and of the program; in relation `user`, where much is missing, of a spec."""


def shown_in_a_page(widget: QWidget) -> bool:
    """A web page names what is in it itself."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, MapView):
        around = around.parentWidget()
    return around is not None


def first_time(one: object, seen: set[object]) -> bool:
    """Most of a page stays as it was when its state changes, and need not be looked at again."""
    before = len(seen)
    seen.add(one)
    return len(seen) > before


def faults_of_stops(window: MainWindow, place: QWidget, seen: set[object]) -> set[tuple[str, str, str]]:
    """What is reached without a ring, or without a name."""
    found = set()
    for widget in list(stops(place)):
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
        if not name and not shown_in_a_page(widget):
            found.add(("no name", type(widget).__name__, widget.toolTip()))
        # a ring depends on these; its place is not another's (`out_of_place`)
        if first_time((widget, widget.property("look"), widget.width(), widget.height()), seen):
            window.setFocus()
            if ring_share(window, widget) < LEAST_SHARE:
                found.add(("no ring", type(widget).__name__, name))
    return found


def turned_by_the_wheel(window: MainWindow, place: QWidget, seen: set[object]) -> set[tuple[str, str, str]]:
    """Editors that it changes though they have not the keyboard."""
    found = set()
    window.setFocus()
    for editor in place.findChildren(QWidget):
        if not isinstance(editor, EDITORS) or isinstance(editor, QScrollBar) or not editor.isVisible():
            continue
        if not first_time(editor, seen):
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


def test_rings_names_wheel_and_words(disguised_window: MainWindow, tmp_path: Path) -> None:
    """In the made-up language, which is 40 % longer: no English is left there, and nothing is cut."""
    window, told, seen = disguised_window, Told(NAMES), set[object]()
    assert window.workspace is not None
    session = window.workspace.session
    take_keyboard(window)
    found, names = {}, []
    for name, place in states_of(window, tmp_path):
        names.append(name)
        faults = faults_of_stops(window, place, seen) | turned_by_the_wheel(window, place, seen)
        faults |= unknown_looks(place) | nameless(place) | followed_while_typed(place)
        laid_out()
        if cut_words(place):  # words that wrap learn their width first: on a busy machine a moment later
            QTest.qWait(100)
        if faults := faults | cut_words(place):
            found[name] = faults
        if name not in _SPEAK_OF_FILES and session.draft.relation is Relation.VALUES:
            told.look(place)
    assert found == {}
    assert (told.english, told.cut) == (set(), set())
    assert len(names) > 25
