"""Step *Verify*: a bundle chosen or dropped, the publisher's key, and numbers that are not shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGroupBox,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError
from core.keys.signing_key import PUBLIC_SUFFIX
from core.progress import Progress
from core.signed.minisign import read_public_key
from core.verify.packed_source import is_packed
from core.verify.values import BundleValues, bundle_values
from core.verify.verify import Verification, verify_bundle
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.drop_area import DropArea
from ui.kit.message_bar import Message, MessageBar
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.layout.boxes import in_row
from ui.layout.scroll_areas import scroll_up_to
from ui.layout.tab_order import focus_first
from ui.session.session import Session
from ui.session.settings import Settings
from ui.session.steps import VerifiedBundle
from ui.verify.notice_words import noticed_action, noticed_verdict
from ui.verify.verify_result import VerifyResult

_tr = translator("Verify")
_FOLDER = "verify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of a bundle."""

    verification: Verification
    own: bool
    """The key of this home is what signed it."""
    values: BundleValues | None
    """Its numbers; None unless all of it holds."""

    @property
    def why_unseen(self) -> Message:
        """Why its numbers are not shown."""
        notice = self.verification.only_noticed
        if notice is not None:
            unseen = _tr("Its numbers are not shown.")
            return Message(what=f"{noticed_verdict(notice)} {unseen}", mend=noticed_action(notice))
        if self.verification.only_practice:
            return Message(what=_tr("This is a practice release: its numbers are not shown."))
        return Message(
            what=_tr("This bundle is not valid: its numbers are not shown."),
            mend=_tr("Get it again from its publisher."),
        )


