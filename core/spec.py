"""The release spec: one TOML file that says all a release needs (SPEC 16)."""

from __future__ import annotations

import datetime as dt
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.accounting.budgets import DIVISIONS, EQUAL, Budget
from core.clean.mapping import (
    DEFAULT_PHYSICAL_MAX,
    Box,
    ColumnMapping,
    DerivedSpeed,
    ReadingRules,
    UnitRange,
)
from core.errors import InputError
from core.hats.cells import require_resolution
from core.hats.window import DateRange, Window, build_window
from core.mechanisms.base import AnyMechanism
from core.mechanisms.registry import require_mechanism
from core.planning.query_plan import Query
from core.privacy import Relation, Unit
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import unreadable_as_input_error
from core.read.listing import expand
from core.records.zones import require_zone
from core.selection.base import SelectionRequest
from core.selection.rules import require_rule
from core.spec_section import Section
from core.statistics.base import AnyStatistic
from core.statistics.question import question_of
from core.statistics.registry import all_statistics, require_statistic
from core.texts import ReleaseTexts
from core.values import THOUSAND, parse_epsilon

DEFAULT_UPPER_BOUND = 65 * THOUSAND
"""U of the papers, thousandths of km/h."""
DEFAULT_MINIMUM_VEHICLES = 2
DEFAULT_THRESHOLD = 10
"""Distinct vehicles a day (TR III.C)."""
TABLE_MAPPING = ColumnMapping(vehicle="vehicle", time="date", position="cell", value="values")
"""Stands where a contribution table is named without the mapping of the records it was made from."""
_MOST_KMH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSpec:
    """Which files, and how to read them; or a contribution table in their place."""

    files: tuple[str, ...]
    """Paths and globs, relative to `folder`; none where there is a table."""
    folder: Path
    rules: ReadingRules
    contributions: str = ""
    """Path of a contribution table, relative to `folder`; empty where there are files."""

    @property
    def table_path(self) -> Path:
        """Where the contribution table lies."""
        return self.folder / self.contributions

    def paths(self) -> tuple[Path, ...]:
        """The files named. Raises InputError for a pattern that matches nothing."""
        return expand(self.files, self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSpec:
    """Everything a release needs but the key and the target folder."""

    texts: ReleaseTexts
    data: DataSpec
    resolution: int
    window: Window
    selection: SelectionRequest
    selection_file: str
    minimum_vehicles: int
    population: str
    relation: Relation
    unit: Unit
    confirmed: bool
    queries: tuple[Query, ...]
    """At least one; each statistic once, since it has one data file."""


def load_spec(path: Path) -> ReleaseSpec:
    """Read a spec file. Raises InputError that names the key at fault."""
    return parse_spec(read_toml(path), path.absolute().parent)


def read_toml(path: Path) -> dict[str, Any]:
    """The file as nested dictionaries. Raises InputError when it is missing or no TOML."""
    with unreadable_as_input_error(path):
        data = path.read_bytes()
    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # no TOML, no UTF-8, or a number of absurd length
        raise InputError(
            f"The spec is no valid TOML: {error}.", where=str(path), mend="correct the line named"
        ) from None


def parse_spec(document: dict[str, Any], folder: Path) -> ReleaseSpec:
    """A checked spec; `folder` is what relative paths start from."""
    top = Section("", document)
    texts = _texts(top.section("release"))
    data = parse_data(top.section("data"), folder)
    resolution, window = _hats(top.section("hats"))
    selection, selection_file, minimum = _selection(top.section("selection"), resolution, folder)
    privacy = top.section("privacy")
    population = privacy.text("population")
    relation = Relation(privacy.option("relation", [item.value for item in Relation]))
    unit = Unit(privacy.option("unit", [item.value for item in Unit]))
    confirmed = privacy.flag("confirmed", default=False)
    privacy.close()
    if relation is Relation.USER:
        raise InputError(
            "Relation `user` arrives with strict mode.",
            where="privacy.relation",
            mend='use relation = "values" where who was there is public, as for scheduled buses',
        )
    queries = _queries(top.take("query"), relation)
    top.close()
    return ReleaseSpec(
        texts=texts,
        data=data,
        resolution=resolution,
        window=window,
        selection=selection,
        selection_file=selection_file,
        minimum_vehicles=minimum,
        population=population,
        relation=relation,
        unit=unit,
        confirmed=confirmed,
        queries=queries,
    )


def _texts(section: Section) -> ReleaseTexts:
    texts = ReleaseTexts(
        name=section.text("name"),
        version=section.text("version"),
        title=section.text("title"),
        publisher=section.text("publisher"),
        contact=section.text("contact"),
        licence=section.text("licence"),
    )
    section.close()
    return texts


def parse_data(section: Section, folder: Path, *, zone_required: bool = True) -> DataSpec:
    """The [data] table. Raises InputError that names the key at fault."""
    if ("files" in section) == ("contributions" in section):
        raise InputError(
            "The data are either files of records or one contribution table.",
            where=section.where("files"),
            mend='write files = ["..."], or contributions = "table.parquet"',
        )
    table = section.text("contributions") if "contributions" in section else ""
    files = () if table else section.texts("files")
    zone = require_zone(section.text("zone")) if zone_required or "zone" in section else None
    upper_bound = upper_bound_of(section.number("upper_bound_kmh"), where=section.where("upper_bound_kmh"))
    if table and "mapping" not in section:
        mapping = TABLE_MAPPING
    else:
        units, derived = section.take("units"), _derived(section)
        mapping = _mapping(section.section("mapping"), units, derived)
    form = _format(section)
    section.close()
    return DataSpec(
        files=files,
        folder=folder,
        rules=ReadingRules(mapping=mapping, zone=zone, upper_bound=upper_bound, format=form),
        contributions=table,
    )


def upper_bound_of(kmh: float, *, where: str) -> int:
    """U in thousandths of km/h. Raises InputError unless it is above 0 and a multiple of 0.001."""
    thousandths = round(kmh * THOUSAND) if math.isfinite(kmh) else 0
    if not 0 < thousandths <= _MOST_KMH * THOUSAND or abs(thousandths - kmh * THOUSAND) > 1e-6:
        raise InputError(
            "The upper bound U does not fit.",
            where=where,
            mend=f"write a number above 0 and up to {_MOST_KMH} km/h, with at most three decimals",
        )
    return thousandths


def _derived(section: Section) -> DerivedSpeed | None:
    if "derived_speed" not in section:
        return None
    inner = section.section("derived_speed")
    derived = DerivedSpeed(max_gap_seconds=inner.whole("max_gap_seconds", DerivedSpeed().max_gap_seconds))
    inner.close()
    return derived


def _format(section: Section) -> FileFormat:
    inner = section.section("format", required=False)
    form = FileFormat(
        encoding=inner.text("encoding", ""),
        delimiter=inner.text("delimiter", ""),
        decimal=inner.text("decimal", AS_FOUND.decimal),
        date_order=inner.text("date_order", ""),
        sheet=inner.text("sheet", ""),
    )
    inner.close()
    return form


def _mapping(section: Section, units: object, derived: DerivedSpeed | None) -> ColumnMapping:
    if derived is not None and units is None and "unit" not in section:
        units = [{"unit": "km/h"}]  # what is derived is in km/h
    if (units is None) == ("unit" not in section):
        raise InputError(
            "The unit is named twice." if units is not None else "The unit of the value is missing.",
            where="data.mapping.unit",
            mend='write unit = "km/h", or [[data.units]] with unit, from and to',
        )
    ranges = (
        (UnitRange(unit=section.text("unit")),) if units is None else tuple(map(_unit_range, _tables(units)))
    )
    mapping = ColumnMapping(
        vehicle=section.text("vehicle"),
        time=section.text("time"),
        value=section.text("value", ""),
        derived=derived,
        latitude=section.text("latitude", ""),
        longitude=section.text("longitude", ""),
        position=section.text("position", ""),
        position_order=section.text("position_order", "lon,lat"),
        units=ranges,
        physical_max=_physical_max(section),
        box=_box(section),
    )
    section.close()
    return mapping


def _physical_max(section: Section) -> int:
    kmh = section.number("physical_max_kmh", DEFAULT_PHYSICAL_MAX / THOUSAND)
    if kmh <= 0:
        raise InputError(
            "The physical limit must be above 0.",
            where=section.where("physical_max_kmh"),
            mend="write physical_max_kmh = 200",
        )
    return round(kmh * THOUSAND)


def _tables(value: object) -> Sequence[object]:
    if isinstance(value, list) and value:
        return value
    raise InputError(
        "The units must be a list of tables.", where="data.units", mend="write [[data.units]] for each"
    )


def _unit_range(table: object) -> UnitRange:
    section = Section("data.units", table)
    unit_range = UnitRange(
        unit=section.text("unit"), first=_optional_date(section, "from"), last=_optional_date(section, "to")
    )
    section.close()
    return unit_range


def _optional_date(section: Section, key: str) -> dt.date | None:
    value = section.take(key)
    return None if value is None else _date(value, where=section.where(key))


def _box(section: Section) -> Box | None:
    where = section.where("box")
    edges = section.take("box")
    if edges is None:
        return None
    numbers = isinstance(edges, list) and all(isinstance(edge, int | float) for edge in edges)
    if numbers and len(edges) == 4 and max(map(abs, edges)) <= 180:
        south, west, north, east = map(float, edges)
        if -90 <= south < north <= 90 and -180 <= west < east <= 180:
            return Box(south=south, west=west, north=north, east=east)
    raise InputError("This is no box.", where=where, mend="write [south, west, north, east] in degrees")


def _hats(section: Section) -> tuple[int, Window]:
    resolution = require_resolution(section.whole("resolution", 7))
    slot_minutes = section.whole("slot_minutes", 60)
    ranges = _date_ranges(section.take("dates"))
    hours = section.texts("hours") if "hours" in section else ("09:00", "21:00")
    if len(hours) != 2:
        raise InputError(
            "The hours are a start and an end.", where="hats.hours", mend='write ["09:00", "21:00"]'
        )
    section.close()
    return resolution, build_window(ranges, (hours[0], hours[1]), slot_minutes)


def _date_ranges(value: object) -> tuple[DateRange, ...]:
    if isinstance(value, list) and value:
        pairs = value if all(isinstance(item, list) for item in value) else [value]
        if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return tuple(
                (_date(first, where="hats.dates"), _date(last, where="hats.dates")) for first, last in pairs
            )
    raise InputError(
        "The dates are a first and a last date, or several such pairs.",
        where="hats.dates",
        mend='write dates = ["2016-11-24", "2016-11-27"]',
    )


def _date(value: object, *, where: str) -> dt.date:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    try:
        return dt.date.fromisoformat(str(value))
    except ValueError:
        raise InputError("This is no date.", where=where, mend='write for instance "2016-11-24"') from None


def _selection(section: Section, resolution: int, folder: Path) -> tuple[SelectionRequest, str, int]:
    rule = require_rule(section.text("rule"))
    threshold = section.whole("threshold", DEFAULT_THRESHOLD) if rule.cell_file is None else None
    if threshold is not None and threshold < 1:
        raise InputError(
            "The threshold must be at least 1.", where="selection.threshold", mend="write threshold = 10"
        )
    file = section.text("file") if rule.cell_file else ""
    minimum = section.whole("minimum_vehicles", DEFAULT_MINIMUM_VEHICLES)
    if minimum < 1:
        raise InputError(
            "At least one vehicle is needed for a mean.",
            where="selection.minimum_vehicles",
            mend="write minimum_vehicles = 2",
        )
    section.close()
    cells = rule.cell_file.read(folder / file, resolution) if rule.cell_file else ()
    return SelectionRequest(rule=rule.key, threshold=threshold, cells=cells), file, minimum


def _queries(value: object, relation: Relation) -> tuple[Query, ...]:
    if not isinstance(value, list) or not value:
        raise InputError("There is no query.", where="query", mend="add [[query]]")
    queries = tuple(_query(table, relation) for table in value)
    for what, names in (
        ("id", [query.id for query in queries]),
        ("statistic", [query.question.statistic.key for query in queries]),
    ):
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise InputError(
                f"Two queries have the {what} {repeated[0]!r}.",
                where=f"query.{what}",
                mend="a release holds each statistic once: make a second spec for the other",
            )
    return queries


def _query(table: object, relation: Relation) -> Query:
    section = Section("query", table)
    query_id = section.text("id")
    if not query_id.isidentifier() or not query_id.isascii() or query_id != query_id.lower():
        raise InputError(
            "A query's id is lower-case letters, digits and underscores.",
            where="query.id",
            mend='write for instance id = "mean_speed"',
        )
    statistic = require_statistic(section.option("statistic", list(all_statistics())))
    mechanism = None if statistic.method else require_mechanism(section.text("mechanism"))
    method: AnyMechanism | AnyStatistic = mechanism or statistic
    if relation not in method.relations:
        raise InputError(
            f"{method.title} does not protect relation {relation.value!r}.",
            where="query.mechanism" if mechanism else "query.statistic",
            mend="choose another mechanism" if mechanism else "choose another statistic",
        )
    budget = _budget(section, statistic)
    given = section.section("parameters", required=False).rest()
    section.close()
    return Query(id=query_id, question=question_of(statistic, mechanism, given), budget=budget)


def _budget(section: Section, statistic: AnyStatistic) -> Budget:
    ways = {"epsilon": "0.5", "total": "10"} | ({"noise_scale": "1"} if statistic.takes_noise_scale else {})
    if sum(way in section for way in ways) != 1:
        raise InputError(
            "A query needs either an epsilon per HAT or a total per vehicle"
            + (", or a noise scale." if statistic.takes_noise_scale else "."),
            where="query",
            mend="write one of " + ", ".join(f'{way} = "{value}"' for way, value in ways.items()),
        )
    given = {way: _optional_epsilon(section, way) for way in ways}
    divide = section.option("division", DIVISIONS, EQUAL) if given["total"] is not None else EQUAL
    return Budget(
        per_hat=given["epsilon"],
        total=given["total"],
        noise_scale=given.get("noise_scale"),
        divide=divide,
    )


def _optional_epsilon(section: Section, key: str) -> Decimal | None:
    value = section.take(key)
    return None if value is None else parse_epsilon(value, where=section.where(key))
