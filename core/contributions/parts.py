"""Names of a table's files and folders: partitions by resolution or date, none inside another.

Which of them a window needs follows from the names of folders (`resolution=7/date=2022-01-03/`), so that the
others are never opened. Names that begin with `_` or `.` are passed over, as engines have it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.read.unreadable_files import unreadable_as_input_error
from core.texts import Name, text_of

RESOLUTION, DATE = "resolution", "date"
PARTITION_KEYS = (RESOLUTION, DATE)
"""What folders may be named by, the outer one first where this program writes them."""
SUFFIX = ".parquet"
_HIDDEN = ("_", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A file of a table, and what the folders above it say of all its rows."""

    path: Path
    resolution: int | None = None
    """None: no folder says."""
    date: dt.date | None = None

    def may_hold(self, resolution: int | None, dates: frozenset[dt.date] | None) -> bool:
        """Whether it may have rows of that resolution and any of those dates; None: whatever they are."""
        return (resolution is None or self.resolution in (None, resolution)) and (
            dates is None or self.date is None or self.date in dates
        )


def table_parts(table: Path) -> tuple[Part, ...]:
    """All files of a table, sorted by path; nothing is opened.

    Raises InputError for what cannot be read, a folder without files, and a partition that is none.
    """
    with unreadable_as_input_error(table):
        if not table.is_dir():
            return (Part(path=table),)
        found = tuple(_in_folder(table, Part(path=table)))
    if not found:
        raise InputError(
            "This folder contains no part of a contribution table.",
            where=str(table),
            mend=text_of(
                "name a folder with files *{suffix}, or with folders like {date}=2022-01-03",
                suffix=SUFFIX,
                date=Name(DATE),
            ),
        )
    return found


def _in_folder(folder: Path, known: Part) -> Iterator[Part]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(_HIDDEN):
            continue
        if path.is_dir():
            yield from _in_folder(path, _partition(path, known))
        elif path.suffix.lower() == SUFFIX:
            yield Part(path=path, resolution=known.resolution, date=known.date)


def _partition(folder: Path, known: Part) -> Part:
    """What is known below a folder. One without `=` in its name says nothing: the run of a month."""
    key, sign, text = folder.name.partition("=")
    if not sign:
        return Part(path=folder, resolution=known.resolution, date=known.date)
    if key not in PARTITION_KEYS:
        raise InputError(
            "A contribution table can only be partitioned by resolution and date.",
            where=str(folder),
            mend="write it again with partitions by them, or without",
        )
    if getattr(known, key) is not None:
        raise InputError(
            "A partition by {key} is inside another one.", key=key, where=str(folder), mend="keep one of them"
        )
    try:
        if key == RESOLUTION:
            return Part(path=folder, resolution=_whole(text), date=known.date)
        return Part(path=folder, resolution=known.resolution, date=dt.date.fromisoformat(text))
    except ValueError:
        raise InputError(
            "The name of this partition is not a {key}.",
            key=key,
            where=str(folder),
            mend=text_of(
                "write {resolution}=7 or {date}=2022-01-03", resolution=Name(RESOLUTION), date=Name(DATE)
            ),
        ) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 3):
        raise ValueError
    return int(text)
