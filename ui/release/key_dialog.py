"""The dialog that makes the office's signing key: a passphrase typed twice."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from core.keys.signing_key import generate_key
from core.progress import Progress
from core.system.passphrase_strength import strength_text
from core.system.paths import Home
from ui.kit.jobs import Job
from ui.kit.labels import label, set_look
from ui.kit.message_bar import Message, MessageBar
from ui.language.translation import core_text

_LINES = 2


class KeyDialog(QDialog):
    """Asks for a new passphrase twice and writes the key into the home folder."""

    def __init__(self, home: Home, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._busy = False
        self.setWindowTitle(self.tr("Make a signing key"))
        self.passphrase = passphrase_field(self)
        self.again = passphrase_field(self)
        self.strength = label("", "muted")
        self.strength.setAlignment(Qt.AlignmentFlag.AlignTop)
        # room for the longest answer from the start: no button moves while somebody types
        self.strength.setMinimumHeight(_LINES * self.strength.fontMetrics().lineSpacing())
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.make = self.buttons.addButton(self.tr("&Make the key"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.make, "primary")
        self.make.setEnabled(False)
        self.buttons.accepted.connect(self._make)
        self.buttons.rejected.connect(self.reject)
        for field in (self.passphrase, self.again):
            field.textChanged.connect(self._enable)
        form = QFormLayout()
        form.addRow(self.tr("&Passphrase"), self.passphrase)
        form.addRow(self.tr("The same &again"), self.again)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(self._explanation())
        layout.addLayout(form)
        layout.addWidget(self.strength)
        layout.addWidget(self.message)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(480)

    def _explanation(self) -> QWidget:
        return label(
            self.tr(
                "With this key your office signs every release; the public checks the signature against the "
                "key on your site. Choose several words. Nobody can recover a lost passphrase: keep it, and "
                "a copy of the key file, in a safe place."
            ),
            "muted",
        )

    def _enable(self) -> None:
        self.make.setEnabled(bool(self.passphrase.text()) and bool(self.again.text()))
        typed = self.passphrase.text()
        self.strength.setText(core_text(strength_text(typed)) if typed else "")

    def _make(self) -> None:
        passphrase, again = self.passphrase.text(), self.again.text()
        if passphrase != again:
            self.message.show_message(
                Message(
                    what=self.tr("The two passphrases differ."),
                    mend=self.tr("Type the same passphrase into both fields."),
                ),
                look="error",
            )
            self.again.clear()
            self.again.setFocus()
            self.adjustSize()
            return
        self._clear()
        self._set_busy(True)
        job = Job(partial(_generate, self._home, passphrase), what=self.tr("Making the key…"), parent=self)
        job.succeeded.connect(self._on_made)
        job.failed.connect(self._on_failed)
        job.start()

    def _on_made(self) -> None:
        self._set_busy(False)
        self.accept()

    def _on_failed(self, error: object) -> None:
        self._set_busy(False)
        self.message.show_error(error)
        self.adjustSize()
        self.passphrase.setFocus()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        for widget in (self.passphrase, self.again, self.buttons):
            widget.setEnabled(not busy)
        self.make.setText(self.tr("Making the key…") if busy else self.tr("&Make the key"))

    def _clear(self) -> None:
        self.passphrase.clear()
        self.again.clear()

    def reject(self) -> None:
        """Close, unless the key is being written."""
        if not self._busy:
            super().reject()

    def done(self, result: int) -> None:
        """Close and forget what was typed."""
        self._clear()
        super().done(result)


def passphrase_field(parent: QWidget) -> QLineEdit:
    """A field that shows dots only."""
    return QLineEdit(parent, echoMode=QLineEdit.EchoMode.Password)


def _generate(home: Home, passphrase: str, _: Progress) -> None:
    home.create()
    generate_key(home.default_key.with_suffix(""), passphrase)
