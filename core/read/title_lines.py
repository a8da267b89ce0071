"""Lines above the names of columns, such as a title and who made the table: how many there seem to be."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.counted import count_of
from core.read.encodings import opened_text
from core.read.file_format import FileFormat, format_of_each
from core.texts import text_of

MOST_TITLES = 20
_HEAD = 1 << 16
_DELIMITERS = ",;\t|"


def title_lines(rows: Sequence[Sequence[str]]) -> int:
    """Rows before the first that is filled as most are, if those above are filled by half of it at most."""
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    width = _usual(rows)
    names = next((at for at, count in enumerate(filled) if count >= width), 0)
    above = filled[:names]
    plain = width > 1 and all(2 * count <= width for count in above) and len(filled) > names + 1
    return names if plain and names <= MOST_TITLES and any(above) else 0


def titles_note(file_format: FileFormat) -> tuple[str, ...]:
    """What to say of lines that are passed over."""
    if not file_format.skip_lines:
        return ()
    lines = count_of(
        file_format.skip_lines,
        "line above the names of columns is",
        "lines above the names of columns are",
    )
    return (text_of("{counted_lines} passed over.", counted_lines=lines),)


def title_lines_in(path: Path, file_format: FileFormat) -> int:
    """Those of delimited text. Raises InputError as `opened_text` does."""
    with opened_text(path, format_of_each(file_format)) as text:
        lines = text.read(_HEAD).decode(errors="replace").splitlines()[: 10 * MOST_TITLES]
    split = [_records(lines, mark) for mark in file_format.delimiter or _DELIMITERS]
    tables = [[row for _, row in records] for records in split]
    if any(map(_begins_with_names, tables)):
        return 0
    records, rows = max(zip(split, tables, strict=True), key=lambda both: _usual(both[1]))
    above = title_lines(rows)
    found = records[above - 1][0] if above else 0
    known = all(line.startswith(("#", "sep=")) for line in lines[:found] if line.strip())
    return 0 if known else found  # these are passed over anyway


def _records(lines: Sequence[str], delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows, each with how many lines end with it: names between quotes may take several."""
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return [(reader.line_num, row) for row in reader]
    except csv.Error:
        return []


def _begins_with_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is filled as most are: names hold no decimal commas, which rows may."""
    usual = _usual(rows)
    return usual > 1 and _usual(rows[:1]) >= usual


def _usual(rows: Sequence[Sequence[str]]) -> int:
    """Filled cells of most rows."""
    filled = Counter(sum(bool(cell.strip()) for cell in row) for row in rows if any(row))
    return filled.most_common(1)[0][0] if filled else 0
