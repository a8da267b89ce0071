"""Which of a file's written forms can be named, by kind of file, and what is offered for text."""

from __future__ import annotations

from core.read.csv_head import DELIMITERS
from core.read.encodings import CANDIDATES
from core.read.reader_registry import all_readers

ENCODINGS = ("utf-8", "utf-16", *CANDIDATES)
"""Offered for text, the most common first."""
DELIMITER_MARKS = tuple(DELIMITERS)


def options_of(kind: str) -> tuple[str, ...]:
    """The fields of `FileFormat` that mean something for a kind of file (a reader's key)."""
    return next((reader.options for reader in all_readers() if reader.key == kind), ())
