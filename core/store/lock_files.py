"""Lock files: which living process uses a folder; the system unlocks them when the process dies."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

_SUFFIX = ".claim"
"""As earlier versions name them, so that old and new programs see each other's."""
_NAME = re.compile(rf"(.*)\.[0-9a-f]{{12}}{re.escape(_SUFFIX)}", re.DOTALL)
"""Group 1: the folder's."""


class FolderLock:
    """A locked file beside a folder: `<folder>.<random>.claim`. Several may lock one folder."""

    def __init__(self, path: Path, lock: BaseFileLock) -> None:
        self._path = path
        self._lock = lock

    @classmethod
    def on(cls, folder: Path) -> FolderLock:
        """Lock a folder, which need not exist. Raises OSError where files cannot be locked."""
        path = folder.with_name(f"{folder.name}.{secrets.token_hex(6)}{_SUFFIX}")
        lock = _lock_on(path)
        try:
            lock.acquire()
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return cls(path, lock)

    def release(self) -> None:
        """Give the lock up. A file that cannot be removed is removed by the next who looks."""
        self._lock.release()
        with contextlib.suppress(OSError):
            self._path.unlink()


def is_locked(folder: Path) -> bool:
    """Whether a living process locks a folder; removes the locks of dead ones."""
    alive = [_is_alive(path) for name, path in _locks(folder.parent) if name == folder.name]
    return any(alive)


def remove_stale_locks(parent: Path) -> None:
    """Remove every lock in a folder that no living process holds."""
    for _, path in _locks(parent):
        _is_alive(path)


def _locks(parent: Path) -> Iterator[tuple[str, Path]]:
    """The locks in a folder, each with the name of what it is on; a file of another name is no lock."""
    for path in parent.glob(f"*{_SUFFIX}"):
        if found := _NAME.fullmatch(path.name):
            yield found[1], path


def _lock_on(path: Path) -> BaseFileLock:
    """A lock that any thread may release, and that dies with its process: never a mere marker."""
    return FileLock(path, mode=0o600, thread_local=False, fallback_to_soft=False)


def _is_alive(path: Path) -> bool:
    lock = _lock_on(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return True
    except OSError:  # it cannot be known
        return path.exists()
    FolderLock(path, lock).release()
    return False
