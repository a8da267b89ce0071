"""A bundle's folder as it lies on disk: what is there, what is listed, what it hashes to."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.quantity import SPEED, Quantity
from core.release.bundle_formats import FORMATS, NEWEST_FORMAT, BundleFormat
from core.release.csv_columns import (
    EPSILON_SUMMARY,
    REGIONS_PATH,
    SUMMARY_PATHS,
    DataTable,
    summary_of_content,
    table_of_content,
)
from core.release.stated_quantity import stated_quantity
from core.signed.bundle_names import MANIFEST, PRIVACY, SIGNATURE
from core.signed.findings import Finding, json_object, require, shown
from core.signed.manifest import parse_manifest

_LARGEST = 1 << 28
"""Bytes; a file that has to be understood is read whole."""
_MOST_ENTRIES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFolder:
    """What lies in a bundle's folder; symbolic links are never followed."""

    path: Path
    files: frozenset[str]
    """Regular files, relative, with `/`."""
    folders: frozenset[str]
    strange: tuple[str, ...]
    """What is neither, or cannot be read."""
    contents: Mapping[str, bytes]
    """Of the files that have to be understood, as far as they could be read."""
    format: BundleFormat = NEWEST_FORMAT
    """What the bundle is held against: the format that `privacy.json` names, or else the newest."""
    quantity: Quantity = SPEED
    """What `privacy.json` says was measured; speed where it cannot be read, which is a finding."""

    def read(self, name: str) -> bytes:
        """The content of a required file. Raises Finding when it is missing."""
        require(name in self.files, f"{name} is missing")
        require(name in self.contents, f"{name} is too large or cannot be read")
        return self.contents[name]

    @property
    def statistics(self) -> dict[str, DataTable]:
        """Key -> data file of the statistics that the bundle holds. Raises Finding when there is none."""
        held = {
            key: table_of_content(key, self.contents.get(table.path, b""), self.format.wording, self.quantity)
            for key, table in self.format.tables_of(self.quantity).items()
            if table.path in self.files
        }
        require(bool(held), "no data file of any statistic")
        return held

    @property
    def summary(self) -> DataTable:
        """The table that the summary is: with the parts of its epsilons, where its header says so."""
        content = self.contents.get(EPSILON_SUMMARY.path, b"")
        return summary_of_content(content, self.format.wording, self.quantity)

    @property
    def data_paths(self) -> tuple[str, ...]:
        """Every file below `data/` that belongs to the bundle."""
        tables = self.statistics.values()
        outlines = (REGIONS_PATH,) if any(table.by_region for table in tables) else ()
        return (*(table.path for table in tables), *outlines, *SUMMARY_PATHS)

    def sha256(self, name: str) -> str:
        """The hash of a file, hexadecimal. Raises Finding when it cannot be read."""
        if name in self.contents:
            return hashlib.sha256(self.contents[name]).hexdigest()
        try:
            with (self.path / name).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            raise Finding(f"{name} cannot be read") from None


def read_folder(path: Path) -> BundleFolder:
    """Look at everything in the folder; never raises for what is inside."""
    files: set[str] = set()
    folders: set[str] = set()
    strange: list[str] = []
    waiting = [""]
    while waiting and len(files) + len(folders) < _MOST_ENTRIES:
        prefix = waiting.pop()
        for name, kind in _entries(path / prefix, prefix):
            if kind == "folder":
                folders.add(name)
                waiting.append(name + "/")
            elif kind == "file":
                files.add(name)
            else:
                strange.append(name)
    strange.extend(waiting)
    statement = _content(path, PRIVACY, files) or b""
    format_, quantity = _format_of(statement), _quantity_of(statement)
    tables = format_.tables_of(quantity).values()
    known = (*format_.files, REGIONS_PATH, *(table.path for table in tables))
    return BundleFolder(
        path=path,
        files=frozenset(files),
        folders=frozenset(folders),
        strange=tuple(sorted(strange)),
        contents={name: content for name in known if (content := _content(path, name, files)) is not None},
        format=format_,
        quantity=quantity,
    )


def _quantity_of(statement: bytes) -> Quantity:
    """What this privacy.json says was measured; else speed, and a check will find it."""
    try:
        return stated_quantity(json_object(PRIVACY, statement), PRIVACY)
    except Finding:
        return SPEED


def _format_of(statement: bytes) -> BundleFormat:
    """The format that this privacy.json names; else the newest, and a check will find it."""
    try:
        named = json_object(PRIVACY, statement).get("format")
    except Finding:
        named = None
    return FORMATS.get(named, NEWEST_FORMAT) if isinstance(named, str) else NEWEST_FORMAT


def check_files(folder: BundleFolder) -> str:
    """All required files are there, nothing is there that the manifest does not list."""
    missing = [name for name in folder.format.files if name not in folder.files]
    require(not missing, f"missing: {', '.join(missing)}")
    held = folder.data_paths
    require(not folder.strange, f"neither file nor folder: {_few(folder.strange)}")
    listed = set(parse_manifest(folder.read(MANIFEST)))
    unlisted = folder.files - listed - {MANIFEST, SIGNATURE}
    require(not unlisted, f"not listed in {MANIFEST}: {_few(sorted(unlisted))}")
    unused = folder.folders - {str(parent) for name in listed for parent in PurePosixPath(name).parents}
    require(not unused, f"unlisted folder: {_few(sorted(unused))}")
    return f"{len(folder.files)} files, {len(held)} of them data, all listed"


def check_sums(folder: BundleFolder) -> str:
    """Every listed file is there and has its sum."""
    listed = parse_manifest(folder.read(MANIFEST))
    for name, expected in listed.items():
        require(name in folder.files, f"{name} is missing")
        require(folder.sha256(name) == expected, f"{name} was changed")
    absent = {*folder.format.files, *folder.data_paths} - set(listed) - {MANIFEST, SIGNATURE}
    require(not absent, f"not listed in {MANIFEST}: {_few(sorted(absent))}")
    return f"{len(listed)} files unchanged"


def _entries(folder: Path, prefix: str) -> list[tuple[str, str]]:
    """(relative path, `file`, `folder` or empty) of each entry."""
    try:
        with os.scandir(folder) as entries:
            return [(prefix + entry.name, _kind(entry)) for entry in entries]
    except OSError:
        return [(prefix or ".", "")]


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else ""


def _content(folder: Path, name: str, files: set[str]) -> bytes | None:
    if name not in files:
        return None
    try:
        with (folder / name).open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError:
        return None
    return content if len(content) <= _LARGEST else None


def _few(names: tuple[str, ...] | list[str]) -> str:
    more = len(names) - 3
    return ", ".join(map(shown, names[:3])) + (f" and {more} more" if more > 0 else "")
