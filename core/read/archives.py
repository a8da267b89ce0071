"""Archives as folders: a password, two files of one name, long paths, too many files for memory."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from core.errors import InputError
from core.read.set_aside import SetAside
from core.read.tar_entries import buffered, tar_entries
from core.read.unpacking import decompressed
from core.system.regular_files import open_regular

_ENCRYPTED = 0x1
_HEADER = struct.Struct("<4s22xHH")
"""What stands before a member's data: a mark, what the directory says too, the lengths of name and extra."""
_MEMBER = b"PK\x03\x04"
_NO_DATA = re.compile(
    r"(?i)(read[-_ ]?me|lisez[-_ ]?moi|leia[-_ ]?me|l[eé]e?r?[-_ ]?me|l[eé]ame|lies[-_ ]?mich"
    r"|licen[cs]e|licencia|licen[çc]a|lizenz|copying|notice|changelog|metadata|codebook"
    r"|data[-_ ]?dictionary)\b"
    r"|(.*\.)?(schema|datapackage|dataset)\.(json|ya?ml)$|_[^.]*$"
)
"""Names of texts about the data and of schemas; and of what Spark writes: from _ on, without an ending."""
_TIMETABLE = frozenset(
    f"{table}.txt"
    for table in (
        *("agency", "stops", "routes", "trips", "stop_times", "calendar", "calendar_dates", "shapes"),
        *("fare_attributes", "fare_rules", "fare_media", "fare_products", "fare_leg_rules"),
        *("fare_transfer_rules", "areas", "stop_areas", "networks", "route_networks", "timeframes"),
        *("frequencies", "transfers", "pathways", "levels", "location_groups", "location_group_stops"),
        *("booking_rules", "translations", "feed_info", "attributions"),
    )
)
"""Tables of a GTFS timetable: what was planned, not where vehicles were."""


MOST_LISTED = 24 << 20
"""Bytes of an archive's list of members; that of a month's 135,000 polls takes up to 18 million."""
_LONGEST_END = 1 << 17
_LONGEST_PATH = 1 << 12
"""Characters of a path in an archive: what a system may have, at most."""
_HIDDEN = re.compile(r"(?:^|/)(?:\.|__MACOSX|~\$)")
_DRIVE = re.compile(r"^[A-Za-z]:")
_open_listings: dict[Path, Mapping[str, ArchiveMember]] = {}
"""Of the archives that are being read as a whole, as long as they are."""
_at_hand: dict[Path, SetAside] = {}
"""Members of archives that can only be read from the beginning, and archives inside others."""


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
    if os.path.exists(path):  # noqa: PTH110 - see `on_disk`
        return None
    for parent in path.parents:
        if parent in _open_listings:
            return _open_listings[parent].get(path.relative_to(parent).as_posix())
        if os.path.isfile(parent):  # noqa: PTH113
            return _listing(parent).get(path.relative_to(parent).as_posix()) if is_zip(parent) else None
    return None


def is_zip(path: Path) -> bool:
    """Whether a file begins and ends as archives do. Raises OSError."""
    with open_regular(path) as file:
        return _is_zip(file)


def _is_zip(file: IO[bytes]) -> bool:
    begins = file.read(2) == b"PK"  # a tar may end in a zip
    return begins and zipfile.is_zipfile(file)


@contextlib.contextmanager
def at_hand(path: Path, contents: SetAside) -> Iterator[None]:
    """A member is read from what was set aside of it, as long as that is there."""
    _at_hand[path] = contents
    try:
        yield
    finally:
        _at_hand.pop(path, None)


def contents_at_hand(path: Path) -> SetAside | None:
    """What was set aside of a member."""
    return _at_hand.get(path)


def is_within_another(archive: Path) -> bool:
    """Whether an archive lies in one that itself lies in another."""
    if any(parent in _at_hand for parent in archive.parents):
        return True
    disk = None if archive in _at_hand else on_disk(archive)
    if disk is None or disk == archive:
        return False
    with open_regular(disk) as raw, contextlib.ExitStack() as opening:
        return _find(raw, {archive.relative_to(disk).as_posix()}, disk, opening) is None


