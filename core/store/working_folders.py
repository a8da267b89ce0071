"""Private folders in which records are set aside; a temporary folder that is full or open to others.

Each is locked by who works in it, and gone at the end. What a process that was killed left, the next start of
the program removes.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.store.lock_files import FolderLock, is_locked, remove_stale_locks
from core.system.files import temporary_root
from core.system.owner_rights import restrict_to_owner

BUILDING = "building-"
"""How their names begin."""
WORKING_NAME = rf"{BUILDING}[0-9]+-[0-9a-f]{{12}}"
"""Pattern of the whole names: nothing else is removed."""


@contextlib.contextmanager
def working_folder(place: Path) -> Iterator[Path]:
    """A new private folder in `place`, gone at the end unless it was renamed. Raises OSError."""
    folder = place / f"{BUILDING}{os.getpid()}-{secrets.token_hex(6)}"
    lock = FolderLock.on(folder)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def temporary_place() -> Path:
    """Where working folders lie when the home cannot be written: this person's folder in the temporary one.

    Raises InputError where it cannot be made, or another person has taken its name.
    """
    place = _temporary_path()
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        restrict_to_owner(place)
    except OSError:
        pass
    if not _is_ours_alone(place):
        raise InputError(
            "Records cannot be stored in the folder for temporary files: it is full, or others can open "
            "this folder in it.",
            where=str(place),
            mend="choose a home that you can write to with --home, or another folder with TMPDIR",
        )
    _sweep(place)
    return place


def sweep_working_folders(cache: Path) -> None:
    """Remove what killed processes left, in the cache of a home and in the temporary folder."""
    _sweep(cache)
    with contextlib.suppress(InputError):
        if _is_ours_alone(place := _temporary_path()):
            _sweep(place)


def _sweep(place: Path) -> None:
    for folder in place.glob(f"{BUILDING}*"):
        if re.fullmatch(WORKING_NAME, folder.name) and folder.is_dir() and not is_locked(folder):
            shutil.rmtree(folder, ignore_errors=True)
    remove_stale_locks(place)


def _temporary_path() -> Path:
    return temporary_root() / f"hexveil-{getpass.getuser() if os.name == 'nt' else os.geteuid()}"


def _is_ours_alone(place: Path) -> bool:
    """Whether nobody else can put anything there, nor a link in its place."""
    try:
        found = place.lstat()
    except OSError:
        return False
    private = os.name == "nt" or (found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077)
    return private and stat.S_ISDIR(found.st_mode)
