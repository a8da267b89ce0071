"""What every column of a bundle's CSV files means: intervals, noise, counts, slots, names that clash.

Source: method 14; Frictionless DataTable Schema v2.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from core.bounding.bounding_facts import NOISY_WEIGHTS
from core.bundle.finer_rows import REST
from core.bundle.release_result import NO_INFORMATION, PUBLISHED, SUPPRESSED, QueryResult, RowCounts
from core.bundle.smoothed_facts import SIGN, unusual_hexagons, unusually_high_hexagons
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.hats.groups import DAY_KIND
from core.mechanisms.smooth_field import SMOOTH
from core.place_words import of_places, said_of
from core.privacy import Relation, Unit
from core.quantity import SPEED, Quantity
from core.signed.bundle_names import CELLS_PATH
from core.statistics.base import AnyStatistic, Label, Measure
from core.statistics.registry import all_statistics, published_statistics
from core.subject import VEHICLE, Subject

_CELL = r"8[0-9a-f]{14}"
_SLOT_START = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_SLOT_END = r"(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)"
_REGION_ID = r"r[0-9]{3,9}"
_KEY = r"[a-z0-9]+([_-][a-z0-9]+)*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: what it is called, what it may hold, what it means."""

    name: str
    type: str
    """`string`, `integer`, `number` or `date` of DataTable Schema."""
    description: str
    """Of a vehicle until `of` names another subject."""
    unit: str = ""
    required: bool = True
    """No cell may be empty; an empty cell means missing."""
    pattern: str = ""
    """What a text must match as a whole."""
    options: tuple[str, ...] = ()
    minimum: int | float | None = None
    """Negative: a sign may stand before a number."""
    maximum: int | None = None
    decimals: int | None = None
    """Exactly so many decimals are written; None: as many as the number needs."""

    def of(self, subject: Subject) -> Column:
        """The same where this is protected."""
        description = subject.says(self.description)
        return dataclasses.replace(self, name=subject.column(self.name), description=description)

    def field(self) -> dict[str, Any]:
        """The column as a DataTable Schema field."""
        constraints: dict[str, Any] = {}
        if self.required:
            constraints["required"] = True
        if self.pattern:
            constraints["pattern"] = self.pattern
        if self.options:
            constraints["enum"] = list(self.options)
        if self.minimum is not None:
            constraints["minimum"] = self.minimum
        if self.maximum is not None:
            constraints["maximum"] = self.maximum
        field: dict[str, Any] = {"name": self.name, "type": self.type, "description": self.description}
        if self.unit:
            field["unit"] = self.unit
        return field | ({"constraints": constraints} if constraints else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """One CSV file of a bundle."""

    name: str
    path: str
    title: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...]
    by_region: bool = False
    """Its rows are regions, whose outlines are in a file of their own."""
    by_place: bool = False
    """Its rows are of places that are no hexagons."""
    groups: tuple[str, ...] = ()
    """Columns of labels that tell rows of one place and time apart."""
    weight: str = ""
    """What its sums were divided by: a key of `NOISY_WEIGHTS`; empty where nothing is divided."""
    subject: Subject = VEHICLE
    counted: bool = False
    """With exact counts beside each number."""

    @property
    def mixed(self) -> bool:
        """Its hexagons are of several resolutions."""
        return REST in self.header[:3]

    @property
    def weight_column(self) -> str:
        """The column of that weight, named after the subject."""
        return self.subject.column(self.weight)

    @property
    def place(self) -> tuple[str, ...]:
        """The columns that tell its HATs apart, or its regions."""
        first, start = OTHER_PLACE_KEY if self.by_place else KEY
        return REGION_KEY if self.by_region else (first, *self.groups, start)

    def is_number_of_row(self, name: str) -> bool:
        """Whether a column holds what a suppressed row does not tell."""
        return name != PLACE_NAME.name and not next(one.required for one in self.columns if one.name == name)

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def schema(self) -> dict[str, Any]:
        """The DataTable Schema."""
        return {
            "fields": [column.field() for column in self.columns],
            "missingValues": [""],
            "primaryKey": list(self.primary_key),
        }


