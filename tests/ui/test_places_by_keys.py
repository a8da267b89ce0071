"""From the import dialog to routes with directions and a filter, by keys alone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.clean.record_filter import RecordFilter
from core.hats.groups import DAY_KIND, Group
from core.hats.places import LABELLED
from core.privacy import Relation, Unit
from core.system.paths import Home
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.whole_window import bare_window

WAIT = 60_000
_LAST = 120
"""Stops of the Tab key: more than any page has."""


def key(*keys: Qt.Key | Qt.KeyboardModifier) -> None:
    """Into what has the keyboard."""
    at = QApplication.focusWidget() or QApplication.activeWindow()
    assert at is not None
    QTest.keyClick(at.window().windowHandle(), *keys)


def come_to(widget: QWidget) -> None:
    for _ in range(_LAST):
        if QApplication.focusWidget() in (widget, widget.focusProxy()):
            return
        key(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not come to {widget.accessibleName() or widget.objectName()}")


def press(widget: QWidget) -> None:
    come_to(widget)
    key(Qt.Key.Key_Space)


def pick(box: QComboBox, text: str) -> None:
    """In the opened list: with the arrows alone every entry on the way would be chosen."""
    come_to(box)
    key(Qt.Key.Key_Space)
    view = box.view()
    assert view.isVisible()
    for _ in range(box.count()):
        QTest.keyClick(view, Qt.Key.Key_Up)
    for _ in range(box.findText(text)):
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert box.currentText() == text


def test_routes_directions_and_a_filter_without_a_mouse(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    write_labelled_city(tmp_path / "city", (MAPPED,))
    with bare_window(qapp, Home(tmp_path / "home")) as window:
        window.resize(1366, 768)
        workspace = window.workspace
        assert workspace is not None
        session = workspace.session
        session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)

        def rest() -> None:
            qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT)

        workspace.open_dropped([tmp_path / "city" / "records.csv"])
        dialog = workspace.data.dialog
        assert dialog is not None
        qtbot.waitUntil(lambda: not dialog.busy and dialog.isActiveWindow(), timeout=WAIT)
        form = dialog.form
        pick(form.grid.unit_rows.rows[0].unit, "km/h")
        named = form.named
        press(named.chips.buttons["route"])
        key(Qt.Key.Key_Tab)
        assert named.chips.buttons["direction"].hasFocus()
        key(Qt.Key.Key_Space)
        press(named.add)
        name, column = named.rows[-1]
        assert name.hasFocus(), "the keyboard goes on in the new line"
        QTest.keyClicks(name, "part")
        key(Qt.Key.Key_Tab)
        assert column.hasFocus(), "as it stands"
        pick(column, "direction")
        assert dict(named.named) == {"route": "route", "direction": "direction", "part": "direction"}
        remove = column.parentWidget().findChild(QPushButton)
        assert remove is not None
        press(remove)
        assert dict(named.named) == {"route": "route", "direction": "direction"}
        assert QApplication.focusWidget() is named.add, "the keyboard stays there"
        qtbot.waitUntil(dialog.load.isEnabled, timeout=WAIT)
        key(Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(lambda: workspace.data.dialog is None, timeout=WAIT)
        rest()
        window.activateWindow()  # as a window manager does
        qtbot.waitUntil(window.isActiveWindow, timeout=WAIT)
        key(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        page = workspace.parameters
        place, hexagons = page.knobs.place, page.hexagons
        pick(place.kind, "Column of records")
        assert place.column.hasFocus()
        pick(place.column, "route")
        rest()
        assert (session.draft.place_kind, session.draft.place_column) == (LABELLED, "route")
        head = page.sections["hexagons"].head
        if not head.isChecked():
            press(head)
        press(hexagons.groups.chips.buttons["direction"])
        rest()
        for stop in (hexagons.groups.chips.buttons[DAY_KIND], hexagons.groups.labels["direction"]):
            key(Qt.Key.Key_Tab)
            assert stop.hasFocus(), "as they stand"
        press(hexagons.filter.add)
        row = hexagons.filter.rows[0]
        assert row.column.hasFocus()
        pick(row.column, "direction")
        key(Qt.Key.Key_Tab)
        assert row.excluded.hasFocus()
        pick(row.excluded, "is not")
        key(Qt.Key.Key_Tab)
        assert row.values.hasFocus()
        QTest.keyClicks(row.values, "DN")
        key(Qt.Key.Key_Return)
        rest()
        assert session.draft.groups == (Group("direction"),)
        assert session.draft.filters == (RecordFilter(name="direction", values=("DN",), excluded=True),)
        assert session.contributions is not None
        assert session.contributions.window.groups[0].labels == ("UP",)
