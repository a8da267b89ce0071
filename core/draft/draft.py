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
from core.bounding.constants import BOUNDED_UNITS
from core.clean.mapping import REGULAR, ReadingRules
from core.clean.record_filter import RecordFilter
from core.contributions.file_facts import PhysicalLimits
from core.fixed_point import THOUSAND
from core.geodata.map_layer import MapLayer, layer_of_places
from core.geodata.places_source import PlacesSource
from core.geodata.zones_source import ZonesSource
from core.hats.groups import Groups
from core.hats.places import HEXAGON
from core.hats.slots import SlotLength
from core.hats.window import DateRange, Window, build_window
from core.mechanisms.bounded_mean import MECHANISM as BOUNDED_MEAN
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.registry import require_mechanism
from core.mechanisms.tokens import GAUSS
from core.parameter_fields import declared
from core.planning.query_plan import Query
from core.prior.public_prior import PRIOR_NUMBERS, PublicPrior
from core.prior.public_source import PublicSource, SourceRequest
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.read.file_format import AS_FOUND
from core.release_texts import Handling, RegistryTexts
from core.selection.cells import RULE as LISTED_CELLS
from core.spec.declared_tables import answers_of, carried, write_table
from core.spec.defaults import DEFAULT_MECHANISM
from core.spec.key_checks import takes_public_counts as mechanism_takes
from core.spec.keys import SPEC, default_of
from core.spec.reading import parse_spec
from core.spec.schema import Answers, Table
from core.spec.spec import TABLE_MAPPING, DataSpec, ReleaseSpec
from core.statistics.base import AnyStatistic
from core.statistics.mean import MeanQuestion
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from core.subject import Subject, subject_called
from core.system.files import write_atomic