@contextlib.contextmanager
def opened_container(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, or of one inside an archive, which can be looked at anywhere. Raises OSError."""
    with contextlib.ExitStack() as opening:
        contents = _at_hand.get(path)
        if contents is None and (contents := fetched(path)):
            opening.callback(contents.close)
        yield opening.enter_context(contents.reader() if contents else open_regular(path))


def fetched(path: Path) -> SetAside | None:
    """A member of an archive on disk, or of one in that, found from the beginning on; None: there is none.

    Raises BadZipFile or EOFError for a damaged archive, OSError, and InputError as `open_member`.
    """
    disk = on_disk(path)
    if disk is None or disk == path:
        return None
    inner = path.relative_to(disk)
    outer = [parent.as_posix() for parent in inner.parents][:-1]
    with contextlib.ExitStack() as opening:
        found = _find(opening.enter_context(open_regular(disk)), {inner.as_posix(), *outer}, disk, opening)
        if found and found[0] != inner.as_posix():
            within = disk / found[0]
            archive = opening.enter_context(contextlib.closing(SetAside(found[1], within, size=found[2])))
            raw = opening.enter_context(archive.reader())
            found = _find(raw, {path.relative_to(within).as_posix()}, within, opening)
        return SetAside(found[1], path, size=found[2], opened=opening.pop_all()) if found else None


def on_disk(path: Path) -> Path | None:
    """The file itself, or the archive that a path leads into."""
    # `Path.is_file` raises for a name that is too long for a disk, and not for an archive
    return next((one for one in (path, *path.parents) if os.path.isfile(one)), None)  # noqa: PTH113


def _find(
    raw: IO[bytes], wanted: Set[str], archive: Path, opening: contextlib.ExitStack
) -> tuple[str, IO[bytes], int | None] | None:
    """The first member of one of these names, to be read while all is open, and its size where it is sure."""
    if _is_zip(raw):
        with open_zip(raw) as opened:
            infos = {_inner(info): info for info in opened.infolist()}
        for name in wanted & infos.keys():
            return name, open_member(raw, ArchiveMember(archive=archive, info=infos[name])), None
        return None
    raw.seek(0)
    is_tar = False
    try:
        for entry in tar_entries(buffered(decompressed(raw, opening))):
            is_tar = True
            name = inner_name(entry.name)
            if name in wanted and not is_hidden(name) and entry.known:
                return name, entry.contents, entry.size
    except EOFError:
        if is_tar:
            raise
    return None  # or no archive at all


@contextlib.contextmanager
def open_zip(source: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """An archive and its list of members.

    Raises BadZipFile for a damaged one, also where the library raises what it did not foresee: for a name
    that is marked as UTF-8 and is not, a version of the format that nobody has, members without a name or
    that begin before the file does. Raises InputError where the list would fill memory, and OSError.
    """
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(open_regular(source)) if isinstance(source, Path) else source
        if _listed(file) > MOST_LISTED:
            raise InputError(
                "The archive lists too many files for memory.",
                where=str(getattr(file, "name", "")),
                mend="pack fewer files into each archive, or use tar, which has no list",
            )
        try:
            archive = opened.enter_context(zipfile.ZipFile(file))
        except (UnicodeDecodeError, NotImplementedError, struct.error):
            raise zipfile.BadZipFile from None
        listed = archive.infolist()
        if any(info.header_offset < 0 or not info.filename for info in listed):
            raise zipfile.BadZipFile
        for info in listed:
            require_path(info.filename, str(getattr(file, "name", "")))
        yield archive


def _listed(file: IO[bytes]) -> int:
    """Bytes of the list of members, as the end of the archive says."""
    file.seek(-min(file.seek(0, os.SEEK_END), _LONGEST_END), os.SEEK_END)
    end = file.read()
    file.seek(0)
    at, long = end.rfind(b"PK\x05\x06"), end.rfind(b"PK\x06\x06")
    if at < 0 or len(end) < at + 22:
        return 0
    (size,) = struct.unpack_from("<L", end, at + 12)
    if size == 0xFFFFFFFF and 0 <= long <= len(end) - 56:
        (size,) = struct.unpack_from("<Q", end, long + 40)
    return int(size)


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
    with opened_container(archive) as raw, open_zip(raw) as opened:
        found = [info for info in opened.infolist() if _is_file(info) and not is_hidden(_inner(info))]
    names = [_inner(info) for info in found]
    if len(set(names)) < len(names):
        raise two_of_one_name(archive)
    return {_inner(info): ArchiveMember(archive=archive, info=info) for info in sorted(found, key=_inner)}


def _is_file(info: zipfile.ZipInfo) -> bool:
    """Whether a member is no folder, and no link, whose contents are the name of another file."""
    return not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16)


def require_path(name: str, archive: Path | str) -> None:
    """Raise InputError for a member so deep that to look for it among folders would hardly end."""
    if len(name) > _LONGEST_PATH:
        raise InputError(
            "The archive contains a file whose path is longer than {most} characters.",
            most=f"{_LONGEST_PATH:,}",
            where=str(archive),
            mend="pack its files again, in fewer folders",
        )


def two_of_one_name(archive: Path) -> InputError:
    """What to say of an archive of which nobody knows which file is meant."""
    return InputError(
        "The archive contains two files with the same name.",
        where=str(archive),
        mend="unpack it and choose the right ones",
    )


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
            "Hexveil does not know how this archive is packed.",
            where=str(member.path),
            mend="unpack it, or pack it again as an ordinary zip",
        ) from None


def is_hidden(inner: str) -> bool:
    """Whether a file lies under a name that systems hide: `.x`, `__MACOSX`, `~$x` while Excel shows x.

    A name of dots and slashes alone is the archive itself, which would be looked into for ever.
    """
    return _HIDDEN.search(inner) is not None


def is_about_data(name: str) -> bool:
    """Whether a file by its name describes the data: README, LICENSE, a schema; or is of a timetable."""
    last = name.rpartition("/")[2]
    return _NO_DATA.match(last) is not None or last.lower() in _TIMETABLE


def inner_name(name: str) -> str:
    """The name of a member as a path below the archive; one that leads out of it begins with dots."""
    parts = _DRIVE.sub("", name.replace("\\", "/"), count=1).split("/")
    return "/".join(part for part in parts if part not in ("", ".")) or "."


def _inner(info: zipfile.ZipInfo) -> str:
    return inner_name(info.filename)
