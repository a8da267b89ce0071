"""What the import dialog's jobs do: plain functions that touch no widget."""

from __future__ import annotations

import dataclasses
import zoneinfo
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.ingest.choices import Choices
from core.ingest.file_format import FileFormat
from core.ingest.format_options import non_ascii_lines, options_of
from core.ingest.formats import reader_for
from core.ingest.headers import HeaderProblem, header_problems
from core.ingest.known_mappings import KnownMapping, Shape, recall, shape_of
from core.ingest.mapping import UnitRange
from core.ingest.notation import Finding
from core.ingest.readers.base import Preview
from core.ingest.suggest import Suggestion, read_contents, suggest_choices
from core.ingest.trial import Trial, try_mapping
from core.privacy import Confidential
from core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Opened(Confidential):
    """The first rows of a file and what they suggest."""

    preview: Preview
    form: FileFormat
    suggestion: Suggestion
    zones: tuple[str, ...]
    problems: tuple[HeaderProblem, ...]
    shape: Shape
    known: KnownMapping | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Looked(Confidential):
    """A file as text."""

    kind: str
    """Key of the reader; empty where there is none."""
    lines: tuple[str, ...]
    """What the encoding makes of lines beyond ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tried(Confidential):
    """What the cells of the chosen columns tell, and what the choices make of the rows."""

    choices: Choices
    contents: dict[str, Finding]
    trial: Trial | None
    """None while a column is open."""


def open_file(path: Path, form: FileFormat, known_file: Path | None, progress: Progress) -> Opened:
    """Read the first rows, with the format of a known mapping if there is one and none was chosen."""
    reader = reader_for(path)
    preview = reader.preview(path, form)
    progress(0.4)
    shape = shape_of(path, preview.columns)
    known = recall(known_file, shape) if known_file else None
    if known and form == FileFormat() and (known.choices.form != form):
        form = known.choices.form
        preview = reader.preview(path, form)
    progress(0.6)
    return Opened(
        preview=preview,
        form=form,
        suggestion=suggest_choices(preview),
        zones=tuple(sorted(zoneinfo.available_timezones())),
        problems=header_problems(preview.columns),
        shape=shape,
        known=known,
    )


def try_choices(first: Preview, shown: Preview, choices: Choices, upper_bound: int) -> Tried:
    """first: the rows that decide; shown: those that are judged.

    Without a unit the rows can be judged by all but the value.
    """
    trial = None
    if all(choices.columns.values()):
        judged = choices
        if "unit" in choices.still_open:
            judged = dataclasses.replace(choices, units=(UnitRange(unit="none"),))
        trial = try_mapping(shown, judged.rules(upper_bound))
    return Tried(choices=choices, contents=read_contents(first, choices), trial=trial)


def look_at_text(path: Path, encoding: str) -> Looked:
    """What kind of file this is, and what an encoding makes of it, whether or not that makes a table."""
    try:
        kind = reader_for(path).key
    except InputError:  # the opening of the file tells it
        return Looked(kind="", lines=())
    beyond = "encoding" in options_of(kind)
    return Looked(kind=kind, lines=non_ascii_lines(path, encoding).lines if beyond else ())
