"""Which reader reads a file, by its ending; an unknown kind of file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import cast

from core.discovery import discover
from core.errors import InputError
from core.read import readers
from core.read.input_files import base_name
from core.read.kind_by_content import is_delimited, kind_by_content
from core.read.readers.base import Reader
from core.read.unreadable_files import folder_refused
from core.texts import joined, text_of

ARCHIVES = ("zip", "tar")
"""Keys of readers that leave each file inside to its own."""


@cache
def all_readers() -> tuple[Reader, ...]:
    """Every discovered reader, sorted by key."""
    return tuple(cast(Reader, reader) for reader in discover(readers, "READER").values())


def reader_by_name(name: str) -> Reader | None:
    """The reader that the name of a file asks for; None for an unknown ending."""
    base = base_name(name)
    ending = base[base.rfind(".") :]
    return next((reader for reader in all_readers() if ending in reader.endings), None)


def reader_for(path: Path) -> Reader:
    """The reader of a file: its first bytes decide where they tell, else its name.

    Raises InputError for a folder, a file that cannot be opened, or when no format fits; NoRecord for a
    file without bytes.
    """
    if os.path.isdir(path):  # noqa: PTH112 - see `archives.on_disk`
        raise folder_refused(path)
    kind, reader_named = kind_by_content(path), reader_by_name(path.name)
    if not kind and reader_named is not None and reader_named.key == "workbook" and is_delimited(path):
        kind = "csv"  # many programs call their tables of text .xls, which Excel opens
    for reader in all_readers():
        if reader.key == kind:
            return reader
    if reader_named is None:
        raise InputError(
            "This kind of file is unknown.", where=str(path), mend=text_of("give {value}", value=titles())
        )
    return reader_named


def titles() -> str:
    """The formats by name, as a message lists them."""
    return text_of(
        "{value}, plain or as .gz, .bz2, .xz or .zst",
        value=joined(", ", (reader.title for reader in all_readers())),
    )
