"""Verify: files of a bundle and their sizes: listed or not, too large, too large of an unknown signer."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from core.bundle.csv_columns import BY_PLACE, EPSILON_SUMMARY, DataTable, summary_of_content, tables_among
from core.bundle.formats import FORMATS, NEWEST_FORMAT, BundleFormat
from core.bundle.resources import file_facts, map_paths
from core.bundle.stated_quantity import stated_quantity
from core.counted import count_of
from core.progress import Progress, silent
from core.quantity import SPEED, Quantity
from core.release_texts import LANGUAGES
from core.signed.bundle_names import (
    CELLS_PATH,
    MANIFEST,
    PLACES_PATH,
    POLICY_FILES,
    PRIVACY,
    PUBLIC_KEY,
    REGIONS_PATH,
    SIGNATURE,
    map_in,
)
from core.signed.findings import Finding, json_object, require, shown
from core.signed.manifest import parse_manifest
from core.signed.signed_files import LARGEST_READ_WHOLE
from core.texts import text_of
from core.verify.folder_source import FolderSource
from core.verify.packed_source import PackedSource, is_packed
from core.verify.source import READ_ERRORS, BundleSource

_PIECE = 1 << 20
_LARGEST_SEAL = 1 << 20
"""Bytes of a bundle's manifest, its signature and the key, which are read before anything is known of it."""
_LARGEST_BUNDLE = 1 << 30
"""Bytes of all files of a bundle: as many as are hashed in some seconds."""
_LARGEST_UNKNOWN = 8 << 20
"""Bytes of a file that is understood whole, where no publisher's key was given: documents take some fifteen
times as much memory, one after the other, and half a gigabyte is what a stranger may have."""
_LARGEST_UNKNOWN_TABLE = 32 << 20
"""Bytes of a table where no publisher's key was given, which takes four times as much memory. Features are
read one by one, however many.
"""
_STEP = 4096
"""Rows or features of a bundle's file between two reports of progress."""
_SEAL = (MANIFEST, SIGNATURE, PUBLIC_KEY)
"""What tells whose the bundle is, and what belongs to it."""


TableRow = Mapping[str, str]


