"""Zip archives as folders: a member is named by a path that goes on behind the archive's own."""

from __future__ import annotations

import contextlib
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from core.errors import InputError
from core.system.regular_files import open_regular

_ENCRYPTED = 0x1
_HEADER = struct.Struct("<4s22xHH")
"""What stands before a member's data: a mark, what the directory says too, the lengths of name and extra."""
_MEMBER = b"PK\x03\x04"
_NO_DATA = re.compile(
    r"(?i)(read[-_ ]?me|lisez[-_ ]?moi|leia[-_ ]?me|l[eé]e?r?[-_ ]?me|l[eé]ame|lies[-_ ]?mich"
    r"|licen[cs]e|licencia|licen[çc]a|lizenz|copying|notice|changelog|metadata)\b"
)


_open_listings: dict[Path, Mapping[str, ArchiveMember]] = {}
"""Of the archives that are being read as a whole, as long as they are."""


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
            inner = path.relative_to(parent).as_posix()
            if parent in _open_listings:
                return _open_listings[parent].get(inner)
            return _listing(parent).get(inner) if is_zip(parent) else None
    return None


def is_zip(path: Path) -> bool:
    """Whether a file ends as archives do. Raises OSError."""
    with open_regular(path) as file:
        return zipfile.is_zipfile(file)


@contextlib.contextmanager
def open_zip(source: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """An archive and its list of members.

    Raises BadZipFile for a damaged one, also where the library raises what it did not foresee: for a name
    that is marked as UTF-8 and is not, a version of the format that nobody has, members without a name or
    that begin before the file does. Raises OSError.
    """
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(open_regular(source)) if isinstance(source, Path) else source
        try:
            archive = opened.enter_context(zipfile.ZipFile(file))
        except (UnicodeDecodeError, NotImplementedError, struct.error):
            raise zipfile.BadZipFile from None
        if any(info.header_offset < 0 or not info.filename for info in archive.infolist()):
            raise zipfile.BadZipFile
        yield archive


def members(archive: Path) -> tuple[ArchiveMember, ...]:
    """The files of an archive by name, without folders and what systems add unseen.

    Raises InputError where two have one name; BadZipFile for a damaged archive.
    """
    return tuple(_listing(archive).values())


@contextlib.contextmanager
def listed_once(archive: Path) -> Iterator[tuple[ArchiveMember, ...]]:
    """The members of an archive, each of which `member_of` finds without listing all of them anew meanwhile.

    Raises what `members` does.
    """
    listing = _listing(archive)
    _open_listings[archive] = listing
    try:
        yield tuple(listing.values())
    finally:
        _open_listings.pop(archive, None)


def _listing(archive: Path) -> Mapping[str, ArchiveMember]:
    """Inner path -> member, in order of paths."""
    with open_zip(archive) as opened:
        found = [info for info in opened.infolist() if not info.is_dir() and not is_hidden(_inner(info))]
    names = [_inner(info) for info in found]
    if len(set(names)) < len(names):
        raise InputError(
            "The archive holds two files of one name.",
            where=str(archive),
            mend="unpack it and name the files that are meant",
        )
    return {_inner(info): ArchiveMember(archive=archive, info=info) for info in sorted(found, key=_inner)}


def open_member(raw: IO[bytes], member: ArchiveMember) -> IO[bytes]:
    """The unpacked contents as a stream, found without listing the archive again.

    Raises InputError for an encrypted or unknown compression, BadZipFile where no member begins there.
    """
    if member.info.flag_bits & _ENCRYPTED:
        raise InputError(
            "The archive is protected by a password.",
            where=str(member.path),
            mend="unpack it and name the files in it",
        )
    raw.seek(member.start)
    header = raw.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(_MEMBER):
        raise zipfile.BadZipFile
    _, name, extra = _HEADER.unpack(header)
    raw.seek(name + extra, 1)
    try:
        return cast(IO[bytes], zipfile.ZipExtFile(raw, "r", member.info))
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
    """Whether a file by its name describes the data and holds none: README, LISEZMOI, LICENSE or such."""
    return _NO_DATA.match(PurePosixPath(name).name) is not None


def _inner(info: zipfile.ZipInfo) -> str:
    # a leading slash would lead out of the archive's own path
    return PurePosixPath(info.filename.lstrip("/")).as_posix()
