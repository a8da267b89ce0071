"""A release being composed: every choice of the analyst, some of them still open.

The window edits a `Draft`; `document` turns it into the very spec file that the command line
reads (method 16), so that both give the same release.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from core.accounting.budgets import Budget
from core.clean.mapping import ReadingRules
from core.errors import InputError
from core.files import write_atomic
from core.hats.slots import SlotLength
from core.hats.window import DateRange
from core.mechanisms.registry import require_mechanism
from core.mechanisms.tokens import GAUSS
from core.planning.query_plan import Query
from core.prior.public_source import SourceRequest
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.spec.declared_tables import answers_of, held, write_table
from core.spec.defaults import DEFAULT_MECHANISM
from core.spec.keys import SPEC, default_of
from core.spec.reading import parse_spec
from core.spec.schema import Table
from core.spec.spec import ReleaseSpec
from core.statistics.mean import MeanQuestion
from core.statistics.question import question_of
from core.statistics.registry import require_statistic

USUAL_TOTAL = Decimal(10)
"""Epsilon per vehicle that a query begins with."""


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
    mechanism: str = DEFAULT_MECHANISM
    """Kept, but of no use, where the statistic has its own method."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the mechanism, or of a statistic with its own method."""
    budget: Budget = field(default_factory=lambda: Budget(total=USUAL_TOTAL))
    source: SourceRequest = field(default_factory=SourceRequest)
    """Of public counts, for relation `user`."""

    def asked_of(self, quantity: Quantity) -> Query:
        """The checked query of what is measured.

        Raises InputError for unknown keys and parameters that do not fit.
        """
        statistic = require_statistic(self.statistic).of(quantity)
        mechanism = None if statistic.method else require_mechanism(self.mechanism)
        question = question_of(statistic, mechanism, self.parameters)
        return Query(id=self.id, question=question, budget=self.budget)

    @property
    def joint(self) -> bool:
        """All HATs are answered at once, under one total that nothing divides."""
        return not require_statistic(self.statistic).method and require_mechanism(self.mechanism).joint

    @property
    def needs_delta(self) -> bool:
        """Gaussian noise is asked for, which a population without a delta does not allow."""
        gaussian = self.parameters.get("noise") == GAUSS or self.parameters.get("zoom", False)
        return self.joint and bool(gaussian)

    def answered_by(
        self, mechanism: str, parameters: Mapping[str, Any], cost: Decimal | None = None
    ) -> QueryDraft:
        """The same by another mechanism, with a budget that it takes.

        A mechanism that shares a total out by itself keeps the total, or gets in place of an epsilon for each
        HAT what that costs a vehicle in all; cost: that, where it is known and above 0.
        """
        other = dataclasses.replace(self, mechanism=mechanism, parameters=parameters)
        if not other.joint:
            return other
        total = self.budget.total or cost or USUAL_TOTAL
        return dataclasses.replace(other, budget=Budget(total=total))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """All choices but the data. `relation` and `unit` have no default (method 5)."""

    resolution: int = default_of("hats.resolution")
    slot_minutes: SlotLength = field(default=default_of("hats.slot_minutes"))
    date_ranges: tuple[DateRange, ...] = ()
    hours: tuple[str, str] = default_of("hats.hours")
    rule: str = "hat"
    threshold: int = default_of("selection.threshold")
    cells_file: str = ""
    minimum_vehicles: int = default_of("selection.minimum_vehicles")
    queries: tuple[QueryDraft, ...] = (QueryDraft(),)
    """At least one; the first is the one that map, table and headlines show."""
    relation: Relation | None = None
    unit: Unit | None = None
    confirmed: bool = default_of("privacy.confirmed")
    hats_per_vehicle: int | None = None
    """Of relation `user`, which the window does not release yet."""
    days_per_vehicle: int | None = None
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

    def asking_of(self, before: Quantity, quantity: Quantity) -> tuple[QueryDraft, ...]:
        """The queries where other data measure another quantity: renamed, without the old limits."""
        if quantity == before:
            return self.queries
        return tuple(
            dataclasses.replace(
                query,
                id=usual_id("mean", quantity) if query.id == usual_id("mean", before) else query.id,
                parameters={name: value for name, value in query.parameters.items() if name != "limits"},
            )
            for query in self.queries
        )


