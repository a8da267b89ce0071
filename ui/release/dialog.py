"""The release dialog: every figure, labels nobody may know, the name typed; once begun it does not stop."""

from __future__ import annotations

from enum import Enum, auto
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError, ReleaseAborted
from core.system.files import write_atomic
from ui.kit.added_ending import unasked_replacement
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.labels import plain_label
from ui.kit.message_bar import Message, MessageBar
from ui.language.translation import core_text
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scroll_up_to, scrolling
from ui.layout.window_size import fit_screen
from ui.release.key_dialog import passphrase_field
from ui.release.known_beforehand import known_beforehand
from ui.release.release_jobs import Outcome, Reviewed, Wanted, publish_release, review_release
from ui.release.result_view import ResultView, verify_now
from ui.release.signing_view import SigningView
from ui.release.yes_or_no import YesOrNo
from ui.session.session import Session

_WIDTH, _HEIGHT = 730, 960
_LEAST_HEIGHT = 420
_FULL = 1000
_PDF = ".pdf"
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
        self.heading = flowing(look="title")
        self.area: QScrollArea = scrolling(QWidget())
        self.message = MessageBar(self)
        self.note = flowing(look="muted")
        self.progress = QProgressBar(self, maximum=_FULL, textVisible=False)
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
        self.asked = YesOrNo(self.confirmation)
        """What only a person knows of the labels."""
        self.asked.answered.connect(self._enable)
        for field in (self.typed, self.passphrase):
            field.textChanged.connect(self._enable)
        beside = in_row(
            None,
            *(
                (self._captioned(text, field), 1)
                for text, field in (
                    (self.tr("&Type {name}").format(name=self._wanted.folder_name), self.typed),
                    (self.tr("&Passphrase of the key"), self.passphrase),
                )
            ),
            spacing=12,
        )
        in_column(self.confirmation, self.asked, beside)
        return self.confirmation

    def _captioned(self, text: str, field: QLineEdit) -> QVBoxLayout:
        caption = plain_label(text)
        caption.setBuddy(field)
        return in_column(None, caption, field, spacing=3)

    def _buttons(self) -> QHBoxLayout:
        self.close_button = QPushButton(self)
        self.again = QPushButton(self.tr("Check a&gain"), self)
        self.release = push_button(self.tr("&Sign and release"), self, look="primary")
        self.details = push_button(self.tr("&Details"), self)
        self.details.setCheckable(True)
        self.details.setToolTip(self.tr("Everything that is checked and signed, with every figure"))
        self.print_button = push_button(self.tr("P&rint…"), self, self.ask_print)
        self.print_button.setToolTip(self.tr("This page as a PDF, with a line for a signature"))
        for button in (self.close_button, self.again, self.release, self.details, self.print_button):
            # Enter in a field must not press whichever button comes first.
            button.setAutoDefault(False)
        self.close_button.clicked.connect(self.reject)
        self.again.clicked.connect(self._review_anew)
        self.release.clicked.connect(self._release)
        self.details.toggled.connect(self._show_details)
        return in_row(
            None, self.details, self.print_button, (self.note, 1), self.close_button, self.again, self.release
        )

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
            Phase.READY: self.tr("Review before you sign"),
            Phase.PUBLISHING: self.tr("Signing and saving {name}…"),
            Phase.DONE: self.tr("{name} is signed and saved"),
        }
        self._notes = {
            Phase.REVIEWING: self.tr("Checking costs nothing."),
            Phase.REFUSED: self.tr("Checking costs nothing."),
            Phase.READY: self.tr("Once begun, it cannot be stopped."),
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
        self.progress.setValue(0)
        self.confirmation.setVisible(asking)
        self.confirmation.setEnabled(phase is Phase.READY)
        for button in (self.release, self.details, self.print_button):
            button.setVisible(asking)
        self.again.setVisible(phase is Phase.REFUSED)
        ended = phase in (Phase.REFUSED, Phase.DONE)
        self.close_button.setText(self.tr("&Close") if ended else self.tr("&Cancel"))
        self.close_button.setEnabled(phase is not Phase.PUBLISHING)
        for button in (self.close_button, self.again):
            button.setAutoDefault(ended)  # no field is left whose Enter it could take
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
            said = self._notes[Phase.READY]
            if self.asked.no.isChecked():
                said = self.tr("Labels that nobody else can know must not be published.")
            elif typed and not confirmed:
                said = self.tr("Type the whole name, with its version: {name}").format(name=name)
            self.note.setText(said)
        ready = self._phase is Phase.READY and confirmed and self.asked.agreed
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
        self.view = SigningView(reviewed, known_beforehand(self._session), self._wanted.differs)
        self._show(self.view)
        self._show_details(self.details.isChecked())
        self.asked.ask(core_text(reviewed.prepared.review.label_question))
        self._enter(Phase.READY)
        # a space in passing agrees to nothing
        (self.typed if self.asked.agreed else self.asked.no).setFocus()

    def _show_details(self, shown: bool) -> None:
        self.view.details.setVisible(shown)
        if shown:
            scroll_up_to(self.view.details)

    def ask_print(self) -> None:
        """Write the page as a PDF where a person wants it, and open it with the program for such files."""
        proposed = self._wanted.out / f"{self._wanted.folder_name}-review{_PDF}"
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Page to sign"), str(proposed), f"PDF (*{_PDF})")
        if not path:
            return
        typed = Path(path)
        chosen = typed if typed.suffix else typed.with_suffix(_PDF)
        try:
            if refused := unasked_replacement(typed, chosen):
                raise refused
            write_atomic(chosen, self.view.pdf())
        except InputError as error:
            self.message.show_error(error)
            return
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(chosen)))

    def _show(self, view: SigningView | ResultView) -> None:
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
        self._job.progressed.connect(self._on_progress)
        self._job.succeeded.connect(self._on_published)
        self._job.failed.connect(self._on_unpublished)
        self._job.start()

    def _on_progress(self, done: float, waited_for: str) -> None:
        self.progress.setValue(round(done * _FULL))
        if waited_for:
            self.message.show_message(Message(what=waited_for), look="warning")

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
                    mend=self.tr("Wait a few seconds: the dialog then shows how it ended."),
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
