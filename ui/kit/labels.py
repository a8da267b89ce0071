"""Small labels that every page uses, so that looks are chosen in one place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget


def label(text: str = "", look: str = "", parent: QWidget | None = None) -> QLabel:
    """A wrapping label in one of the theme's looks; its text is never read as HTML."""
    made = QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if look:
        made.setProperty("look", look)
    return made


def set_look(widget: QWidget, look: str) -> None:
    """Change a widget's look after it was shown."""
    widget.setProperty("look", look)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def badge(text: str, tip: str, parent: QWidget | None = None) -> QLabel:
    """A small tag such as *Confidential*."""
    made = QLabel(text, parent)
    made.setProperty("look", "badge")
    made.setToolTip(tip)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


def shrinkable(box: QComboBox) -> None:
    """Let a narrow column cut a list's longest entry short instead of growing."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(6)
    box.setMinimumWidth(82)
