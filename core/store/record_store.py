"""Loaded records as a folder: its version, and a damaged description or list of vehicles.

`vehicles.json` holds the ids, `meta.json` everything else and the hashes of both. It is written
last, so a folder without it is unfinished. Lengths are checked when a folder is opened; contents of
columns are not, for that would mean to read them all.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.clean.ingest_report import IngestReport
from core.privacy import Confidential
from core.records.column_cache import ColumnCache
from core.records.id_folds import OtherTexts, ids_alike
from core.records.labels import LabelColumn
from core.records.records import Records
from core.store.column_files import ColumnShape, column_path, open_column
from core.system.files import sync_folder, write_synced
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular

STORE_VERSION = 2
"""Of a folder of loaded records. A change in what reading, cleaning or sorting yields needs a new one too."""
DERIVED_STORE_VERSION = 3
"""Of loaded records with derived speeds: those of the version before crossed midnight."""
STORED_COLUMNS = ("vehicle", "second", "latitude", "longitude", "value")
"""Beside them a column of codes for each of the records' label columns."""
_META = "meta.json"
_VEHICLES = "vehicles.json"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StoredFacts(Confidential):
    """All of `Records` but its long columns, and what belongs to them."""

    vehicles: tuple[str, ...]
    days: tuple[int, ...]
    first: tuple[int, ...]
    zone: str
    upper_bound: int
    derived: bool
    report: IngestReport
    valid_until_ms: int | None
    """From then on a record that now lies in the future counts; None: there is none."""
    other_texts: OtherTexts = field(default_factory=dict)
    """As `Records` have them."""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of the label columns, by public name."""


def label_column(name: str) -> str:
    """How a store calls the column of codes of that public name."""
    return f"label_{name}"


def records_of(facts: StoredFacts, columns: dict[str, Any], column_cache: ColumnCache) -> Records:
    """Records from their facts and long columns."""
    return Records(
        vehicles=facts.vehicles,
        days=np.array(facts.days, np.int32),
        first=np.array(facts.first, np.int64),
        zone=facts.zone,
        upper_bound=facts.upper_bound,
        derived=facts.derived,
        other_texts=facts.other_texts,
        labels={
            name: LabelColumn(texts=texts, code=columns[label_column(name)])
            for name, texts in sorted(facts.labels.items())
        },
        column_cache=column_cache,
        **{name: columns[name] for name in STORED_COLUMNS},
    )


def write_store(folder: Path, facts: StoredFacts, shapes: dict[str, ColumnShape]) -> None:
    """Complete a folder in which the columns lie already. Raises OSError."""
    vehicles = json.dumps(facts.vehicles).encode()
    body = {
        "version": version_for(derived=facts.derived),
        "columns": {name: [shape.dtype, shape.length] for name, shape in shapes.items()},
        "vehicles_sha256": hashlib.sha256(vehicles).hexdigest(),
        "days": facts.days,
        "first": facts.first,
        "zone": facts.zone,
        "upper_bound": facts.upper_bound,
        "derived": facts.derived,
        "report": dataclasses.asdict(facts.report),
        "valid_until_ms": facts.valid_until_ms,
        **({"other_texts": facts.other_texts} if facts.other_texts else {}),
        **({"labels": facts.labels} if facts.labels else {}),
    }
    write_synced(folder / _VEHICLES, vehicles, mode=0o600)
    write_synced(folder / _META, json.dumps([_digest(body), body]).encode(), mode=0o600)
    sync_folder(folder)


def open_store(
    folder: Path, column_cache: ColumnCache, *, mapped: bool = True
) -> tuple[Records, StoredFacts]:
    """The records of a folder, their columns mapped, or else read into memory.

    Raises OSError where something is missing, ValueError where something is damaged.
    """
    digest, body = _parsed(read_regular(folder / _META))
    if digest != _digest(body) or not _is_current(body):
        raise ValueError("the description of the records is damaged")
    vehicles = read_regular(folder / _VEHICLES)
    if hashlib.sha256(vehicles).hexdigest() != body["vehicles_sha256"]:
        raise ValueError("the list of vehicles is damaged")
    names = tuple(json_value(vehicles))
    facts = StoredFacts(
        vehicles=names,
        days=tuple(body["days"]),
        first=tuple(body["first"]),
        zone=body["zone"],
        upper_bound=body["upper_bound"],
        derived=body["derived"],
        report=_report(body["report"], names),
        valid_until_ms=body["valid_until_ms"],
        other_texts={name: tuple(texts) for name, texts in body.get("other_texts", {}).items()},
        labels={name: tuple(texts) for name, texts in body.get("labels", {}).items()},
    )
    columns = {
        name: open_column(column_path(folder, name), ColumnShape(dtype=kind, length=length), mapped=mapped)
        for name, (kind, length) in body["columns"].items()
    }
    return records_of(facts, columns, column_cache), facts


def is_store(folder: Path) -> bool:
    return (folder / _META).is_file()


def version_for(*, derived: bool) -> int:
    """Of a store that is written now; derived: its speeds follow from positions."""
    return DERIVED_STORE_VERSION if derived else STORE_VERSION


def is_current_store(folder: Path) -> bool:
    """Whether a folder is finished, and holds what would be written now."""
    try:
        return _is_current(_parsed(read_regular(folder / _META))[1])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _is_current(body: dict[str, Any]) -> bool:
    return bool(body["version"] == version_for(derived=body["derived"]))


def _parsed(data: bytes) -> tuple[str, dict[str, Any]]:
    found = json_value(data)
    if not isinstance(found, list) or len(found) != 2 or not isinstance(found[1], dict):
        raise ValueError("the description of the records is damaged")
    return found[0], found[1]


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _report(stored: dict[str, Any], vehicles: Sequence[str]) -> IngestReport:
    examples = {reason: tuple(map(tuple, places)) for reason, places in stored["examples"].items()}
    hours, box = tuple(stored["local_hours"]), tuple(stored["box"])
    since = {
        "ids_alike": ids_alike(vehicles),
        "arrays_unread": 0,
        "missing_words": None,
        "repeats_far": 0,
        "files_empty": 0,
        "files_damaged": 0,
    }  # copies of earlier versions do not say
    return IngestReport(**since | stored | {"examples": examples, "local_hours": hours, "box": box})
