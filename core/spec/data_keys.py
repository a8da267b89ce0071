"""Explains the keys of `[data]` of a spec: files, columns, units, bounds, limits, zone, written format."""

from __future__ import annotations

import dataclasses

from core.clean.bounded_value import BoundedValue, value_number
from core.clean.mapping import (
    DEFAULT_PHYSICAL_MAX,
    PINGS,
    POSITION_ORDERS,
    REGULAR,
    ColumnMapping,
    DerivedSpeed,
    ReadingRules,
    UnitRange,
)
from core.clean.placed_positions import DEGREES, POSITION_UNITS
from core.clean.value_units import UNIT_FACTORS
from core.fixed_point import THOUSAND
from core.privacy import Relation
from core.quantity import MOST_OF_VALUE
from core.read.file_format import AS_FOUND, DATE_ORDERS, DECIMALS, MISSING_WORDS, FileFormat
from core.records.zones import require_zone
from core.spec.column_kinds import Filters, NamedColumns
from core.spec.key_checks import (
    files_or_table,
    filters_named,
    mapping_of_records,
    physical_max_of,
    speed_or_value,
    unit_named_once,
    upper_bound_of,
)
from core.spec.limits import MOST_KMH
from core.spec.schema import FIRST_IDENTITY, Key, Rule, Sub, Table, Tables, When
from core.spec.value_kinds import (
    Date,
    Edges,
    FileName,
    Flag,
    KmhFactor,
    Limits,
    NamedUnit,
    OneUnit,
    Text,
    TextOrTexts,
    Texts,
    Thousandths,
    Whole,
    is_one_unit,
)
from core.texts import text_of

_COLUMN = "A column may be a nested one, named with dots: `location.coordinates`."

