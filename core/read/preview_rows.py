"""The first 200 rows of a file as text, which every guess is made from. Confidential."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import InputError
from core.privacy import Confidential
from core.read.file_format import MISSING_WORDS
from core.texts import Name, joined, text_of

PREVIEW_ROWS = 200
"""Rows of a preview at most, and what every guess is made from."""
_MOST_NAMES = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Preview(Confidential):
    """The column names of a file and its first rows as text, at most `PREVIEW_ROWS`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    """What a person should know of how the file was read: a mark, blank or repeated names, ..."""
    around: tuple[str, ...] = ()
    """Names of fields of an object that holds such rows, which are not read with them."""
    system: str = ""
    """Reference system of the positions, such as `EPSG:25832`, where the file names one."""
    cells_tell: bool = True
    """Cells decide with the names which column is which; without them names do alone."""

    def column(self, name: str) -> list[str]:
        """The cells of a column, empty where they hold a word for "missing"."""
        index = self.columns.index(name)
        return ["" if row[index].strip() in MISSING_WORDS else row[index] for row in self.rows]

    def without(self, name: str) -> Preview:
        """The other columns."""
        at = self.columns.index(name)
        rows = tuple((*row[:at], *row[at + 1 :]) for row in self.rows)
        return dataclasses.replace(self, columns=(*self.columns[:at], *self.columns[at + 1 :]), rows=rows)


class NoRows(InputError):
    """A file names columns and has no row to show: where presence is private, nobody may refuse it."""

    def __init__(self, what: str, preview: Preview, *, where: str, mend: str) -> None:
        super().__init__(what, where=where, mend=mend)
        self.preview = preview


def some_names(names: Iterable[str]) -> str:
    """Column names as a message lists them: each once, the first hundred."""
    listed = list(dict.fromkeys(names))
    more = len(listed) - _MOST_NAMES
    return joined(", ", map(Name, listed[:_MOST_NAMES])) + (
        text_of(" and {more} more", more=more) if more > 0 else ""
    )


def as_text(value: object) -> str:
    """A cell of a preview."""
    return "" if value is None else str(value)
