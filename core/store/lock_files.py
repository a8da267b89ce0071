"""Claims: which living process uses a folder, told by files that the system unlocks when it dies."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from pathlib import Path

_SUFFIX = ".claim"


class FolderLock:
    """A locked file beside a folder: `<folder>.<random>.lock`."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle

    @classmethod
    def on(cls, folder: Path) -> FolderLock:
        """FolderLock a folder, which need not exist. Raises OSError where files cannot be locked."""
        while True:
            path = folder.with_name(f"{folder.name}.{secrets.token_hex(6)}{_SUFFIX}")
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                locked = _lock(handle)
                # one who looked between the two steps took it for a dead one's, and removed it
                if locked and path.exists():
                    return cls(path, handle)
            except OSError:
                os.close(handle)
                path.unlink(missing_ok=True)
                raise
            os.close(handle)

    def release(self) -> None:
        """Give the lock up. A file that cannot be removed is removed by the next who looks."""
        os.close(self._handle)
        with contextlib.suppress(OSError):
            self._path.unlink()


def is_locked(folder: Path) -> bool:
    """Whether a living process locks a folder; removes the locks of dead ones."""
    alive = [_is_alive(path) for path in folder.parent.glob(f"{folder.name}.*{_SUFFIX}")]
    return any(alive)


def remove_stale_locks(parent: Path) -> None:
    """Remove every lock in a folder that no living process holds."""
    for path in parent.glob(f"*{_SUFFIX}"):
        _is_alive(path)


def _is_alive(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:  # it cannot be known
        return True
    try:
        alive = not _lock(handle)
        if not alive and os.name != "nt":
            path.unlink(missing_ok=True)
    except OSError:
        alive = True
    finally:
        os.close(handle)
    if not alive:
        with contextlib.suppress(OSError):  # Windows removes no open file
            path.unlink(missing_ok=True)
    return alive


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        """Lock a file unless another one holds it. Closing it, or dying, unlocks it."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool:
        """Lock a file unless another one holds it. Closing it, or dying, unlocks it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
