"""What the import dialog's jobs do: plain functions that touch no widget."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.assist.coordinate_order import FAR_KM, CoordinateCheck
from core.assist.date_readings import DateReading, date_readings
from core.assist.format_options import options_of
from core.assist.header_problems import HeaderProblem, header_problems
from core.assist.known_mappings import FileShape, KnownMapping, recall, shape_of
from core.assist.mapping_trial import Trial, require_shape, try_mapping
from core.assist.number_date_notation import Evidence
from core.assist.proposed_format import proposed_format
from core.assist.reading_choices import Choices
from core.assist.spacing import spacing_in
from core.assist.spread_rows import spread_rows
from core.assist.suggested_choices import (
    Suggestion,
    check_positions,
    read_contents,
    suggest_by_headers,
    suggest_choices,
)
from core.assist.time_cells import time_cells
from core.clean.bounded_value import ANY_VALUE
from core.clean.mapping import ReadingRules, UnitRange
from core.privacy import Confidential
from core.progress import Progress
from core.quantity import SPEED
from core.read.encodings import guess_encodings, non_ascii_lines
from core.read.file_format import FileFormat
from core.read.file_stamps import stamp_of
from core.read.first_file import first_file
from core.read.path_columns import preview_with_path
from core.read.preview_rows import NoRows, Preview
from core.read.reader_registry import reader_for
from core.read.readers.base import require_columns
from core.read.readers.workbook_files import sheet_names
from core.records.zone_places import ZonePlace, zone_places
from core.records.zones import main_zones

_NAMED = ("encoding", "delimiter", "sheet")
"""What decides which rows and columns a file has."""
_LINES = 3
_PROPOSED = 3
"""Zones that are proposed by where the positions are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """What kind of file this is, and how it may be written."""

    path: Path
    """The file, or the one inside an archive, whose first rows are shown."""
    kind: str
    """Key of its reader."""
    file_format: FileFormat
    """To read it with: where nothing was chosen, the likeliest encoding or the first sheet."""
    proposed: frozenset[str]
    """`encoding`, `sheet`: which of these it only proposes, so that somebody has still to choose."""
    encodings: tuple[str, ...] = ()
    """Guesses for a text that is not UTF-8, the likeliest first."""
    sheets: tuple[str, ...] = ()
    """Those that hold anything; in relation user all."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PreviewedFile(Confidential):
    """The first rows of a file and what they suggest."""

    path: Path
    """As of the `FileKind`."""
    preview: Preview
    file_format: FileFormat
    proposed: frozenset[str]
    """As in `FileKind`, less what a known mapping names."""
    spread: Preview | None
    """Rows from all over the file, where the first ones leave the order of day and month open."""
    suggestion: Suggestion
    zones: tuple[str, ...]
    cities: tuple[tuple[str, str], ...]
    """Names of places with their zones."""
    problems: tuple[HeaderProblem, ...]
    shape: FileShape
    known: KnownMapping | None

    def in_form(self, choices: Choices) -> Choices:
        """Choices with how the file was read; what was only proposed is open."""
        file_format, proposed = self.file_format, self.proposed
        return dataclasses.replace(
            choices,
            encoding=None if "encoding" in proposed else file_format.encoding,
            delimiter=file_format.delimiter,
            sheet=None if "sheet" in proposed else file_format.sheet,
            skip_lines=file_format.skip_lines,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Lines(Confidential):
    """Lines of a file that hold more than ASCII, as an encoding reads them."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TriedChoices(Confidential):
    """What the cells of the chosen columns tell, and what the choices make of the rows."""

    choices: Choices
    contents: dict[str, Evidence]
    coordinates: CoordinateCheck | None
    """Where the rows lie; None while a column of the position is open."""
    trial: Trial | None
    """None while a column is open."""
    readings: tuple[DateReading, ...] = ()
    """Both readings of dates whose order nothing tells, until somebody does."""
    near: tuple[ZonePlace, ...] = ()
    """Places near the positions, each of another zone, where nothing else tells the zone."""


def look_at_files(
    paths: Sequence[Path], file_format: FileFormat, *, typed: bool = False, again: bool = False
) -> FileKind:
    """What can be known before rows are read of the first file that has any. Raises InputError for an
    unusable one.

    typed: relation user, where its cells propose no encoding and hide no sheet (method 12.1); again: a person
    has seen how many lines are passed over.
    """
    inner = first_file(paths, file_format, typed=typed)
    kind = reader_for(inner).key
    encodings = guess_encodings(inner) if "encoding" in options_of(kind) and not typed else ()
    sheets = sheet_names(inner, empty_too=typed) if "sheet" in options_of(kind) else ()
    proposed: dict[str, Any] = {}
    if not typed:
        wanted = proposed_format(inner)
        sheets = wanted.sheets or sheets
        if not again:
            file_format = dataclasses.replace(file_format, skip_lines=wanted.skip_lines)
    if encodings and not file_format.encoding:
        proposed["encoding"] = encodings[0]
    if len(sheets) > 1 and not file_format.sheet:
        proposed["sheet"] = sheets[0]
    return FileKind(
        path=inner,
        kind=kind,
        file_format=dataclasses.replace(file_format, **proposed),
        proposed=frozenset(proposed),
        encodings=encodings,
        sheets=sheets,
    )


