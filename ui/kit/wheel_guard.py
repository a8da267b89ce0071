"""The mouse wheel scrolls the page; it changes an editor only once that has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QTabBar,
    QWidget,
)

EDITORS = (QAbstractSpinBox, QComboBox, QAbstractSlider, QTabBar)
"""What the wheel would change; a scroll bar is none of them."""


class WheelGuard(QObject):
    """Stands before every window of the application, where wheel events come in.

    Not before the application itself: that would be asked, in Python, about each of thousands of events.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.focusWindowChanged.connect(self.watch)
        self.watch()

    def watch(self) -> None:
        """Every window that is there. One that comes takes the keyboard, but for the first, which may open
        behind another program: it is reported once it is shown.
        """
        for window in QGuiApplication.topLevelWindows():
            window.installEventFilter(self)  # once more is once

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, ARG002 - Qt's call
        if event.type() is not QEvent.Type.Wheel or not isinstance(event, QWheelEvent):
            return False
        editor = _editor_at(event)
        if editor is None or _has_keyboard(editor):
            return False
        _scroll_around(editor, event)
        return True


def _editor_at(event: QWheelEvent) -> QWidget | None:
    """The editor under the pointer, or that a part under the pointer belongs to."""
    widget = QApplication.widgetAt(event.globalPosition().toPoint())
    while widget is not None and not widget.isWindow():
        if isinstance(widget, EDITORS) and not isinstance(widget, QScrollBar):
            return widget
        widget = widget.parentWidget()
    return None


def _has_keyboard(editor: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is editor or editor.isAncestorOf(focused))


def _scroll_around(editor: QWidget, event: QWheelEvent) -> None:
    """Hand the wheel to the page that the editor stands on."""
    area = editor.parentWidget()
    while area is not None and not isinstance(area, QAbstractScrollArea):
        area = area.parentWidget()
    if area is None:
        return
    place = area.viewport()
    passed_on = QWheelEvent(
        place.mapFromGlobal(event.globalPosition()),
        event.globalPosition(),
        event.pixelDelta(),
        event.angleDelta(),
        event.buttons(),
        event.modifiers(),
        Qt.ScrollPhase.NoScrollPhase,
        event.inverted(),
    )
    QApplication.sendEvent(place, passed_on)
