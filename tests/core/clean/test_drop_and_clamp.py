"""Cleaning: order of work, reasons, units, clamping."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.clean.bounded_value import BoundedValue
from core.clean.drop_and_clamp import CleanBatch, clean_batch, judged_rows, parse_batch
from core.clean.ingest_report import REASONS
from core.clean.mapping import Box, ColumnMapping, DerivedSpeed, ReadingRules, UnitRange
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.read.file_format import FileFormat
from tests.records import (
    COLUMNS,
    MAPPING,
    SECRET,
    UPPER_BOUND,
    ZONE,
    assert_tells,
    instant,
    mapping_in,
    rules,
)

GOOD = {
    "license_plate": "bus 1",
    "observationDateTime": "2022-01-01T10:10:35+05:30",
    "latitude": "21.19",
    "longitude": "72.83",
    "speed": "30",
}
NOW = instant("2022-06-01T00:00:00Z")


def _clean(
    *changes: dict[str, Any],
    mapping: ColumnMapping = MAPPING,
    zone: str = ZONE,
    upper_bound: int = UPPER_BOUND,
) -> CleanBatch:
    rows = [GOOD | change for change in changes]
    table = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in COLUMNS})
    reading = rules(mapping, zone=zone, upper_bound=upper_bound)
    return clean_batch(parse_batch(table, reading), reading, zone, NOW)


def _reason(change: dict[str, Any], **more: Any) -> str:
    """The one reason for which a row is dropped; empty where it is kept."""
    batch = _clean(change, **more)
    reasons = [reason for reason, count in batch.dropped.items() if count]
    assert len(reasons) + batch.value.size == 1
    return "".join(reasons)


def test_a_date_apart_is_read_with_its_time_of_day() -> None:
    mapping = mapping_in("km/h", date="day")
    cells = GOOD | {"day": "01/02/2022", "observationDateTime": "10:10:35"}
    rows = [cells, cells | {"day": "14/02/2022"}, cells | {"day": ""}, cells | {"observationDateTime": None}]
    rows += [cells | {"day": "noon"}]
    table = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in mapping.columns})
    for order, days in (("dmy", ["2022-02-01", "2022-02-14"]), ("mdy", ["2022-01-02"])):
        reading = dataclasses.replace(rules(mapping), format=FileFormat(date_order=order))
        batch = clean_batch(parse_batch(table, reading), reading, ZONE, NOW)
        assert batch.instant.tolist() == [instant(f"{day}T10:10:35") for day in days]
        dropped = {reason: count for reason, count in batch.dropped.items() if count}
        assert dropped == {"no_time": 2, "unparsable": 3 - len(days)}


BAD_CELLS: list[tuple[str, str, str | None]] = [
    ("no_id", "license_plate", ""),
    ("no_id", "license_plate", "  "),
    ("no_id", "license_plate", None),
    ("no_time", "observationDateTime", ""),
    ("no_time", "observationDateTime", None),
    ("no_position", "latitude", ""),
    ("no_position", "longitude", None),
    ("no_value", "speed", ""),
    ("no_value", "speed", None),
    ("unparsable", "observationDateTime", "noon"),
    ("unparsable", "latitude", "north"),
    ("unparsable", "longitude", "72,83"),
    ("unparsable", "speed", "fast"),
    ("no_value", "speed", "nan"),
    ("value_limit", "speed", "-0.01"),
    ("value_limit", "speed", "200.01"),
    ("value_limit", "speed", "1e308"),
    ("value_limit", "speed", "-1e308"),
    ("position_limit", "latitude", "90.1"),
    ("position_limit", "longitude", "-180.1"),
    ("position_limit", "latitude", "99999"),
    ("time_limit", "observationDateTime", "1999-12-31T23:59:59+00:00"),
    ("time_limit", "observationDateTime", "1963-07-17T10:00:00+05:30"),
    ("time_limit", "observationDateTime", "0001-01-01T00:00:00+05:30"),
    ("time_limit", "observationDateTime", "0001-01-01T00:00:00"),
    ("time_limit", "observationDateTime", "9999-12-31T23:59:59"),
    ("time_limit", "observationDateTime", "2022-06-01T00:00:00.001Z"),
    ("time_limit", "observationDateTime", "123456789"),
    ("", "observationDateTime", "2000-01-01T00:00:00Z"),
    ("", "observationDateTime", "2022-06-01T00:00:00Z"),
    ("", "speed", "0"),
    ("", "speed", "200"),
    ("", "speed", "-0"),
    ("", "latitude", "0"),
    ("", "longitude", "0.0"),
    ("", "latitude", "-90"),
]


@pytest.mark.parametrize(("reason", "column", "cell"), BAD_CELLS)
def test_each_fault_has_its_reason(reason: str, column: str, cell: str | None) -> None:
    assert _reason({column: cell}) == reason


def test_position_zero_zero_is_no_position() -> None:
    assert _reason({"latitude": "0", "longitude": "-0.0"}) == "position_limit"


FAULTS: dict[str, dict[str, str]] = {
    "no_id": {"license_plate": ""},
    "no_time": {"observationDateTime": ""},
    "no_position": {"latitude": ""},
    "no_value": {"speed": ""},
    "value_limit": {"speed": "999"},
    "position_limit": {"latitude": "91"},
    "time_limit": {"observationDateTime": "1963-07-17T10:00:00+05:30"},
}


@given(st.sets(st.sampled_from(sorted(FAULTS)), min_size=1), st.booleans())
def test_a_row_counts_once_under_the_first_reason(faults: set[str], unreadable: bool) -> None:
    change: dict[str, str] = {"longitude": "east"} if unreadable else {}
    assume(not (unreadable and "no_position" in faults))  # half a position is none at all
    for fault in sorted(faults, key=REASONS.index, reverse=True):
        change |= FAULTS[fault]
    expected = "unparsable" if unreadable else min(faults, key=REASONS.index)
    assert _reason(change) == expected


@given(st.lists(st.sampled_from(BAD_CELLS), min_size=1, max_size=12))
def test_rows_are_judged_one_by_one(cells: list[tuple[str, str, str | None]]) -> None:
    batch = _clean(*({column: cell} for _, column, cell in cells))
    expected = [reason for reason, _, _ in cells]
    assert batch.dropped == {reason: expected.count(reason) for reason in REASONS}
    assert batch.value.size == expected.count("")


def test_values_above_the_bound_are_clamped_and_counted_but_not_dropped() -> None:
    batch = _clean({"speed": "65"}, {"speed": "65.0004"}, {"speed": "65.001"}, {"speed": "200"})
    assert batch.value.tolist() == [65_000] * 4
    assert batch.clamped == 2


def test_the_physical_limit_is_judged_before_the_bound() -> None:
    mapping = mapping_in("km/h", physical_max=80 * THOUSAND)
    batch = _clean({"speed": "80"}, {"speed": "80.001"}, mapping=mapping)
    assert (batch.value.tolist(), batch.clamped, batch.dropped["value_limit"]) == ([65_000], 1, 1)


@pytest.mark.parametrize(
    ("unit", "text", "thousandths"),
    [
        ("km/h", "12.345", 12_345),
        ("m/s", "10", 36_000),
        ("m/s", "0.44704", 1_609),
        ("mph", "10", 16_093),
        ("km/h", "0.1", 100),
        ("km/h", "64.9996", 65_000),
    ],
)
def test_values_are_thousandths_of_km_per_hour(unit: str, text: str, thousandths: int) -> None:
    assert _clean({"speed": text}, mapping=mapping_in(unit)).value.tolist() == [thousandths]


@given(st.integers(0, 200_000))
def test_three_decimals_come_back_exactly(thousandths: int) -> None:
    text = f"{thousandths // 1000}.{thousandths % 1000:03d}"
    assert _clean({"speed": text}, upper_bound=200_000).value.tolist() == [thousandths]


@given(st.integers(0, 5500), st.sampled_from((("m/s", Decimal("3.6")), ("mph", Decimal("1.609344")))))
def test_conversion_is_exact_decimal_arithmetic(hundredths: int, unit: tuple[str, Decimal]) -> None:
    name, factor = unit
    exact = (Decimal(hundredths) * 10 * factor).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)
    batch = _clean({"speed": f"{hundredths / 100:.2f}"}, mapping=mapping_in(name), upper_bound=200_000)
    assert batch.value.tolist() == [int(exact)]


def test_the_sentinel_of_255_mph_is_dropped_after_conversion() -> None:
    assert _reason({"speed": "113.9952"}, mapping=mapping_in("m/s")) == "value_limit"
    assert _reason({"speed": "113.9952"}, mapping=mapping_in("km/h")) == ""


def test_units_follow_the_local_date() -> None:
    until = UnitRange(unit="mph", last=dt.date(2015, 9, 6))
    after = UnitRange(unit="m/s", first=dt.date(2015, 12, 30))
    mapping = mapping_in("km/h", units=(after, until))
    times = (
        "2015-09-06T23:59:59-05:00",  # local date 09-06, in UTC the next day
        "2015-12-30T00:00:00-06:00",
        "2015-12-29T23:59:59-06:00",  # no unit for this date
        "2015-12-30 00:00:00",
    )
    batch = _clean(
        *({"observationDateTime": text, "speed": "10"} for text in times),
        mapping=mapping,
        zone="America/Chicago",
    )
    assert batch.value.tolist() == [16_093, 36_000, 36_000]
    assert batch.dropped["value_limit"] == 1


def test_the_box_holds_its_edges() -> None:
    mapping = mapping_in("km/h", box=Box(south=21.0, west=72.0, north=22.0, east=73.0))
    edges = [{"latitude": lat, "longitude": lon} for lat in ("21", "22") for lon in ("72", "73")]
    outside = [{"latitude": "20.9999999"}, {"longitude": "73.0000001"}]
    batch = _clean(*edges, *outside, mapping=mapping)
    assert (batch.value.size, batch.dropped["position_limit"]) == (4, 2)


def test_ids_are_text_trimmed_and_case_folded() -> None:
    ids = ["007", "7", "7.0", "1e3", " Bus\t", "BUS", "Straße", "STRASSE"]
    batch = _clean(*({"license_plate": text} for text in ids))
    assert [batch.names[code] for code in batch.vehicle] == [
        "007",
        "7",
        "7.0",
        "1e3",
        "bus",
        "bus",
        "strasse",
        "strasse",
    ]


def test_columns_of_a_wrong_type_are_refused_without_a_cell() -> None:
    table = pa.table({name: pa.array([GOOD[name]]) for name in COLUMNS})
    column = pa.array([[SECRET]])
    spoilt = table.set_column(4, "speed", column)
    with pytest.raises(InputError, match="type does not fit") as caught:
        parse_batch(spoilt, rules())
    assert_tells(caught.value)


def test_a_cleaned_batch_does_not_show_its_values() -> None:
    batch = _clean({"license_plate": SECRET})
    assert SECRET not in repr(batch)
    assert "confidential" in repr(batch)


CELLS = {
    "license_plate": ("bus 1", " BUS 1", "Straße", "7", "", None),
    "observationDateTime": (
        "2022-01-01T10:10:35+05:30",
        "2022-01-01 10:10",
        "1641012035",
        "2022-01-01T10:10:35.5Z",
        "31/12/2021 10:10",
        "1963-07-17T10:00:00+05:30",
        "noon",
        "",
    ),
    "latitude": ("21.19", "21,19", "0", "99999", "x", " ", None),
    "longitude": ("72.83", "72", "0", "-180.1", "", None),
    "speed": ("30", "30.5", "65.2", "201", "-1", "NaN", "-", "", None),
}
FORMS = (FileFormat(), FileFormat(decimal=",", date_order="dmy"))


@given(
    st.lists(
        st.fixed_dictionaries({name: st.sampled_from(cells) for name, cells in CELLS.items()}), max_size=8
    ),
    st.sampled_from(FORMS),
    st.booleans(),
)
def test_a_batch_is_what_its_rows_are(rows: list[dict[str, Any]], form: FileFormat, encoded: bool) -> None:
    def clean(some: list[dict[str, Any]]) -> CleanBatch:
        columns = {name: pa.array([row[name] for row in some], pa.string()) for name in COLUMNS}
        table = pa.table(
            {name: column.dictionary_encode() if encoded else column for name, column in columns.items()}
        )
        reading = ReadingRules(mapping=MAPPING, zone=ZONE, upper_bound=UPPER_BOUND, format=form)
        return clean_batch(parse_batch(table, reading), reading, ZONE, NOW)

    whole, single = clean(rows), [clean([row]) for row in rows]
    for name in ("instant", "latitude", "longitude", "value"):
        expected = np.concatenate([getattr(one, name) for one in single] or [np.zeros(0)])
        np.testing.assert_array_equal(getattr(whole, name), expected)
    assert [whole.names[code] for code in whole.vehicle] == [
        one.names[code] for one in single for code in one.vehicle
    ]
    assert whole.dropped == {reason: sum(one.dropped[reason] for one in single) for reason in REASONS}
    assert whole.clamped == sum(one.clamped for one in single)
    assert sum(whole.dropped.values()) + whole.value.size == len(rows)


def test_columns_of_a_cleaned_batch_keep_their_types() -> None:
    for batch in (_clean({}), _clean({}, {"speed": "x"}), _clean({"speed": "x"})):
        kinds = [
            getattr(batch, name).dtype for name in ("vehicle", "instant", "latitude", "longitude", "value")
        ]
        assert kinds == [np.int32, np.int64, np.int32, np.int32, np.int32]


DERIVED = ColumnMapping(
    vehicle="license_plate",
    time="observationDateTime",
    latitude="latitude",
    longitude="longitude",
    derived=DerivedSpeed(),
)


def test_a_derived_speed_needs_no_column_and_knows_no_limit_yet() -> None:
    rows = [GOOD, GOOD | {"latitude": "x"}, GOOD | {"license_plate": ""}]
    table = pa.table({name: pa.array([row[name] for row in rows]) for name in DERIVED.columns})
    reading = rules(DERIVED)
    batch = clean_batch(parse_batch(table, reading), reading, ZONE, NOW)
    assert (batch.value.tolist(), batch.clamped) == ([0], 0)
    assert {reason: count for reason, count in batch.dropped.items() if count} == {
        "unparsable": 1,
        "no_id": 1,
    }


def test_a_derived_speed_has_no_unit_of_a_date() -> None:
    day = dt.date(1999, 1, 1)
    mapping = dataclasses.replace(DERIVED, units=(UnitRange(unit="mph", first=day, last=day),))
    table = pa.table({name: pa.array([GOOD[name]]) for name in mapping.columns})
    batch = clean_batch(parse_batch(table, rules(mapping)), rules(mapping), ZONE, NOW)
    assert batch.value.tolist() == [0]


def test_the_rows_that_are_kept_are_those_that_a_batch_has() -> None:
    rows = [GOOD, GOOD | {"latitude": "0", "longitude": "0"}, GOOD | {"speed": "31"}, GOOD | {"speed": ""}]
    table = pa.table({name: pa.array([row[name] for row in rows]) for name in COLUMNS})
    parsed = parse_batch(table, rules())
    retained, values = judged_rows(parsed, rules(), ZONE, NOW)
    assert retained.tolist() == [True, False, True, False]
    assert values[retained].tolist() == [30.0, 31.0]
    assert clean_batch(parsed, rules(), ZONE, NOW).value.tolist() == [30_000, 31_000]


def test_ids_that_fold_alike_are_one_name() -> None:
    batch = _clean({"license_plate": "Bus"}, {"license_plate": "BUS "}, {"license_plate": "tram"})
    assert batch.names == ("bus", "tram")
    assert batch.vehicle.tolist() == [0, 0, 1]


def test_numbers_of_a_column_are_ids_as_text() -> None:
    for ids in (pa.array([1234, 7]), pa.array([1234.0, 7.0])):
        table = pa.table(
            {name: ids if name == "license_plate" else pa.array([GOOD[name]] * 2) for name in COLUMNS}
        )
        batch = clean_batch(parse_batch(table, rules()), rules(), ZONE, NOW)
        assert [batch.names[code] for code in batch.vehicle] == ["1234", "7"]


def test_a_speed_beyond_32_bits_is_clamped_like_any_other() -> None:
    mapping = mapping_in("km/h", physical_max=10**12)
    batch = _clean({"speed": "3000000"}, mapping=mapping)
    assert (batch.value.tolist(), batch.clamped) == ([UPPER_BOUND], 1)


def test_another_value_is_dropped_clamped_and_counted_from_its_lower_bound() -> None:
    delay = BoundedValue(
        name="delay",
        column_unit="s",
        unit="s",
        lower=-600_000,
        upper=1_800_000,
        physical_min=-700_000,
        physical_max=2_000_000,
    )
    texts = ("-600", "-0.5", "1800", "-600.001", "-700", "1800.001", "2000", "-700.001", "2000.001", "x")
    table = pa.table({name: pa.array([GOOD[name]] * len(texts), pa.string()) for name in COLUMNS[:-1]})
    table = table.append_column("speed", pa.array(texts, pa.string()))
    reading = ReadingRules(mapping=MAPPING, zone=ZONE, upper_bound=delay.span, value=delay)
    batch = clean_batch(parse_batch(table, reading), reading, ZONE, NOW)
    assert batch.value.tolist() == [0, 599_500, 2_400_000, 0, 0, 2_400_000, 2_400_000]
    assert batch.clamped == 4
    assert (batch.dropped["value_limit"], batch.dropped["unparsable"]) == (2, 1)


@pytest.mark.parametrize(
    ("unit", "cell", "kmh"),
    [
        ("km/h", "28.8 km/h", 28_800),
        ("m/s", "8 m/s", 28_800),
        ("kn", "15 kn", 27_780),
        ("0.036 km/h", "800", 28_800),
    ],
)
def test_a_unit_behind_the_number_is_read_where_it_is_the_one_that_is_named(
    unit: str, cell: str, kmh: int
) -> None:
    batch = _clean({"speed": cell}, {"speed": "3 furlongs"}, {"speed": "8 mph"}, mapping=mapping_in(unit))
    assert (batch.value.tolist(), batch.dropped["unparsable"]) == ([kmh], 2)
