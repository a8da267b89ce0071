"""The epsilon policy of a population, as it will be read, and saved as HTML and Markdown."""

from __future__ import annotations

import datetime as dt
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QTextBrowser,
    QWidget,
)

from core.accounting.ledger_report import PopulationSummary
from core.portal.policy import policy_of_population
from core.portal.policy_pages import policy_pages, write_policy
from core.progress import Progress
from core.signed.bundle_names import POLICY_MARKDOWN, POLICY_PAGE
from ui.kit.jobs import Job
from ui.kit.labels import set_look
from ui.kit.message_bar import Message, MessageBar
from ui.language.translation import core_text, spoken_language
from ui.layout.boxes import in_column
from ui.layout.window_size import fit_screen
from ui.session.settings import Settings

_SIZE = QSize(640, 560)
_FOLDER = "policies"
_MARGIN = 10
_ABOVE, _BELOW = 14, 2
_TITLE, _HEADING = 2, 1
"""Steps of size over the text's own."""


def set_headings_apart(document: QTextDocument) -> None:
    """Qt sets them without any room, and the title twice as large as its text."""
    document.setDocumentMargin(_MARGIN)
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        if level:
            cursor = QTextCursor(block)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            room, size = QTextBlockFormat(), QTextCharFormat()
            room.setTopMargin(_ABOVE if block.position() else 0)
            room.setBottomMargin(_BELOW)
            size.setProperty(QTextFormat.Property.FontSizeAdjustment, _TITLE if level == 1 else _HEADING)
            cursor.mergeBlockFormat(room)
            cursor.mergeCharFormat(size)
        block = block.next()


class PolicyDialog(QDialog):
    """What the page says follows the two fields; it speaks the language of the window."""

    def __init__(
        self, population: PopulationSummary, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._population, self._settings = population, settings
        self._pages: dict[str, bytes] = {}
        self._folder = Path()
        self.setWindowTitle(self.tr("Epsilon policy of {name}").format(name=population.name))
        self.publisher = QLineEdit(settings.publisher_text("publisher"), self)
        self.publisher.setPlaceholderText(self.tr("your city or office"))
        self.contact = QLineEdit(settings.publisher_text("contact"), self)
        self.contact.setPlaceholderText(self.tr("opendata@city.example"))
        self.preview = QTextBrowser(self, openLinks=False)
        self.preview.setAccessibleName(self.tr("The policy as it will be read"))
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        role = QDialogButtonBox.ButtonRole
        self.save = self.buttons.addButton(self.tr("&Save…"), role.AcceptRole)
        set_look(self.save, "primary")
        self.save.setToolTip(self.tr("As a web page and as Markdown, into a folder"))
        self.show_page = self.buttons.addButton(self.tr("&Open the page"), role.ActionRole)
        self.show_page.hide()
        self.show_page.clicked.connect(self._show_page)
        self.buttons.accepted.connect(self.ask_folder)
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("&Publisher"), self.publisher)
        form.addRow(self.tr("&Contact"), self.contact)
        in_column(self, form, (self.preview, 1), self.message, self.buttons, margins=None)
        for field in (self.publisher, self.contact):
            field.textChanged.connect(self._make)
        fit_screen(self, _SIZE)
        self._make()

    def _make(self) -> None:
        policy = policy_of_population(
            self._population,
            dt.datetime.now(dt.UTC).date(),
            publisher=self.publisher.text().strip(),
            contact=self.contact.text().strip(),
        )
        self._pages = policy_pages(policy, say=core_text, language=spoken_language())
        self.preview.setMarkdown(self._pages[POLICY_MARKDOWN].decode())
        set_headings_apart(self.preview.document())

    def ask_folder(self) -> None:
        """Ask for a folder, and write both files there."""
        start = self._settings.folder_for(_FOLDER)
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Where to put policy.html and policy.md"), str(start)
        )
        if chosen:
            self._settings.set_last_folder(_FOLDER, Path(chosen))
            self.write(Path(chosen))

    def write(self, folder: Path) -> None:
        """Write both files into a folder."""
        self.message.clear()
        self.save.setEnabled(False)
        job = Job(partial(_write, folder, self._pages), what=self.tr("Writing the policy…"), parent=self)
        job.succeeded.connect(self._on_written)
        job.failed.connect(self.message.show_error)
        job.finished.connect(lambda: self.save.setEnabled(True))
        job.start()

    def _on_written(self, folder: Path) -> None:
        self._folder = folder
        self.show_page.show()
        self.message.show_message(
            Message(what=self.tr("✓ The policy is written."), where=str(folder)), look="good"
        )

    def _show_page(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder / POLICY_PAGE)))


def _write(folder: Path, pages: dict[str, bytes], _: Progress) -> Path:
    write_policy(folder, pages)
    return folder
