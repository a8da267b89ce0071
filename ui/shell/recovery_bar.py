"""Offers unsaved work that another window left behind: open it, or throw it away."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QTimeZone, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.draft.project_file import PROJECT_SUFFIX
from core.draft.recovery import LeftBehind
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.layout.boxes import in_row

_WHEN = "yyyy-MM-dd HH:mm"
"""As every date in the window."""


class RecoveryBar(QFrame):
    """Hidden while there is nothing to offer. Emits the work with what was decided."""

    recover = Signal(object)
    discard = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left: LeftBehind | None = None
        self.setProperty("look", "warning")
        self.notice = label(parent=self)
        self.open = QPushButton(self.tr("Open it again"), self)
        self.open.setProperty("look", "primary")
        self.open.clicked.connect(lambda: self._decide(self.recover))
        self.throw = push_button(self.tr("Throw it away"), self, lambda: self._decide(self.discard))
        in_row(self, (self.notice, 1), self.open, self.throw, margins=(10, 6, 6, 6))
        self.hide()

    def offer(self, left: LeftBehind) -> None:
        """Tell what it is, and from when."""
        self._left = left
        name = left.project.saved_as.replace("\\", "/").rpartition("/")[2].removesuffix(PROJECT_SUFFIX)
        at = QDateTime.fromSecsSinceEpoch(int(left.at.timestamp()), QTimeZone.systemTimeZone())
        when = at.toString(_WHEN)
        text = (
            self.tr("Unsaved changes of {name}, from {when}, are still there.")
            if name
            else self.tr("Unsaved work from {when} is still there.")
        )
        self.notice.setText(text.format(name=name, when=when))
        self.show()

    def _decide(self, decision: SignalInstance) -> None:
        left, self._left = self._left, None
        self.hide()
        if left is not None:
            decision.emit(left)