def open_file(
    looked: FileKind,
    known_file: Path | None,
    progress: Progress,
    *,
    others: Sequence[Path] = (),
    typed: bool = False,
) -> PreviewedFile:
    """Read the first rows, with the format of a known mapping where there is one and none was chosen.

    others: files that are read alike, whose rows tell what those of the first one leave open. typed: as in
    `look_at_files`; the names of columns alone suggest any.
    """
    path, file_format, proposed = looked.path, looked.file_format, looked.proposed
    named = bool(others)
    try:
        preview = preview_with_path(path, file_format, named=named)
    except NoRows as nothing:
        if not typed:
            raise
        preview = nothing.preview
    progress(0.4)
    shape = shape_of(path, preview.columns)
    known = recall(known_file, shape) if known_file else None
    if known and all(part in proposed or not getattr(file_format, part) for part in _NAMED):
        chosen = {part: value for part in _NAMED if (value := getattr(known.choices.file_format, part))}
        sheet = chosen.get("sheet", "")
        if not {*((sheet,) if isinstance(sheet, str) else sheet)} <= {*looked.sheets}:
            chosen.pop("sheet", None)
        file_format, proposed = dataclasses.replace(file_format, **chosen), proposed - chosen.keys()
        preview = preview_with_path(path, file_format, named=named) if chosen else preview
    spread = None if typed else spread_rows(path, preview, file_format, others=others)
    progress(0.6)
    return PreviewedFile(
        path=path,
        preview=preview,
        file_format=file_format,
        proposed=proposed,
        spread=spread,
        suggestion=suggest_by_headers(preview) if typed else _suggested(path, preview, spread, file_format),
        zones=main_zones(),
        cities=tuple((place.name, place.zone) for place in zone_places()),
        problems=header_problems(preview.columns),
        shape=shape,
        known=known,
    )


def _suggested(path: Path, preview: Preview, spread: Preview | None, file_format: FileFormat) -> Suggestion:
    """What the first rows suggest; thousands of rows are asked for the spacing of times."""
    found = suggest_choices(preview, spread)
    choices = found.choices
    if not (choices.vehicle and choices.time):
        return found
    spacing = _spacing(path, choices, dataclasses.replace(file_format, date_order=choices.date_order or ""))
    return Suggestion(
        choices=dataclasses.replace(choices, pings=spacing.choice or choices.pings),
        reasons=found.reasons | {"pings": spacing.reason},
    )


def _spacing(path: Path, choices: Choices, written: FileFormat) -> Evidence:
    """By the beginning of the file: its first rows may be of a moment in which nobody reports twice."""
    return _spacing_of_file(
        path, stamp_of(path).mtime_ns, choices.vehicle, choices.time, choices.date, written
    )


@lru_cache(maxsize=8)
def _spacing_of_file(
    path: Path, _changed: int, vehicle: str, time: str, date: str, written: FileFormat
) -> Evidence:
    return spacing_in(path, vehicle, time, written, date=date)


def text_lines(path: Path, encoding: str) -> Lines:
    """What an encoding (empty: UTF-8) makes of a file's text, whether or not that makes a table."""
    is_text = "encoding" in options_of(reader_for(path).key)
    return Lines(lines=non_ascii_lines(path, encoding or "utf-8", _LINES) if is_text else ())


def try_choices(
    first: Preview,
    shown: Preview,
    choices: Choices,
    upper_bound: int,
    spread: Preview | None = None,
    path: Path | None = None,
) -> TriedChoices:
    """first: the rows that decide, with `spread` as in `PreviewedFile`; shown: those that are judged; path:
    whose beginning tells the spacing of times, None where nobody may look.

    While the unit of a speed, or what the value is, stays open, the rows are judged by all but the value.
    """
    trial = None
    if all(choices.columns.values()):
        trial = try_mapping(shown, _judged(choices).rules(upper_bound))
    contents = read_contents(first, choices, spread)
    if path is not None and choices.vehicle in first.columns and choices.time in first.columns:
        order = choices.date_order or contents["date_order"].choice or ""
        written = dataclasses.replace(choices.file_format, date_order=order)
        contents |= {"pings": _spacing(path, choices, written)}
    doubtful = choices.date_order is None and choices.time in first.columns
    times = time_cells(first, choices.time, choices.date) if doubtful else []
    check = check_positions(first, choices, choices.decimal or contents["decimal"].choice or ".")
    return TriedChoices(
        choices=choices,
        contents=contents,
        coordinates=trial.coordinates if trial else check if choices.has_position else None,
        trial=trial,
        readings=date_readings(times) if doubtful else (),
        near=tuple(place for place, km in check.nearest_zones(_PROPOSED) if km < FAR_KM),
    )


def _judged(choices: Choices) -> Choices:
    if "quantity" in choices.still_open:
        return dataclasses.replace(choices, named=ANY_VALUE)
    if "unit" in choices.still_open:
        return dataclasses.replace(choices, units=(UnitRange(unit=SPEED.unit),))
    return choices


def require_mapped_columns(
    paths: Sequence[Path],
    columns: Sequence[str],
    rules: ReadingRules,
    progress: Progress,
    *,
    empty_allowed: bool = False,
) -> ReadingRules:
    """The rules, if every file has the mapped columns; those of the first file are known.

    Raises InputError that names the file and the column it lacks.
    """
    first, *others = paths
    require_columns(rules.mapping.columns, columns, first)
    require_shape(others, rules, progress, empty_allowed=empty_allowed)
    return rules
