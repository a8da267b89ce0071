"""ui.kit.markdown_headings: a heading is told from its text, and stands apart from what is above it."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat
from PySide6.QtWidgets import QApplication

from ui.kit.markdown_headings import set_headings_apart

TEXT = "# Title\n\n## First\n\nA line.\n\n## Second\n\nAnother.\n"


def _size(block: QTextBlock) -> int:
    size = block.begin().fragment().charFormat().property(QTextFormat.Property.FontSizeAdjustment)
    return int(size or 0)


def test_headings_have_room_above_and_a_size_by_rank(qapp: QApplication) -> None:  # noqa: ARG001
    document = QTextDocument()
    document.setMarkdown(TEXT)
    set_headings_apart(document)
    blocks = {}
    block = document.begin()
    while block.isValid():
        blocks[block.text()] = block
        block = block.next()
    assert list(blocks) == ["Title", "First", "A line.", "Second", "Another."]
    title, first, line, second = (blocks[name] for name in ("Title", "First", "A line.", "Second"))
    assert all(one.blockFormat().topMargin() >= 12 for one in (first, second))
    assert title.blockFormat().topMargin() == 0
    assert _size(title) > _size(first) == _size(second) > _size(line) == 0
    assert document.documentMargin() >= 8
    assert document.toMarkdown().startswith("# Title")
