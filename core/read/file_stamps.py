"""Input files as they are on disk, for a cached load; one that changed while it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.read.archives import on_disk
from core.read.unreadable_files import unreadable_as_input_error


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Stamp:
    """A file's path, size in bytes and time of its last change.

    A file whose content changes while all three stay the same passes for the one it was: to know better
    would mean to read it.
    """

    path: str
    size: int
    mtime_ns: int


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file, or of the archive that a path leads into. Raises InputError."""
    absolute = path.absolute()
    with unreadable_as_input_error(path):
        found = (on_disk(absolute) or absolute).stat()
    return Stamp(path=str(absolute), size=found.st_size, mtime_ns=found.st_mtime_ns)


def stamps_of(files: Sequence[Path]) -> tuple[Stamp, ...]:
    """The stamps of all files, in their order. Raises InputError for one that is missing."""
    return tuple(stamp_of(path) for path in files)


def require_unchanged(stamps: Sequence[Stamp]) -> None:
    """Raise InputError when a file has been written to since its stamp was taken."""
    for stamp in stamps:
        if stamp_of(Path(stamp.path)) != stamp:
            raise changed_file(stamp.path)


def changed_file(where: str) -> InputError:
    """What to say of a file that has been written to."""
    return InputError(
        "The file changed while it was read.",
        where=where,
        mend="load it again once nothing writes to it, or load a copy",
    )


def is_current(stamp: Stamp) -> bool:
    """Whether the file is there and as its stamp says."""
    try:
        return stamp_of(Path(stamp.path)) == stamp
    except InputError:
        return False
