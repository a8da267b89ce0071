"""Headings of a text set from Markdown: apart from what stands above, not much larger than a line."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

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
