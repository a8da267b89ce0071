"""The registry of file formats: which reader reads a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import cast

from core.discovery import discover
from core.errors import InputError
from core.ingest import readers
from core.ingest.files import folder_refused
from core.ingest.readers.base import Reader


@cache
def all_readers() -> tuple[Reader, ...]:
    """Every discovered reader, sorted by key."""
    return tuple(cast(Reader, reader) for reader in discover(readers, "READER").values())


def reader_for(path: Path) -> Reader:
    """The reader of a file. Raises InputError for a folder, or when no format fits."""
    if path.is_dir():
        raise folder_refused(path)
    for reader in all_readers():
        if reader.reads(path):
            return reader
    raise InputError(
        "This kind of file is unknown.",
        where=str(path),
        mend="give " + ", ".join(reader.title for reader in all_readers()) + ", plain or as .gz",
    )
