"""The half page to sign as a PDF: rules and margins, lines for name, date and signature."""

from __future__ import annotations

import html
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

_POINTS = 10
_LINE = "border-top: 1px solid #000000"
"""Over the name of what is filled in; a rule of Qt is too pale on paper to sign on."""
_MARGIN_MM = 4.0
"""Beside those of 20 mm that Qt leaves by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedPage:
    """What is printed, in the window's language."""

    title: str
    published_by: str
    warnings: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    """Head, text, and verdicts: what is bold, and the rest."""
    filled_in: tuple[str, ...]
    """Captions of the lines below."""


def sheet_of(page: SignedPage, font: QFont) -> bytes:
    """One page of A4, or more where it is long; font: which has the letters of the language."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    size, upright = QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait
    writer.setPageLayout(QPageLayout(size, upright, margins, QPageLayout.Unit.Millimeter))
    writer.setTitle(page.title)
    document = QTextDocument()
    sized = QFont(font)
    sized.setPointSize(_POINTS)
    document.setDefaultFont(sized)
    document.setHtml(html_of(page))
    document.print_(writer)
    return bytes(buffer.data().data())


def html_of(page: SignedPage) -> str:
    """The same as HTML that Qt sets; whatever people wrote stands in it letter by letter."""
    rows = "".join(
        f"<tr><td width='24%'><b>{html.escape(head)}</b></td><td>{html.escape(text)}"
        + "".join(f"<p><b>{html.escape(bold)}</b> {html.escape(more)}</p>" for bold, more in verdicts)
        + "</td></tr>"
        for head, text, verdicts in page.rows
    )
    warnings = "".join(f"<p><b>! {html.escape(one)}</b></p>" for one in page.warnings)
    share = 100 // len(page.filled_in)
    cell = f"<td width='{share}%' style='{_LINE}'>"
    lines = "".join(f"{cell}{html.escape(name)}</td>" for name in page.filled_in)
    return (
        f"<h2>{html.escape(page.title)}</h2><p>{html.escape(page.published_by)}</p>{warnings}"
        f"<table width='100%' cellpadding='6'>{rows}</table><p><br><br></p>"
        f"<table width='100%' cellspacing='16'><tr>{lines}</tr></table>"
    )
