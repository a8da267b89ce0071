"""What went wrong, in place: your last action may have failed; copy the details."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from core.errors import HexveilError, InputErrors
from core.system.fault_report import error_number, fault_report, place_of
from ui.kit.labels import plain_label
from ui.kit.system_facts import system_facts
from ui.language.translation import core_text, sentence, translator
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scroll_to

_tr = translator("Messages")

log = logging.getLogger("hexveil")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What, where, how to mend."""

    what: str
    where: str = ""
    mend: str = ""

    @property
    def details(self) -> str:
        """Where and how to mend, a line each."""
        return "\n".join(part for part in (self.where, self.mend) if part)

    @property
    def line(self) -> str:
        """All three in one line, for where its field is not seen."""
        what = sentence(self.what)
        return " ".join(filter(None, (f"{self.where}: {what}" if self.where else what, self.mend)))


def message_of(error: object) -> Message:
    """An exception as a message, keys of a spec as the fields of the window that they are.

    Of an unexpected one only the kind is shown: its text may quote data.
    """
    if isinstance(error, HexveilError):
        from ui.kit.spec_words import mend_in_form, place_in_form  # brings all that a spec may say

        if isinstance(error, InputErrors):
            message = (message_of(problem) for problem in error.problems)
            return Message(what=core_text(error.what), mend="\n".join(one.line for one in message))
        return Message(
            what=core_text(error.what),
            where=core_text(place_in_form(error.where)),
            mend=_as_sentence(mend_in_form(core_text(error.mend), error.where)),
        )
    return Message(
        what=_tr("Hexveil made a mistake (%s).").replace("%s", _kind_and_number(error)),
        where=core_text(place_of(error)) if isinstance(error, BaseException) else "",
        mend=_tr(
            "Your last action may have failed. Check, then try again. If it happens again, copy the "
            "details and report them; they contain no data."
        ),
    )


def _as_sentence(mend: str) -> str:
    """Core says it as a piece of one, which the command line joins to others."""
    return sentence(mend.rstrip(".।")) if mend else ""


def problem_line(error: object) -> str:
    """An error in one line below its field: what, and how to mend it."""
    message = message_of(error)
    return f"! {message.what} {message.mend}"


def _kind_and_number(error: object) -> str:
    kind = type(error).__name__
    return f"{kind}, {error_number(error)}" if isinstance(error, BaseException) else kind


class MessageBar(QFrame):
    """A message inside a page, which scrolls to it; hidden while there is nothing to say."""

    appeared = Signal()
    """It says something, and said nothing before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what = _label("heading")
        self._where = _label("muted")
        self._mend = _label("")
        close = QToolButton(self)
        close.setText("✕")
        close.setAutoRaise(True)
        close.setAccessibleName(self.tr("Close message"))
        close.clicked.connect(self.hide)
        self.copy = QPushButton(self.tr("Copy details"), self)
        self.copy.setToolTip(self.tr("What happened and where in the program, without any data"))
        self._details = ""
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
        texts = in_column(
            None, self._what, self._where, self._mend, (self.copy, 0, Qt.AlignmentFlag.AlignLeft), spacing=2
        )
        in_row(self, (texts, 1), (close, 0, Qt.AlignmentFlag.AlignTop), margins=(10, 8, 6, 8))
        self.hide()

    @property
    def text(self) -> str:
        """What is shown, for tests and screen readers."""
        return "\n".join(label.text() for label in (self._what, self._where, self._mend) if label.text())

    def show_error(self, error: object) -> None:
        """Show an exception; of one that nobody expected there are details to copy."""
        self.show_message(message_of(error), look="error")
        if isinstance(error, BaseException) and not isinstance(error, HexveilError):
            self._details = f"{system_facts()}\n\n{fault_report(error)}"
            self.copy.show()

    def show_message(self, message: Message, *, look: str) -> None:
        """Show a message in the look `error`, `warning` or `good`."""
        said = self.text
        self._what.setText(message.what)
        self._where.setText(message.where)
        self._mend.setText(message.mend)
        for label in (self._where, self._mend):
            label.setVisible(bool(label.text()))
        self.copy.hide()
        self.setProperty("look", look)
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleDescription(self.text)
        appears = self.isHidden()
        self.show()
        if appears:
            self.appeared.emit()
        if appears or self.text != said:
            scroll_to(self)

    def clear(self) -> None:
        """Nothing to say any more."""
        self.hide()


def _label(look: str) -> QLabel:
    label = plain_label()
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if look:
        label.setProperty("look", look)
    return label
