"""The dialog that corrects or withdraws a published bundle: a reason, the bundle that takes its place."""

from __future__ import annotations

import datetime as dt
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.accounting.ledger import Ledger
from core.keys.notice import PublishedNotice, publish_notice
from core.keys.signing_key import load_key
from core.progress import Progress
from core.signed.notices import LONGEST_REASON
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.labels import plain_label, set_look
from ui.kit.message_bar import MessageBar
from ui.layout.boxes import in_row
from ui.session.session import Session

_WIDTH = 520


class NoticeDialog(QDialog):
    """A reason, for a correction the bundle that takes its place, and the passphrase of the key."""

    def __init__(
        self, session: Session, bundle: Path, *, key: Path, corrects: bool, parent: QWidget | None = None
    ) -> None:
        """bundle: its folder; key: the file of the key that signed it."""
        super().__init__(parent)
        self._session = session
        self._bundle = bundle
        self._corrects = corrects
        self.published: PublishedNotice | None = None
        name = bundle.name
        self.setWindowTitle(
            self.tr("Correct {name}").format(name=name)
            if corrects
            else self.tr("Withdraw {name}").format(name=name)
        )
        self.reason = QLineEdit(self)
        self.reason.setMaxLength(LONGEST_REASON)
        self.reason.setPlaceholderText(self.tr("one line, for everybody to read"))
        self.successor = QLineEdit(self, placeholderText=self.tr("folder of the new bundle"))
        self.key = QLineEdit(str(key), self)
        self.passphrase = QLineEdit(self, echoMode=QLineEdit.EchoMode.Password)
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.sign = self.buttons.addButton(
            self.tr("&Sign the notice"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        set_look(self.sign, "primary")
        self.buttons.accepted.connect(self._sign)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for field in (self.reason, self.successor, self.passphrase):
            field.textChanged.connect(self._enable)
        self._enable()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("&Reason"), self.reason)
        caption, chooser = plain_label(self.tr("Rep&lacement"), self), self._chooser()
        caption.setBuddy(self.successor)
        form.addRow(caption, chooser)
        form.setRowVisible(chooser, self._corrects)
        form.addRow(self.tr("&Key"), self.key)
        form.addRow(self.tr("&Passphrase"), self.passphrase)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        self.explanation = flowing(self._explanation(), "muted", self)
        # the dialog is as high as its words are at the width that they ask for
        sides = layout.contentsMargins()
        self.explanation.setMinimumWidth(_WIDTH - sides.left() - sides.right())
        layout.addWidget(self.explanation)
        layout.addLayout(form)
        layout.addWidget(self.message)
        layout.addStretch(1)  # takes what is left over: between the lines it would stand unevenly
        layout.addWidget(self.buttons)

    def _chooser(self) -> QHBoxLayout:
        choose = QToolButton(self)
        choose.setText(self.tr("Choose…"))
        choose.setAccessibleName(self.tr("Choose the bundle that takes its place"))
        choose.clicked.connect(self._choose)
        return in_row(None, (self.successor, 1), choose)

    def _explanation(self) -> str:
        what = (
            self.tr("Everybody who verifies this bundle is pointed to the other one.")
            if self._corrects
            else self.tr("Everybody who verifies this bundle reads that it must not be used. This is final.")
        )
        return self.tr(
            "{what} Hexveil writes a signed notice beside the folder, for you to publish with it. The "
            "bundle stays as it is, and its cost stays spent."
        ).format(what=what)

    def _enable(self) -> None:
        successor = bool(self.successor.text().strip()) or not self._corrects
        self.sign.setEnabled(bool(self.reason.text().strip() and self.passphrase.text()) and successor)

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Bundle that takes its place"), str(self._bundle.parent)
        )
        if chosen:
            self.successor.setText(chosen)

    def _sign(self) -> None:
        self.message.clear()
        self.buttons.setEnabled(False)
        successor = Path(self.successor.text().strip()) if self._corrects else None
        work = partial(
            _publish,
            self._bundle,
            successor,
            self.reason.text(),
            Path(self.key.text().strip()),
            self.passphrase.text(),
            self._session.home.ledger,
        )
        job = Job(work, what=self.tr("Signing the notice…"), parent=self)
        job.succeeded.connect(self._signed)
        job.failed.connect(self._failed)
        job.start()

    def reject(self) -> None:
        """Close, unless the notice is being written."""
        if self.buttons.isEnabled():
            super().reject()

    def _signed(self, published: PublishedNotice) -> None:
        self.published = published
        self._session.ledger.read()
        self.accept()

    def _failed(self, error: object) -> None:
        self.buttons.setEnabled(True)
        self.passphrase.clear()
        self.message.show_error(error)


def _publish(
    bundle: Path, successor: Path | None, reason: str, key: Path, passphrase: str, ledger: Path, _: Progress
) -> PublishedNotice:
    return publish_notice(
        bundle,
        reason=reason,
        key=load_key(key, passphrase),
        now=dt.datetime.now(dt.UTC),
        replaced_by=successor,
        ledger=Ledger.open(ledger),
    )
