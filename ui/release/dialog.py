"""Review, confirm, release: the one place where noise is bought. What is released cannot be recalled."""

from __future__ import annotations

from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QWidget,
)

from core.errors import ReleaseAborted
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.labels import label
from ui.kit.message_bar import Message, MessageBar
from ui.language.translation import core_text
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_screen
from ui.release.key_dialog import passphrase_field
from ui.release.known_beforehand import known_beforehand
from ui.release.release_jobs import Outcome, Reviewed, Wanted, publish_release, review_release
from ui.release.result_view import ResultView, verify_now
from ui.release.review_view import ReviewView
from ui.session.session import Session

_WIDTH, _HEIGHT = 680, 660
_LEAST_HEIGHT = 420
_FULL = 1000
_BESIDE_THE_BAR = 8
"""Pixels between what is read and the bar that scrolls it."""


class Phase(Enum):
    """Where the dialog is."""

    REVIEWING = auto()
    """Checking and planning; may be cancelled."""
    REFUSED = auto()
    """The review ended with a message; nothing was spent."""
    READY = auto()
    """Waiting for the person's confirmation."""
    PUBLISHING = auto()
    """Between reservation and publication: nothing may stop it."""
    DONE = auto()


class ReleaseDialog(QDialog):
    """Runs one release; call `open`."""

    def __init__(self, session: Session, wanted: Wanted, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._wanted = wanted
        self._reviewed: Reviewed | None = None
        self._notes: dict[Phase, str] = {}
        self._job: Job | None = None
        self.setWindowTitle(self.tr("Release {name}").format(name=wanted.folder_name))
        self._build()
        fit_screen(self, QSize(_WIDTH, _HEIGHT))
        self._review()

    def _build(self) -> None:
        self.heading = flowing(look="title", parent=self)
        self.area: QScrollArea = scrolling(QWidget())
        self.message = MessageBar(self)
        self.note = flowing(look="muted", parent=self)
        self.progress = QProgressBar(self, textVisible=False)
        self.progress.setAccessibleName(self.tr("Progress"))
        layout = in_column(
            self, self.heading, (self.area, 1), self.message, margins=(16, 14, 16, 14), spacing=10
        )
        self.filler = QWidget(self)
        layout.addWidget(self.filler, 1)
        layout.addWidget(self._confirmation())
        layout.addWidget(self.progress)
        layout.addLayout(self._buttons())

    def _confirmation(self) -> QWidget:
        self.confirmation = QWidget(self)
        self.typed = QLineEdit(self.confirmation, placeholderText=self._wanted.folder_name)
        self.passphrase = passphrase_field(self.confirmation)
        self.passphrase.returnPressed.connect(self._release)
        self.question = label(parent=self.confirmation)
        self.answer = QLineEdit(self.confirmation, placeholderText=self.tr("yes"))
        for field in (self.answer, self.typed, self.passphrase):
            field.textChanged.connect(self._enable)
        self._form = form = QFormLayout(self.confirmation)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.question)
        form.addRow(self.tr("&Answer, yes or no"), self.answer)
        form.addRow(self.tr("&Type the release's name"), self.typed)
        form.addRow(self.tr("&Passphrase of the key"), self.passphrase)
        return self.confirmation

    def _buttons(self) -> QHBoxLayout:
        self.close_button = QPushButton(self)
        self.again = QPushButton(self.tr("&Check again"), self)
        self.release = push_button(self.tr("&Release"), self, look="primary")
        for button in (self.close_button, self.again, self.release):
            # Enter in a field must not press whichever button comes first.
            button.setAutoDefault(False)
        self.close_button.clicked.connect(self.reject)
        self.again.clicked.connect(self._review_anew)
        self.release.clicked.connect(self._release)
        return in_row(None, (self.note, 1), self.close_button, self.again, self.release)

    @property
    def phase(self) -> Phase:
        return self._phase

    def _enter(self, phase: Phase) -> None:
        """Show what belongs to a phase."""
        self._phase = phase
        name = self._wanted.folder_name
        headings = {
            Phase.REVIEWING: self.tr("Checking {name}…"),
            Phase.REFUSED: self.tr("{name} cannot be released now"),
            Phase.READY: self.tr("Review {name}"),
            Phase.PUBLISHING: self.tr("Publishing {name}…"),
            Phase.DONE: self.tr("{name} is published"),
        }
        self._notes = {
            Phase.REVIEWING: self.tr("Checking costs nothing."),
            Phase.REFUSED: self.tr("Checking costs nothing."),
            Phase.READY: self.tr("A release cannot be undone, nor stopped once it has begun."),
            Phase.PUBLISHING: self.tr("The budget is being spent: this cannot be stopped."),
            Phase.DONE: "",
        }
        self.heading.setText(headings[phase].format(name=name))
        self.note.setText(self._notes[phase])
        busy = phase in (Phase.REVIEWING, Phase.PUBLISHING)
        asking = phase in (Phase.READY, Phase.PUBLISHING)
        self.area.setVisible(phase is not Phase.REFUSED)
        self.filler.setVisible(phase is Phase.REFUSED)
        self.progress.setVisible(busy)
        self.progress.setRange(0, 0 if phase is Phase.PUBLISHING else _FULL)
        self.confirmation.setVisible(asking)
        self.confirmation.setEnabled(phase is Phase.READY)
        self.release.setVisible(asking)
        self.again.setVisible(phase is Phase.REFUSED)
        ended = phase in (Phase.REFUSED, Phase.DONE)
        self.close_button.setText(self.tr("&Close") if ended else self.tr("&Cancel"))
        self.close_button.setEnabled(phase is not Phase.PUBLISHING)
        self._enable()
        self._fit(phase)

    def _fit(self, phase: Phase) -> None:
        """A refusal needs little room; a review takes back what it had."""
        if phase is Phase.REFUSED:
            fit_screen(self, QSize(self.width(), self.sizeHint().height()))
        elif phase in (Phase.READY, Phase.DONE) and self.height() < _LEAST_HEIGHT:
            fit_screen(self, QSize(self.width(), _HEIGHT))

    def _enable(self) -> None:
        name, typed = self._wanted.folder_name, self.typed.text().strip()
        confirmed = typed == name
        if self._phase is Phase.READY:
            whole = self.tr("Type the whole name, with its version: {name}").format(name=name)
            self.note.setText(whole if typed and not confirmed else self._notes[Phase.READY])
        answer = self.answer.text().strip().casefold()
        answered = not self.question.text() or answer in ("yes", self.tr("yes").casefold())
        ready = self._phase is Phase.READY and confirmed and answered
        self.release.setEnabled(ready and bool(self.passphrase.text()))

    # Review

    def _review_anew(self) -> None:
        self.message.clear()
        self._review()

    def _review(self) -> None:
        """Check and plan in the background; what is on the screen is planned, no file is read again."""
        self._reviewed = None
        self._enter(Phase.REVIEWING)
        self._job = Job(partial(review_release, self._wanted), parent=self)
        self._job.progressed.connect(lambda done, _: self.progress.setValue(round(done * _FULL)))
        self._job.succeeded.connect(self._on_reviewed)
        self._job.failed.connect(self._on_refused)
        self._job.start()

    def _on_reviewed(self, reviewed: Reviewed) -> None:
        self._reviewed = reviewed
        self._show(ReviewView(reviewed, known_beforehand(self._session)))
        self._ask(core_text(reviewed.prepared.review.label_question))
        self._enter(Phase.READY)
        (self.answer if self.question.text() else self.typed).setFocus()

    def _ask(self, question: str) -> None:
        """What only a person knows of the labels; empty: nothing."""
        self.question.setText(question)
        self.answer.clear()
        for field in (self.question, self.answer):
            self._form.setRowVisible(field, bool(question))

    def _show(self, view: ReviewView | ResultView) -> None:
        view.setContentsMargins(0, 0, _BESIDE_THE_BAR, 0)
        self.area.setWidget(view)

    def _on_refused(self, error: object) -> None:
        if self.message.isHidden():
            # Otherwise it names budget that was spent, which matters more.
            self.message.show_error(error)
        self._enter(Phase.REFUSED)

    # Publish

    def _release(self) -> None:
        if not self.release.isEnabled() or self._reviewed is None:
            return
        passphrase = self.passphrase.text()
        self.passphrase.clear()
        self.message.clear()
        self._enter(Phase.PUBLISHING)
        prepared, wanted = self._reviewed.prepared, self._wanted
        # No parent: even if this dialog were destroyed, nobody may stop the work.
        self._job = Job(lambda progress: publish_release(prepared, wanted, passphrase, progress))
        self._job.progressed.connect(
            lambda _, text: self.message.show_message(Message(what=text), look="warning")
        )
        self._job.succeeded.connect(self._on_published)
        self._job.failed.connect(self._on_unpublished)
        self._job.start()

    def _on_published(self, outcome: Outcome) -> None:
        self._session.release.set_published(outcome.published)
        self.typed.clear()
        self.message.clear()
        self.result_view = ResultView(outcome)
        self._show(self.result_view)
        self._enter(Phase.DONE)
        self.close_button.setFocus()
        verify_now(outcome, self.result_view)

    def _on_unpublished(self, error: object) -> None:
        """Show why. Where budget was spent the review no longer holds, and is made anew."""
        self.message.show_error(error)
        self._session.ledger.read()
        if isinstance(error, ReleaseAborted):
            self.typed.clear()
            self._review()
            return
        self._enter(Phase.READY)
        self.passphrase.setFocus()

    def reject(self) -> None:
        """Close; while a release is being published, say why not."""
        if self._phase is Phase.PUBLISHING:
            self.message.show_message(
                Message(
                    what=self.tr("A release cannot be stopped between reservation and publication."),
                    mend=self.tr("Wait a few seconds: the dialog tells how it ended."),
                ),
                look="warning",
            )
            return
        super().reject()

    def done(self, result: int) -> None:
        """Close, stop a review, and forget what was typed."""
        if self._phase is Phase.REVIEWING and self._job is not None:
            self._job.cancel()
        self.passphrase.clear()
        super().done(result)
