"""Every dialog as it is built: what holds for the window holds for each of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAccessible, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QScrollArea, QScrollBar, QWidget

import ui
from tests.ui.every_dialog import dialogs_of
from tests.ui.test_whole_window import LEAST_SHARE, complaints, left_out, ring_share, value_of
from tests.ui.user_actions import turn_wheel
from tests.ui.whole_window import nameless, out_of_place, stops, uneven_forms, unknown_looks, wait_until
from ui.kit.theme import Mode
from ui.kit.wheel_guard import EDITORS
from ui.shell.main_window import MainWindow


@pytest.fixture(scope="module")
def window(spoken_window: MainWindow) -> MainWindow:
    return spoken_window


def faults_of(window: MainWindow, dialog: QDialog) -> Iterator[tuple[object, ...]]:
    """What is seen of a dialog that nobody has touched, and should not be so."""
    if dialog.windowHandle().transientParent() is not window.windowHandle() or not dialog.isModal():
        yield ("not on top of the window",)
    if not dialog.windowTitle():
        yield ("no title",)
    yield from (("out of place", *stray) for stray in out_of_place(dialog))
    yield from (("fields end apart", *form) for form in uneven_forms(dialog))
    yield from unknown_looks(dialog) | nameless(dialog)
    for widget in stops(dialog):
        if not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name):
            yield "no name for those who hear it", type(widget).__name__, widget.toolTip()
    QTest.qWait(60)  # words that wrap learn their width first
    for words in dialog.findChildren(QLabel):
        needed = words.heightForWidth(words.width())
        if words.isVisible() and words.wordWrap() and words.height() < needed:
            yield "cut", words.text()


def take_keyboard(dialog: QDialog) -> None:
    dialog.activateWindow()
    wait_until(dialog.isActiveWindow)


def elsewhere(dialog: QDialog, widget: QWidget) -> None:
    """The keyboard is at another place than this one."""
    other = next((one for one in stops(dialog) if one is not widget), None)
    if other is None:
        widget.clearFocus()
    else:
        other.setFocus()


def faint(dialog: QDialog, seen: set[object] | None = None) -> Iterator[tuple[object, ...]]:
    """Stops without a ring; seen: kinds of them, each of which is looked at once."""
    for widget in list(stops(dialog)):
        kind = (type(dialog), type(widget), widget.property("look"))
        if seen is not None and kind in seen:
            continue
        if seen is not None:
            seen.add(kind)
        elsewhere(dialog, widget)
        if ring_share(dialog, widget) < LEAST_SHARE:
            yield "no ring", type(widget).__name__, widget.accessibleName()


def passed_by(dialog: QDialog) -> Iterator[tuple[object, ...]]:
    """What the Tab key does not come to; a table that moves by it from cell to cell would keep it."""
    first = next(stops(dialog), None)
    if first is not None:
        yield from (("passed by", *one) for one in left_out(dialog, first))


def turned(dialog: QDialog) -> Iterator[tuple[object, ...]]:
    """Editors that the wheel changes though they have not the keyboard."""
    for editor in editors_of(dialog):
        elsewhere(dialog, editor)
        for area in (area for area in dialog.findChildren(QScrollArea) if area.isAncestorOf(editor)):
            area.ensureWidgetVisible(editor)
        before = value_of(editor)
        for notches in (-1, 1, 1):
            turn_wheel(editor, notches=notches)
        if value_of(editor) != before:
            yield "turned", type(editor).__name__, editor.accessibleName()


def editors_of(dialog: QDialog) -> list[QWidget]:
    return [
        widget
        for widget in dialog.findChildren(QWidget)
        if isinstance(widget, EDITORS) and not isinstance(widget, QScrollBar) and widget.isVisible()
    ]


def proposed_in(dialog: QDialog) -> list[QPushButton]:
    buttons = dialog.findChildren(QPushButton)
    return [one for one in buttons if one.property("look") == "primary" and one.isVisible()]


def drawn_plain(dialog: QDialog) -> Iterator[tuple[object, ...]]:
    """Proposed buttons: a look that came after the style had seen the button was not drawn."""
    for button in proposed_in(dialog):
        button.setEnabled(True)
        elsewhere(dialog, button)
        drawn = button.grab().toImage().pixelColor(8, button.height() // 2)
        if drawn != button.palette().color(QPalette.ColorRole.Highlight):
            yield "drawn plain", button.text()


def test_each_lies_on_top_is_named_whole_and_used_by_keyboard_and_none_is_left_out(
    window: MainWindow, tmp_path: Path, qtlog: Any
) -> None:
    """And none of them makes Qt complain: one walk, at first of what nobody has touched.

    The first map gives the window another native one, after the import dialog: `--open RECORDS`.
    """
    QApplication.sendEvent(window, QEvent(QEvent.Type.WinIdChange))
    sources = (file.read_text(encoding="utf-8") for file in Path(ui.__file__).parent.rglob("*.py"))
    classes = {name for text in sources for name in re.findall(r"^class (\w+Dialog)\b", text, re.MULTILINE)}
    seen, tried = defaultdict(set), Counter[str]()
    for dialog in dialogs_of(window, tmp_path):
        faults = seen[type(dialog).__name__]
        faults.update(faults_of(window, dialog))
        take_keyboard(dialog)
        tried.update(
            stops=len(list(stops(dialog))),
            editors=len(editors_of(dialog)),
            proposed=len(proposed_in(dialog)),
        )
        for faults_in in (faint, passed_by, drawn_plain, turned):
            faults.update(faults_in(dialog))
    assert {name: faults for name, faults in seen.items() if faults} == {}
    assert classes - {"_Dialog"} <= seen.keys()
    assert [line for line in complaints(qtlog) if "::" in line] == []  # as in QWidget::setTabOrder
    assert all(tried[of] >= least for of, least in (("stops", 60), ("editors", 15), ("proposed", 8)))


def test_in_the_dark_too_every_kind_of_stop_shows_a_ring(window: MainWindow, tmp_path: Path) -> None:
    window.theme.set_mode(Mode.DARK)
    wait_until(lambda: not window.theme.polishing)
    found, seen = {}, set[object]()
    for dialog in dialogs_of(window, tmp_path):
        take_keyboard(dialog)
        if faults := set(faint(dialog, seen)):
            found[type(dialog).__name__] = faults
    window.theme.set_mode(Mode.LIGHT)
    assert found == {}
