"""Step *Release*: the name, the folder that receives the bundle, the key; then review."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QGroupBox, QLineEdit, QToolButton, QVBoxLayout, QWidget

from core.errors import InputError
from ui.budget.refusal_mends import RefusalMends
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.elided_label import ElidedLabel
from ui.kit.labels import set_look
from ui.kit.message_bar import Message, MessageBar
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scroll_to_beginning, scrolling
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.key_box import KeyBox
from ui.release.next_box import NextBox
from ui.release.practice_box import PracticeBox
from ui.release.release_jobs import Wanted
from ui.release.spoken_languages import spoken_in
from ui.release.texts_form import TextsForm
from ui.session.guards.budget import REVIEW, ledger_refuses
from ui.session.guards.reasons import first_reason
from ui.session.session import Session
from ui.session.settings import PUBLISHER_TEXTS, Settings
from ui.session.steps import steps_of

_FOLDER, _APART = "release", 6
_MOST = 1000
"""Of the height that is left: the rest is below what comes next."""
_NEEDED = ("data", "hexagons", "parameters")


class ReleasePage(QWidget):
    """Fits a narrow column; everything irreversible happens in `ReleaseDialog`.

    Emits `verify_wanted([folder])`: what is proposed once the draft is released.
    """

    verify_wanted = Signal(list)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._settings = Settings(session.home)
        self.dialog: ReleaseDialog | None = None
        self.message = MessageBar(self)
        self.key_box = KeyBox(session.home, self)
        self.key_box.changed.connect(self.refresh)
        self.key_box.made.connect(self.begin)
        self._read = QWidget(self)
        boxes = (self._refusal_box(), self._texts_box(), self._target_box(), self.key_box, self.message)
        in_column(self._read, *boxes, self._other_ways(), margins=None, spacing=3)
        area = scrolling(self._read, self, inside=True, ends_with_page=True)
        in_column(self, (area, _MOST), self._foot(), 1, spacing=0)
        session.data_changed.connect(self._fill_texts)
        for signal in (
            session.data_changed,
            session.draft_changed,
            session.forecast_changed,
            session.published_changed,
            session.ledger_changed,
            session.busy_changed,
            session.refused.changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def _refusal_box(self) -> QWidget:
        """Above everything else: what a refusal says, and its mends, are seen without scrolling."""
        box = QWidget(self)
        self.refusal = flowing(look="error")
        self.mends = RefusalMends(self._session, beside_panel=True, parent=box)
        in_column(box, self.refusal, self.mends, margins=(0, 0, 0, 5))
        self._refused_box = box
        return box

    def _texts_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("What it is called"), self)
        self.texts = TextsForm(self._session, box)
        self.fields = self.texts.fields
        self.folder_name = ElidedLabel(look="muted", parent=box)
        in_column(box, self.texts, self.folder_name, margins=None)
        return box

    def _target_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Where it goes"), self)
        self.folder = QLineEdit(box, text=str(self._settings.release_folder), cursorPosition=0)
        self.folder.setAccessibleName(self.tr("Folder that receives the bundle"))
        self.folder.textChanged.connect(lambda text: self.folder.setToolTip(in_lines(text)))
        choose = QToolButton(box)
        choose.setText(self.tr("Choose…"))
        choose.setAccessibleName(self.tr("Choose the folder"))
        choose.clicked.connect(self._choose_folder)
        in_row(box, (self.folder, 1), choose, margins=None)
        return box

    def _foot(self) -> QVBoxLayout:
        """What comes next, or why it cannot, is seen however low the window is."""
        self.start = push_button(self.tr("&Review and release…"), self, self.review, look="primary")
        self.verify = push_button(self.tr("Verif&y the bundle"), self, self._verify, look="primary")
        self.blocked = flowing(look="muted")
        parts = (self.blocked, self.verify, self.start)
        return in_column(None, *parts, margins=(9, 5, 9, 8), spacing=_APART)

    def _other_ways(self) -> QVBoxLayout:
        self.practice = PracticeBox(self._session, self._target, self)
        self.practice.refused.connect(self.message.show_error)
        self.following = NextBox(self._session, self)
        self.following.refused.connect(self.message.show_error)
        self.following.began.connect(self.begin)
        return in_column(None, self.following, self.practice, margins=(0, 5, 0, 0), spacing=_APART)

    # what is shown

    def refresh(self) -> None:
        """Show what the session allows, and why not."""
        reason, refusal = self._reason(), ledger_refuses(self._session)
        self.start.setEnabled(not reason)
        done = self._session.release.was_published
        self.verify.setVisible(done)
        set_look(self.start, "" if done else "primary")  # the same once more is not what comes next
        self._refused_box.setVisible(refusal is not None)
        text = "" if refusal is None else refusal.what
        self.refusal.setText(text)
        waits = "" if reason == text else reason  # what is said above is not said again
        self.blocked.setText(waits)
        self.blocked.setVisible(bool(waits))
        draft = self._session.draft
        folder = f"{draft.name}-{draft.version}"
        if draft.name:
            text = self.tr("Folder of the bundle: {folder}").format(folder=folder)
            self.folder_name.set_either(text, folder)
        else:
            self.folder_name.setText(self.tr("The name becomes the bundle's folder."))

    def _fill_texts(self) -> None:
        """Who makes releases here is the same for other data."""
        self._session.fill_open_texts(self._settings.publisher_texts)

    def _reason(self) -> str:
        """Why nothing can be released now; empty when it can."""
        for step in steps_of(self._session):
            if step.key in _NEEDED and not step.complete:
                return f"{step.title}: {step.note}"
        reason = first_reason(self._session, REVIEW)
        return "" if reason is None else reason.what

    def take_settings(self) -> None:
        """The folder and the key that were decided on meanwhile."""
        self.folder.setText(str(self._settings.release_folder))
        self.folder.setCursorPosition(0)
        self.key_box.refresh()

    # what is done

    def begin(self) -> None:
        """The keyboard goes to what is still to be filled in, else to what comes next if that can be done."""
        fields = (*self.fields.values(), self.folder)
        empty = next((one for one in fields if not one.text().strip()), None)
        following = self.start if self.verify.isHidden() else self.verify
        ready = following if following.isEnabled() else fields[0]
        (empty or (ready if self.key_box.has_key else self.key_box.make)).setFocus()

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Folder that receives the bundle"), self.folder.text()
        )
        if chosen:
            self.folder.setText(chosen)

    def review(self) -> None:
        """Open the review, or say what is still missing."""
        self.message.clear()
        self.texts.commit()
        if reason := self._reason():
            if reason == self.refusal.text():
                scroll_to_beginning(self._read)  # where it is shown, with what mends it
            else:
                self._say(self.tr("This cannot be released yet."), reason, look="warning")
            return
        try:
            self.texts.check()
            wanted = self._wanted()
        except InputError as error:
            self.message.show_error(error)
            return
        self.dialog = ReleaseDialog(self._session, wanted, self)
        self.dialog.finished.connect(self._on_dialog_closed)
        self.dialog.open()

    def _verify(self) -> None:
        if (published := self._session.release.published) is not None:
            self.verify_wanted.emit([published.bundle])

    def _wanted(self) -> Wanted:
        session, source = self._session, self._session.release_source
        assert source is not None
        assert session.contributions is not None
        return Wanted(
            draft=spoken_in(session.draft),
            source=source,
            contributions=session.contributions,
            report=None if session.loaded is None else session.loaded.report,
            home=session.home,
            out=self._target(),
            evaluated=session.ledger.evaluated,
            plan_cache=session.planning.cache,
            differs=self.following.differs,
        )

    def _target(self) -> Path:
        text = self.folder.text().strip()
        folder = Path(text).expanduser() if text else Path()
        if not folder.is_absolute():
            self.folder.setFocus()
            raise InputError(
                self.tr("The folder that receives the bundle is missing."),
                where=self.tr("Where it goes"),
                mend=self.tr("choose a folder, or type its whole path"),
            )
        return folder

    def _on_dialog_closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        assert dialog is not None
        if self._session.release.published is not None and self._session.release.published.bundle.is_dir():
            self._settings.set_last_folder(_FOLDER, self._session.release.published.bundle.parent)
            self._settings.add_recent_path("bundle", self._session.release.published.bundle)
        if dialog.phase is Phase.DONE:
            self._remember_publisher()
            scroll_to_beginning(self._read)  # another release first gets a name
        dialog.deleteLater()

    def _remember_publisher(self) -> None:
        """What a release said of its office, wherever the settings say nothing: the next says the same."""
        for name in PUBLISHER_TEXTS:
            if not self._settings.publisher_text(name):
                self._settings.set_publisher_text(name, getattr(self._session.draft, name))

    def _say(self, what: str, mend: str, *, look: str) -> None:
        self.message.show_message(Message(what=what, mend=mend), look=look)
