"""What a file format must offer; columns that are mapped and not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

import pyarrow as pa

from core.errors import InputError
from core.privacy import Confidential
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import Preview, some_names
from core.texts import text_of

MOST_LINES = 5


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Batch(Confidential):
    """Some rows of a file: the wanted columns (null where a record lacks one)."""

    table: pa.Table
    unreadable: int
    """Rows that were no records at all and are not in the table."""
    unreadable_lines: tuple[int, ...] = ()
    """Where the first of them stand, at most `MOST_LINES`, as far as it is known; for reports of them.

    In CSV, blank lines and line ends inside quotes do not count.
    """
    arrays_unread: int = 0
    """Objects in lists that hold others than records."""
    without_records: bool = False
    """A file, or one inside an archive, has ended without a record."""
    fault: InputError | None = None
    """Why, or why it cannot be read."""
    member: str = ""
    """The file inside an archive that was named as a whole."""
    fraction: float
    """Share of the file read so far, 0..1."""


class Reader(Protocol):
    """One file format."""

    key: ClassVar[str]
    title: ClassVar[str]
    endings: ClassVar[tuple[str, ...]]
    """What names of its files end in, in lower case, before any `.gz` or the like."""
    options: ClassVar[tuple[str, ...]]
    """Fields of `FileFormat` that mean something for its files: what can be named before they are read."""

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        """Column names and first rows. Raises InputError for an unusable file."""
        ...

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        """The wanted columns in blocks, as text (plain or dictionary), numbers, timestamps or lists.

        Raises InputError for an unusable file; NoRecord, once everything in it has been given, where there
        was nothing that a record could be read from.
        """
        ...


def text_batch(columns: Mapping[str, Sequence[str | None]], fraction: float) -> Batch:
    """Cells of text, the columns all of one length; fraction: as a `Batch` has it."""
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    return Batch(table=table, unreadable=0, fraction=fraction)


def require_columns(wanted: Sequence[str], available: Sequence[str], path: Path) -> None:
    """Raise InputError unless every wanted column is there exactly once."""
    for name in wanted:
        count = list(available).count(name)
        if count == 1:
            continue
        value = "missing" if count == 0 else "there more than once"
        raise InputError(
            "The column {name} is {value}.",
            name=f"{name!r}",
            value=value,
            where=str(path),
            mend="give each of them another name in the file"
            if count
            else text_of("map one of these columns: {available}", available=some_names(available)),
        )
