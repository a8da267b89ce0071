"""Files whole or absent: a name that exists, a folder or file that cannot be written, no room."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.system.device_names import require_possible_name, too_long_for_windows
from core.system.files_in_use import when_released
from core.system.owner_rights import restrict_to_owner

_PARTIAL = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{12}\.partial", re.DOTALL)
_STALE_SECONDS = 3600.0
PRIVATE = 0o600
"""The mode of a written file that is its owner's alone."""


def temporary_root() -> Path:
    """Where the system keeps temporary files. Raises InputError where it has no folder for them."""
    try:
        return Path(tempfile.gettempdir())
    except OSError:
        raise InputError(
            "There is no writable folder for temporary files.",
            where="TMPDIR",
            mend="make room on the disk, or name a folder with TMPDIR",
        ) from None


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Windows cannot sync folders; there this does nothing."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def private_opener(path: str, flags: int) -> int:
    """Opens as `open` does, and what it makes is its owner's alone: for what holds records."""
    handle = os.open(path, flags, 0o600)
    try:
        restrict_to_owner(Path(path))
    except OSError:
        os.close(handle)
        raise
    return handle


def write_synced(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a new file and sync it. Raises FileExistsError when it is there already."""
    with _new_file(path, mode) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def require_free(path: Path, mend: str = "choose another name, or delete it first") -> None:
    """Raise InputError where something of the name is there already."""
    if os.path.lexists(path):
        raise InputError("This name exists already; nothing was changed.", where=str(path), mend=mend)


@contextlib.contextmanager
def atomic_private_folder(path: Path) -> Iterator[Path]:
    """A folder, its owner's alone, to be filled piece by piece; it gets its name when all went well.

    Whatever is raised inside leaves nothing behind. Raises InputError where something of the name is there
    already, and when the folder above cannot be written.
    """
    require_possible_name(path)
    require_free(path)
    remove_stale_partials(path.parent, path.name)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.partial")
    try:
        temporary.mkdir(mode=0o700)
        restrict_to_owner(temporary)
        yield temporary
        for folder in (*(one for one in temporary.rglob("*") if one.is_dir()), temporary):
            sync_folder(folder)
        when_released(lambda: temporary.rename(path))
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(
            "The folder cannot be written: {strerror}.",
            strerror=error.strerror,
            where=str(path),
            mend="choose a shorter path"
            if too_long_for_windows(path)
            else "choose an existing folder that you can write to, on a disk with room",
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _new_file(path: Path, mode: int) -> BinaryIO:
    require_possible_name(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags, mode), "wb")
    if mode == PRIVATE:
        try:
            restrict_to_owner(path)
        except OSError:
            file.close()
            path.unlink()
            raise
    return file


def write_atomic(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Replace a file by its new content in one step; a crash leaves the old or the new one.

    Raises InputError when the folder cannot be written.
    """
    with atomic_file(path, mode=mode) as file:
        file.write(data)


def make_folder(folder: Path) -> None:
    """Make a folder that is to receive output, with those above it. Raises InputError where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "The folder cannot be created: {strerror}.",
            strerror=error.strerror,
            where=str(folder),
            mend="choose another folder",
        ) from None


def remove_stale_partials(folder: Path, name: str = "") -> None:
    """Remove what a process that died left of what it was writing: of one name, or of all in the folder.

    Who writes is done within an hour; a younger file may be in the making.
    """
    before = clock.time() - _STALE_SECONDS
    with contextlib.suppress(OSError):
        for path in list(folder.iterdir()):
            found = _PARTIAL.fullmatch(path.name)
            if found and name in ("", found["name"]):
                with contextlib.suppress(OSError):
                    if path.is_symlink() or _changed_at(path) >= before:
                        continue
                    if path.is_file():
                        path.unlink()
                    else:
                        shutil.rmtree(path)


def _changed_at(path: Path) -> float:
    """When a file was changed last, or anything in a folder."""
    inside = path.rglob("*") if path.is_dir() else ()
    return max(float(one.lstat().st_mtime) for one in (path, *inside))


@contextlib.contextmanager
def atomic_file(path: Path, *, mode: int = 0o644) -> Iterator[BinaryIO]:
    """A file to be written piece by piece, which replaces that of the name when all went well.

    Whatever is raised inside leaves the old file, or none. Raises InputError when the folder cannot be
    written.
    """
    require_possible_name(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.partial")
    remove_stale_partials(path.parent, path.name)
    try:
        with _new_file(temporary, mode) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        when_released(lambda: temporary.replace(path))
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(
            "The file cannot be written: {strerror}.",
            strerror=error.strerror,
            where=str(path),
            mend="choose a shorter path"
            if too_long_for_windows(path)
            else "choose an existing folder that you can write to",
        ) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