USUAL_TOTAL = Decimal(10)
"""Epsilon per vehicle that a query begins with."""
USUAL_OF_PRESENCE = BOUNDED_MEAN.key
"""Mechanism of a mean in relation `user`, before anybody says what is public of the city."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """Which files are loaded, and how they are read."""

    files: tuple[Path, ...]
    rules: ReadingRules
    table: bool = False
    """The one file is a contribution table in place of records."""
    derived_in_table: bool | None = None
    """Whether speeds of a table were derived from positions; None: it says so itself."""
    physical_in_table: PhysicalLimits | None = None
    """What was dropped as impossible before a table was made; None: it says so itself, or nobody does."""
    proposed: bool = field(default=False, compare=False)
    """The rules may have come from the records: somebody took them over where the cells were looked at."""

    def reading_in(self, relation: Relation | None) -> ReadingRules:
        """How records are read in a relation: in `user` without what they may have proposed (method 12.1)."""
        if relation is not Relation.USER or not self.proposed:
            return self.rules
        file_format = dataclasses.replace(
            self.rules.format, decimal=AS_FOUND.decimal, date_order=AS_FOUND.date_order
        )
        mapping = dataclasses.replace(self.rules.mapping, box=None, vehicle_fold=False)
        return dataclasses.replace(self.rules, format=file_format, mapping=mapping)

    def in_relation(self, relation: Relation | None) -> DataSource:
        """As a spec of the relation names it; why there is a record plays no part in `user`."""
        if relation is not Relation.USER:
            return self
        rules = dataclasses.replace(self.reading_in(relation), pings=REGULAR, skip_damaged=False)
        return dataclasses.replace(self, rules=rules, proposed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryDraft:
    """One query: what is asked of every HAT, how, and for how much."""

    id: str = "mean_speed"
    statistic: str = "mean"
    mechanism: str = DEFAULT_MECHANISM
    """Stays, but is of no use, where the statistic has its own method."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the mechanism, or of a statistic with its own method."""
    budget: Budget = field(default_factory=lambda: Budget(total=USUAL_TOTAL))
    source: SourceRequest = field(default_factory=SourceRequest)
    """Of public counts, for a mechanism that takes them; a draft names them once (`Draft.prior`)."""

    def asked_of(self, quantity: Quantity, relation: Relation = Relation.VALUES) -> Query:
        """The checked query of what is measured; relation: one that offers it.

        Raises InputError for unknown keys and parameters that do not fit.
        """
        statistic = require_statistic(self.statistic).of(quantity)
        mechanism = None if statistic.method else require_mechanism(self.mechanism)
        question = question_of(statistic, mechanism, self.parameters, relation)
        return Query(id=self.id, question=question, budget=self.budget, source=self.source)

    @property
    def takes_public_counts(self) -> bool:
        """It is planned on public counts, and C bounds nothing of it."""
        statistic = require_statistic(self.statistic)
        if statistic.method:
            return statistic.takes_public_counts
        return mechanism_takes({"mechanism": self.mechanism})

    def offered_in(self, relation: Relation) -> bool:
        """Whether the statistic can be published in a relation, by whichever mechanism."""
        statistic = require_statistic(self.statistic)
        return not statistic.method or relation in statistic.relations

    def in_relation(self, relation: Relation) -> QueryDraft:
        """The same in a relation that offers it: answered by its usual mechanism where this one is not."""
        statistic = require_statistic(self.statistic)
        if statistic.method:
            known = {item.name for item in declared(statistic.params_in(relation))}
            parameters = {name: value for name, value in self.parameters.items() if name in known}
            return dataclasses.replace(self, parameters=parameters, budget=_total_of(self.budget, relation))
        if relation in require_mechanism(self.mechanism).relations:
            return self
        usual = DEFAULT_MECHANISM if relation is Relation.VALUES else USUAL_OF_PRESENCE
        return self.answered_by(usual, {})

    @property
    def joint(self) -> bool:
        """All HATs are answered together, under one total that nothing divides."""
        statistic = require_statistic(self.statistic)
        return statistic.joint if statistic.method else require_mechanism(self.mechanism).joint

    @property
    def may_be_gaussian(self) -> bool:
        """Its noise may be Gaussian: the delta of the population has a part in its plan, or in the advice."""
        statistic = require_statistic(self.statistic)
        params = statistic.Params if statistic.method else require_mechanism(self.mechanism).Params
        return any(one.name == NOISE_FIELD for one in declared(params))

    @property
    def needs_delta(self) -> bool:
        """Gaussian noise is asked for, which a population without a delta does not allow."""
        gaussian = self.parameters.get(NOISE_FIELD) == GAUSS or self.parameters.get("zoom", False)
        return bool(gaussian)

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

    place_kind: str = default_of("hats.place")
    """What places are."""
    place_column: str = ""
    zones_source: ZonesSource | None = None
    """The layer of places that are zones; its path is absolute."""
    filters: tuple[RecordFilter, ...] | None = None
    """Which records count, by what their columns say; None: as the source has it."""
    resolution: int = default_of("hats.resolution")
    """Of hexagons, the finest where there are several."""
    mixed: tuple[int, ...] = ()
    """The resolutions of hexagons of several sizes, coarsest first; empty: all are alike."""
    slot_minutes: SlotLength = field(default=default_of("hats.slot_minutes"))
    date_ranges: tuple[DateRange, ...] = ()
    hours: tuple[str, str] = default_of("hats.hours")
    groups: Groups = ()
    """What tells rows of one place and time apart."""
    shapes: str = ""
    """Path of the timetable with the lines of routes; empty: none."""
    day_kinds: str = ""
    """Path of the file of the kind of each date; empty: none."""
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
    """C of relation `user`; None: not typed yet."""
    days_per_vehicle: int | None = None
    """Of relation `user`, where a query counts a vehicle once on each of its days; None: not typed."""
    zone: str = ""
    """Of relation `user`, where it is typed too; in relation `values` that of the records counts."""
    prior: PublicPrior = field(default_factory=PublicPrior)
    """Of relation `user`: what is publicly known beforehand."""
    population: str = ""
    subject: str = default_of("privacy.subject")
    subject_plural: str = default_of("privacy.subject_plural")
    name: str = ""
    version: str = "1.0.0"
    title: str = ""
    publisher: str = ""
    contact: str = ""
    licence: str = "CC-BY-4.0"
    policy: bool = default_of("release.policy")
    counts: bool = default_of("release.counts")
    languages: tuple[str, ...] = default_of("release.languages")
    registry: RegistryTexts | None = None
    handling: Handling | None = None
    layers: tuple[MapLayer, ...] = ()
    """Of the analyst's own, on the map from top to bottom; those over the hexagons first."""

    @property
    def resolutions(self) -> int | tuple[int, ...]:
        """As a spec has them: one, or several."""
        return self.mixed or self.resolution

    @property
    def window(self) -> Window:
        """The window of its dates, hours, timeslots and groups. Raises InputError for one that cannot be."""
        return build_window(self.date_ranges, self.hours, self.slot_minutes, self.groups)

    @property
    def places(self) -> PlacesSource | None:
        """What names the hexagons: the first layer of places; None without one, and for other places."""
        if self.place_kind != HEXAGON:
            return None
        return next((layer.places_source for layer in self.layers if layer.names_hexagons), None)

    @property
    def protects(self) -> Subject:
        """What is protected, in words. Raises InputError for words that no column can bear."""
        return subject_called(self.subject, self.subject_plural)

    @property
    def leading(self) -> QueryDraft:
        """The query that map, table and headlines show."""
        return self.queries[0]

    @property
    def mean(self) -> QueryDraft | None:
        """The query that takes a mechanism; None where none does."""
        return next((query for query in self.queries if not require_statistic(query.statistic).method), None)

    @property
    def compared(self) -> QueryDraft | None:
        """What grids are compared for: the first query that shares one total out over them, or the mean."""
        return next((query for query in self.queries if query.joint), self.mean)

    def in_relation(self, relation: Relation) -> Draft:
        """The draft under another relation, unconfirmed; what that does not offer gets its usual place.

        What follows from records stays behind in relation `user` (method 12.1): dates, hours, grid, rule,
        threshold and zone are as in a new draft, to be typed. The other way grid, dates and hours stay.
        """
        if relation is self.relation:
            return self
        retained = [query.in_relation(relation) for query in self.queries if query.offered_in(relation)]
        queries = tuple(retained) or (QueryDraft(id=self.leading.id).in_relation(relation),)
        common: dict[str, Any] = {"relation": relation, "confirmed": False, "queries": queries}
        fresh = Draft()
        if relation is Relation.VALUES:
            unlisted = self.relation is Relation.USER and not self.cells_file
            return dataclasses.replace(
                self,
                **common,
                hats_per_vehicle=None,
                days_per_vehicle=None,
                zone="",
                prior=fresh.prior,
                rule=fresh.rule if unlisted else self.rule,
            )
        constants = {name: getattr(fresh, name) for name in _TYPED_IN_USER}
        unit = self.unit if self.unit in BOUNDED_UNITS else None
        return dataclasses.replace(
            self, **common, **constants, unit=unit, rule=LISTED_CELLS.key, counts=False
        )

    def back_in(self, relation: Relation, left: Draft) -> Draft:
        """The draft in a relation that it was in before, unconfirmed: what hangs on that is as it was.

        left: the draft when it was last in that relation, so that nothing comes into relation `user` that was
        not in it; for relation `values` also one of no relation yet, with queries that nobody may have seen.
        """
        here, again = self.in_relation(relation), left.in_relation(relation)
        seen = left.relation is relation
        same = self.relation is not None and self.queries == left.in_relation(self.relation).queries
        return dataclasses.replace(
            here,
            rule=again.rule,
            unit=again.unit or here.unit,
            queries=again.queries if seen or same else here.queries,
            **{name: getattr(again, name) for name in _TYPED_IN_USER},
        )

    def cleared_for(self, *, same_vehicles: bool) -> dict[str, Any]:
        """What changes where other records take the place of those that the draft was made for.

        The release has no name yet and is unconfirmed. Of other vehicles nobody's budget is charged and who
        publishes is asked again; in relation `values` also who is protected, and hours and threshold, chosen
        by the old counts, are as in a new draft. Relation `user` protects any vehicles: it stays, with all
        that was typed for it.
        """
        names = list(_OF_ONE_RELEASE)
        if not same_vehicles:
            names.extend(_OF_VEHICLES)
            names.extend([] if self.relation is Relation.USER else _CHOSEN_BY_COUNTS)
        return {name: getattr(Draft(), name) for name in names}

    def informed_queries(self) -> tuple[QueryDraft, ...]:
        """The queries with the public counts of those that are planned on them."""
        return tuple(
            _informed(query, self.prior) if self._is_counted(query) else query for query in self.queries
        )

    def asked_of(self, quantity: Quantity, found: PublicSource | None = None) -> list[Query]:
        """Every query, checked; found: what the source of public counts states, for those planned on them.

        Raises InputError as `QueryDraft.asked_of`.
        """
        relation = self.relation or Relation.VALUES
        asked = [(query, query.asked_of(quantity, relation)) for query in self.informed_queries()]
        return [
            dataclasses.replace(one, public_counts=found.hats, public_fleet=found.fleet)
            if found is not None and self._is_counted(query)
            else one
            for query, one in asked
        ]

    def _is_counted(self, query: QueryDraft) -> bool:
        return self.relation is Relation.USER and query.takes_public_counts

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


