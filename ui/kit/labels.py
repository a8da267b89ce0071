"""Small labels that every page uses, so that looks are chosen in one place."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget

from ui.kit.glossary import terms_in
from ui.kit.tips import in_lines

_FIGURE: Final = re.compile(r"(?<=\d) (\w+/)(?=\w)")
"""A space and the first half of a unit such as km/h, behind a figure."""
_EQUALS: Final = re.compile(r"(?<=\w) = (?=\d)")
"""As in C = 65."""
_ABOVE: Final = 2
"""Pixels that marks of large letters are higher than their line."""
_DELTA: Final = re.compile(r"(?<=\bdelta) (?=\d)")
"""As in delta 1e-6."""
_SPACE, _JOINER = "\N{NO-BREAK SPACE}", "\N{WORD JOINER}"


class Prose(QLabel):
    """Lines end between words, never inside a figure with its unit; terms are explained behind the mouse."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        super().setText(_joined(text))
        self._terms = in_lines(terms_in(text))
        self.setToolTip(in_lines(self._terms))

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        joined = _joined(text)
        if joined == super().text():  # as most of them, each time that something else has changed
            return
        super().setText(joined)
        if self.toolTip() == self._terms:  # nobody has put anything else there
            self._terms = in_lines(terms_in(text))
            self.setToolTip(in_lines(self._terms))

    def text(self) -> str:
        """As it was written."""
        return super().text().replace(_JOINER, "").replace(_SPACE, " ")


def _joined(text: str) -> str:
    text = text.replace(" %", f"{_SPACE}%")
    text = _FIGURE.sub(rf"{_SPACE}\1{_JOINER}", text) if "/" in text else text
    text = _EQUALS.sub(f"{_SPACE}={_SPACE}", text) if "=" in text else text
    return _DELTA.sub(_SPACE, text) if "delta" in text else text


TALL = Qt.TextFlag.TextDontClip.value
"""Beside an alignment of `drawText`: letters of some scripts are taller than a row, and stay whole."""
MIDDLE_LINE = Qt.AlignmentFlag.AlignVCenter.value | TALL
"""A line of text in the middle of its row."""


def plain_label(text: str = "", parent: QWidget | None = None) -> QLabel:
    """Words on one line; Qt would guess whether a text is HTML, and a stranger may have written it."""
    made = QLabel(parent, textFormat=Qt.TextFormat.PlainText)
    made.setText(text)
    return made


def label(text: str = "", look: str = "", parent: QWidget | None = None, *, wraps: bool = True) -> QLabel:
    """A label in one of the theme's looks."""
    made = Prose(text, parent)
    made.setWordWrap(wraps)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    let_flow(made, QSizePolicy.Policy.Minimum)
    if look:
        made.setProperty("look", look)
    if look == "title":
        keep_tops(made)
    return made


def keep_tops(large: QLabel) -> None:
    """Draw the marks above large letters of some scripts whole, for which the text cannot be selected.

    Qt cuts text that can be at the top of its first line, which these marks are higher than.
    """
    large.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    large.setContentsMargins(0, _ABOVE, 0, _ABOVE)  # its middle stays that of what is beside it


def let_flow(text: QLabel, vertical: QSizePolicy.Policy) -> None:
    """Its height follows from its width: a policy without that word makes dialogs too low for their texts."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, vertical)
    policy.setHeightForWidth(True)
    text.setSizePolicy(policy)


def set_look(widget: QWidget, look: str) -> None:
    """Change a widget's look after it was shown."""
    widget.setProperty("look", look)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def badge(text: str, tip: str, parent: QWidget | None = None) -> QLabel:
    """A small tag such as *Confidential*."""
    made = plain_label(text, parent)
    made.setProperty("look", "badge")
    made.setToolTip(in_lines(tip))
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


def shrinkable(box: QComboBox) -> None:
    """Let a narrow column cut a list's longest entry short instead of growing."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(6)
    box.setMinimumWidth(82)
