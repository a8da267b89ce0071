"""Zip archives as folders: a member is named by a path that goes on behind the archive's own."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from core.errors import InputError

_ENCRYPTED = 0x1
_NO_DATA = re.compile(r"(?i)(readme|licen[cs]e|copying|notice|changelog|metadata)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMember:
    """One file inside an archive."""

    archive: Path
    info: zipfile.ZipInfo

    @property
    def path(self) -> Path:
        """Archive and member as one path; what a reader is given and a message shows."""
        return self.archive / _inner(self.info)

    @property
    def start(self) -> int:
        """Byte of the archive at which the member begins."""
        return self.info.header_offset

    @property
    def packed(self) -> int:
        """Bytes that it takes in the archive."""
        return self.info.compress_size


def member_of(path: Path) -> ArchiveMember | None:
    """The member that a path beyond an archive names; None where the path is a file or leads nowhere."""
    if path.exists():
        return None
    for parent in path.parents:
        if parent.is_file():
            if not zipfile.is_zipfile(parent):
                return None
            inner = path.relative_to(parent).as_posix()
            return next((member for member in members(parent) if _inner(member.info) == inner), None)
    return None


def members(archive: Path) -> tuple[ArchiveMember, ...]:
    """The files of an archive by name, without folders and what systems add unseen.

    Raises InputError where two have one name; BadZipFile for a damaged archive.
    """
    with zipfile.ZipFile(archive) as opened:
        found = [info for info in opened.infolist() if not info.is_dir() and not is_hidden(_inner(info))]
    names = [_inner(info) for info in found]
    if len(set(names)) < len(names):
        raise InputError(
            "The archive holds two files of one name.",
            where=str(archive),
            mend="unpack it and name the files that are meant",
        )
    return tuple(ArchiveMember(archive=archive, info=info) for info in sorted(found, key=_inner))


def open_member(raw: IO[bytes], member: ArchiveMember) -> IO[bytes]:
    """The unpacked contents as a stream. Raises InputError for an encrypted or unknown compression."""
    if member.info.flag_bits & _ENCRYPTED:
        raise InputError(
            "The archive is protected by a password.",
            where=str(member.path),
            mend="unpack it and name the files in it",
        )
    try:
        return zipfile.ZipFile(raw).open(member.info)
    except (NotImplementedError, RuntimeError):
        raise InputError(
            "The archive is packed in a way that is not known here.",
            where=str(member.path),
            mend="unpack it, or pack it anew as an ordinary zip",
        ) from None


def is_hidden(inner: str) -> bool:
    """Whether a file lies under a name that systems hide: `.x`, `__MACOSX`."""
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(inner).parts)


def is_about_data(name: str) -> bool:
    """Whether a file by its name tells of the data and holds none: README, LICENSE and their like."""
    return _NO_DATA.match(PurePosixPath(name).name) is not None


def _inner(info: zipfile.ZipInfo) -> str:
    # a leading slash would lead out of the archive's own path
    return PurePosixPath(info.filename.lstrip("/")).as_posix()
