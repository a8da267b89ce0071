"""ui.release.printed_page: what is printed is set letter by letter, on one sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QTextDocument
from PySide6.QtPdf import QPdfDocument

from ui.release.printed_page import SignedPage, html_of, sheet_of

PAGE = SignedPage(
    title="Speeds <b>of</b> a city",
    published_by="Published by A & B.",
    warnings=("Look <here>.",),
    rows=(
        ("What readers will see", "Mean speed.", (("Good.", "A typical number is off by 2."),)),
        ("बजट", "१० <i>में से</i> ५", ()),
    ),
    filled_in=("Name", "Date", "Signature"),
)


@pytest.mark.usefixtures("qapp")
def test_every_word_is_there_as_it_was_written() -> None:
    document = QTextDocument()
    document.setHtml(html_of(PAGE))
    said = document.toPlainText()
    written = [text for head, text, verdicts in PAGE.rows for text in (head, text, *sum(verdicts, ()))]
    for text in (PAGE.title, PAGE.published_by, *PAGE.warnings, *PAGE.filled_in, *written):
        assert text in said


@pytest.mark.usefixtures("qapp")
def test_it_is_one_sheet() -> None:
    written = sheet_of(PAGE, QFont())
    assert written.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", written)) == 1


@pytest.mark.usefixtures("qapp")
def test_there_are_lines_to_sign_on(tmp_path: Path) -> None:
    """Qt's own rules came so pale from the printer that nobody saw them."""
    file = tmp_path / "page.pdf"
    file.write_bytes(sheet_of(PAGE, QFont()))
    document = QPdfDocument()
    document.load(str(file))
    sheet = QImage(QSize(620, 877), QImage.Format.Format_RGB32)
    sheet.fill(Qt.GlobalColor.white)
    painter = QPainter(sheet)
    painter.drawImage(0, 0, document.render(0, sheet.size()))
    painter.end()
    dark = [sum(sheet.pixelColor(x, y).lightness() < 100 for x in range(620)) for y in range(877)]
    assert max(dark) > 300, "over a half of the width"
