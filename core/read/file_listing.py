"""Which files a data set consists of, by name, pattern or folder; none readable there, a table's log."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.read.archives import is_about_data, is_hidden
from core.read.data_names import is_data_file
from core.read.input_files import no_file_named
from core.read.reader_registry import titles
from core.read.unreadable_files import unreadable_as_input_error
from core.texts import Name, text_of

_LOGS = {
    "_delta_log": "Delta Lake",
    ".hoodie": "Apache Hudi",
    "metadata/version-hint.text": "Apache Iceberg",
    "version-hint.text": "Apache Iceberg",
}
"""Folder or file of the log -> whose it is."""
_TIDES = "vehicle_locations"
_BESIDE_TIDES = (
    *("trips_performed", "stop_visits", "passenger_events", "fare_transactions", "station_activities"),
    *("vehicles", "train_cars", "vehicle_train_cars", "devices", "operators"),
)
"""Tables of TIDES beside those of where vehicles were: no records, as those of a timetable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFiles:
    """The data files of a folder and of those in it."""

    files: tuple[Path, ...]
    """Sorted by path."""
    skipped: int
    """Files of an unknown kind; hidden ones and those that only describe the data do not count."""


def expand(patterns: Sequence[str], folder: Path) -> tuple[Path, ...]:
    """Files named by paths, folders and globs (`**` too) relative to `folder`, each once.

    What one pattern matches is sorted by name. Raises InputError for a pattern that matches nothing
    and a folder without data files.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        with unreadable_as_input_error(Path(pattern)):
            for match in _matches(pattern, folder):
                if glob.has_magic(pattern):
                    _refuse_logged(match.parent)
                found |= dict.fromkeys(data_files_in(match).files if match.is_dir() else (match,))
    if not found:
        raise no_file_named()
    return tuple(found)


def data_files_in(folder: Path) -> FolderFiles:
    """Every file below a folder whose name or first bytes tell a format of ours.

    Raises InputError if there is none, and for a table whose log says which of its files count.
    """
    files: list[Path] = []
    skipped = 0
    with unreadable_as_input_error(folder):
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder).as_posix()
            if path.name in _LOGS:
                _refuse_logged(path.parent)
            if not path.is_file() or is_hidden(inner) or is_about_data(inner):
                continue
            if is_data_file(path):
                files.append(path)
            else:
                skipped += 1
    located = {path.parent for path in files if path.name.partition(".")[0] == _TIDES}
    beside = [
        path for path in files if path.parent in located and path.name.partition(".")[0] in _BESIDE_TIDES
    ]
    files = [path for path in files if path not in beside]
    skipped += len(beside)
    layers = [path for path in files if path.suffix.lower() == ".gpkg"]
    if layers != files:  # a map's, beside the records
        files = [path for path in files if path not in layers]
        skipped += len(layers)
    if not files:
        others = text_of(" ({skipped} of another kind)", skipped=skipped) if skipped else ""
        raise InputError(
            "This folder contains no readable file{others}.",
            others=others,
            where=str(folder),
            mend=text_of("give {value}", value=titles()),
        )
    return FolderFiles(files=tuple(files), skipped=skipped)


def _refuse_logged(folder: Path) -> None:
    """Raise InputError for a folder, or one whose partition it is, of a table that has a log."""
    for log, system in _LOGS.items():
        if any((folder / log).exists() for folder in (folder, *_partitioned(folder))):
            raise InputError(
                "This folder is a {system} table: its log says which files count.",
                system=Name(system),
                where=str(folder),
                mend="export the table as plain Parquet or CSV, and name that",
            )


def _partitioned(folder: Path) -> Iterator[Path]:
    while "=" in folder.name:
        folder = folder.parent
        yield folder


def _matches(pattern: str, folder: Path) -> list[Path]:
    named = os.path.expanduser(pattern)  # noqa: PTH111 - leaves an unknown ~user as it is
    absolute = folder / named
    if not glob.has_magic(named) or absolute.exists():
        return [absolute]
    # the folder is no pattern, whatever its name; an absolute pattern replaces it
    matches = sorted(glob.glob(str(glob.escape(str(folder)) / Path(named)), recursive=True))  # noqa: PTH207
    # of a pattern's matches, folders are passed over: `**` gives each of them beside its files
    files = [path for path in map(Path, matches) if not path.is_dir()] or [Path(match) for match in matches]
    if not files:
        raise InputError("No file matches this pattern.", where=str(absolute), mend="check the path")
    return files
