"""Room on the ledger's disk: taken before budget is spent, given back when what was drawn is stored.

Without it a disk that is nearly full takes the reservation, and not the draws that it paid for.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import InputError

_SUFFIX = ".room"
_BLOCK = bytes(1 << 20)


@contextlib.contextmanager
def room_beside(path: Path, size: int) -> Iterator[Callable[[], None]]:
    """A file of `size` bytes in the folder of `path`, written and synced; gives the function that removes it.

    It is removed at the end at the latest. For one run at a time: files of runs that died are removed first.
    Raises InputError where the disk has no room for it.
    """
    named = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{12}}{re.escape(_SUFFIX)}")
    for stale in path.parent.glob(f".*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            if named.fullmatch(stale.name):
                stale.unlink()
    filler = path.with_name(f".{path.name}.{secrets.token_hex(6)}{_SUFFIX}")

    def free() -> None:
        with contextlib.suppress(OSError):
            filler.unlink(missing_ok=True)

    try:
        _fill(filler, size)
        yield free
    finally:
        free()


def _fill(filler: Path, size: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(filler, flags, 0o600), "wb") as file:
            for start in range(0, size, len(_BLOCK)):
                file.write(_BLOCK[: size - start])
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(
            "The ledger's disk has no room for what would be drawn ({value} MB): {strerror}.",
            value=f"{size / 1000000.0:.1f}",
            strerror=error.strerror,
            where=str(filler.parent),
            mend="make room there; nothing was spent",
        ) from None
