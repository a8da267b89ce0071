"""Work that was not saved, stored beside the ledger until its window is closed in order.

Each window has its own file and locks it as long as its process lives: the system gives the lock up
when that dies. What nobody locks was left behind; its first finder claims it, so that two windows
never take each other's work, nor both the same.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import secrets
import threading
from dataclasses import dataclass, field
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from core.draft.project_file import PROJECT_SUFFIX, Project, read_project, save_project
from core.errors import InputError

_LOCK_SUFFIX = ".claim"
_ASIDE = ".set-aside"
_NAME = re.compile(rf"[0-9a-f]{{16}}{re.escape(PROJECT_SUFFIX)}")
"""Of the files that windows make: a project that somebody saves in their folder is none."""


class Recovery:
    """The file of one window, from any thread. It comes into being with the first `keep`."""

    def __init__(self, folder: Path) -> None:
        """folder: of all windows of a home; made private to its owner when it is needed."""
        self._folder = folder
        self._path = folder / f"{secrets.token_hex(8)}{PROJECT_SUFFIX}"
        self._lock: BaseFileLock | None = None
        self._turn = threading.Lock()

    @property
    def path(self) -> Path:
        """Where the work lies, if any does."""
        return self._path

    def keep(self, project: Project) -> None:
        """Replace what is stored. Raises InputError where the folder cannot be written or locked."""
        with self._turn:
            self._keep(project)

    def _keep(self, project: Project) -> None:
        if self._lock is None:
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock = _lock_of(self._path)
                lock.acquire(blocking=False)
            except (OSError, Timeout):
                raise InputError(
                    "Unsaved work cannot be stored in case of a crash.",
                    where=str(self._folder),
                    mend="make the home folder writable, or save the project often",
                ) from None
            self._lock = lock
        save_project(project, self._path)

    def forget(self) -> None:
        """The work is saved elsewhere, or not wanted."""
        with self._turn:
            if self._lock is not None:
                _remove(self._path, self._lock)
                self._lock = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBehind:
    """Work of a window that ended without saying so; nobody else finds it until it is let go."""

    project: Project
    at: dt.datetime
    """When it was stored last, UTC."""
    _path: Path = field(repr=False)
    _lock: BaseFileLock = field(repr=False)

    def discard(self) -> None:
        """Remove it: it is open again, or not wanted."""
        _remove(self._path, self._lock)

    def let_go(self) -> None:
        """Leave it for the next who looks."""
        self._lock.release()


def left_behind(folder: Path) -> tuple[list[LeftBehind], list[InputError]]:
    """What windows left behind, newest first, and what is to be said of what cannot be read.

    That is set aside under another name, so that it does not come again: another version may read it.
    """
    paths = [path for path in folder.glob(f"*{PROJECT_SUFFIX}") if _NAME.fullmatch(path.name)]
    found, unreadable = [], []
    for one in map(_claimed, paths):
        if isinstance(one, LeftBehind):
            found.append(one)
        elif one is not None:
            unreadable.append(one)
    return sorted(found, key=lambda one: one.at, reverse=True), unreadable


def _claimed(path: Path) -> LeftBehind | InputError | None:
    lock = _lock_of(path)
    try:
        lock.acquire(blocking=False)
    except (OSError, Timeout):  # a living window's
        return None
    try:
        at = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
        return LeftBehind(project=read_project(path), at=at, _path=path, _lock=lock)
    except (InputError, OSError):
        return _set_aside(path, lock)


def _set_aside(path: Path, lock: BaseFileLock) -> InputError | None:
    """None where it is gone already, or cannot be renamed: then it is reported when it can."""
    aside = path.with_name(f"{path.name}{_ASIDE}")
    try:
        path.rename(aside)
    except OSError:
        lock.release()
        return None
    _remove(path, lock)
    return InputError(
        "Work that a window left behind cannot be read; it was set aside.",
        where=str(aside),
        mend="give it the ending .hexveil-project and open it with the newest version, or delete it",
    )


def _lock_of(path: Path) -> BaseFileLock:
    """Any thread may release it, and it dies with its process: never a mere marker."""
    return FileLock(path.with_suffix(_LOCK_SUFFIX), mode=0o600, thread_local=False, fallback_to_soft=False)


def _remove(path: Path, lock: BaseFileLock) -> None:
    """The work first: a lock without work is nothing, work without a lock is found again."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.with_suffix(_LOCK_SUFFIX).unlink(missing_ok=True)
    lock.release()
