"""The office's signing key in a page: none yet, not there, its public part, where it is backed up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGroupBox, QPushButton, QWidget

from core.errors import InputError
from core.keys.signing_key import PUBLIC_SUFFIX
from core.signed.minisign import PublicKey, read_public_key
from core.system.paths import Home
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column
from ui.release.key_dialog import KeyDialog
from ui.release.key_paper_dialog import KeyPaperDialog
from ui.session.settings import Settings


class KeyBox(QGroupBox):
    """Shows the key that signs, makes the home's where there is none, and puts it on paper."""

    changed = Signal()
    made = Signal()
    """The home's key, here: what waited for it can go on."""

    def __init__(self, home: Home, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._settings = Settings(home)
        self.dialog: KeyDialog | None = None
        self.paper: KeyPaperDialog | None = None
        self.setTitle(self.tr("Signing key"))
        self.text = flowing()
        self.make = push_button(self.tr("Make a &key…"), self, self.ask)
        self.backup = QPushButton(self.tr("Bac&kup on paper…"), self)
        self.backup.setProperty("look", "flat")
        self.backup.setToolTip(self.tr("A page with the key as words and as a code, to be printed"))
        self.backup.clicked.connect(self.ask_backup)
        in_column(self, self.text, self.make, (self.backup, 0, Qt.AlignmentFlag.AlignLeft), margins=None)
        self.refresh()

    @property
    def has_key(self) -> bool:
        return self._settings.key_file.is_file()

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        # The command line may have made a key meanwhile.
        self.refresh()

    def refresh(self) -> None:
        """Look at the home again."""
        key = self._settings.key_file
        public = public_key(key)
        if not self.has_key and key != self._home.default_key:
            text = self.tr("{key} is not there: see File > Settings.").format(key=key)
        elif not self.has_key:
            text = self.tr("None yet. Releases are signed, so that the public can tell yours from others.")
        elif public is None:
            text = self.tr("The key is there, but its public part is missing.")
        else:
            text = self.tr("Key {key}, fingerprint\n{fingerprint}").format(
                key=public.key_id, fingerprint=public.fingerprint
            )
        self.text.setText(text)
        self.text.setToolTip(in_lines(self._places(key) if public is not None else ""))
        self.make.setVisible(not self.has_key and key == self._home.default_key)
        self.backup.setVisible(self.has_key)
        self.changed.emit()

    def _places(self, key: Path) -> str:
        """Where a copy of the key is taken from, and what goes on the office's own site."""
        return self.tr("The key, for you alone: {key}\nIts public part, for your own site: {public}").format(
            key=key, public=key.with_suffix(PUBLIC_SUFFIX)
        )

    def ask(self) -> None:
        """Make the home's key."""
        self.dialog = KeyDialog(self._home, self)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.open()

    def ask_backup(self) -> None:
        """Write the key as a page to be printed."""
        self.paper = KeyPaperDialog(self._settings.key_file, self)
        self.paper.finished.connect(self._on_closed)
        self.paper.open()

    def _on_closed(self, result: int) -> None:
        has_made = self.dialog is not None and result == KeyDialog.DialogCode.Accepted
        for dialog in (self.dialog, self.paper):
            if dialog is not None:
                dialog.deleteLater()
        self.dialog = self.paper = None
        self.refresh()
        if has_made:
            self.made.emit()


def public_key(key: Path) -> PublicKey | None:
    """The public part beside a key's file, if it is there."""
    try:
        return read_public_key(str(key.with_suffix(PUBLIC_SUFFIX)))
    except InputError:
        return None
