"""Room on disk for loading: how much is needed, how much is free, what to remove."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from core.errors import InputError
from core.read.file_stamps import Stamp
from core.texts import text_of

_FULL = {errno.ENOSPC, errno.EDQUOT}
_PLAIN = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".geojson")
_SHARE_PLAIN = 0.2
"""Bytes on disk to load one byte of text: about 38 a record (20 set aside, 18 stored), of some 200."""
_SHARE_PACKED = 1.5
"""Bytes on disk to load one byte of compressed files or Parquet, at some 25 a record."""
_ALWAYS = 1 << 20


def space_needed(stamps: Sequence[Stamp]) -> int:
    """Bytes that loading these files takes on disk, by their sizes: rather too few than too many."""
    # files in one archive all have its size
    sizes = {_on_disk(stamp.path): stamp.size for stamp in stamps}
    shares = (
        (size, _SHARE_PLAIN if path.lower().endswith(_PLAIN) else _SHARE_PACKED)
        for path, size in sizes.items()
    )
    return _ALWAYS + int(sum(size * share for size, share in shares))


def _on_disk(path: str) -> str:
    """The archive that a path leads into, else the path."""
    here = PurePath(path)
    return str(next((parent for parent in here.parents if parent.suffix.lower() == ".zip"), here))


def require_space(folder: Path, stamps: Sequence[Stamp]) -> None:
    """Raise InputError where the disk has not even the estimated room."""
    needed, free = space_needed(stamps), shutil.disk_usage(folder).free
    if free < needed:
        raise InputError(
            "The disk has too little room: loading needs about {needed}, {free} are free.",
            needed=_size(needed),
            free=_size(free),
            where=str(folder),
            mend="remove files that are no longer needed, or name a home on another disk with --home",
        )


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn failures of writing below `folder` into an InputError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            what = "The disk is full."
            mend = "remove files that are no longer needed, or name a home on another disk with --home"
        else:
            what = text_of(
                "Loaded records cannot be stored: {value}.", value=error.strerror or type(error).__name__
            )
            mend = "check the folder and its disk"
        raise InputError(what, where=str(folder), mend=mend) from None


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.0f} MB"
