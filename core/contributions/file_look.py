"""Whether a file is a contribution table, by a look at metadata alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions.encryption import (
    AskPassphrase,
    TableLock,
    damage_as_input_error,
    is_encrypted,
    is_under_passphrase,
)
from core.contributions.file_facts import TABLE_MARK, TableFacts, read_facts
from core.contributions.parts import SUFFIX, table_parts
from core.hats.window import DateRange
from core.privacy import Confidential
from core.progress import Progress, silent
from core.read.file_stamps import Stamp, stamp_of
from core.read.unreadable_files import unreadable_as_input_error
from core.system.regular_files import open_regular


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableOffer(Confidential):
    """What can be asked of a table."""

    facts: TableFacts
    """Of its first part; what all parts share is checked when rows are read."""
    dates: Mapping[int, frozenset[dt.date]]
    """Resolution -> dates that it was made for, with rows or without."""
    stamps: tuple[Stamp, ...]
    """Of its parts, when they were looked at."""
    bound: bool | None = None
    """Whether each part is bound to the others by its key; None where they are not encrypted."""

    @property
    def resolutions(self) -> tuple[int, ...]:
        """In order; more than one in a folder with parts of each."""
        return tuple(sorted(self.dates))

    def ranges(self, resolution: int) -> tuple[DateRange, ...]:
        """The dates of a resolution as ranges without a gap; empty for one that the table has not."""
        return joined_dates(self.dates.get(resolution, frozenset()))


def joined_dates(dates: frozenset[dt.date]) -> tuple[DateRange, ...]:
    """Runs of consecutive dates, in order."""
    ranges: list[DateRange] = []
    for date in sorted(dates):
        if ranges and (date - ranges[-1][1]).days == 1:
            ranges[-1] = (ranges[-1][0], date)
        else:
            ranges.append((date, date))
    return tuple(ranges)


def look_at_table(
    path: Path, passphrase: AskPassphrase | None = None, progress: Progress = silent
) -> TableOffer | None:
    """What a contribution table offers; None for any other file or folder, whatever it is.

    No row is read. passphrase: asked where the table is encrypted. Raises InputError for a file that cannot
    be read and a table that says of itself what does not fit, and what `progress` and `passphrase` raise.
    """
    if not is_table(path):
        return None
    lock, parts = TableLock(path, passphrase), table_parts(path)
    bound = lock.require_whole(parts)
    stamps: list[Stamp] = []
    found: list[TableFacts] = []
    for number, part in enumerate(parts):
        progress(number / len(parts), "Reading contributions")
        stamps.append(stamp_of(part.path))
        found.append(read_facts(_metadata(part.path, lock), part.path))
    dates: dict[int, frozenset[dt.date]] = {}
    for facts in found:
        dates[facts.resolution] = dates.get(facts.resolution, frozenset()) | set(facts.window.dates)
    return TableOffer(facts=found[0], dates=dates, stamps=tuple(stamps), bound=bound)


def is_table(path: Path) -> bool:
    """By the first file; one under a passphrase of ours is taken for a table, as nothing else is.

    Raises InputError where it cannot be read.
    """
    with unreadable_as_input_error(path):
        first = min(path.rglob(f"*{SUFFIX}"), default=None) if path.is_dir() else path
    if first is None:
        return False
    if is_encrypted(first):
        return is_under_passphrase(first)
    with unreadable_as_input_error(first), open_regular(first) as stream:
        try:
            return bool(TABLE_MARK in (pq.read_metadata(stream).metadata or {}))
        except (pa.ArrowException, UnicodeDecodeError):
            return False


def _metadata(path: Path, lock: TableLock) -> Mapping[bytes, bytes]:
    keys = lock.opened(path)
    with (
        unreadable_as_input_error(path),
        open_regular(path) as stream,
        damage_as_input_error(path, encrypted=keys is not None),
    ):
        return pq.read_metadata(stream, decryption_properties=keys).metadata or {}
