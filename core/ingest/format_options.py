"""Which of a file's written forms can be named, by kind of file, and what text an encoding makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.ingest.files import opened
from core.privacy import Confidential

ENCODINGS = (
    "utf-8",
    "cp1252",
    "latin-1",
    "utf-16",
    "cp1250",
    "cp1251",
    "iso-8859-15",
    "cp437",
    "mac-roman",
    "gb18030",
    "shift_jis",
    "euc-kr",
    "big5",
)
"""Offered for text that is no UTF-8, the most common first."""
DELIMITERS = (",", ";", "\t", "|")
_OPTIONS = {
    "csv": ("encoding", "delimiter", "decimal", "date_order"),
    "json": ("decimal", "date_order"),
    "parquet": ("decimal", "date_order"),
    "workbook": ("sheet", "decimal", "date_order"),
    "zip": ("encoding", "delimiter", "sheet", "decimal", "date_order"),
}
_HEAD = 1 << 20
_LONGEST = 120
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EncodingSample(Confidential):
    """Lines of a file, as an encoding reads them."""

    lines: tuple[str, ...]


def options_of(kind: str) -> tuple[str, ...]:
    """The fields of `FileFormat` that mean something for a kind of file (a reader's key)."""
    return _OPTIONS.get(kind, ())


def non_ascii_lines(path: Path, encoding: str) -> EncodingSample:
    """The first lines that another encoding would read otherwise; what cannot be decoded shows as U+FFFD.

    An empty encoding stands for UTF-8. Raises InputError when the file cannot be read.
    """
    with opened(path) as stream:
        data = stream.read(_HEAD)
    text = data.decode(encoding or "utf-8", errors="replace")
    lines = (line.strip() for line in text.splitlines()[: None if len(data) < _HEAD else -1])
    found = []
    for line in lines:
        if not line.isascii():
            found.append(_around(line))
            if len(found) == _MOST_LINES:
                break
    return EncodingSample(lines=tuple(found))


def _around(line: str) -> str:
    """The part of a long line that holds its first character beyond ASCII."""
    at = next(index for index, character in enumerate(line) if not character.isascii())
    start = max(0, at - _LONGEST // 2)
    return ("…" if start else "") + line[start : start + _LONGEST]
