"""Removing a contribution table: nothing else, and as a whole."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions.encryption import is_encrypted, is_under_passphrase
from core.contributions.file_facts import TABLE_MARK
from core.contributions.parts import is_passed_over, table_parts
from core.errors import InputError
from core.files import sync_folder
from core.held_files import when_released
from core.read.input_files import unreadable_as_input_error


def files_to_delete(table: Path) -> tuple[Path, ...]:
    """The parts of a table, to be shown before they go.

    Raises InputError where it is no contribution table, or its folder holds anything else: that is not ours
    to remove.
    """
    if table.is_symlink():
        raise InputError(
            "This is a link to something else.", where=str(table), mend="name the table that it leads to"
        )
    parts = tuple(part.path for part in table_parts(table))
    for path in parts:
        if not _is_table(path):
            raise InputError(
                "This is no contribution table, or a damaged one; nothing was deleted.",
                where=str(path),
                mend="remove it by hand, if you are sure of it",
            )
    strange = sorted(set(_files_in(table)) - set(parts)) if table.is_dir() else []
    if strange:
        raise InputError(
            "The folder holds more than a contribution table; nothing was deleted.",
            where=str(strange[0]),
            mend="move it elsewhere, or remove by hand what shall go",
        )
    return parts


def delete_table(table: Path) -> None:
    """Remove a table that `files_to_delete` passes. It is gone at once, whatever happens later.

    Raises InputError as that does, and where it cannot be removed.
    """
    files_to_delete(table)
    doomed = table.with_name(f".{table.name}.{secrets.token_hex(6)}.partial")
    try:
        when_released(lambda: table.rename(doomed))
        if doomed.is_dir():
            shutil.rmtree(doomed)
        else:
            doomed.unlink()
        sync_folder(table.absolute().parent)
    except OSError as error:
        raise InputError(
            f"The table cannot be deleted: {error.strerror}.",
            where=str(doomed if os.path.lexists(doomed) else table),
            mend="close what uses it, and look at the permissions of its folder",
        ) from None


def _files_in(folder: Path) -> list[Path]:
    """Files that no engine left behind beside its parts (`_SUCCESS`, `.part-0.parquet.crc`)."""
    return [
        path
        for path in folder.rglob("*")
        if not path.is_dir() and not any(map(is_passed_over, path.relative_to(folder).parts))
    ]


def _is_table(path: Path) -> bool:
    if is_encrypted(path):
        return is_under_passphrase(path)
    with unreadable_as_input_error(path), path.open("rb") as stream:
        try:
            return TABLE_MARK in (pq.read_metadata(stream).metadata or {})
        except pa.ArrowException:
            return False