MAPPING = Table(
    help=text_of("Which columns mean what, and which values are possible. {column}", column=_COLUMN),
    carrier=ColumnMapping,
    entries=(
        Key(
            name="vehicle",
            kind=TextOrTexts(),
            help="Column of the vehicle's id, or several columns that make it together: agency and number.",
            label="&Vehicle",
            word="vehicle",
            required=True,
            identity="data.mapping.vehicle",
            identity_until=FIRST_IDENTITY,
            example='"vehicle_id"',
        ),
        Key(
            name="vehicle_fold",
            kind=Flag(),
            help="Ids that differ only in invisible characters, quotes, `=`, `#` or `No.` before a number, "
            "marks of thousands, a `.0` or zeros in front are one vehicle.",
            label="Ids written alike are one vehicle",
            default=False,
            identity="data.mapping.vehicle_fold",
        ),
        Key(
            name="time",
            help="Column of the time.",
            label="&Time",
            word="time",
            required=True,
            identity="data.mapping.time",
            identity_until=FIRST_IDENTITY,
            example='"timestamp"',
        ),
        Key(
            name="date",
            help="Column of the date, if the time column has only the time of day.",
            label="&Just the date",
            word="date",
            default="",
            without="`time` holds both",
            identity="data.mapping.date",
            identity_until=FIRST_IDENTITY,
            example='"date"',
        ),
        Key(
            name="value",
            help="Column of the value: the speed, or what `[data.value]` names.",
            label="Val&ue",
            word="value",
            default="",
            without="`[data.derived_speed]` is needed",
            identity="data.mapping.value",
            identity_until=FIRST_IDENTITY,
            example='"speed"',
        ),
        Key(
            name="latitude",
            help="Column of the latitude in degrees.",
            label="L&atitude",
            word="latitude",
            default="",
            without="`position` is needed",
            identity="data.mapping.latitude",
            identity_until=FIRST_IDENTITY,
            example='"latitude"',
        ),
        Key(
            name="longitude",
            help="Column of the longitude in degrees.",
            label="L&ongitude",
            word="longitude",
            default="",
            without="`position` is needed",
            identity="data.mapping.longitude",
            identity_until=FIRST_IDENTITY,
            example='"longitude"',
        ),
        Key(
            name="position",
            help="Column with both coordinates, instead of `latitude` and `longitude`.",
            label="&Column",
            word="position",
            default="",
            without="`latitude` and `longitude` are needed",
            identity="data.mapping.position",
            identity_until=FIRST_IDENTITY,
            example='"location.coordinates"',
        ),
        Key(
            name="position_order",
            kind=Text(lambda: POSITION_ORDERS),
            help="Which coordinate comes first in `position`.",
            label="&Order",
            default="lon,lat",
            only=When(says="with `position`", holds=lambda given: bool(given["position"]), refused=False),
            always=True,
            constant="data.mapping.position_order",
            identity_until=FIRST_IDENTITY,
        ),
        Key(
            name="position_unit",
            kind=Text(lambda: POSITION_UNITS),
            help="Unit of the numbers of positions: degrees, parts of a degree, or (`ddmm`) degrees times "
            "100 plus minutes.",
            default=DEGREES,
            identity="data.mapping.position_unit",
        ),
        Key(
            name="crs",
            help="EPSG code of positions in another reference system, such as metres of a national grid.",
            default="",
            without="EPSG:4326, longitude and latitude",
            identity="data.mapping.crs",
            example='"EPSG:25832"',
        ),
        Key(
            name="unit",
            kind=OneUnit(lambda: UNIT_FACTORS),
            help="Unit of the speed for all dates.",
            label="U&nit",
            word="unit",
            without="`[[data.units]]` is needed, unless the speed is derived or the value is not a speed",
            field="units",
            identity="data.mapping.unit",
            example='"m/s"',
        ),
        Key(
            name="unit_kmh",
            kind=KmhFactor(of_all=True),
            help="Instead of `unit`: how many km/h one unit of the column is, for all dates.",
            without="`unit` is needed",
            field="units",
            example="0.036",
        ),
        Key(
            name="physical_max_kmh",
            kind=Thousandths(physical_max_of, "U or above", unsaid=DEFAULT_PHYSICAL_MAX),
            help="Speeds above it are impossible, and dropped; so are those below 0.",
            label="Ph&ysical max.",
            without=text_of("{value}, or U where that is more", value=DEFAULT_PHYSICAL_MAX // THOUSAND),
            example="250",
            field="physical_max",
            constant="data.physical_max",
        ),
        Key(
            name="box",
            kind=Edges(),
            help="Positions outside are dropped.",
            label="Bo&x (degrees)",
            without="no box",
            constant="data.box",
            example="[30.0, -98.0, 30.7, -97.5]",
        ),
        Key(
            name="columns",
            kind=NamedColumns(),
            help="Other columns that the release uses, each with a public name, for instance for "
            "`[data.filter]`.",
            default=(),
            field="public_columns",
            identity="data.mapping.columns",
            identity_until=FIRST_IDENTITY,
            without="none",
            example='{ direction = "trip_direction" }',
        ),
    ),
)

_BOUND = Thousandths(
    value_number,
    text_of(
        "from -{most_of_value} to {most_of_value2}, three decimals",
        most_of_value=f"{MOST_OF_VALUE:,}",
        most_of_value2=f"{MOST_OF_VALUE:,}",
    ),
)


def _name_of_value(name: str, label: str, help_text: str, example: str) -> Key:
    """A text of `[data.value]`."""
    return Key(
        name=name,
        help=help_text,
        label=label,
        required=True,
        constant=name,
        example=example,
    )


def _bound_of_value(name: str, label: str, help_text: str, example: str) -> Key:
    """A bound or a limit of `[data.value]`."""
    return dataclasses.replace(_name_of_value(name, label, help_text, example), kind=_BOUND)


VALUE = Table(
    help="A value other than speed: a delay, an occupancy. All columns and texts use its name and unit.",
    carrier=BoundedValue,
    entries=(
        _name_of_value(
            "name",
            "Name &in files",
            "Its name in columns and files: lower-case letters, digits and underscores.",
            '"delay"',
        ),
        _name_of_value(
            "column_unit", "Unit in file&s", "Its unit in names of columns, in the same letters.", '"s"'
        ),
        _name_of_value("unit", "U&nit", "Its unit as people read it.", '"s"'),
        _bound_of_value(
            "lower", "Lo&wer bound", "Public lower bound; smaller values are raised to it.", "-600"
        ),
        _bound_of_value(
            "upper", "Upper &bound", "Public upper bound; larger values are lowered to it.", "1800"
        ),
        _bound_of_value(
            "physical_min",
            "Ph&ysical low",
            "Values below it are impossible, and dropped; at most `lower`.",
            "-7200",
        ),
        _bound_of_value(
            "physical_max",
            "Physical hi&gh",
            "Values above it are impossible, and dropped; at least `upper`.",
            "7200",
        ),
    ),
)

UNITS_TABLE = Table(
    help="The unit of the speed by date, instead of `unit`. A date has at most one; records of a date "
    "without one are dropped.",
    carrier=UnitRange,
    entries=(
        Key(
            name="unit",
            kind=NamedUnit(lambda: UNIT_FACTORS),
            help="Unit of these dates.",
            without="`unit_kmh` is needed",
            constant="unit",
            example='"mph"',
        ),
        Key(
            name="unit_kmh",
            kind=KmhFactor(),
            help="Instead of `unit`: how many km/h one unit of the column is.",
            without="`unit` is needed",
            field="unit",
            example="0.036",
        ),
        Key(
            name="from",
            kind=Date(),
            help="First local date.",
            without="from the beginning",
            field="first",
            constant="from",
            example='"2015-03-18"',
        ),
        Key(
            name="to",
            kind=Date(),
            help="Last local date.",
            without="to the end",
            field="last",
            constant="to",
            example='"2015-09-06"',
        ),
    ),
)

DERIVED_SPEED = Table(
    help="Speed from consecutive positions, instead of `value` and its unit. Relation `values` can show it "
    "but not release it.",
    carrier=DerivedSpeed,
    entries=(
        Key(
            name="max_gap_seconds",
            kind=Whole("at least 1"),
            help="After a longer pause of the vehicle there is no speed.",
            label="Longest &gap",
            default=DerivedSpeed().max_gap_seconds,
            always=True,
            constant="max_gap_seconds",
        ),
    ),
)

FORMAT = Table(
    help="How the text of the files is written, where a file does not say so itself.",
    carrier=FileFormat,
    entries=(
        Key(
            name="encoding",
            help="Encoding of the text, by Python's name.",
            label="&Encoding",
            word="encoding",
            default=AS_FOUND.encoding,
            without="UTF-8, or what a byte-order mark says",
            constant="encoding",
            example='"cp1252"',
        ),
        Key(
            name="delimiter",
            help="The character between the cells of CSV.",
            label="&Delimiter",
            default=AS_FOUND.delimiter,
            without="the one of the first line",
            constant="delimiter",
            example='";"',
        ),
        Key(
            name="decimal",
            kind=Text(lambda: DECIMALS),
            help="Decimal mark of numbers in text; `.,` where some have a point and others a comma.",
            label="Decimal &mark",
            word="decimal mark",
            default=AS_FOUND.decimal,
            constant="decimal",
        ),
        Key(
            name="date_order",
            kind=Text(lambda: DATE_ORDERS),
            help="How dates like 03/04/2023 are read.",
            label="Day, mont&h",
            word="order of day and month",
            default=AS_FOUND.date_order,
            without="they are not read",
            constant="date_order",
            example='"dmy"',
        ),
        Key(
            name="sheet",
            kind=TextOrTexts(),
            help='Sheet of a workbook, several sheets with the same columns, or "all".',
            label="Wor&ksheet",
            word="worksheet",
            default=AS_FOUND.sheet,
            without="the only one with data",
            constant="sheet",
            example='"May"',
        ),
        Key(
            name="skip_lines",
            kind=Whole("0 to 100"),
            help="Lines above the names of columns, such as titles; in a workbook rows.",
            default=AS_FOUND.skip_lines,
            identity="skip_lines",
        ),
        Key(
            name="missing",
            kind=Texts(empty_allowed=True),
            help='Words that mean "no value" in every column.',
            default=MISSING_WORDS,
            identity="missing",
        ),
        Key(
            name="records",
            help="List in JSON that contains the records; dots for nested names.",
            default=AS_FOUND.records,
            without="the first with a position and a time, and all with its fields; in user the first",
            identity="records",
            example='"data.vehicles"',
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
            help="A contribution table in place of records: file, or folder of parts, relative to this file.",
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
            name="skip_damaged",
            kind=Flag(),
            help="Files that cannot be read are left out, counted and named in the report. In relation "
            "`user` nothing in a file may decide whether the rest of it counts.",
            label="Leave out files that cannot be read",
            word="files that cannot be read",
            relation=Relation.VALUES,
            default=False,
            without="one that cannot be read refuses all, and all of them are listed",
        ),
        Key(
            name="zone",
            help="IANA time zone of the data set.",
            label="Time &zone",
            word="zone",
            required=True,
            check=require_zone,
            constant="data.zone",
            example='"America/Chicago"',
        ),
        Rule(
            says="`[data.value]` replaces `upper_bound_kmh`, `physical_max_kmh`, `unit`, `unit_kmh`, "
            "`[[data.units]]` and `[data.derived_speed]`.",
            check=speed_or_value,
        ),
        Key(
            name="value",
            kind=Sub(VALUE),
            help="The value, if it is not a speed.",
            word="quantity",
            without="a speed",
            identity="data.value",
        ),
        Key(
            name="upper_bound_kmh",
            kind=Thousandths(
                upper_bound_of, text_of("above 0, at most {most_kmh}, three decimals", most_kmh=MOST_KMH)
            ),
            help="The public upper bound U of the speed, in km/h; higher speeds are lowered to U.",
            label="Upper &bound U",
            required=True,
            only=When(says="without `[data.value]`", holds=lambda given: given["value"] is None),
            field="upper_bound",
            constant="data.upper_bound",
            example="65.0",
        ),
        Key(
            name="pings",
            kind=Text(lambda: PINGS),
            help="Whether records come at a fixed rate, so that a slow vehicle gives more of them, or each "
            "is a separate event, such as the end of a trip. It has no effect in relation `user`.",
            label="K&ind of records",
            word="kind of records",
            default=REGULAR,
        ),
        Key(
            name="derived_speed_in_table",
            kind=Flag(),
            help="Whether speeds were derived from positions, for a table of version 1 that does not say.",
            without="the table says so itself",
            only=When(says="with `contributions`", holds=lambda given: given["contributions"] is not None),
            field="",
            example="false",
        ),
        Key(
            name="physical_limits_in_table",
            kind=Limits(),
            help="Smallest and largest value that counted as possible when the table was made, if the table "
            "does not say; neither lies inside the bounds of the value.",
            without="the table says so itself",
            only=When(says="with `contributions`", holds=lambda given: given["contributions"] is not None),
            field="",
            example="[0.0, 200.0]",
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
            name="filter",
            kind=Filters(),
            help="Only records with these texts in a column count; with `not_` before its name, only the "
            "others. Columns and texts are published.",
            default=(),
            field="filters",
            identity="data.filter",
            without="all records",
            example='{ direction = ["UP", "DN"] }',
        ),
        Rule(
            says="A filter uses columns with a public name in `[data.mapping]`, never those of value, time "
            "and position, and the vehicle's only with `not_`.",
            check=filters_named,
        ),
        Key(
            name="units",
            kind=Tables(
                UNITS_TABLE,
                ("The units must be a list of tables.", "write [[data.units]] for each"),
                stated_elsewhere=is_one_unit,
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
            relation=Relation.USER,
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