def usual_id(statistic: str, quantity: Quantity) -> str:
    """What a new query is called: `mean_speed`, or the statistic's key."""
    return f"mean_{quantity.name}" if statistic == "mean" else statistic


def document(draft: Draft, source: DataSource, folder: Path, schema: Table = SPEC) -> dict[str, Any]:
    """The spec as nested dictionaries, paths relative to `folder` where they lie below it."""
    answers = {
        name: answers_of(schema.table(name), draft, flat=True)
        for name in ("release", "hats", "selection", "privacy")
    }
    cells_file = _relative(Path(draft.cells_file), folder) if draft.cells_file else ""
    data = answers_of(schema.table("data"), source.rules)
    if source.rules.value is not None:
        data["mapping"] |= {"unit": None, "physical_max_kmh": None}  # they are a speed's
    return write_table(
        schema,
        answers
        | {
            "data": data | {"files": [_relative(path, folder) for path in source.files]},
            "selection": answers["selection"] | {"file": cells_file},
            "query": [
                answers_of(schema.table("query"), query) | {"relation": draft.relation}
                for query in draft.queries
            ],
        },
    )


def _relative(path: Path, folder: Path) -> str:
    absolute = path.absolute()
    try:
        return Path(os.path.relpath(absolute, folder.absolute())).as_posix()
    except ValueError:  # another drive
        return absolute.as_posix()


def spec_of(draft: Draft, source: DataSource, folder: Path) -> ReleaseSpec:
    """The draft as a checked spec. Raises InputError that names what is still open or wrong."""
    if draft.relation is Relation.USER:
        raise _not_in_the_window()
    return parse_spec(document(draft, source, folder), folder)


def save_draft(draft: Draft, source: DataSource, path: Path) -> None:
    """Write the spec file. Raises InputError when the folder cannot be written."""
    write_atomic(path, tomli_w.dumps(document(draft, source, path.absolute().parent)).encode())


def draft_of(spec: ReleaseSpec) -> tuple[Draft, DataSource]:
    """The inverse of `spec_of`; paths are absolute.

    Raises InputError when a file pattern matches nothing, and for a spec that names no records.
    """
    if spec.data.contributions:
        raise InputError(
            "This spec names a contribution table, and the window works on records.",
            where="data.contributions",
            mend="release it on the command line, or name the files of records",
        )
    if spec.relation is Relation.USER:
        raise _not_in_the_window()
    values: dict[str, Any] = {}
    for name in ("release", "hats", "selection", "privacy"):
        for key in SPEC.table(name).keys:
            value = held(key, spec)
            values[key.carried] = key.default if value is None else value
    values["slot_minutes"] = spec.window.slot_length
    if spec.cells_file:
        values["cells_file"] = str(spec.data.folder.absolute() / spec.cells_file)
    queries = tuple(_query_draft(query) for query in spec.queries)
    return Draft(**values, queries=queries), DataSource(files=spec.data.paths(), rules=spec.data.rules)


def _not_in_the_window() -> InputError:
    return InputError(
        "Relation user is released on the command line for now.",
        where="privacy.relation",
        mend='run main.py release with the spec, or choose relation = "values" where who was there is public',
    )


def _query_draft(query: Query) -> QueryDraft:
    question = query.question
    return QueryDraft(
        id=query.id,
        statistic=question.statistic.key,
        mechanism=question.mechanism.key if isinstance(question, MeanQuestion) else DEFAULT_MECHANISM,
        parameters=dataclasses.asdict(question.params),
        budget=query.budget,
        source=query.source,
    )