def _amount(
    name: str,
    description: str,
    *,
    unit: str = "",
    minimum: int | float = 0,
    required: bool = True,
    decimals: int | None = None,
) -> Column:
    """A number in that unit, or in the one of the query's first measure."""
    return Column(
        name=name,
        type="number",
        unit=unit,
        description=description,
        required=required,
        minimum=minimum,
        decimals=decimals,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What one format of bundles says in the columns that data files have in common."""

    variants: bool
    """Variants of statistics have data files, and biases of suppressed users have columns, of their own."""
    statuses: tuple[str, ...]
    status: str
    interval: str
    """Of the noise; `{end}` is `Lower` or `Upper`."""
    modelled_interval: str
    """The same where it allows for modelled bias."""


FIRST_WORDING = Wording(
    variants=False,
    statuses=(PUBLISHED, SUPPRESSED),
    status="Whether the row is published or suppressed",
    interval="{end} end of the 95 % interval of the noise",
    modelled_interval="{end} end of the 95 % interval of the noise",
)
"""Of `hexveil-privacy-1`. Never changed: bundles of that format are compared with it."""
NEWEST_WORDING = Wording(
    variants=True,
    statuses=(PUBLISHED, SUPPRESSED, NO_INFORMATION),
    status="published; suppressed: no value; no_information: noise carried a value of the row out of its "
    "range, and the interval is the whole range",
    interval="{end} end of the 95 % interval of the noise",
    modelled_interval="{end} end of the 95 % interval of the noise and, where privacy.json says so "
    "(interval_covers), of modelled bias",
)


def _in_unit(thousandths: int) -> int | float:
    """A bound as JSON writes it: whole where it is."""
    return thousandths // THOUSAND if thousandths % THOUSAND == 0 else thousandths / THOUSAND


def _epsilon(name: str, description: str, *, required: bool = True) -> Column:
    return Column(name=name, type="number", description=description, required=required, minimum=0)


def _text(name: str, description: str, *, pattern: str = "", options: tuple[str, ...] = ()) -> Column:
    return Column(name=name, type="string", description=description, pattern=pattern, options=options)


_SLOT = (
    _text("slot_start", "Start of the timeslot, local time (zone: privacy.json)", pattern=_SLOT_START),
    _text("slot_end", "End of the timeslot, exclusive; 24:00 at midnight", pattern=_SLOT_END),
)
_RESOLUTION = "h3_resolution"
GEOMETRY, BOX = "geometry", "bbox"
RELEASE_COLUMN, REMARK_COLUMN = "release", "remark"
BEFORE, AFTER = "before", "after"
STATUS_BEFORE, STATUS_AFTER = "status_before", "status_after"
_BESIDE = {GEOMETRY, BOX, RELEASE_COLUMN, REMARK_COLUMN, BEFORE, AFTER, STATUS_BEFORE, STATUS_AFTER}
"""What stands beside the columns of a table in GeoParquet files, in frames of several bundles, and in changes
from one to the next.
"""
_PLACE = (
    _text("h3_cell", "H3 cell of the hexagon, lower-case hexadecimal", pattern=_CELL),
    Column(
        name=_RESOLUTION,
        type="integer",
        description="H3 resolution of the cell",
        minimum=5,
        maximum=10,
    ),
    *_SLOT,
)
_OTHER_PLACE = (
    _text("place_id", "Id of the place: a zone, a label of the records, or all for the whole area"),
    _text("place_name", "Name of the place"),
    *_SLOT,
)
_REST = _text(
    REST,
    "true: rows of finer hexagons of this timeslot lie in the hexagon, wholly or partly, and their records "
    "count there; the row is of the others. No record counts in two rows",
    options=("true", "false"),
)
"""Of releases with hexagons of several resolutions."""
PLACE_NAME = Column(
    name="place",
    type="string",
    description="Name of the place that the middle of the hexagon lies in, or is near; of a public layer of "
    "the publisher's, and empty where that has none close by",
    required=False,
)
"""Of data files whose publisher names places; no number depends on it."""
_REGION = (
    _text("region", "Name of the region in this release", pattern=_REGION_ID),
    *_SLOT,
    _text(
        "h3_cells",
        "H3 cells of its hexagons, lower-case hexadecimal, separated by blanks: one number for all of them "
        "in these hours",
        pattern=rf"{_CELL}( {_CELL})*",
    ),
)
_EPSILON_OF_HAT = "What this hexagon and timeslot cost each protected unit in it; 0 if suppressed"
_EVEN_IF_SUPPRESSED = ", published or suppressed"
_EPSILON_OF_CANDIDATE = f"What this hexagon and timeslot cost each protected unit in it{_EVEN_IF_SUPPRESSED}"
_EPSILON_OF_REGION = "What this region cost each protected unit in it"
LABEL_DECIMALS = 3
EFFECTIVE_VEHICLES = "effective_vehicles"
_EPSILON = "epsilon"
_COUNTS = tuple(
    Column(name=name, type="integer", description=text, required=False, minimum=1)
    for name, text in (
        ("vehicles", "Vehicles with records here, exact: public in relation values; empty if suppressed"),
        ("visits", "How often a vehicle came here and left, exact; empty where that is not known"),
        ("records", "Records here, exact; empty if suppressed"),
        ("days", "Dates with a record here, exact; empty if suppressed"),
    )
)
PERIOD = _text("period", "Name of the part of the day, in place of a timeslot of one length")
"""Beside the slot, of releases whose timeslots are periods."""
KEY = ("h3_cell", "slot_start")
"""Columns that tell HATs apart."""
OTHER_PLACE_KEY = ("place_id", "slot_start")
"""The same where places are no hexagons."""
REGION_KEY = ("region",)
"""Columns that tell regions apart."""


class TableShape(NamedTuple):
    """Which of its columns a data file has, where that depends on how the numbers were made."""

    after_suppression: bool = False
    """With the bias that measures have only where users were suppressed."""
    joint: bool = False
    """With what the rows of a joint release tell beside."""
    smoothed: bool = False
    """With the smoothed number and its interval."""
    weight: str = ""
    """Column of the noisy number that sums were divided by, of relation `user`; then nothing tells a bias."""
    placed: bool = False
    """With the name of a place near each hexagon."""
    signed: bool = False
    """With the public sign that numbers were smoothed by."""
    by_place: bool = False
    """Of places that are no hexagons."""
    noisy: bool = False
    """With how much noise each number has, and the number before it was cut."""
    with_word: bool = False
    """With rows whose label is a word."""


USUAL_SHAPE = TableShape()
BY_PLACE = TableShape(by_place=True)
_FLAG = (True, False)
_SHAPES = tuple(
    TableShape(*chosen)
    for chosen in product(_FLAG, _FLAG, _FLAG, (*NOISY_WEIGHTS, ""), _FLAG, _FLAG, _FLAG, _FLAG)
    if (chosen[2] or not chosen[5]) and not (chosen[4] and chosen[6]) and not (chosen[3] and chosen[7])
)
"""The usual one last."""


def data_table(
    statistic: AnyStatistic, wording: Wording = NEWEST_WORDING, shape: TableShape = USUAL_SHAPE
) -> DataTable:
    """The data file of a statistic: place, label, measures, facts."""
    modelled = statistic.models_bias or shape.after_suppression
    interval = wording.modelled_interval if modelled else wording.interval
    label, subject = statistic.label, statistic.quantity.subject
    by_place = shape.by_place and not statistic.by_region
    labels = () if label is None else _label_columns(label, statistic.quantity, with_word=shape.with_word)
    place = REGION_KEY if statistic.by_region else OTHER_PLACE_KEY if by_place else KEY
    name = statistic.table.replace("_by_hat", "_by_place") if by_place else statistic.table
    table = DataTable(
        name=name,
        path=f"data/{name}.csv",
        title=said_of(statistic.table_title, hexagons=not by_place),
        by_place=by_place,
        primary_key=(*place, *(statistic.label.names if statistic.label else ())),
        by_region=statistic.by_region,
        weight=shape.weight,
        subject=subject,
        columns=(
            *(_REGION if statistic.by_region else _OTHER_PLACE if by_place else _PLACE),
            *((PLACE_NAME,) if shape.placed and not statistic.by_region else ()),
            *labels,
            *(
                column
                for measure in statistic.measures
                for column in _measure_columns(measure, interval, shape)
            ),
            *((_EFFECTIVE_VEHICLES.of(subject),) if shape.joint else ()),
            *((_noisy_weight(shape.weight).of(subject),) if shape.weight else ()),
            *(
                _smoothed_columns(statistic.smoothed, statistic.quantity, both_tails=shape.signed)
                if shape.smoothed and statistic.smoothed
                else ()
            ),
            *((_SIGN,) if shape.signed and statistic.smoothed else ()),
            _epsilon(_EPSILON, _epsilon_of(statistic, shape)),
            _text("mechanism", "Key of the mechanism", pattern=_KEY),
            _text("status", wording.status, options=wording.statuses),
        ),
    )
    return dataclasses.replace(table, columns=_worded(table.columns, by_place))


def _worded(columns: Iterable[Column], by_place: bool) -> tuple[Column, ...]:
    """Columns with what they mean, where places are hexagons or where they are not."""
    if not by_place:
        return tuple(columns)
    return tuple(dataclasses.replace(one, description=of_places(one.description)) for one in columns)


def _epsilon_of(statistic: AnyStatistic, shape: TableShape) -> str:
    if statistic.by_region:
        return _EPSILON_OF_REGION + (_EVEN_IF_SUPPRESSED if shape.weight else "")
    return _EPSILON_OF_CANDIDATE if shape.weight else _EPSILON_OF_HAT


def _noisy_weight(name: str) -> Column:
    return _amount(
        name,
        f"Noisy number of {NOISY_WEIGHTS[name]}: what the noisy sum was divided by; empty if suppressed",
        minimum=_ANYTHING,
        required=False,
        decimals=3,
    )


def _label_columns(label: Label, quantity: Quantity, *, with_word: bool) -> tuple[Column, ...]:
    if with_word:
        pattern = rf"[0-9]+\.[0-9]{{{LABEL_DECIMALS}}}|{label.word}"
        return (_text(label.name, label.description + label.word_description, pattern=pattern),)
    texts = zip(label.names, (label.description, label.end_description), strict=False)
    return tuple(
        _amount(
            name,
            description,
            unit=quantity.unit if label.of_value else "%",
            minimum=_in_unit(quantity.lower) if label.of_value else 0,
            decimals=LABEL_DECIMALS,
        )
        for name, description in texts
    )


def _measure_columns(measure: Measure, interval: str, shape: TableShape) -> tuple[Column, ...]:
    bias = measure.bias or (measure.suppression_bias if shape.after_suppression else "")
    bias = "" if shape.weight else bias
    least = _in_unit(measure.lower)
    columns: tuple[tuple[str, str, int | float], ...] = (
        (measure.name, measure.description, least),
        (measure.low, interval.format(end="Lower"), least),
        (measure.high, interval.format(end="Upper"), least),
        (bias, "Largest possible systematic error, besides the noise", 0),
    )
    bias_of_model = "Systematic error that a public model expects (standard deviation)"
    unclamped = "The value with noise, before it was cut to its range"
    deviation = "Standard deviation of the noise and of the bias that the interval allows for"
    columns += ((measure.modelled_bias, bias_of_model, 0),) if shape.joint else ()
    columns += ((measure.unclamped, unclamped, _ANYTHING),) if shape.joint or shape.noisy else ()
    columns += ((measure.deviation, deviation, 0),) if shape.noisy else ()
    return _in_measure(measure, columns)


_OF_SMOOTHED = "{end} end of the 95 % interval of the smoothed estimate; it covers {unusual} less often"


def _smoothed_columns(measure: Measure, quantity: Quantity, *, both_tails: bool) -> tuple[Column, ...]:
    """both_tails: named from the format on whose bundles have a public sign; earlier ones named one."""
    least = _in_unit(measure.lower)
    unusual = (unusual_hexagons if both_tails else unusually_high_hexagons)(quantity)
    columns = (
        (measure.name, measure.description, least),
        (measure.low, _OF_SMOOTHED.format(end="Lower", unusual=unusual), least),
        (measure.high, _OF_SMOOTHED.format(end="Upper", unusual=unusual), least),
    )
    return _in_measure(measure, columns)


def _in_measure(measure: Measure, columns: Iterable[tuple[str, str, int | float]]) -> tuple[Column, ...]:
    """Columns of name, description and smallest value, in the unit of a measure; empty in suppressed rows."""
    return tuple(
        _amount(
            name, description, unit=measure.unit, minimum=minimum, required=False, decimals=measure.decimals
        )
        for name, description, minimum in columns
        if name
    )


_ANYTHING = -(10**12)
"""Lower limit that a CSV column declares: below every noisy number that is written."""
_EFFECTIVE_VEHICLES = _amount(
    EFFECTIVE_VEHICLES,
    "So many vehicles of equal weight would make the value as exact",
    minimum=1,
    required=False,
    decimals=3,
)
_SIGN = dataclasses.replace(
    _amount(
        SIGN,
        "How many records each visit left here, or a timetable's speed, in standard deviations of its "
        "logarithm over the rows: public, and what the smoothed estimate starts from",
        minimum=-3,
        required=False,
        decimals=3,
    ),
    maximum=3,
)
EPSILON_SUMMARY = DataTable(
    name="epsilon_summary",
    path="data/epsilon_summary.csv",
    title="Privacy loss of every query, by unit of protection",
    primary_key=("query_id", "unit"),
    columns=(
        _text("query_id", "Name of the query"),
        _text("statistic", "What the query computes", pattern=_KEY),
        _text("mechanism", "Key of the mechanism", pattern=_KEY),
        _text("unit", "What is protected", options=tuple(unit.value for unit in Unit)),
        _text(
            "relation",
            "What neighbouring data sets differ in",
            options=tuple(relation.value for relation in Relation),
        ),
        _epsilon("epsilon", "Privacy loss of the query for this unit and relation"),
        Column(name="delta", type="number", description="Delta of the query", minimum=0, maximum=1),
        _amount("sensitivity", "Largest sensitivity over the published rows, in the unit of the value"),
        _amount("lower_bound", "Smallest possible value", decimals=3),
        _amount("upper_bound", "Largest possible value; empty: none", required=False, decimals=3),
        Column(
            name="contribution_cap",
            type="integer",
            unit="records",
            description="Most records kept of one protected unit in one hexagon and timeslot; empty: no cap",
            required=False,
            minimum=1,
        ),
        _amount("noise_scale", "Largest scale of the Laplace noise over the rows, in the unit of the value"),
        _text("composition", "How the rows' epsilons add up for this unit"),
        Column(name="period_start", type="date", description="First date of the period"),
        Column(name="period_end", type="date", description="Last date of the period"),
        _epsilon("epsilon_cumulative", "All releases so far of the same vehicles, this one included"),
        _epsilon("epsilon_limit", "The publisher's limit on it; empty: none", required=False),
    ),
)


SUMMARY_PATHS = (EPSILON_SUMMARY.path, CELLS_PATH)
"""In every bundle, beside the data files of its statistics."""
_BOUND_COLUMNS = ("lower_bound", "upper_bound")


_WITH_RHO = (
    _epsilon("epsilon", "Privacy loss of the query for this unit and relation, at delta: both parts"),
    _epsilon("epsilon_pure", "Its part of pure epsilon; the parts of queries add"),
    _epsilon("rho", "Its part of Gaussian noise, in rho (zCDP); the parts of queries add"),
    Column(
        name="delta",
        type="number",
        description="Delta at which epsilon holds, one for all releases of the same vehicles",
        minimum=0,
        maximum=1,
    ),
)
_NOISE_SCALE = _amount(
    "noise_scale",
    "Largest scale of the noise over the rows (Gaussian: standard deviation), in the unit of the value",
)


@cache
def epsilon_summary(
    quantity: Quantity = SPEED, *, with_rho: bool = False, by_place: bool = False
) -> DataTable:
    """The summary of releases of a quantity: its bounds may be negative.

    with_rho: of releases with Gaussian noise, which tell the parts that an epsilon is converted from;
    by_place: of places that are no hexagons.
    """
    least, columns = min(_in_unit(quantity.lower), 0), []
    for column in EPSILON_SUMMARY.columns:
        if column.name in _BOUND_COLUMNS:
            columns.append(dataclasses.replace(column, minimum=least))
        elif with_rho and column.name == "epsilon":
            columns += _WITH_RHO
        elif with_rho and column.name == _NOISE_SCALE.name:
            columns.append(_NOISE_SCALE)
        elif not (with_rho and column.name == "delta"):
            columns.append(column)
    worded = _worded([column.of(quantity.subject) for column in columns], by_place)
    return dataclasses.replace(EPSILON_SUMMARY, columns=worded)


def summary_of_content(
    content: bytes,
    wording: Wording = NEWEST_WORDING,
    quantity: Quantity = SPEED,
    *,
    by_place: bool = False,
) -> DataTable:
    """The summary that this header is of; the usual one, where it is of none, or the first wording's."""
    found = epsilon_summary(quantity, with_rho=True, by_place=by_place)
    same = content.partition(b"\n")[0] == ",".join(found.header).encode()
    return found if same and wording.variants else epsilon_summary(quantity, by_place=by_place)


@cache
def data_tables(
    wording: Wording = NEWEST_WORDING, quantity: Quantity = SPEED, shape: TableShape = USUAL_SHAPE
) -> dict[str, DataTable]:
    """The data file of every statistic of a quantity that is published, by the statistic's key."""
    listed = published_statistics() if wording.variants else all_statistics()
    return {key: data_table(statistic.of(quantity), wording, shape) for key, statistic in listed.items()}


def tables_among(
    files: Mapping[str, bytes], wording: Wording = NEWEST_WORDING, quantity: Quantity = SPEED
) -> dict[str, DataTable]:
    """Key of each statistic among these files below `data/` -> its table, by path and header."""
    return {
        key: table_of_content(key, files[table.path], wording, quantity)
        for shape in ((USUAL_SHAPE, BY_PLACE) if wording.variants else (USUAL_SHAPE,))
        for key, table in data_tables(wording, quantity, shape).items()
        if table.path in files
    }


@cache
def _shaped_tables(statistic: str, wording: Wording, quantity: Quantity) -> dict[TableShape, DataTable]:
    """Every data file that a statistic may have, the usual one last; of the first wording that alone."""
    if not wording.variants:
        return {USUAL_SHAPE: data_tables(wording, quantity)[statistic]}
    measured = published_statistics()[statistic].of(quantity)
    worded = measured.label is not None and measured.label.word
    shapes = (*(shape._replace(with_word=True) for shape in _SHAPES if worded), *_SHAPES)
    return {shape: data_table(measured, wording, shape) for shape in shapes}


def count_names(subject: Subject) -> tuple[str, ...]:
    """The columns of exact counts, where they are published."""
    return tuple(subject.column(name) for name in RowCounts._fields)


@cache
def with_counts(table: DataTable, *, counted: bool) -> DataTable:
    """The table with exact counts before the epsilon, where they are published."""
    if not counted:
        return table
    before = table.header.index(_EPSILON)
    columns = _worded((column.of(table.subject) for column in _COUNTS), table.by_place)
    columns = (*table.columns[:before], *columns, *table.columns[before:])
    return dataclasses.replace(table, columns=columns, counted=True)


@cache
def with_rest(table: DataTable, *, mixed: bool) -> DataTable:
    """The table with whether a row is of a rest, where hexagons are of several resolutions."""
    if not mixed:
        return table
    after = table.header.index(_RESOLUTION) + 1
    return dataclasses.replace(table, columns=(*table.columns[:after], _REST, *table.columns[after:]))


@cache
def _with_slot_columns(table: DataTable, names: tuple[str, ...]) -> DataTable:
    """The table with these columns after the slot's end."""
    if not names:
        return table
    after = table.header.index(_SLOT[-1].name) + 1
    groups = tuple(name for name in names if name != PERIOD.name)
    beside = (PERIOD if name == PERIOD.name else _group_column(name) for name in names)
    key = table.primary_key if table.by_region else (table.primary_key[0], *groups, *table.primary_key[1:])
    return dataclasses.replace(
        table,
        columns=(*table.columns[:after], *beside, *table.columns[after:]),
        primary_key=key,
        groups=groups,
    )


def _group_column(name: str) -> Column:
    if name == DAY_KIND:
        return _text(name, "Kind of day: the row is of the dates of that kind alone (privacy.json)")
    return _text(name, f"What the column {name} of the records says: the row is of records with it alone")


@cache
def require_own_columns(groups: tuple[str, ...], quantity: Quantity, *, mixed: bool = False) -> None:
    """Raise InputError for a group that is called as a column of data files is, or of what is made of them;
    mixed: with hexagons of several resolutions."""
    shaped = (_shaped_tables(key, NEWEST_WORDING, quantity) for key in published_statistics())
    taken = {name for one in shaped for table in one.values() for name in table.header}
    taken |= {PERIOD.name, "place_id", "place_name", *count_names(quantity.subject), *_BESIDE}
    taken |= {REST} if mixed else set()
    for name in groups:
        if name in taken:
            raise InputError(
                "A column of the published files is called {name} already.",
                name=name,
                where="hats.group",
                mend="give the column another public name in data.mapping.columns",
            )


def tables_for(
    query: QueryResult,
    quantity: Quantity = SPEED,
    *,
    placed: bool = False,
    by_place: bool = False,
    mixed: bool = False,
    slot_columns: tuple[str, ...] = (),
    counted: bool = False,
) -> dict[str, DataTable]:
    """Key of a statistic -> table, of all data files that a query fills: its own first.

    placed: its hexagons have names of places; by_place: its places are no hexagons; mixed: hexagons are of
    several resolutions; slot_columns: what it has beside a slot's start and end; counted: with exact counts.
    """

    def table_of(statistic: str, shape: TableShape) -> DataTable:
        shape = shape._replace(placed=placed, by_place=by_place)
        table = _with_slot_columns(_shaped_tables(statistic, NEWEST_WORDING, quantity)[shape], slot_columns)
        return with_counts(with_rest(table, mixed=mixed), counted=counted)

    own = _planned_shape(query) if query.bounding else _drawn_shape(query, quantity)
    found = {query.statistic: table_of(query.statistic, own)}
    drawn = {item.measure for row in query.rows for item in row.estimates}
    for variant in published_statistics()[query.statistic].of(quantity).variants:
        there = variant.measures[0].name in drawn or _asked(query, variant)
        if variant.beside == query.statistic and there:
            smoothed = variant.smoothed is not None and variant.smoothed.name in drawn
            smoothed = smoothed or (not drawn and _planned_shape(query).smoothed)
            shape = TableShape(smoothed=smoothed, with_word=has_word(query, variant))
            found[variant.key] = table_of(variant.key, shape)
    return found


def _asked(query: QueryResult, variant: AnyStatistic) -> bool:
    """Whether a release of relation `user` that suppresses every row was asked for this file."""
    nothing = query.bounding is not None and not any(row.estimates for row in query.rows)
    return nothing and query.facts is not None and bool(variant.labels_of(query.facts.parameters, 0))


def has_word(query: QueryResult, statistic: AnyStatistic) -> bool:
    """Whether any row of a query's data file of this statistic has a word for its label."""
    label, names = statistic.label, {one.name for one in statistic.measures}
    if label is None or not label.word:
        return False
    if _asked(query, statistic) and query.facts is not None:
        return label.word_fact in query.facts.made_by
    return any(
        item.label == label.word_number and item.measure in names
        for row in query.rows
        for item in row.estimates
    )


def _drawn_shape(query: QueryResult, quantity: Quantity) -> TableShape:
    estimates = [item for row in query.rows for item in row.estimates]
    smoothed = published_statistics()[query.statistic].of(quantity).smoothed
    return TableShape(
        after_suppression=any(item.bias_bound is not None for item in estimates),
        joint=any(item.effective_users is not None for item in estimates),
        noisy=any(item.deviation is not None for item in estimates),
        smoothed=smoothed is not None and any(item.measure == smoothed.name for item in estimates),
        signed=any(item.sign is not None for item in estimates),
    )


def _planned_shape(query: QueryResult) -> TableShape:
    """By what was asked for alone, so that no number decides about columns."""
    smoothed = query.facts is not None and bool(query.facts.parameters.get(SMOOTH, False))
    weight = query.bounding.weight if query.bounding else None
    signed = smoothed and query.bounding is not None and query.bounding.signed
    return TableShape(smoothed=smoothed, weight=weight or "", signed=signed)


def table_of_content(
    statistic: str, content: bytes, wording: Wording = NEWEST_WORDING, quantity: Quantity = SPEED
) -> DataTable:
    """The table of a statistic that a data file's header is of; the usual one, where it is of none."""
    header = content.partition(b"\n")[0]
    counts = ",".join((*count_names(quantity.subject), _EPSILON)).encode()
    if wording.variants and b"," + counts in header:
        plain = content.replace(b"," + counts, b"," + _EPSILON.encode(), 1)
        return with_counts(table_of_content(statistic, plain, wording, quantity), counted=True)
    rest = f",{_RESOLUTION},{REST},".encode()
    mixed = wording.variants and rest in header
    header = header.replace(rest, f",{_RESOLUTION},".encode(), 1) if mixed else header
    known = _tables_by_header(statistic, wording, quantity, with_word=_holds_word(statistic, content))
    if header not in known and wording.variants:
        names = tuple(next(csv.reader([header.decode("utf-8", "replace")]), []))
        after = names.index(_SLOT[-1].name) + 1 if _SLOT[-1].name in names else len(names)
        for end in range(after + 1, len(names)):
            usual = ",".join((*names[:after], *names[end:])).encode()
            if usual in known:
                return with_rest(_with_slot_columns(known[usual], names[after:end]), mixed=mixed)
    found = known.get(header) or _shaped_tables(statistic, wording, quantity)[USUAL_SHAPE]
    return with_rest(found, mixed=mixed)


def _holds_word(statistic: str, content: bytes) -> bool:
    """Whether a row's label is the word that a statistic has for rows of another kind."""
    label = published_statistics()[statistic].label
    if label is None or not label.word or f",{label.word},".encode() not in content:
        return False
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8", "replace"), newline="")))
    except csv.Error:
        return False
    return any(row.get(label.name) == label.word for row in rows)


@cache
def _tables_by_header(
    statistic: str, wording: Wording, quantity: Quantity, *, with_word: bool
) -> dict[bytes, DataTable]:
    """The data files that a statistic may have; of two with one header the first."""
    shaped = _shaped_tables(statistic, wording, quantity)
    tables = [table for shape, table in shaped.items() if shape.with_word is with_word]
    return {",".join(table.header).encode(): table for table in reversed(tables)}


def summary_for(
    queries: Iterable[QueryResult], quantity: Quantity = SPEED, *, by_place: bool = False
) -> DataTable:
    """The summary that a bundle with these queries holds."""
    with_rho = any(query.charge.rho for query in queries)
    return epsilon_summary(quantity, with_rho=with_rho, by_place=by_place)


def require_own_names(quantity: Quantity) -> None:
    """Raise InputError for a name or unit that makes two files, or two columns of one, the same."""
    twice = _called_twice(quantity)
    if twice is not None:
        raise InputError(
            f"With this name and unit two files or columns would be called {twice!r}.",
            where="data.value.name",
            mend="choose another name, or another column_unit",
        )


@cache
def _called_twice(quantity: Quantity) -> str | None:
    """The name of two files, or of two columns of one; each release of a quantity asks anew."""
    shaped = [_shaped_tables(key, NEWEST_WORDING, quantity) for key in published_statistics()]
    paths = [one[USUAL_SHAPE].path for one in shaped] + [EPSILON_SUMMARY.path]
    tables = (
        *(table for one in shaped for table in one.values()),
        epsilon_summary(quantity, with_rho=True),
    )
    for names in (paths, *(table.header for table in tables)):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            return twice[0]
    return None
