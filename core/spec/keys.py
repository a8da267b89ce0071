"""Every key of a spec file: one row each, and nowhere else.

A new key is a row here and the field of the dataclass that carries it. It is then read, checked, written,
part of what makes two requests the same (if `identity` says where), and in docs/file-formats.md after
`make docs`. A field of the window takes its label from here (`ui.kit.spec_words`).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from core.accounting.budgets import DIVISIONS, EQUAL
from core.clean.bounded_value import BoundedValue, value_number
from core.clean.mapping import (
    DEFAULT_PHYSICAL_MAX,
    POSITION_ORDERS,
    ColumnMapping,
    DerivedSpeed,
    ReadingRules,
    UnitRange,
)
from core.clean.units import UNIT_FACTORS
from core.hats.cells import RESOLUTIONS, require_resolution
from core.hats.slots import SLOT_MINUTES
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation, Unit
from core.quantity import MOST_OF_VALUE
from core.read.file_format import AS_FOUND, DATE_ORDERS, DECIMALS, FileFormat
from core.records.zones import require_zone
from core.selection.rules import all_rules, require_rule
from core.spec.checks import (
    at_least_one,
    files_or_table,
    mapping_of_records,
    one_budget,
    physical_max_of,
    require_offered_relation,
    require_query_id,
    speed_or_value,
    statistic_of,
    takes_file,
    unit_named_once,
    upper_bound_of,
)
from core.spec.defaults import DEFAULT_MINIMUM_VEHICLES, DEFAULT_THRESHOLD
from core.spec.kinds import (
    Date,
    DateRanges,
    Edges,
    EnumMember,
    Epsilon,
    FileName,
    Flag,
    Hours,
    OneUnit,
    Option,
    Parameters,
    Text,
    Texts,
    Thousandths,
    Whole,
    is_one_unit,
)
from core.spec.limits import MOST_KMH
from core.spec.schema import Key, Rule, Sub, Table, Tables, When
from core.statistics.registry import all_statistics
from core.texts import ReleaseTexts
from core.values import THOUSAND

RELEASE_TABLE = Table(
    help="What people read about the release. Texts change nothing of what is published in numbers.",
    carrier=ReleaseTexts,
    entries=(
        Key(
            name="name",
            kind=Text(),
            help="First part of the bundle's folder: lower-case letters, digits and single hyphens.",
            label="&Name",
            required=True,
            part="texts",
            example='"austin-bus-speed"',
        ),
        Key(
            name="version",
            kind=Text(),
            help="Second part of the folder: three numbers.",
            label="&Version",
            required=True,
            part="texts",
            example='"1.0.0"',
        ),
        Key(
            name="title",
            kind=Text(),
            help="One line that says what the data are.",
            label="&Title",
            required=True,
            part="texts",
            example='"Bus speeds by hexagon and hour"',
        ),
        Key(
            name="publisher",
            kind=Text(),
            help="Who publishes and answers for it.",
            label="&Publisher",
            required=True,
            part="texts",
            example='"City"',
        ),
        Key(
            name="contact",
            kind=Text(),
            help="Where readers can ask.",
            label="&Contact",
            required=True,
            part="texts",
            example='"opendata@city.example"',
        ),
        Key(
            name="licence",
            kind=Text(),
            help="The terms of the data: an SPDX name, or a text of your own.",
            label="&Licence",
            required=True,
            part="texts",
            example='"CC-BY-4.0"',
        ),
    ),
)

_COLUMN = "A column may be a nested one, named with dots: `location.coordinates`."

MAPPING = Table(
    help=f"Which columns mean what, and which values are possible. {_COLUMN}",
    carrier=ColumnMapping,
    entries=(
        Key(
            name="vehicle",
            kind=Text(),
            help="Column of the vehicle's id.",
            label="&Vehicle",
            word="vehicle",
            required=True,
            identity="data.mapping.vehicle",
            example='"vehicle_id"',
        ),
        Key(
            name="time",
            kind=Text(),
            help="Column of the time.",
            label="&Time",
            word="time",
            required=True,
            identity="data.mapping.time",
            example='"timestamp"',
        ),
        Key(
            name="value",
            kind=Text(),
            help="Column of the value: the speed, or what `[data.value]` names.",
            label="Val&ue",
            word="value",
            default="",
            without="`[data.derived_speed]` is needed",
            identity="data.mapping.value",
            example='"speed"',
        ),
        Key(
            name="latitude",
            kind=Text(),
            help="Column of the latitude in degrees.",
            label="L&atitude",
            word="latitude",
            default="",
            without="`position` is needed",
            identity="data.mapping.latitude",
            example='"latitude"',
        ),
        Key(
            name="longitude",
            kind=Text(),
            help="Column of the longitude in degrees.",
            label="L&ongitude",
            word="longitude",
            default="",
            without="`position` is needed",
            identity="data.mapping.longitude",
            example='"longitude"',
        ),
        Key(
            name="position",
            kind=Text(),
            help="Column that holds both coordinates, in place of `latitude` and `longitude`.",
            label="&Column",
            word="position",
            default="",
            without="`latitude` and `longitude` are needed",
            identity="data.mapping.position",
            example='"location.coordinates"',
        ),
        Key(
            name="position_order",
            kind=Text(lambda: POSITION_ORDERS),
            help="Which coordinate comes first in `position`.",
            label="O&rder",
            default="lon,lat",
            only=When(says="with `position`", holds=lambda given: bool(given["position"]), refused=False),
            always=True,
            identity="data.mapping.position_order",
            constant=True,
        ),
        Key(
            name="unit",
            kind=OneUnit(lambda: UNIT_FACTORS),
            help="Unit of the speed for all dates.",
            label="U&nit",
            word="unit",
            without="`[[data.units]]` is needed, unless the speed is derived or the value is no speed",
            field="units",
            identity="data.mapping.unit",
            example='"m/s"',
        ),
        Key(
            name="physical_max_kmh",
            kind=Thousandths(physical_max_of, "U or above", unsaid=DEFAULT_PHYSICAL_MAX),
            help="Speeds above it are impossible, and dropped; so are those below 0.",
            label="Ph&ysical max.",
            without=f"{DEFAULT_PHYSICAL_MAX // THOUSAND}, or U where that is more",
            example="250",
            field="physical_max",
            identity="data.physical_max",
            constant=True,
        ),
        Key(
            name="box",
            kind=Edges(),
            help="Positions outside are dropped.",
            label="Bo&x (degrees)",
            without="no box",
            identity="data.box",
            constant=True,
            example="[30.0, -98.0, 30.7, -97.5]",
        ),
    ),
)

_BOUND = Thousandths(value_number, f"from -{MOST_OF_VALUE:,} to {MOST_OF_VALUE:,}, three decimals")


def _name_of_value(name: str, label: str, help_text: str, example: str) -> Key:
    """A text of `[data.value]`."""
    return Key(
        name=name,
        kind=Text(),
        help=help_text,
        label=label,
        required=True,
        identity=name,
        constant=True,
        example=example,
    )


def _bound_of_value(name: str, label: str, help_text: str, example: str) -> Key:
    """A bound or a limit of `[data.value]`."""
    return dataclasses.replace(_name_of_value(name, label, help_text, example), kind=_BOUND)


VALUE = Table(
    help="A value that is no speed: a delay, an occupancy. Its name and unit stand in all columns and texts.",
    carrier=BoundedValue,
    entries=(
        _name_of_value(
            "name",
            "&Name",
            "What columns and files call it: lower-case letters, digits and underscores.",
            '"delay"',
        ),
        _name_of_value(
            "column_unit", "In column&s", "What columns call its unit, in the same letters.", '"s"'
        ),
        _name_of_value("unit", "Un&it", "Its unit as people read it.", '"s"'),
        _bound_of_value("lower", "Lo&wer bound", "Public; smaller values count as it.", "-600"),
        _bound_of_value("upper", "Upper &bound", "Public; larger values count as it.", "1800"),
        _bound_of_value(
            "physical_min",
            "Physical &from",
            "Values below it are impossible, and dropped; at most `lower`.",
            "-7200",
        ),
        _bound_of_value(
            "physical_max",
            "Ph&ysical to",
            "Values above it are impossible, and dropped; at least `upper`.",
            "7200",
        ),
    ),
)

UNITS_TABLE = Table(
    help="The unit of the speed by date, in place of `unit`. No date may have two; records of a date without "
    "any are dropped.",
    carrier=UnitRange,
    entries=(
        Key(
            name="unit",
            kind=Text(lambda: UNIT_FACTORS),
            help="Unit of these dates.",
            required=True,
            identity="unit",
            example='"mph"',
        ),
        Key(
            name="from",
            kind=Date(),
            help="First local date.",
            without="from the beginning",
            field="first",
            identity="from",
            constant=True,
            example='"2015-03-18"',
        ),
        Key(
            name="to",
            kind=Date(),
            help="Last local date.",
            without="to the end",
            field="last",
            identity="to",
            constant=True,
            example='"2015-09-06"',
        ),
    ),
)

DERIVED_SPEED = Table(
    help="Speed from consecutive positions, in place of `value` and its unit. For analysis only: relation "
    "`values` cannot release it.",
    carrier=DerivedSpeed,
    entries=(
        Key(
            name="max_gap_seconds",
            kind=Whole("at least 1"),
            help="After a longer pause of the vehicle there is no speed.",
            label="Longest &gap",
            default=DerivedSpeed().max_gap_seconds,
            always=True,
            identity="max_gap_seconds",
            constant=True,
        ),
    ),
)

FORMAT = Table(
    help="How the text of the files is written, as far as a file does not say so itself.",
    carrier=FileFormat,
    entries=(
        Key(
            name="encoding",
            kind=Text(),
            help="Encoding of the text, by Python's name.",
            label="&Encoding",
            word="encoding",
            default=AS_FOUND.encoding,
            without="UTF-8, or what a byte-order mark says",
            identity="encoding",
            constant=True,
            example='"cp1252"',
        ),
        Key(
            name="delimiter",
            kind=Text(),
            help="The character between the cells of CSV.",
            label="&Delimiter",
            default=AS_FOUND.delimiter,
            without="the one of the first line",
            identity="delimiter",
            constant=True,
            example='";"',
        ),
        Key(
            name="decimal",
            kind=Text(lambda: DECIMALS),
            help="Decimal mark of numbers in text.",
            label="Decimal &mark",
            word="decimal mark",
            default=AS_FOUND.decimal,
            identity="decimal",
            constant=True,
        ),
        Key(
            name="date_order",
            kind=Text(lambda: DATE_ORDERS),
            help="How dates like 03/04/2023 are read.",
            label="Day, mont&h",
            word="order of day and month",
            default=AS_FOUND.date_order,
            without="they are not read",
            identity="date_order",
            constant=True,
            example='"dmy"',
        ),
        Key(
            name="sheet",
            kind=Text(),
            help="Sheet of a workbook.",
            label="Wor&ksheet",
            word="worksheet",
            default=AS_FOUND.sheet,
            without="the only one with data",
            identity="sheet",
            constant=True,
            example='"May"',
        ),
    ),
)

DATA = Table(
    help="Which files, and how they are read.",
    carrier=ReadingRules,
    entries=(
        Rule(says="Either `files` or `contributions`.", check=files_or_table),
        Key(
            name="contributions",
            kind=FileName(),
            help="A contribution table in place of records, as a path relative to this file.",
            without="`files` is needed",
            field="",
            example='"table.parquet"',
        ),
        Key(
            name="files",
            kind=Texts(),
            help="Files, patterns and folders of records, relative to this file.",
            without="`contributions` is needed",
            field="",
            example='["2015/*.csv.gz", "2016"]',
        ),
        Key(
            name="zone",
            kind=Text(),
            help="IANA time zone of the data set.",
            label="Time &zone",
            word="zone",
            required=True,
            check=require_zone,
            identity="data.zone",
            constant=True,
            example='"America/Chicago"',
        ),
        Rule(
            says="`[data.value]` stands in place of `upper_bound_kmh`, `physical_max_kmh`, `unit`, "
            "`[[data.units]]` and `[data.derived_speed]`.",
            check=speed_or_value,
        ),
        Key(
            name="value",
            kind=Sub(VALUE),
            help="What the value is, where it is no speed.",
            word="quantity",
            without="a speed",
            identity="data.value",
        ),
        Key(
            name="upper_bound_kmh",
            kind=Thousandths(upper_bound_of, f"above 0, at most {MOST_KMH}, three decimals"),
            help="The public upper bound U of the speed, in km/h; larger ones count as U.",
            label="Upper &bound U",
            required=True,
            only=When(says="without `[data.value]`", holds=lambda given: given["value"] is None),
            field="upper_bound",
            identity="data.upper_bound",
            constant=True,
            example="65.0",
        ),
        Rule(says="A contribution table needs no `[data.mapping]`; files do.", check=mapping_of_records),
        Rule(
            says="A speed needs `unit` of `[data.mapping]` or `[[data.units]]`, unless it is derived.",
            check=unit_named_once,
        ),
        Key(
            name="mapping",
            kind=Sub(MAPPING),
            help="Which columns mean what.",
            without="needed with `files`",
        ),
        Key(
            name="units",
            kind=Tables(
                UNITS_TABLE,
                ("The units must be a list of tables.", "write [[data.units]] for each"),
                told_elsewhere=is_one_unit,
            ),
            help="The unit of the speed, where it changes with the date.",
            without="`unit` is needed",
            only=When(says="with `[data.mapping]`", holds=lambda given: given["mapping"] is not None),
            part="mapping",
            identity="data.mapping.unit",
        ),
        Key(
            name="derived_speed",
            kind=Sub(DERIVED_SPEED),
            help="Speed from positions.",
            without="the value has a column",
            only=When(says="with `[data.mapping]`", holds=lambda given: given["mapping"] is not None),
            part="mapping",
            field="derived",
            identity="data.mapping.derived_speed",
        ),
        Key(
            name="format",
            kind=Sub(FORMAT),
            help="How the files are written.",
            default=AS_FOUND,
            identity="data.format",
            without="as the files tell",
        ),
    ),
)

HATS = Table(
    help="The grid and the window.",
    entries=(
        Key(
            name="resolution",
            kind=Whole(f"{RESOLUTIONS.start} to {RESOLUTIONS.stop - 1}"),
            help="H3 resolution of the hexagons.",
            label="&Resolution",
            default=7,
            check=require_resolution,
            always=True,
            identity="hats.resolution",
            constant=True,
        ),
        Key(
            name="slot_minutes",
            kind=Whole("one of " + ", ".join(map(str, SLOT_MINUTES))),
            help="Length of a timeslot in minutes.",
            label="&Timeslot",
            default=60,
            part="window",
            always=True,
            identity="hats.slot_minutes",
            constant=True,
        ),
        Key(
            name="dates",
            kind=DateRanges(),
            help="The local dates of the release, both ends included.",
            required=True,
            part="window",
            field="date_ranges",
            identity="hats.dates",
            constant=True,
            example='["2016-11-24", "2016-11-27"]',
        ),
        Key(
            name="hours",
            kind=Hours(),
            help="The local hours of each date, multiples of the slot.",
            label="&Hours",
            default=("09:00", "21:00"),
            part="window",
            always=True,
            identity="hats.hours",
            constant=True,
        ),
    ),
)

SELECTION = Table(
    help="Which HATs are published.",
    entries=(
        Key(
            name="rule",
            kind=Text(lambda: all_rules()),
            help="How HATs are chosen.",
            label="&Selection",
            required=True,
            check=lambda key: require_rule(key).key,
            part="selection",
            identity="selection.rule",
            constant=True,
            example='"hat"',
        ),
        Key(
            name="threshold",
            kind=Whole("at least 1"),
            help="Distinct vehicles a day, on average over the dates of the window, that a HAT needs.",
            label="T&hreshold",
            default=DEFAULT_THRESHOLD,
            check=at_least_one("The threshold must be at least 1.", where="selection.threshold", example=10),
            only=When(says="with a rule that takes no file", holds=lambda given: not takes_file(given)),
            part="selection",
            always=True,
            identity="selection.threshold",
            constant=True,
        ),
        Key(
            name="file",
            kind=FileName(),
            help="GeoJSON of the boundary or list of hexagons, relative to this file.",
            label="&Cells from",
            required=True,
            only=When(says="with a rule that takes a file", holds=takes_file),
            field="cells_file",
            identity="selection.cells",
            identity_of="selection.cells",
            constant=True,
            example='"ward.geojson"',
        ),
        Key(
            name="minimum_vehicles",
            kind=Whole("at least 1"),
            help="HATs with fewer vehicles over the window are suppressed.",
            label="&Minimum vehicles",
            default=DEFAULT_MINIMUM_VEHICLES,
            check=at_least_one(
                "At least one vehicle is needed for a mean.", where="selection.minimum_vehicles", example=2
            ),
            always=True,
            identity="selection.minimum_vehicles",
            constant=True,
        ),
    ),
)

PRIVACY_TABLE = Table(
    help="Who is protected, and whose budget is charged.",
    entries=(
        Key(
            name="population",
            kind=Text(),
            help="The ledger's name of the vehicles whose budget is charged.",
            label="Population",
            required=True,
            example='"Austin buses"',
        ),
        Key(
            name="relation",
            kind=EnumMember(Relation),
            help="What neighbouring data sets differ in.",
            label="Relation",
            required=True,
            check=require_offered_relation,
            identity="privacy.relation",
            constant=True,
            example='"values"',
        ),
        Key(
            name="unit",
            kind=EnumMember(Unit),
            help="Whose records may differ.",
            label="Unit",
            required=True,
            identity="privacy.unit",
            constant=True,
            example='"vehicle"',
        ),
        Key(
            name="confirmed",
            kind=Flag(),
            help="You confirm that the relation is right for these data; without it nothing is released.",
            label="I &confirm this for my data",
            default=False,
            always=True,
            example="true",
        ),
    ),
)

QUERY = Table(
    help="One statistic, how it is answered and for how much. A release holds each statistic once.",
    entries=(
        Key(
            name="id",
            kind=Text(),
            help="Its name in tables and ledger: lower-case letters, digits and underscores.",
            required=True,
            check=require_query_id,
            identity="id",
            constant=True,
            example='"mean_speed"',
        ),
        Key(
            name="statistic",
            kind=Option(lambda: all_statistics()),
            help="What is asked of every HAT.",
            required=True,
            identity="statistic",
            constant=True,
            example='"mean"',
        ),
        Key(
            name="mechanism",
            kind=Text(lambda: all_mechanisms()),
            help="How it is answered.",
            label="Mechanism",
            required=True,
            only=When(
                says="with a statistic that has no method of its own",
                holds=lambda given: not statistic_of(given).method,
            ),
            identity="mechanism",
            constant=True,
            example='"array-averaging"',
        ),
        Rule(says="One of `epsilon`, `total` and `noise_scale`.", check=one_budget),
        Key(
            name="epsilon",
            kind=Epsilon(),
            help="Epsilon of each HAT.",
            without="another budget is needed",
            part="budget",
            field="per_hat",
            identity="per_hat",
            constant=True,
            example='"0.5"',
        ),
        Key(
            name="total",
            kind=Epsilon(),
            help="Epsilon of a vehicle, divided over its HATs.",
            without="another budget is needed",
            part="budget",
            identity="total",
            constant=True,
            example='"10"',
        ),
        Key(
            name="noise_scale",
            kind=Epsilon(),
            help="Laplace scale B of each HAT, in the statistic's unit.",
            without="another budget is needed",
            only=When(
                says="with `query1` and `query2`", holds=lambda given: statistic_of(given).takes_noise_scale
            ),
            part="budget",
            identity="noise_scale",
            constant=True,
            example='"1"',
        ),
        Key(
            name="division",
            kind=Option(lambda: DIVISIONS),
            help="How the total is divided: the same for each HAT, or more where it helps more.",
            default=EQUAL,
            only=When(says="with `total`", holds=lambda given: given["total"] is not None),
            part="budget",
            field="divide",
            always=True,
            identity="division",
            identity_of="budget.division",
            constant=True,
        ),
        Key(
            name="parameters",
            kind=Parameters(),
            help="Of the mechanism, or of a statistic with a method of its own.",
            without="each has its default",
            always=True,
            identity="parameters",
            constant=True,
        ),
    ),
)

SPEC = Table(
    help="A release spec.",
    entries=(
        Key(name="release", kind=Sub(RELEASE_TABLE), help="The texts.", required=True),
        Key(name="data", kind=Sub(DATA), help="The records.", required=True),
        Key(name="hats", kind=Sub(HATS), help="The grid and the window.", required=True),
        Key(name="selection", kind=Sub(SELECTION), help="Which HATs.", required=True),
        Key(name="privacy", kind=Sub(PRIVACY_TABLE), help="Who is protected.", required=True),
        Key(
            name="query",
            kind=Tables(QUERY, ("There is no query.", "add [[query]]")),
            help="What is published.",
            required=True,
            field="queries",
            identity="queries",
        ),
    ),
)
"""The whole file."""


def default_of(path: str) -> Any:
    """The default of the key at a path with dots: `hats.resolution`."""
    return SPEC.key(path).default
