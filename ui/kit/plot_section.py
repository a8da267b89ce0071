"""What the sections with one plot have in common: the late import, the excuse, work only while visible."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.errors import HexveilError
from ui.kit.excuse import Excuse
from ui.kit.jobs import LatestJob
from ui.kit.messages import Message
from ui.kit.theme import Theme
from ui.session.session import Session


class PlotSection(QWidget):
    """Its subclasses say what is wanted (`_follow`) and what to do with results; see there."""

    module: str
    """Where the canvas is; imports pyqtgraph."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._stale = True
        self._imported = False
        self._importing = LatestJob(parent=self)
        self._importing.succeeded.connect(self._on_imported)
        self._importing.failed.connect(session.failed)
        self._computing = LatestJob(parent=self)
        self._computing.failed.connect(self._on_failed)
        self.stack = QStackedWidget(self)
        self.excuse = Excuse(self)
        self.stack.addWidget(self.excuse)
        # several signals of one change are one look at the session
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._refresh)
        theme.changed.connect(self._restyle)

    # of the subclass

    def _make_canvas(self, module: ModuleType) -> QWidget:
        raise NotImplementedError

    def _follow(self) -> None:
        """Show what the session asks for, and compute what is missing; only called while visible."""
        raise NotImplementedError

    def _rest(self) -> None:
        """Compute nothing more."""
        self._computing.drop()

    def _restyle(self) -> None:
        raise NotImplementedError

    # only while it is shown

    @property
    def ready(self) -> bool:
        """The canvas is there."""
        return self.stack.count() > 1

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if not self._imported:
            self._imported = True
            # importing pyqtgraph takes longer than the window may stand still; widgets are made here
            self._importing.start(lambda _: import_module(self.module))
        if self._stale:
            self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        if not event.spontaneous():  # a minimised window is still wanted
            self._stale = True
            self._rest()

    @Slot(object)
    def _on_imported(self, module: ModuleType) -> None:
        canvas = self._make_canvas(module)
        # each step in an event of its own: in between the window may answer
        QTimer.singleShot(0, self, lambda: self._dress(canvas))

    def _dress(self, canvas: QWidget) -> None:
        self.stack.addWidget(canvas)
        self._restyle()
        self._soon.start()

    @Slot()
    def _refresh(self) -> None:
        self._stale = not self.isVisible()
        if not self._stale:
            self._follow()

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._rest()
        if isinstance(error, HexveilError):
            self._excuse(Message(what=error.what, where=error.where, mend=error.mend))
        else:
            self._session.failed.emit(error)

    def _excuse(self, message: Message) -> None:
        """Say why there is no plot, in its place."""
        self.excuse.show_message(message)
        self.stack.setCurrentIndex(0)
