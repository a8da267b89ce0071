"""Whether a file is a contribution table, and what it says of itself: a look at its metadata alone."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions.file_facts import TABLE_MARK, TableFacts, read_facts
from core.read.input_files import unreadable_as_input_error


def look_at_table(path: Path) -> TableFacts | None:
    """The facts of a contribution table; None for any other file, whatever it is.

    No row is read. Raises InputError for a file that cannot be read, and for a table that says of itself
    what does not fit.
    """
    with unreadable_as_input_error(path), path.open("rb") as stream:
        try:
            metadata = pq.read_metadata(stream).metadata or {}
        except (pa.ArrowException, UnicodeDecodeError):
            return None
    return read_facts(metadata, path) if TABLE_MARK in metadata else None
