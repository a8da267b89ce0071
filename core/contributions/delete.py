"""Removing a contribution table, and nothing else: links, folders with more, damaged tables."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Collection, Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions.encryption import is_encrypted, is_under_passphrase
from core.contributions.file_facts import TABLE_MARK
from core.contributions.parts import PARTITION_KEYS, table_parts
from core.errors import InputError
from core.read.unreadable_files import unreadable_as_input_error
from core.system.files import sync_folder
from core.system.files_in_use import when_released
from core.system.regular_files import open_regular

_BESIDE = re.compile(r"_SUCCESS|_metadata|_common_metadata|_started_[0-9]+|_committed_(?:vacuum)?[0-9]+")
"""What engines leave beside the parts that they write."""
_PARTITION = re.compile(rf"(?:{'|'.join(PARTITION_KEYS)})=.+")
"""A folder of parts, which is empty where they have gone: whatever else lies in it is looked at apart."""
_CHECKSUM = re.compile(r"\.(.+)\.crc", re.DOTALL)
"""Of a file of either kind; group 1 names it."""


def files_to_delete(table: Path) -> tuple[Path, ...]:
    """The parts of a table, to be shown before they go.

    Raises InputError where it is no contribution table, or its folder holds anything else: that is not ours
    to remove.
    """
    return _looked_at(table)[0]


def delete_table(table: Path) -> None:
    """Remove a table that `files_to_delete` passes. It is gone first, whatever happens later.

    Raises InputError as that does, and where it cannot be removed.
    """
    going = [path.relative_to(table) for path in _looked_at(table)[1]]
    doomed = table.with_name(f".{table.name}.{secrets.token_hex(6)}.partial")
    try:
        when_released(lambda: table.rename(doomed))
        if doomed.is_dir():
            _remove_folder(doomed, going, table)
        else:
            doomed.unlink()
        sync_folder(table.absolute().parent)
    except OSError as error:
        raise InputError(
            f"The table cannot be deleted: {error.strerror}.",
            where=str(doomed if os.path.lexists(doomed) else table),
            mend="close what uses it, and look at the permissions of its folder",
        ) from None


def _looked_at(table: Path) -> tuple[tuple[Path, ...], list[Path]]:
    """Its parts, and everything below a folder of parts: what a folder holds before itself."""
    if table.is_symlink():
        raise InputError(
            "This is a link to something else.", where=str(table), mend="name the table that it leads to"
        )
    parts = tuple(part.path for part in table_parts(table))
    for path in parts:
        if not _is_table(path):
            raise InputError(
                "This is not a contribution table, or a damaged one; nothing was deleted.",
                where=str(path),
                mend="remove it by hand, if you are sure of it",
            )
    files, folders = set(parts), {folder for part in parts for folder in part.parents}
    within = sorted(table.rglob("*"), reverse=True)
    for path in within:
        goes = (
            path in folders or _PARTITION.fullmatch(path.name) if path.is_dir() else _goes_with(path, files)
        )
        if path.is_symlink() or not goes:
            raise InputError(
                "The folder contains more than a contribution table; nothing was deleted.",
                where=str(path),
                mend="move it elsewhere, or remove by hand what should go",
            )
    return parts, within


def _goes_with(path: Path, parts: Collection[Path]) -> bool:
    """Whether a file is a part, or was left beside them by an engine."""
    if checked := _CHECKSUM.fullmatch(path.name):
        path = path.with_name(checked[1])
    return path in parts or _BESIDE.fullmatch(path.name) is not None


def _remove_folder(doomed: Path, going: Iterable[Path], table: Path) -> None:
    """Remove what was found in the table. What came since then stays, and gets the table's name back."""
    for path in going:
        if (doomed / path).is_dir():
            _remove_if_empty(doomed / path)
        else:
            (doomed / path).unlink()
    if not _remove_if_empty(doomed):
        when_released(lambda: doomed.rename(table))
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY))


def _remove_if_empty(folder: Path) -> bool:
    """Whether it was empty, and is gone. Raises OSError where it is empty and cannot be removed."""
    try:
        folder.rmdir()
    except OSError:
        if any(folder.iterdir()):
            return False
        raise
    return True


def _is_table(path: Path) -> bool:
    if is_encrypted(path):
        return is_under_passphrase(path)
    with unreadable_as_input_error(path), open_regular(path) as stream:
        try:
            return TABLE_MARK in (pq.read_metadata(stream).metadata or {})
        except pa.ArrowException:
            return False
