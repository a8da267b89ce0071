"""Files that are whole or absent: temporary name, sync, rename."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from core.errors import InputError


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Windows cannot sync folders; there this does nothing."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_synced(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a new file and sync it. Raises FileExistsError when it is there already."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_atomic(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Replace a file by its new content in one step; a crash leaves the old or the new one.

    Raises InputError when the folder cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.partial")
    try:
        write_synced(temporary, data, mode=mode)
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise InputError(
            f"The file cannot be written: {error.strerror}.",
            where=str(path),
            mend="choose a folder that exists and may be written",
        ) from None
