"""A bundle read from its zip: encrypted, damaged, cut off, a second list, two of one name (method 14.11).

The file comes from a stranger. Its end is read before its list of members, so that a list of any length costs
nothing; members lie end to end, so that each byte belongs to one of them and no other program finds others;
names are such as any system keeps. What a member unpacks to is bounded where it is read (`verify_folder`).
"""

from __future__ import annotations

import contextlib
import io
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, cast

from core.errors import InputError
from core.read.archives import ArchiveMember, open_member, open_zip
from core.signed.findings import Finding, require, shown
from core.system.device_names import is_possible_name
from core.system.regular_files import open_regular
from core.verify.source import MOST_ENTRIES, READ_ERRORS, Listing

PACKED_SUFFIX = ".zip"
_MEMBER, _NO_MEMBER = b"PK\x03\x04", b"PK\x05\x06"
_LONGER_LIST = b"PK\x06\x07"
"""Marks a second list, of archives larger than any bundle, which other programs would read in its place."""
_HEADER = struct.Struct("<4s10xLLLHH")
_END = struct.Struct("<4s4xHHLLH")
_LOCATOR = 20
"""Bytes of the mark of a second list in a bundle's zip, right before the end."""
_LARGEST_LIST = 512 * MOST_ENTRIES
_PLAIN_FLAGS = 0x806
"""Flags that a file in a bundle's zip may have: how hard it was packed, and names in UTF-8."""
_NAME = re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*/?")
_LONGEST_NAME = 240


def is_packed(path: Path) -> bool:
    """Whether this is a file that calls itself a zip, by its ending or its first bytes."""
    if not path.is_file():
        return False
    try:
        with open_regular(path) as file:
            return path.suffix.lower() == PACKED_SUFFIX or file.read(4) in (_MEMBER, _NO_MEMBER)
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class PackedSource:
    """The one folder in a zip. Raises Finding where the file is not put together as a bundle's is."""

    path: Path
    _top: str = field(init=False)
    _members: Mapping[str, zipfile.ZipInfo] = field(init=False, repr=False)
    """By their paths inside the folder."""

    def __post_init__(self) -> None:
        try:
            with open_regular(self.path) as file:
                found = _members(file)
        except READ_ERRORS:
            raise Finding("the file is damaged, or not a zip") from None
        top = next(iter(found)).partition("/")[0]
        inside = {name.removeprefix(f"{top}/"): info for name, info in found.items()}
        require(not inside.keys() & found.keys(), "it is not one folder with everything else inside")
        object.__setattr__(self, "_top", top)
        object.__setattr__(self, "_members", {name: info for name, info in inside.items() if name})

    @property
    def name(self) -> str:
        return self._top

    def listing(self) -> Listing:
        parents = (str(parent) for name in self._members for parent in PurePosixPath(name).parents)
        named = (name.rstrip("/") for name, info in self._members.items() if info.is_dir())
        return Listing(
            files={name: info.file_size for name, info in self._members.items() if not info.is_dir()},
            folders=frozenset({*parents, *named} - {"."}),
        )

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[io.BufferedIOBase]:
        member = ArchiveMember(archive=self.path, info=self._members[name])
        with open_regular(self.path) as raw:
            try:
                content = open_member(raw, member)
            except InputError:
                raise zipfile.BadZipFile from None
            with content:
                yield cast(io.BufferedIOBase, content)


def _members(file: IO[bytes]) -> dict[str, zipfile.ZipInfo]:
    """Name -> member, all of them plain and end to end. Raises Finding, or one of `READ_ERRORS`."""
    start = _start_of_list(file)
    with open_zip(file) as archive:
        members = archive.infolist()
    require(
        0 < len(members) <= MOST_ENTRIES,
        "it contains nothing, or more than {most_entries} files",
        most_entries=f"{MOST_ENTRIES:,}",
    )
    for info in members:
        _require_plain(info)
    names = [info.filename.rstrip("/").lower() for info in members]
    files = {name for name, info in zip(names, members, strict=True) if not info.is_dir()}
    parents = {str(parent) for name in names for parent in PurePosixPath(name).parents}
    require(len(set(names)) == len(names) and not files & parents, "two of its files have one name")
    require(_end_to_end(file, members) == start, "it contains bytes that belong to none of its files")
    return {info.filename: info for info in members}


def _start_of_list(file: IO[bytes]) -> int:
    """Where the list of members begins, by the file's last bytes."""
    size = file.seek(0, 2)
    file.seek(max(size - _END.size - _LOCATOR, 0))
    end = file.read()
    require(len(end) >= _END.size, "the file is damaged, or not a zip")
    mark, _, _, length, start, comment = _END.unpack(end[-_END.size :])
    require(
        mark == _NO_MEMBER
        and comment == 0
        and start + length + _END.size == size
        and not end.startswith(_LONGER_LIST),
        "the file is cut off, or something precedes or follows what was packed",
    )
    require(
        length <= _LARGEST_LIST,
        "it contains more than {most_entries} files",
        most_entries=f"{MOST_ENTRIES:,}",
    )
    return int(start)


def require_name(name: str) -> None:
    """Raises Finding unless a file of this name can lie in the zip of a bundle; a folder's ends with `/`."""
    require(
        len(name) <= _LONGEST_NAME
        and _NAME.fullmatch(name) is not None
        and all(map(is_possible_name, name.rstrip("/").split("/"))),
        "{name} is not the name of a bundle's file",
        name=shown(name),
    )


def _require_plain(info: zipfile.ZipInfo) -> None:
    """Raises Finding unless it is an ordinary file or folder, of a name that leads nowhere else."""
    # as it is written: the library alters what it calls the name
    require_name(info.orig_filename)
    stated = shown(info.orig_filename)
    kind = stat.S_IFMT(info.external_attr >> 16)
    expected = kind in (0, stat.S_IFDIR if info.is_dir() else stat.S_IFREG)
    require(
        expected and not (info.is_dir() and info.file_size), "{path} is neither file nor folder", path=stated
    )
    known = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    plain = not info.flag_bits & ~_PLAIN_FLAGS
    require(known and plain, "{path} is encrypted, or packed in an unusual way", path=stated)


def _end_to_end(file: IO[bytes], members: Sequence[zipfile.ZipInfo]) -> int:
    """The byte behind the last member; -1 where one begins elsewhere, or is listed otherwise."""
    position = 0
    for info in sorted(members, key=lambda one: one.header_offset):
        file.seek(position)
        header = file.read(_HEADER.size)
        if info.header_offset != position or len(header) < _HEADER.size:
            return -1
        *stated, name, extra = _HEADER.unpack(header)
        listed = [_MEMBER, info.CRC, info.compress_size, info.file_size]
        if stated != listed or file.read(name) != info.orig_filename.encode():
            return -1
        position += _HEADER.size + name + extra + info.compress_size
    return position
