"""Mappings of earlier loads, stored by the shape of a file and offered again. Nothing of a cell is stored."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.assist.reading_choices import Choices, choices_of
from core.clean.bounded_value import BoundedValue
from core.clean.mapping import Box, DerivedSpeed, ReadingRules, UnitRange
from core.errors import InputError
from core.read.reader_registry import reader_for
from core.records.zones import known_zones
from core.system.files import write_atomic
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular

MOST_STORED = 50
_OF_ONE_RELEASE = ("public_columns", "filters")
"""Choices that nobody would see when they are offered again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileShape:
    """What files that are read alike have in common."""

    kind: str
    """Key of the reader."""
    columns: tuple[str, ...]
    """Sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMapping:
    """The choices of an earlier load. U of a speed is not among them: it belongs to a release."""

    saved: dt.date
    choices: Choices


def shape_of(path: Path, columns: Sequence[str]) -> FileShape:
    """The shape of a file with these columns. Raises InputError for a file of an unknown kind."""
    return FileShape(kind=reader_for(path).key, columns=tuple(sorted(columns)))


def recall(file: Path, shape: FileShape) -> KnownMapping | None:
    """The newest mapping for this shape; None where there is none or it cannot be understood."""
    for entry in _entries(file):
        if _is_of(entry, shape):
            return _known(entry, shape)
    return None


def remember(file: Path, shape: FileShape, rules: ReadingRules, today: dt.date) -> None:
    """Put a mapping in front; the folder must be there. Raises InputError when it cannot be written."""
    choices = _plain(dataclasses.asdict(choices_of(rules)))
    newest = {
        "kind": shape.kind,
        "columns": list(shape.columns),
        "saved": today.isoformat(),
        "choices": {name: value for name, value in choices.items() if name not in _OF_ONE_RELEASE},
    }
    others = [entry for entry in _entries(file) if not _is_of(entry, shape)]
    text = json.dumps([newest, *others[: MOST_STORED - 1]], indent=1)
    write_atomic(file, text.encode(), mode=0o600)


def _entries(file: Path) -> list[dict[str, Any]]:
    """What is stored, newest first; a file that cannot be read counts as never written."""
    try:
        entries = json_value(read_regular(file))
    except (OSError, ValueError):
        return []
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]


def _is_of(entry: dict[str, Any], shape: FileShape) -> bool:
    return entry.get("kind") == shape.kind and entry.get("columns") == list(shape.columns)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, dt.date) else value


def _known(entry: dict[str, Any], shape: FileShape) -> KnownMapping | None:
    try:
        known_choices = dict(entry["choices"])
        box, derived = known_choices.pop("box"), known_choices.pop("derived")
        named = known_choices.pop("named", None)  # nor is it among what earlier versions stored
        units = tuple(
            UnitRange(unit=item["unit"], first=_date(item["first"]), last=_date(item["last"]))
            for item in known_choices.pop("units")
        )
        known_choices["vehicle_within"] = tuple(known_choices.get("vehicle_within", ()))
        if words := known_choices.pop("missing", None):  # nor are they
            known_choices["missing"] = tuple(words)
        choices = Choices(
            **known_choices,
            units=units,
            box=Box(**box) if box else None,
            derived=DerivedSpeed(**derived) if derived else None,
            named=BoundedValue(**named) if named else None,
        )
        rules = choices.rules(1)  # refuses what does not fit together
        if not set(rules.mapping.columns) <= set(shape.columns):
            return None
        if choices.zone not in known_zones():
            choices = dataclasses.replace(choices, zone="")
        return KnownMapping(saved=dt.date.fromisoformat(entry["saved"]), choices=choices)
    except (KeyError, TypeError, ValueError, AttributeError, InputError):
        return None


def _date(text: str | None) -> dt.date | None:
    return None if text is None else dt.date.fromisoformat(text)