def proposed_parameters(statistic: AnyStatistic, upper_bound: int) -> dict[str, Any]:
    """What a new query names of its statistic's parameters: those with a better start than their default.

    Limits of a speed lie below U (`upper_bound`, thousandths); limits of another value have no default and
    are left out. Nothing here follows from records.
    """
    found: dict[str, Any] = {}
    for item in declared(statistic.Params):
        if item.proposed is not None:
            found[item.name] = item.proposed
        elif item.name == "limits" and isinstance(item.default, tuple):
            limits = (limit for limit in item.default if not isinstance(limit, tuple))
            below = tuple(limit for limit in limits if limit * THOUSAND < upper_bound)
            if below != item.default:
                found[item.name] = below or ((upper_bound // 2 or 1) / THOUSAND,)
    return found


def usual_id(statistic: str, quantity: Quantity) -> str:
    """What a new query is called: `mean_speed`, or the statistic's key."""
    return f"mean_{quantity.name}" if statistic == "mean" else statistic


def document(draft: Draft, source: DataSource, folder: Path, schema: Table = SPEC) -> dict[str, Any]:
    """The spec as nested dictionaries, paths relative to `folder` where they lie below it."""
    answers = {
        name: answers_of(schema.table(name), draft, flat=True)
        for name in ("release", "hats", "selection", "privacy")
    }
    cells_file = relative_path(Path(draft.cells_file), folder) if draft.cells_file else ""
    answers["hats"] |= {
        "group": [group.name for group in draft.groups] or None,
        "labels": [(one.name, one.labels) for one in draft.groups if one.labels and not one.by_day] or None,
        **{
            name: relative_path(Path(path), folder) if path else ""
            for name, path in (("day_kinds", draft.day_kinds), ("shapes", draft.shapes))
        },
    }
    for layer in (answers["release"]["places"], answers["hats"]["zones"]):
        if layer:
            layer["file"] = relative_path(Path(layer["file"]), folder)
    source = source.in_relation(draft.relation)
    if draft.filters is not None:
        source = dataclasses.replace(source, rules=dataclasses.replace(source.rules, filters=draft.filters))
    data = answers_of(schema.table("data"), source.rules) | _named(source, folder)
    if draft.relation is Relation.USER:
        data |= {"zone": draft.zone}
        answers["selection"] |= {"relation": draft.relation}  # it decides which keys may stand there
        answers["privacy"] |= {"hats_per_vehicle": _hats_per_vehicle(draft)}
    if source.rules.value is not None and data["mapping"] is not None:
        data["mapping"] |= {"unit": None, "physical_max_kmh": None}  # they are a speed's
    return write_table(
        schema,
        answers
        | {
            "data": data,
            "selection": answers["selection"] | {"file": cells_file},
            "query": [
                _query_answers(schema, query, folder) | {"relation": draft.relation}
                for query in draft.informed_queries()
            ],
        },
    )


def _named(source: DataSource, folder: Path) -> Answers:
    """What `[data]` says of where the data lie; a table that came without a mapping has none."""
    names = [relative_path(path, folder) for path in source.files]
    if not source.table:
        return {"files": names}
    said: Answers = {
        "contributions": names[0],
        "derived_speed_in_table": source.derived_in_table,
        "physical_limits_in_table": source.physical_in_table,
    }
    if source.rules.mapping == TABLE_MAPPING:
        said |= dict.fromkeys(("mapping", "units", "derived_speed"))
    return said


def relative_path(path: Path, folder: Path) -> str:
    """The path as a spec in `folder` names it; on another drive the whole one."""
    absolute = path.absolute()
    try:
        return Path(os.path.relpath(absolute, folder.absolute())).as_posix()
    except ValueError:  # another drive
        return absolute.as_posix()


def spec_of(draft: Draft, source: DataSource, folder: Path) -> ReleaseSpec:
    """The draft as a checked spec. Raises InputError that names what is still open or wrong."""
    return parse_spec(document(draft, source, folder), folder)


def save_draft(draft: Draft, source: DataSource, path: Path) -> None:
    """Write the spec file. Raises InputError when the folder cannot be written."""
    write_atomic(path, tomli_w.dumps(document(draft, source, path.absolute().parent)).encode())


def draft_of(spec: ReleaseSpec) -> tuple[Draft, DataSource]:
    """The inverse of `spec_of`; paths are absolute.

    Raises InputError when a file pattern matches nothing.
    """
    values: dict[str, Any] = {}
    for name in ("release", "hats", "selection", "privacy"):
        for key in SPEC.table(name).keys:
            if not key.carried:  # it has become a part of others, as the kind of day of the dates
                continue
            value = carried(key, spec)
            values[key.carried] = key.default if value is None else value
    values.pop("resolutions")
    values["resolution"] = spec.resolution or default_of("hats.resolution")
    values["mixed"] = spec.place.mixed
    values["slot_minutes"], values["groups"] = spec.window.slot_length, spec.window.groups
    for name, path in (("day_kinds", spec.day_kinds), ("shapes", spec.shapes)):
        if path:
            values[name] = os.path.normpath(spec.data.folder.absolute() / path)
    values.pop("places")
    if spec.places:
        file = os.path.normpath(spec.places.path(spec.data.folder.absolute()))
        named = dataclasses.replace(spec.places, file=file)
        values["layers"] = (layer_of_places(named),)
    if spec.zones_source:
        file = os.path.normpath(spec.zones_source.path(spec.data.folder.absolute()))
        values["zones_source"] = dataclasses.replace(spec.zones_source, file=file)
    if spec.cells_file:
        values["cells_file"] = os.path.normpath(spec.data.folder.absolute() / spec.cells_file)
    queries = tuple(_query_draft(query) for query in spec.queries)
    if spec.relation is Relation.USER:
        values["minimum_vehicles"] = default_of("selection.minimum_vehicles")
        values["zone"] = spec.data.rules.zone
        values["prior"] = _prior_of(queries, spec.data.folder)
        queries = tuple(_untold(query) if query.takes_public_counts else query for query in queries)
    proposed = spec.relation is not Relation.USER  # a spec of that relation holds what somebody typed
    source = dataclasses.replace(_source_of(spec.data), proposed=proposed)
    return Draft(**values, queries=queries), source


def _source_of(data: DataSpec) -> DataSource:
    if not data.contributions:
        return DataSource(files=data.paths(), rules=data.rules)
    path = Path(os.path.normpath(data.table_path.absolute()))
    return DataSource(
        files=(path,),
        rules=data.rules,
        table=True,
        derived_in_table=data.derived_in_table,
        physical_in_table=data.physical_in_table,
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


_OF_ONE_RELEASE = ("name", "version", "title", "confirmed", "filters")
"""What is published of other records is said anew."""
_OF_VEHICLES = (
    *("subject", "subject_plural", "population", "publisher", "contact"),
    *("place_kind", "place_column", "zones_source", "groups", "day_kinds", "shapes"),
)
"""What other vehicles are asked for again."""
_CHOSEN_BY_COUNTS = ("relation", "unit", "hours", "threshold")
"""The same in relation `values`: taxis began as buses, of which speeds alone are protected."""
_TYPED_IN_USER = (
    "resolution",
    "mixed",
    "slot_minutes",
    "groups",
    "date_ranges",
    "hours",
    "threshold",
    "cells_file",
    "minimum_vehicles",
    "hats_per_vehicle",
    "days_per_vehicle",
    "zone",
    "prior",
)
"""What a person may have chosen by looking at counts, or the program by the records."""


def _informed(query: QueryDraft, prior: PublicPrior) -> QueryDraft:
    """Typed numbers as parameters, but for those that the source takes the place of."""
    typed = {name: number for name, number in prior.numbers().items() if number}
    return dataclasses.replace(query, parameters={**query.parameters, **typed}, source=prior.source)


def _untold(query: QueryDraft) -> QueryDraft:
    parameters = {name: value for name, value in query.parameters.items() if name not in PRIOR_NUMBERS}
    return dataclasses.replace(query, parameters=parameters, source=SourceRequest())


def _prior_of(queries: tuple[QueryDraft, ...], folder: Path) -> PublicPrior:
    """Of the first query that is planned on public counts; nothing where none is."""
    for query in queries:
        if query.takes_public_counts:
            typed = {name: int(query.parameters.get(name, 0)) for name in PRIOR_NUMBERS}
            return PublicPrior(source=query.source.seen_from(folder.absolute()), **typed)
    return PublicPrior()


def _hats_per_vehicle(draft: Draft) -> int | None:
    """C; where it bounds nothing of any query a spec names one all the same."""
    if draft.hats_per_vehicle is None and all(query.takes_public_counts for query in draft.queries):
        return 1
    return draft.hats_per_vehicle


def _query_answers(schema: Table, query: QueryDraft, folder: Path) -> Answers:
    """Paths of public counts relative to the folder, as those of the data are."""
    source = query.source
    if source.path:
        key = source.public_key
        if key and Path(key).is_absolute():
            key = relative_path(Path(key), folder)
        source = dataclasses.replace(source, path=relative_path(Path(source.path), folder), public_key=key)
    return answers_of(schema.table("query"), dataclasses.replace(query, source=source))


def _total_of(budget: Budget, relation: Relation) -> Budget:
    """Relation `user` takes totals alone."""
    if relation is Relation.VALUES or budget.total is not None:
        return budget
    return Budget(total=USUAL_TOTAL)
