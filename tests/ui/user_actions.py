"""What a person does at the window, for tests: press, type, choose, slide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from PySide6.QtCore import QPoint, QPointF, Qt, SignalInstance
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.errors import HexveilError
from ui.kit.message_bar import MessageBar
from ui.parameters.page import ParametersPage

LEFT = Qt.MouseButton.LeftButton


def show(qtbot: QtBot, widget: QWidget, *, width: int = 420, height: int = 900) -> None:
    """Put a widget on the screen; the test closes it."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)


def open_sections(page: ParametersPage) -> None:
    """So that all of the parameters is seen, one below the other."""
    for section in page.sections.values():
        section.open()


def press(qtbot: QtBot, button: QAbstractButton) -> None:
    """Click where the sign of a button is."""
    qtbot.mouseClick(button, LEFT, pos=QPoint(10, button.height() // 2))


def type_letters(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Type with the keyboard; letters beyond ASCII come as dead keys compose them."""
    for letter in text:
        if letter.isascii():
            qtbot.keyClicks(field, letter)
        else:
            composed = QInputMethodEvent()
            composed.setCommitString(letter)
            QApplication.sendEvent(field, composed)


def write(qtbot: QtBot, field: QLineEdit, text: str) -> None:
    """Type over what is there, and press Return."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    type_letters(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def pick(qtbot: QtBot, box: QComboBox, data: object) -> None:
    """Choose an entry of a list with the arrow keys."""
    box.setFocus()
    for _ in range(box.count() + 1):
        target = box.findData(data)  # anew: a choice may change the list
        if box.currentIndex() == target:
            return
        assert target >= 0
        qtbot.keyClick(box, Qt.Key.Key_Down if target > box.currentIndex() else Qt.Key.Key_Up)
    raise AssertionError("the entry could not be reached")


def slide(qtbot: QtBot, slider: QSlider, steps: int) -> None:
    """Move a slider by so many stops with the arrow keys."""
    slider.setFocus()
    for _ in range(abs(steps)):
        qtbot.keyClick(slider, Qt.Key.Key_Right if steps > 0 else Qt.Key.Key_Left)


def turn_wheel(widget: QWidget, *, notches: int = -1, at: QPoint | None = None) -> None:
    """Turn the wheel over a widget, as the window system brings it: to the window."""
    place = widget.rect().center() if at is None else at
    window = widget.window()
    QTest.wheelEvent(window.windowHandle(), QPointF(widget.mapTo(window, place)), QPoint(0, 120 * notches))


def hover(widget: QWidget, at: QPoint) -> None:
    """Move the pointer there, as the window system brings it: to this window, whatever lies over it."""
    window = widget.window()
    QTest.mouseMove(window.windowHandle(), widget.mapTo(window, at))


def lies_on(dialog: QDialog, widget: QWidget) -> bool:
    """A dialog over the window that it belongs to, which waits for it."""
    return (
        dialog.isVisible()
        and dialog.isModal()
        and dialog.windowHandle().transientParent() is widget.window().windowHandle()
    )


def refusal(qtbot: QtBot, signal: SignalInstance) -> AbstractContextManager[object]:
    """Something is refused, and why is said."""
    return qtbot.waitSignal(
        signal, check_params_cb=lambda error: isinstance(error, HexveilError) and bool(error.what)
    )


def texts(widget: QWidget) -> str:
    """Every label that is shown, one a line."""
    labels: Sequence[QLabel] = widget.findChildren(QLabel)
    return "\n".join(label.text() for label in labels if label.isVisibleTo(widget) and label.text())


def message(widget: QWidget) -> str:
    """What its message bars say; empty where they are hidden."""
    return "\n".join(bar.text for bar in widget.findChildren(MessageBar) if bar.isVisible())


def are_faint(*parts: QWidget) -> tuple[bool, ...]:
    """Which of them are at half ink."""
    effects = (part.graphicsEffect() for part in parts)
    return tuple(effect is not None and effect.isEnabled() for effect in effects)
