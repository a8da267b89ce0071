"""The dialog that puts the signing key on paper: 18 words and a code, opened, printed, deleted."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.keys.paper import write_key_paper
from core.keys.signing_key import load_key
from core.progress import Progress
from ui.kit.cards import flowing
from ui.kit.jobs import Job
from ui.kit.labels import plain_label, set_look
from ui.kit.message_bar import Message, MessageBar
from ui.layout.boxes import in_row
from ui.release.key_dialog import passphrase_field

_WIDTH = 520
_PAGE = "key-on-paper.html"


class KeyPaperDialog(QDialog):
    """Asks where the page goes and for the passphrase, writes it and offers to open it for printing."""

    def __init__(self, key: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._busy = False
        self.setWindowTitle(self.tr("Backup of the key on paper"))
        self.page = QLineEdit(str(Path.home() / _PAGE), self)
        self.passphrase = passphrase_field(self)
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        role = QDialogButtonBox.ButtonRole
        self.write = self.buttons.addButton(self.tr("&Write the page"), role.AcceptRole)
        set_look(self.write, "primary")
        self.show_page = self.buttons.addButton(self.tr("&Open it to print"), role.ActionRole)
        self.show_page.hide()
        self.show_page.clicked.connect(self._show_page)
        self.buttons.accepted.connect(self._write)
        self.buttons.rejected.connect(self.reject)
        for field in (self.page, self.passphrase):
            field.textChanged.connect(self._enable)
        self._lay_out()
        self._enable()
        self.passphrase.setFocus()

    def _lay_out(self) -> None:
        choose = QToolButton()
        choose.setText(self.tr("Choose…"))
        choose.setAccessibleName(self.tr("Choose where the page is written"))
        choose.clicked.connect(self._choose)
        row = in_row(None, (self.page, 1), choose)
        form = QFormLayout()
        caption = plain_label(self.tr("Pa&ge"))
        caption.setBuddy(self.page)
        form.addRow(caption, row)
        form.addRow(self.tr("&Passphrase"), self.passphrase)
        self.page.setAccessibleName(self.tr("Page"))
        explanation = self.tr(
            "The page shows the key as 18 words and as a code for a scanner. Anyone who has it can sign as "
            "your office, without any passphrase: print it, keep it in a safe, and delete the file."
        )
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(flowing(explanation, "muted"))
        layout.addLayout(form)
        layout.addWidget(self.message)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH)

    def _enable(self) -> None:
        self.write.setEnabled(bool(self.page.text().strip() and self.passphrase.text()))

    def _choose(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.tr("Page with the key"), self.page.text(), self.tr("Web page (*.html)")
        )
        if chosen:
            self.page.setText(chosen)

    def _write(self) -> None:
        work = partial(_write_page, self._key, Path(self.page.text().strip()), self.passphrase.text())
        self.passphrase.clear()
        self.message.clear()
        self._set_busy(True)
        job = Job(work, what=self.tr("Writing the page…"), parent=self)
        job.succeeded.connect(self._on_written)
        job.failed.connect(self._on_failed)
        job.start()

    def _on_written(self, page: Path) -> None:
        self._set_busy(False)
        self.message.show_message(
            Message(
                what=self.tr("The page is written."),
                where=str(page),
                mend=self.tr("Open it, print it, then delete the file."),
            ),
            look="good",
        )
        self.show_page.show()
        self.show_page.setFocus()
        self.adjustSize()

    def _on_failed(self, error: object) -> None:
        self._set_busy(False)
        self.message.show_error(error)
        self.passphrase.setFocus()
        self.adjustSize()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        for widget in (self.page, self.passphrase, self.buttons):
            widget.setEnabled(not busy)
        self._enable()

    def _show_page(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self.page.text().strip()))

    def reject(self) -> None:
        """Close, unless the page is being written."""
        if not self._busy:
            super().reject()

    def done(self, result: int) -> None:
        """Close and forget what was typed."""
        self.passphrase.clear()
        super().done(result)


def _write_page(key: Path, page: Path, passphrase: str, _: Progress) -> Path:
    write_key_paper(page, load_key(key, passphrase))
    return page
