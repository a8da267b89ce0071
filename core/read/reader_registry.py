"""The registry of file formats: which reader reads a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
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


@cache
def _by_ending(readers: tuple[Reader, ...]) -> Mapping[str, Reader]:
    return {ending: reader for reader in readers for ending in reader.endings}


def reader_by_name(name: str) -> Reader | None:
    """The reader that the name of a file asks for; None for an unknown ending."""
    base = base_name(name)
    return _by_ending(all_readers()).get(base[base.rfind(".") :])


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
