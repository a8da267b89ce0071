"""The main window: puts steps, pages, tabs, budget panel and log together; *Stop*. Assembly only."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QProgressBar, QPushButton, QWidget

from core.errors import HexveilError
from core.progress import Progress
from core.system.fault_report import fault_report, log_fault
from core.system.paths import Home
from ui.kit.elided_label import ElidedLabel
from ui.kit.jobs import Job, cancel_all, longest_wait, wait_for_all
from ui.kit.labels import plain_label
from ui.kit.message_bar import MessageBar, log, message_of
from ui.kit.qt_classes import make_qt_classes
from ui.kit.theme import Theme
from ui.layout.boxes import in_column
from ui.layout.window_size import first_size
from ui.session.settings import Settings
from ui.shell.log_dock import LogDock

if TYPE_CHECKING:
    from ui.shell.workspace import Workspace

ENGINE = ("ui.shell.workspace",)
"""Imported in a worker, so that the frame answers while the engine loads."""
_PAUSE_MS = 1
"""Between two parts of the pages; none at all would keep waiting what a person does meanwhile."""
_SHOW_PROGRESS_AFTER_MS = 300
_FULL = 1_000
_NOTE_MARGIN = 4
_FORGOTTEN_AFTER_MS = 20_000
"""What was done last is no news then; the log has it."""
_CLOSE_TIMEOUT_S = 60.0


class MainWindow(QMainWindow):
    """The frame. `prepare` loads the engine and builds the pages."""

    prepared = Signal()
    """The pages are built."""

    def __init__(self, home: Home, settings: Settings, theme: Theme, *, opened: Path | None = None) -> None:
        """`opened`: what to begin with in place of the sample."""
        super().__init__()
        self._opened = opened
        self.home = home
        self.settings = settings
        self.theme = theme
        self.workspace: Workspace | None = None
        self._unbuilt: list[Callable[[], None]] = []
        self._last_note = ""
        self._may_close = False
        self._is_asked = True
        self.setWindowTitle(self.tr("Hexveil"))
        self.setAcceptDrops(True)
        self.resize(first_size(self.screen().availableSize()))
        self.opening = plain_label(self.tr("Opening…"), self)
        self.opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.faults = MessageBar(self)
        self._shown_in_place: object = None
        centre = QWidget(self)
        self._centre = in_column(centre, self.faults, (self.opening, 1), spacing=0)
        self.setCentralWidget(centre)
        self.log_dock = LogDock(self)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.log_dock)
        self._make_status_bar()
        self.restoreGeometry(settings.window_geometry)

    def _make_status_bar(self) -> None:
        self.note = ElidedLabel(parent=self)  # Qt's own message would end where the buttons begin
        self.note.setContentsMargins(_NOTE_MARGIN, 0, _NOTE_MARGIN, 0)
        self.statusBar().addWidget(self.note, 1)
        self.progress = QProgressBar(self, minimum=0, maximum=_FULL)
        self.progress.setFixedWidth(220)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setToolTip(self.tr("Stop; everything stays as it was (Esc)"))
        self.statusBar().addPermanentWidget(self.progress)
        self.statusBar().addPermanentWidget(self.cancel)
        self.progress.hide()
        self.cancel.hide()
        self._slow = QTimer(self, singleShot=True, interval=_SHOW_PROGRESS_AFTER_MS)
        self._slow.timeout.connect(self._show_progress)
        self._waiting = False
        self._waits = QTimer(self, interval=_SHOW_PROGRESS_AFTER_MS // 2)
        self._waits.timeout.connect(self._show_wait)
        self._waits.start()
        self.forgetting = QTimer(self, singleShot=True, interval=_FORGOTTEN_AFTER_MS)
        self.forgetting.timeout.connect(lambda: self.drop_note(self._last_note))

    def prepare(self) -> None:
        """Import the engine in a worker, then build the pages; but first what no worker may come upon."""
        make_qt_classes()
        job = Job(_import_engine, parent=self)
        job.succeeded.connect(self._start_building)
        job.failed.connect(self._cannot_open)
        job.start()

    def _start_building(self, workspace_class: type[Workspace]) -> None:
        """Build the pages part by part: together they would take longer than the one pause of the start."""
        workspace = workspace_class(self)
        self._unbuilt = [*workspace.stages(), lambda: self._show_workspace(workspace)]
        self._build_next()

    def _build_next(self) -> None:
        if self._unbuilt:
            self._unbuilt.pop(0)()
            QTimer.singleShot(_PAUSE_MS, self, self._build_next)

    def build(self, workspace_class: type[Workspace]) -> None:
        """Build the pages immediately."""
        workspace = workspace_class(self)
        for stage in workspace.stages():
            stage()
        self._show_workspace(workspace)

    def _show_workspace(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._centre.replaceWidget(self.opening, self.workspace.frame)
        self.workspace.frame.show()
        self.opening.deleteLater()
        session = self.workspace.session
        session.busy_changed.connect(self._show_busy)
        session.progressed.connect(self._show_step)
        session.noted.connect(self._note)
        session.confirmation.stands.connect(self.drop_note)
        session.load_failed.connect(self._note_shown)
        session.failed.connect(self._fail)
        self.cancel.clicked.connect(session.cancel)
        self.restoreState(self.settings.window_state)
        self.workspace.begin(self._opened)
        self.prepared.emit()

    def _cannot_open(self, error: object) -> None:
        self.opening.hide()
        self.faults.show_error(error)

    def _show_busy(self, busy: bool) -> None:
        if busy and not self._slow.isActive() and not self.progress.isVisible():
            self._slow.start()
        if not busy:
            self._slow.stop()
            self.progress.hide()
            self.cancel.hide()
            self.note.setText(self._last_note)

    def _show_wait(self) -> None:
        """What no page has asked the session for: said here too, as soon as one waits for it."""
        if self.workspace is None or self.workspace.session.busy:
            return
        wait = longest_wait()
        if wait is not None and 1000 * wait.seconds > _SHOW_PROGRESS_AFTER_MS:
            self._waiting = True
            self.progress.setRange(0, 0 if wait.done is None else _FULL)
            self.progress.setValue(round((wait.done or 0.0) * _FULL))
            self.progress.show()
            self.note.setText(wait.what or self.tr("Working…"))
        elif self._waiting:
            self._waiting = False
            self.progress.setRange(0, _FULL)
            self.progress.hide()
            self.note.setText(self._last_note)

    def _show_progress(self) -> None:
        self.progress.setRange(0, _FULL)
        self.progress.show()
        self.cancel.show()

    def _show_step(self, done: float, text: str) -> None:
        self.progress.setValue(round(done * _FULL))
        if text:
            self.note.setText(text)

    def _note(self, text: str) -> None:
        self._show_note(text)
        self.log_dock.note(text)

    def _show_note(self, text: str) -> None:
        self._last_note = text
        self.note.setText(text)
        self.forgetting.start()

    def drop_note(self, text: str) -> None:
        """It is no longer of what a person does; the log keeps it. What was said since stays."""
        if text and text == self._last_note:
            self._last_note = ""
            if self.note.text() == text:
                self.note.setText("")

    def _note_shown(self, error: object) -> None:
        """The page that asked shows it."""
        self._shown_in_place = error

    def _fail(self, error: object) -> None:
        self.log_dock.note_error(error)
        self._show_note(message_of(error).what)
        if error is not self._shown_in_place:
            self.faults.show_error(error)
        if isinstance(error, BaseException) and not isinstance(error, HexveilError):
            log.error("%s", fault_report(error))
            log_fault(self.home.fault_log, error)

    def show_fault(self, error: object) -> None:
        """What nobody caught: the window says so and lives on, and the log of errors keeps its report."""
        if isinstance(error, BaseException):
            log_fault(self.home.fault_log, error)
        self.log_dock.note_error(error)
        self.faults.show_error(error)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if self.workspace is not None:
            self.workspace.places.follow_width(event.oldSize().width(), event.size().width())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if self.workspace is not None and paths:
            self.workspace.open_dropped(paths)
            event.acceptProposedAction()

    def leave(self) -> None:
        """Close without a question."""
        self._may_close = True
        self.close()

    def stop(self) -> None:
        """The system ends the program, and nobody can be asked: unsaved work is stored for the next time."""
        self._is_asked = False
        self.leave()

    def event(self, event: QEvent) -> bool:
        """The first map gives the window another native one: dialogs would stay behind it, as nobody's."""
        if event.type() == QEvent.Type.WinIdChange and self.internalWinId():
            QTimer.singleShot(0, self, self._take_dialogs_back)
        return super().event(event)

    def _take_dialogs_back(self) -> None:
        for dialog in self.findChildren(QDialog):
            if dialog.isVisible() and dialog.isWindow():
                dialog.hide()  # the system learns whose a dialog is when it is shown
                dialog.windowHandle().setTransientParent(self.windowHandle())
                dialog.show()
                dialog.raise_()
                dialog.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        if self.workspace is not None and not self._may_close and self.workspace.questions.asks_to_stay():
            event.ignore()
            return
        self._unbuilt.clear()
        self.settings.window_geometry = self.saveGeometry()
        self.settings.window_state = self.saveState()
        cancel_all()
        # a release between reservation and publication is not to be cut off
        wait_for_all(_CLOSE_TIMEOUT_S)
        if self.workspace is not None:
            self.workspace.project.close(asked=self._is_asked)
        event.accept()

    def dispose(self) -> None:
        """Take the web view apart in the order that Qt wants, while the application still lives."""
        if self.workspace is not None:
            self.workspace.dispose()
            self.workspace = None
        QApplication.processEvents()


def _import_engine(_: Progress) -> type[Workspace]:
    modules = [importlib.import_module(name) for name in ENGINE]
    modules[0].warm_up()
    workspace: type[Workspace] = modules[0].Workspace
    return workspace
