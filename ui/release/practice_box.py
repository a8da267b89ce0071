"""A first try at no cost: the bundled sample, with a ledger and a key that are thrown away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QPushButton, QWidget

from core.errors import HexveilError, InputError
from core.release.practice import is_sample, practice_spec
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.signals import on_any
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_screen
from ui.release.release_jobs import Outcome, practise_release
from ui.release.result_view import ResultView, verify_now
from ui.release.spoken_languages import spoken_in
from ui.session.guards.parameters import TYPED_HEXAGONS, draft_unfit
from ui.session.guards.reasons import first_reason
from ui.session.session import Session

_SIZE = QSize(620, 520)


class PracticeBox(QWidget):
    """While the sample is what is loaded; of other data it says where to practise. Emits `refused(error)`."""

    refused = Signal(object)

    def __init__(self, session: Session, target: Callable[[], Path], parent: QWidget | None = None) -> None:
        """target: the folder that receives the bundle; may raise InputError."""
        super().__init__(parent)
        self._session = session
        self._target = target
        self.dialog: PracticeDialog | None = None
        self._job: Job | None = None
        self.start = QPushButton(self.tr("Practice release"), self)
        self.start.setToolTip(
            self.tr("Nothing is spent and no key is needed: its ledger and its key are thrown away.")
        )
        self.start.clicked.connect(self._practise)
        self.progress = QProgressBar(self, maximum=1000, textVisible=False)
        self.progress.setAccessibleName(self.tr("Practising"))
        column = in_column(self, self.start, self.progress)
        self.about = flowing(look="muted")
        column.addWidget(self.about)
        self.progress.hide()
        on_any(self.refresh, session.data_changed, session.busy_changed)
        self.refresh()

    def refresh(self) -> None:
        """For the sample alone: real vehicles pay for every release."""
        source = self._session.source
        sample = source is not None and is_sample(source)
        self.start.setVisible(sample)
        self.about.setText(
            self.tr("A first try with the sample, at no cost. It is marked as practice.")
            if sample
            else self.tr("Practice at no cost with the sample: File > Open the sample.")
        )
        self.start.setEnabled(not self._session.busy and self._job is None)

    def _practise(self) -> None:
        source, draft, cache = self._session.source, self._session.draft, self._session.cache
        if source is None or self._job is not None:
            return
        if reason := first_reason(self._session, (*TYPED_HEXAGONS, draft_unfit)):
            self.refused.emit(InputError(reason.what, where=reason.where, mend=reason.mend))
            return
        try:
            out = self._target()
            spec = practice_spec(spoken_in(draft), source, out)
        except HexveilError as error:
            self.refused.emit(error)
            return
        self._job = Job(lambda progress: practise_release(spec, out, cache, progress), parent=self)
        self._job.progressed.connect(lambda done, _: self.progress.setValue(round(done * 1000)))
        self._job.succeeded.connect(self._show)
        self._job.failed.connect(self.refused)
        self._job.finished.connect(self._end)
        self._job.start()
        self.progress.show()
        self.refresh()

    def _end(self) -> None:
        self._job = None
        self.progress.hide()
        self.refresh()

    def _show(self, outcome: Outcome) -> None:
        self._session.release.set_practised(outcome.published)
        self.dialog = PracticeDialog(outcome, self)
        self.dialog.open()


class PracticeDialog(QDialog):
    """What came of it, verified immediately."""

    def __init__(self, outcome: Outcome, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Practice release"))
        self.view = ResultView(outcome)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.rejected.connect(self.reject)
        in_column(self, (scrolling(self.view), 1), self.buttons, margins=None)
        fit_screen(self, _SIZE)
        verify_now(outcome, self.view)
