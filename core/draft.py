"""A release being composed: every choice of the analyst, some of them still open.

The window edits a `Draft`; `document` turns it into the very spec file that the command line
reads (SPEC 16), so that both give the same release.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from core.accounting.budgets import Budget
from core.clean.mapping import DEFAULT_PHYSICAL_MAX, ColumnMapping, ReadingRules
from core.errors import InputError
from core.files import write_atomic
from core.hats.window import DateRange
from core.mechanisms.registry import require_mechanism
from core.planning.query_plan import Query
from core.privacy import Relation, Unit
from core.read.file_format import AS_FOUND, FileFormat
from core.spec import DEFAULT_MINIMUM_VEHICLES, DEFAULT_THRESHOLD, ReleaseSpec, parse_spec
from core.statistics.mean import MeanQuestion
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from core.values import THOUSAND, plain

USUAL_MECHANISM = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """Which files are loaded, and how they are read."""

    files: tuple[Path, ...]
    rules: ReadingRules


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryDraft:
    """One query: what is asked of every HAT, how, and for how much."""

    id: str = "mean_speed"
    statistic: str = "mean"
    mechanism: str = USUAL_MECHANISM
    """Kept, but of no use, where the statistic has its own method."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the mechanism, or of a statistic with its own method."""
    budget: Budget = field(default_factory=lambda: Budget(total=Decimal(10)))

    @property
    def query(self) -> Query:
        """The checked query. Raises InputError for unknown keys and parameters that do not fit."""
        statistic = require_statistic(self.statistic)
        mechanism = None if statistic.method else require_mechanism(self.mechanism)
        question = question_of(statistic, mechanism, self.parameters)
        return Query(id=self.id, question=question, budget=self.budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """All choices but the data. `relation` and `unit` have no default (SPEC 5)."""

    resolution: int = 7
    slot_minutes: int = 60
    date_ranges: tuple[DateRange, ...] = ()
    hours: tuple[str, str] = ("09:00", "21:00")
    rule: str = "hat"
    threshold: int = DEFAULT_THRESHOLD
    cells_file: str = ""
    minimum_vehicles: int = DEFAULT_MINIMUM_VEHICLES
    queries: tuple[QueryDraft, ...] = (QueryDraft(),)
    """At least one; the first is the one that map, table and headlines show."""
    relation: Relation | None = None
    unit: Unit | None = None
    confirmed: bool = False
    population: str = ""
    name: str = ""
    version: str = "1.0.0"
    title: str = ""
    publisher: str = ""
    contact: str = ""
    licence: str = "CC-BY-4.0"

    @property
    def leading(self) -> QueryDraft:
        """The query that map, table and headlines show."""
        return self.queries[0]

    @property
    def mean(self) -> QueryDraft | None:
        """The query that takes a mechanism; None where none does."""
        return next((query for query in self.queries if not require_statistic(query.statistic).method), None)


def document(draft: Draft, source: DataSource, folder: Path) -> dict[str, Any]:
    """The spec as nested dictionaries, paths relative to `folder` where they lie below it."""
    rules = source.rules
    selection: dict[str, Any] = {"rule": draft.rule, "minimum_vehicles": draft.minimum_vehicles}
    selection |= (
        {"file": _relative(Path(draft.cells_file), folder)}
        if draft.cells_file
        else {"threshold": draft.threshold}
    )
    return {
        "release": {
            key: getattr(draft, key)
            for key in ("name", "version", "title", "publisher", "contact", "licence")
        },
        "data": {
            "files": [_relative(path, folder) for path in source.files],
            **({"zone": rules.zone} if rules.zone else {}),
            "upper_bound_kmh": rules.upper_bound / THOUSAND,
            **_units(rules.mapping),
            "mapping": _mapping(rules.mapping),
            **_derived(rules.mapping),
            **_format(rules.format),
        },
        "hats": {
            "resolution": draft.resolution,
            "slot_minutes": draft.slot_minutes,
            "dates": [[str(first), str(last)] for first, last in draft.date_ranges],
            "hours": list(draft.hours),
        },
        "selection": selection,
        "privacy": {
            "population": draft.population,
            **({"relation": draft.relation.value} if draft.relation else {}),
            **({"unit": draft.unit.value} if draft.unit else {}),
            "confirmed": draft.confirmed,
        },
        "query": [_query(query) for query in draft.queries],
    }


def _query(query: QueryDraft) -> dict[str, Any]:
    statistic = require_statistic(query.statistic)
    return {
        "id": query.id,
        "statistic": query.statistic,
        **({} if statistic.method else {"mechanism": query.mechanism}),
        **_budget(query.budget),
        "parameters": dict(query.parameters),
    }


def _budget(budget: Budget) -> dict[str, Any]:
    if budget.per_hat is not None:
        return {"epsilon": plain(budget.per_hat)}
    if budget.noise_scale is not None:
        return {"noise_scale": plain(budget.noise_scale)}
    return {"total": plain(budget.total or Decimal(0)), "division": budget.divide}


def _relative(path: Path, folder: Path) -> str:
    absolute = path.absolute()
    try:
        return Path(os.path.relpath(absolute, folder.absolute())).as_posix()
    except ValueError:  # another drive
        return absolute.as_posix()


def _mapping(mapping: ColumnMapping) -> dict[str, Any]:
    names: dict[str, Any] = {"vehicle": mapping.vehicle, "time": mapping.time}
    if mapping.value:
        names["value"] = mapping.value
    if mapping.position:
        names |= {"position": mapping.position, "position_order": mapping.position_order}
    else:
        names |= {"latitude": mapping.latitude, "longitude": mapping.longitude}
    if len(mapping.units) == 1 and mapping.units[0].first is None and mapping.units[0].last is None:
        names["unit"] = mapping.units[0].unit
    if mapping.physical_max != DEFAULT_PHYSICAL_MAX:
        names["physical_max_kmh"] = mapping.physical_max / THOUSAND
    if mapping.box:
        names["box"] = [mapping.box.south, mapping.box.west, mapping.box.north, mapping.box.east]
    return names


def _units(mapping: ColumnMapping) -> dict[str, Any]:
    if "unit" in _mapping(mapping):
        return {}
    return {
        "units": [
            {"unit": item.unit, **_dated("from", item.first), **_dated("to", item.last)}
            for item in mapping.units
        ]
    }


def _derived(mapping: ColumnMapping) -> dict[str, Any]:
    derived = mapping.derived
    return {"derived_speed": {"max_gap_seconds": derived.max_gap_seconds}} if derived else {}


def _format(form: FileFormat) -> dict[str, Any]:
    """Only what is named."""
    named = {key: value for key, value in dataclasses.asdict(form).items() if value != getattr(AS_FOUND, key)}
    return {"format": named} if named else {}


def _dated(key: str, date: dt.date | None) -> dict[str, str]:
    return {key: str(date)} if date else {}


def spec_of(draft: Draft, source: DataSource, folder: Path) -> ReleaseSpec:
    """The draft as a checked spec. Raises InputError that names what is still open or wrong."""
    return parse_spec(document(draft, source, folder), folder)


def save_draft(draft: Draft, source: DataSource, path: Path) -> None:
    """Write the spec file. Raises InputError when the folder cannot be written."""
    write_atomic(path, tomli_w.dumps(document(draft, source, path.absolute().parent)).encode())


def draft_of(spec: ReleaseSpec) -> tuple[Draft, DataSource]:
    """The inverse of `spec_of`.

    Raises InputError when a file pattern matches nothing, and for a spec that names no records.
    """
    if spec.data.contributions:
        raise InputError(
            "This spec names a contribution table, and the window works on records.",
            where="data.contributions",
            mend="release it on the command line, or name the files of records",
        )
    texts = spec.texts
    draft = Draft(
        resolution=spec.resolution,
        slot_minutes=spec.window.slot_minutes,
        date_ranges=spec.window.date_ranges,
        hours=spec.window.hours,
        rule=spec.selection.rule,
        threshold=spec.selection.threshold or DEFAULT_THRESHOLD,
        cells_file=spec.selection_file,
        minimum_vehicles=spec.minimum_vehicles,
        queries=tuple(_query_draft(query) for query in spec.queries),
        relation=spec.relation,
        unit=spec.unit,
        confirmed=spec.confirmed,
        population=spec.population,
        name=texts.name,
        version=texts.version,
        title=texts.title,
        publisher=texts.publisher,
        contact=texts.contact,
        licence=texts.licence,
    )
    return draft, DataSource(files=spec.data.paths(), rules=spec.data.rules)


def _query_draft(query: Query) -> QueryDraft:
    question = query.question
    return QueryDraft(
        id=query.id,
        statistic=question.statistic.key,
        mechanism=question.mechanism.key if isinstance(question, MeanQuestion) else USUAL_MECHANISM,
        parameters=dataclasses.asdict(question.params),
        budget=query.budget,
    )