class VerifyPage(QWidget):
    """Takes a bundle's folder or zip by drop or choice, and the publisher's key if there is one."""

    checked = Signal(object)
    """What came of a bundle, `Checked`: its numbers may be shown."""
    cleared = Signal()
    """What was found of the bundle before is no longer shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._bundle: Path | None = None
        self._result: VerifyResult | None = None
        self._verified: VerifiedBundle | None = None
        self._job = Stage(self, self._show, failed=self._on_failed)
        self._job.finished.connect(lambda: self.again.setVisible(self._bundle is not None))
        self.setAcceptDrops(True)
        self._build()
        session.published_changed.connect(self._offer_published)
        self._offer_published()

    def _build(self) -> None:
        self.drop = DropArea(
            self.tr("Drop a release bundle here"),
            self.tr("the folder that contains SHA256SUMS, or a zip of it"),
            self,
        )
        self.choose = push_button(self.tr("Choose a b&undle…"), self, self.ask_bundle)
        self.choose_packed = push_button(self.tr("Choose a pac&ked one…"), self, self.ask_packed)
        self.published = QPushButton(self)
        self.published.clicked.connect(self._verify_published)
        key_box = self._key_box()  # before what stands below it: Tab goes as one reads
        self.message = MessageBar(self)
        self.subject = flowing(look="heading", parent=self)
        self.again = push_button(self.tr("Verify a&gain"), self, self._verify_again)
        self._results = QVBoxLayout()
        layout = QVBoxLayout(self)
        for widget in (
            self.drop,
            self.choose,
            self.choose_packed,
            self.published,
            key_box,
            self.message,
            self.subject,
        ):
            layout.addWidget(widget)
        layout.addLayout(self._results)
        layout.addWidget(self.again)
        layout.addStretch(1)
        self.subject.hide()
        self.again.hide()

    def _key_box(self) -> QGroupBox:
        box = QGroupBox(self.tr("Publisher's key (optional)"), self)
        self.key = QLineEdit(box, placeholderText=self.tr("56 characters, or a .pub file"))
        self.key.setAccessibleName(self.tr("Publisher's key"))
        self.key.setClearButtonEnabled(True)
        self.key.returnPressed.connect(self._verify_again)
        self._browse = browse = QToolButton(box)
        browse.setText(self.tr("File…"))
        browse.setAccessibleName(self.tr("Choose a key file"))
        browse.clicked.connect(self._ask_key)
        row = in_row(None, (self.key, 1), browse)
        column = QVBoxLayout(box)
        column.addLayout(row)
        column.addWidget(
            flowing(self.tr("Take it from the publisher's own site, not from the bundle."), "muted", box)
        )
        return box

    # what is asked

    def begin(self) -> None:
        """The keyboard goes to the choice of a bundle."""
        focus_first(self.choose)

    def verify(self, path: Path) -> None:
        """Check the bundle in a folder or zip; a newer call replaces an older one."""
        self._bundle = path
        self.message.clear()
        self._clear()
        self.subject.setText(self.tr("Checking {name}…").format(name=path.name))
        self.subject.setToolTip(in_lines(str(path)))
        self.subject.show()
        own_key = self._settings.key_file.with_suffix(PUBLIC_SUFFIX)
        self._job.start(
            partial(_verify, path, self.key.text().strip(), own_key), what=self.tr("Checking the bundle…")
        )

    def _verify_again(self) -> None:
        if self._bundle is not None:
            self.verify(self._bundle)

    def _verify_published(self) -> None:
        if self._session.release.published is not None:
            self.verify(self._session.release.published.bundle)

    def ask_bundle(self) -> None:
        """Ask for a bundle's folder, then check it (also the menu's Verify)."""
        known = self._settings
        start = known.last_folder(_FOLDER) or known.last_folder("release") or known.folder_for(_FOLDER)
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a bundle"), str(start))
        if chosen:
            self._settings.set_last_folder(_FOLDER, Path(chosen).parent)
            self.verify(Path(chosen))

    def ask_packed(self) -> None:
        """Ask for the zip of a bundle, then check it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Choose a packed bundle"),
            str(self._settings.folder_for(_FOLDER)),
            self.tr("Packed bundles (*.zip)"),
        )
        if chosen:
            self._settings.set_last_folder(_FOLDER, Path(chosen).parent)
            self.verify(Path(chosen))

    def _ask_key(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a key file"), "", self.tr("Public keys (*.pub);;All files (*)")
        )
        if chosen:
            self._use_key(chosen)

    def _use_key(self, text: str) -> None:
        self.key.setText(text)
        self._verify_again()

    # what comes back

    def _show(self, checked: Checked) -> None:
        assert self._bundle is not None
        self._settings.add_recent_path("bundle", self._bundle)
        self.subject.setText(self._bundle.name)
        self._result = VerifyResult(checked.verification, self, own=checked.own)
        self._results.addWidget(self._result)
        self._result.show()
        QWidget.setTabOrder(self._browse, self._result.head)
        if self.isVisible():
            self._result.head.setFocus()
        notice = checked.verification.only_noticed
        self._verified = VerifiedBundle(
            name=self._bundle.name,
            holds=checked.verification.ok,
            notice=None if notice is None else notice.kind,
            practice=checked.verification.only_practice,
            trusted=checked.verification.trusted,
        )
        scroll_up_to(self.subject)
        self.checked.emit(checked)

    def _on_failed(self, error: object) -> None:
        self.subject.hide()
        self.message.show_error(error)

    def _clear(self) -> None:
        result, self._result, self._verified = self._result, None, None
        if result is not None:
            self._results.removeWidget(result)
            result.hide()
            result.deleteLater()
            self.cleared.emit()

    @property
    def result(self) -> VerifyResult | None:
        """What is shown of the last bundle; None while there is nothing."""
        return self._result

    @property
    def verified(self) -> VerifiedBundle | None:
        """The bundle whose result is shown; None while there is none."""
        return self._verified

    def _offer_published(self) -> None:
        self.published.setText(
            self.tr("Verify the &practice bundle")
            if self._session.release.practised
            else self.tr("Verify the bundle just &signed")
        )
        self.published.setVisible(self._session.release.published is not None)

    # drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if _dropped(event.mimeData()) is not None:
            self.drop.set_hovered(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        self.drop.set_hovered(False)
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        self.drop.set_hovered(False)
        path = _dropped(event.mimeData())
        if path is None:
            return
        event.acceptProposedAction()
        if path.suffix == PUBLIC_SUFFIX:
            self._use_key(str(path))
        else:
            self.verify(path)


def _dropped(data: QMimeData) -> Path | None:
    """A single folder, zip or key file; anything else is the main window's."""
    urls = data.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.is_dir() or path.suffix == PUBLIC_SUFFIX or is_packed(path) else None


def _verify(path: Path, key: str, own_key: Path, progress: Progress) -> Checked:
    verification, own = _verified(path, key, own_key, progress)
    values = bundle_values(path) if verification.ok else None
    return Checked(verification=verification, own=own, values=values)


def _verified(path: Path, key: str, own_key: Path, progress: Progress) -> tuple[Verification, bool]:
    """What came of it, and whether the key of this home is what signed it: nobody has to paste one's own."""
    found = verify_bundle(path, key or None, progress=progress)
    if key or _key_id_in(own_key) != found.key_id:
        return found, False
    by_own = verify_bundle(path, str(own_key), progress=progress)
    return (by_own, True) if by_own.trusted else (found, False)


def _key_id_in(file: Path) -> str | None:
    """None too where it cannot be read: what others signed is checked all the same."""
    try:
        return read_public_key(str(file)).key_id
    except InputError:
        return None