class CsvRow(Mapping[str, str]):
    """A row of a table in little memory: all rows of it share the places of their columns."""

    __slots__ = ("_cells", "_places")

    def __init__(self, places: Mapping[str, int], cells: tuple[str, ...]) -> None:
        self._places, self._cells = places, cells

    def __getitem__(self, name: str) -> str:
        return self._cells[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRead:
    """The rows of a file that was read as a table, or what is wrong with it."""

    table: DataTable
    content: bytes = field(repr=False)
    rows: list[TableRow] = field(default_factory=list, repr=False)
    wrong: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFolder:
    """What lies in a bundle's folder, on disk or in a zip."""

    source: BundleSource
    files: frozenset[str]
    """Regular files, relative, with `/`."""
    folders: frozenset[str]
    strange: tuple[str, ...]
    """What is neither, or cannot be read."""
    contents: Mapping[str, bytes]
    """Of the files that have to be understood, as far as they could be read."""
    format: BundleFormat = NEWEST_FORMAT
    """What the bundle is checked against: the format that `privacy.json` names, or else the newest."""
    map_format: str = ""
    """The form of its files for maps and portals, as `privacy.json` names it; empty where it has none."""
    quantity: Quantity = SPEED
    """What `privacy.json` says was measured; speed where it cannot be read, which is a finding."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Of the files, in bytes, where they were looked at on disk."""
    tables_read: dict[str, TableRead] = field(default_factory=dict, repr=False, compare=False)
    """Path -> what was read there, so that many checks read a table once."""
    progress: Progress = field(default=silent, repr=False, compare=False)
    """Of the check that is running."""

    def advance(self, done: int, of: int) -> None:
        """Say now and then how many rows a check has done. Raises Cancelled where a person stops it."""
        if done % _STEP == 0:
            self.progress(min(done / max(of, 1), 1.0))

    @property
    def path(self) -> Path:
        """The folder or zip that a person named."""
        return self.source.path

    def read(self, name: str) -> bytes:
        """The content of a required file. Raises Finding when it is missing."""
        require(name in self.files, "{name} is missing", name=name)
        require(name in self.contents, "{name} is too large or cannot be read", name=name)
        return self.contents[name]

    @property
    def statistics(self) -> dict[str, DataTable]:
        """Key -> data file of the statistics that the bundle holds. Raises Finding when there is none."""
        found = {path: self.contents.get(path, b"") for path in self.files if path.startswith("data/")}
        tables = tables_among(found, self.format.wording, self.quantity)
        require(bool(tables), "no data file of any statistic")
        return tables

    @property
    def summary(self) -> DataTable:
        """The table that the summary is: with the parts of its epsilons, where its header says so."""
        content = self.contents.get(EPSILON_SUMMARY.path, b"")
        return summary_of_content(content, self.format.wording, self.quantity, by_place=not self.drawn)

    @property
    def data_paths(self) -> tuple[str, ...]:
        """Every file below `data/` that belongs to the bundle."""
        tables = self.statistics.values()
        regions = (REGIONS_PATH,) if any(table.by_region for table in tables) else ()
        cells = (CELLS_PATH,) if self.drawn else (PLACES_PATH,) if PLACES_PATH in self.files else ()
        return (*(table.path for table in tables), EPSILON_SUMMARY.path, *regions, *cells)

    @property
    def required(self) -> tuple[str, ...]:
        """Every file that all such bundles hold."""
        return tuple(name for name in self.format.files if name != CELLS_PATH or self.drawn)

    @property
    def drawn(self) -> bool:
        """Whether its places are hexagons."""
        return not all(table.by_place for table in self.statistics.values())

    @property
    def mapped(self) -> bool:
        """Whether any of its places has an outline."""
        return self.drawn or PLACES_PATH in self.files

    @property
    def map_paths(self) -> tuple[str, ...]:
        """Every file for maps and portals that belongs to the bundle."""
        return map_paths(self.statistics.values() if self.mapped else ()) if self.map_format else ()

    def facts(self, name: str) -> dict[str, Any]:
        """Size and hash of a file, as datapackage.json states them. Raises Finding when it cannot be read."""
        if name in self.contents:
            return file_facts(self.contents[name])
        size = sum(map(len, self.pieces(name)))
        return {"bytes": size, "hash": f"sha256:{self.sha256(name)}"}

    def pieces(self, name: str) -> Iterator[bytes]:
        """A required file that is not understood whole, piece by piece.

        Raises Finding when it is missing or cannot be read, and at its end where that was not what is signed.
        """
        require(name in self.files, "{name} is missing", name=name)
        digest = hashlib.sha256()
        try:
            with self.source.open(name) as file:
                while piece := file.read(_PIECE):
                    digest.update(piece)
                    yield piece
        except READ_ERRORS:
            raise Finding("{name} cannot be read", name=name) from None
        signed = parse_manifest(self.read(MANIFEST)).get(name)
        require(digest.hexdigest() == signed, "{name} was changed", name=name)

    def sha256(self, name: str) -> str:
        """The hash of a file, hexadecimal. Raises Finding when it cannot be read."""
        if name in self.contents:
            return hashlib.sha256(self.contents[name]).hexdigest()
        try:
            with self.source.open(name) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except READ_ERRORS:
            raise Finding("{name} cannot be read", name=name) from None


def read_seal(path: Path) -> BundleFolder:
    """List everything in the folder or zip and read what seals it alone; never raises for what is inside.

    Raises Finding for a zip that is not put together as a bundle's is.
    """
    source = _source_of(path)
    listing = source.listing()
    return BundleFolder(
        source=source,
        files=frozenset(listing.files),
        folders=listing.folders,
        strange=listing.strange,
        sizes=listing.files,
        contents=_contents(source, _SEAL, listing.files, _LARGEST_SEAL),
    )


def read_folder(path: Path) -> BundleFolder:
    """Look at everything in the folder or zip; never raises for what is inside.

    Raises Finding as `read_seal` does.
    """
    source = _source_of(path)
    listing = source.listing()
    statement = _contents(source, (PRIVACY,), listing.files).get(PRIVACY, b"")
    format_, quantity = _format_of(statement), _quantity_of(statement)
    return BundleFolder(
        source=source,
        files=frozenset(listing.files),
        folders=listing.folders,
        strange=listing.strange,
        sizes=listing.files,
        contents=_contents(source, _understood(format_, quantity), listing.files),
        format=format_,
        map_format=_map_format_of(statement),
        quantity=quantity,
    )


def _source_of(path: Path) -> BundleSource:
    return PackedSource(path) if is_packed(path) else FolderSource(path)


def _understood(format_: BundleFormat, quantity: Quantity) -> tuple[str, ...]:
    """The files of a format that are read whole, as far as they are there."""
    tables = [*format_.tables_of(quantity).values(), *format_.tables_of(quantity, BY_PLACE).values()]
    return (
        *format_.files,
        PLACES_PATH,
        REGIONS_PATH,
        *(table.path for table in tables),
        *(path for path in map_paths(tables) if not path.endswith(".geojson")),
        *map(map_in, LANGUAGES),
        *POLICY_FILES,
    )


def _map_format_of(statement: bytes) -> str:
    """What this privacy.json says of files for maps and portals; what it says unreadably is no form known."""
    try:
        named = json_object(PRIVACY, statement).get("map_files", "")
    except Finding:
        return ""
    return named if isinstance(named, str) else shown(str(named))


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


def check_sizes(folder: BundleFolder) -> str:
    """Nothing is larger than what is read in some seconds."""
    for name in _SEAL:
        size = folder.sizes.get(name, 0)
        require(size <= _LARGEST_SEAL, "{name} is too large ({size})", name=name, size=_megabytes(size))
    total = sum(folder.sizes.values())
    require(
        total <= _LARGEST_BUNDLE, "the files are too large for a bundle ({total})", total=_megabytes(total)
    )
    return text_of(
        "{counted_files}, together {total}",
        counted_files=count_of(len(folder.files), "file"),
        total=_megabytes(total),
    )


def check_memory(folder: BundleFolder) -> str:
    """Nothing of an unknown signer needs more memory than a stranger may have."""
    for name, size in folder.sizes.items():
        require(
            size <= _most_of_unknown(name),
            "{name} has {size}, of an unknown signer: give the publisher's key, and it is read",
            name=shown(name),
            size=_megabytes(size),
        )
    return "each is small enough to be read without the publisher's key"


def _most_of_unknown(name: str) -> int:
    """Bytes that a file of a stranger's bundle may have."""
    if name.startswith("map/") and name.endswith(".geojson"):
        return _LARGEST_BUNDLE
    return _LARGEST_UNKNOWN_TABLE if name.endswith(".csv") else _LARGEST_UNKNOWN


def check_listing(folder: BundleFolder) -> str:
    """What the manifest lists is there, and nothing else."""
    absent = [name for name in _SEAL if name not in folder.files]
    require(not absent, "missing: {absent}", absent=", ".join(absent))
    require(not folder.strange, "neither file nor folder: {strange}", strange=_few(folder.strange))
    listed = set(parse_manifest(folder.read(MANIFEST)))
    missing = listed - folder.files
    require(not missing, "missing: {missing}", missing=_few(sorted(missing)))
    unlisted = folder.files - listed - {MANIFEST, SIGNATURE}
    require(not unlisted, "not listed in {manifest}: {unlisted}", unlisted=_few(sorted(unlisted)))
    unused = folder.folders - {str(parent) for name in listed for parent in PurePosixPath(name).parents}
    require(not unused, "unlisted folder: {unused}", unused=_few(sorted(unused)))
    return text_of("{counted_files}, all listed", counted_files=count_of(len(folder.files), "file"))


def check_files(folder: BundleFolder) -> str:
    """All required files are there, nothing is there that the manifest does not list."""
    missing = [name for name in folder.required if name not in folder.files]
    require(not missing, "missing: {missing}", missing=", ".join(missing))
    tables = folder.data_paths
    missing = [name for name in folder.map_paths if name not in folder.files]
    require(not missing, "missing: {missing}", missing=", ".join(missing))
    check_listing(folder)
    return text_of(
        "{counted_files}, {tables} of them data, all listed",
        counted_files=count_of(len(folder.files), "file"),
        tables=len(tables),
    )


def check_listed_sums(folder: BundleFolder) -> str:
    """Every listed file is there and has its sum."""
    listed = parse_manifest(folder.read(MANIFEST))
    for name, expected in listed.items():
        folder.advance(0, 1)
        require(name in folder.files, "{name} is missing", name=name)
        require(folder.sha256(name) == expected, "{name} was changed", name=name)
    return text_of("{counted_files} unchanged", counted_files=count_of(len(listed), "file"))


def check_sums(folder: BundleFolder) -> str:
    """Every listed file is there and has its sum, and every required one is listed."""
    unchanged = check_listed_sums(folder)
    listed = parse_manifest(folder.read(MANIFEST))
    absent = {*folder.required, *folder.data_paths, *folder.map_paths} - set(listed) - {MANIFEST, SIGNATURE}
    require(not absent, "not listed in {manifest}: {absent}", absent=_few(sorted(absent)))
    return unchanged


def _contents(
    source: BundleSource, names: Iterable[str], files: Container[str], largest: int | None = None
) -> dict[str, bytes]:
    """Name -> content of the files that are there, can be read and are not too large."""
    found = {name: _content(source, name, largest or LARGEST_READ_WHOLE) for name in names if name in files}
    return {name: content for name, content in found.items() if content is not None}


def _content(source: BundleSource, name: str, largest: int) -> bytes | None:
    try:
        with source.open(name) as file:
            content = _at_most(file, largest + 1)
    except READ_ERRORS:
        return None
    return content if len(content) <= largest else None


def _at_most(file: io.BufferedIOBase, most: int) -> bytes:
    """Its first bytes, in pieces: where the most is asked for in one step, Windows gives that much memory."""
    content = io.BytesIO()
    while piece := file.read(min(_PIECE, most - content.tell())):
        content.write(piece)
    return content.getvalue()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _few(names: tuple[str, ...] | list[str]) -> str:
    more = len(names) - 3
    return ", ".join(map(shown, names[:3])) + (text_of(" and {more} more", more=more) if more > 0 else "")
