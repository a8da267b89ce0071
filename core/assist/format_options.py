"""Which of a file's written forms can be named, by kind of file, and what is offered for each."""

from __future__ import annotations

from core.read.csv_head import DELIMITERS
from core.read.encodings import CANDIDATES

ENCODINGS = ("utf-8", "utf-16", *CANDIDATES)
"""Offered for text, the most common first."""
DELIMITER_MARKS = tuple(DELIMITERS)
_OPTIONS = {
    "csv": ("encoding", "delimiter", "decimal", "date_order"),
    "json": ("encoding", "decimal", "date_order"),
    "parquet": ("decimal", "date_order"),
    "workbook": ("sheet", "decimal", "date_order"),
}


def options_of(kind: str) -> tuple[str, ...]:
    """The fields of `FileFormat` that mean something for a kind of file (a reader's key)."""
    return _OPTIONS.get(kind, ())
