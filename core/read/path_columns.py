"""Columns that a path tells: `date=2025-03-04/`, as tables are partitioned, and the name of the file."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import PACKED
from core.read.preview_rows import NoRows, Preview
from core.read.reader_registry import ARCHIVES, all_readers, reader_for

FILE_NAME = "file:name"
"""The name without what tells its format: that of `4101.csv.gz` is `4101`."""
_PART = re.compile(r"([A-Za-z_][\w.-]*)=(.*)")
_NONE = ("", "__HIVE_DEFAULT_PARTITION__")


def path_columns(path: Path) -> dict[str, str | None]:
    """Their values; the nearest folder counts where two name one column."""
    parts = [found for part in path.parts[:-1] if (found := _PART.fullmatch(part))]
    by_path = {part[1]: None if part[2] in _NONE else unquote(part[2]) for part in parts}
    return {FILE_NAME: _stem(path), **by_path}


def columns_from_path(
    path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
) -> dict[str, str | None]:
    """Those of some columns that the path tells and the file itself does not hold; none for an archive."""
    by_path = {name: value for name, value in path_columns(path).items() if name in columns}
    if not by_path or reader_for(path).key in ARCHIVES:
        return {}
    own = _own(path, file_format)
    return {name: value for name, value in by_path.items() if name not in own}


def preview_with_path(path: Path, file_format: FileFormat = AS_FOUND, *, named: bool = False) -> Preview:
    """The first rows with the columns that the path tells; named: the file's name among them.

    Raises what the reader does.
    """
    by_path = path_columns(path)
    if not named:
        del by_path[FILE_NAME]
    try:
        return _with(reader_for(path).preview(path, file_format), by_path)
    except NoRows as nothing:
        nothing.preview = _with(nothing.preview, by_path)
        raise


def _with(preview: Preview, by_path: dict[str, str | None]) -> Preview:
    more = {name: value or "" for name, value in by_path.items() if name not in preview.columns}
    return dataclasses.replace(
        preview,
        columns=(*preview.columns, *more),
        rows=tuple((*row, *more.values()) for row in preview.rows),
    )


def _own(path: Path, file_format: FileFormat) -> frozenset[str]:
    try:
        return frozenset(reader_for(path).preview(path, file_format).columns)
    except NoRows as nothing:
        return frozenset(nothing.preview.columns)
    except InputError:
        return frozenset()  # who reads it says what is wrong


def _stem(path: Path) -> str:
    endings = sorted((*PACKED, *(ending for reader in all_readers() for ending in reader.endings)), key=len)
    name = path.name
    while ending := next((one for one in endings if name.lower().endswith(one)), ""):
        name = name[: -len(ending)]
    return name
