"""Times: what is read, what is not, and that a bad neighbour changes nothing."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.read_times import MISSING, ReadTimes
from core.clean.shaped_times import read_shaped
from core.clean.times import ParsedTimes, cast_iso, order_evidence, ordered_dates, parse_times
from core.read.file_format import FileFormat
from core.records.zones import DAY_MS, PREFERRED, localise, outermost
from tests.records import instant
from tests.time_texts import read_one, time_texts

TEXTS = {
    "2022-01-01T10:10:35+05:30": 1_641_012_035_000,
    "2022-01-01 10:10:35+05:30": 1_641_012_035_000,
    "2022-01-01 10:10:35 +0530": 1_641_012_035_000,
    "2022-01-01T04:40:35Z": 1_641_012_035_000,
    "2022-01-01T04:40:35.9Z": 1_641_012_035_900,
    "2022-01-01T04:40:35.123456789Z": 1_641_012_035_123,
    "2022-01-01T04:40Z": 1_641_012_000_000,
    "2022-01-01T10:10:35.123456789+05:30": 1_641_012_035_123,
    "2022/01/01 10:10:35 +05:30": 1_641_012_035_000,
    "2022/1/1 4:40 AM Z": 1_641_012_000_000,
    "1641012035": 1_641_012_035_000,
    "1641012035.25": 1_641_012_035_250,
    "1641012035250": 1_641_012_035_250,
    "  2022-01-01T04:40:35Z ": 1_641_012_035_000,
}
UNREADABLE = [
    "yesterday",
    "2022-02-30T10:00:00Z",
    "2022-01-01T24:00:00Z",
    "2022-01-01T10:60:00Z",
    "2022-01-01T10:10:35+24:00",
    "2022-01-01",
    "10:10:35",
    "03/04/2022 10:10",
    "2022-01-01T10:10:35 Asia/Nowhere",
    "12345678901234567890",
    "1641012035,25",
    "2022-01-01T10:10:35+05:60",
    "-1641012035",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_become_utc_milliseconds(text: str) -> None:
    parsed = parse_times(pa.array([text]))
    assert parsed.instants.tolist() == [TEXTS[text]]
    assert parsed.present.all()
    assert not parsed.naive.any()


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_texts_are_present_but_missing(text: str) -> None:
    parsed = parse_times(pa.array([text]))
    assert parsed.instants.tolist() == [int(MISSING)]
    assert parsed.present.all()
    assert parsed.offsets == frozenset()


@pytest.mark.parametrize("cell", ["", "   ", None])
def test_empty_cells_are_absent(cell: str | None) -> None:
    parsed = parse_times(pa.array([cell], pa.string()))
    assert not parsed.present.any()
    assert parsed.instants.tolist() == [int(MISSING)]


@cache
def _alone(text: str) -> ParsedTimes:
    return parse_times(pa.array([text]))


@given(st.permutations([*TEXTS, *UNREADABLE, "", "2022-01-01 10:10:35"]))
def test_a_time_reads_the_same_whatever_stands_beside_it(texts: list[str]) -> None:
    together = parse_times(pa.array(texts))
    alone = [_alone(text) for text in texts]
    assert together.instants.tolist() == [int(one.instants[0]) for one in alone]
    assert together.naive.tolist() == [bool(one.naive[0]) for one in alone]


def test_numbers_are_seconds_or_parts_of_them() -> None:
    numbers = pa.array([1_641_012_035, 1_641_012_035_250, None, -(2**60)])
    assert parse_times(numbers).instants.tolist() == [
        1_641_012_035_000,
        1_641_012_035_250,
        int(MISSING),
        int(MISSING),
    ]
    small = pa.array([1_641_012_035_250_000, 1_641_012_035_250_000_000], pa.int64())
    for column in (small, small.cast(pa.uint64()), small.cast(pa.float64(), safe=False)):
        assert parse_times(column).instants.tolist() == [1_641_012_035_250] * 2
    fractions = pa.array([1_641_012_035.25, float("nan"), float("inf")])
    assert parse_times(fractions).instants.tolist() == [1_641_012_035_250, int(MISSING), int(MISSING)]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_timestamps_with_a_zone_are_instants_and_without_are_naive(unit: str) -> None:
    moments = pa.array([1_641_012_035, None]).cast(pa.int64())
    factor = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = pa.array([None if m is None else m * factor for m in moments.to_pylist()], pa.int64())
    aware = parse_times(ticks.cast(pa.timestamp(unit, tz="Asia/Kolkata")))
    naive = parse_times(ticks.cast(pa.timestamp(unit)))
    assert aware.instants.tolist() == naive.instants.tolist() == [1_641_012_035_000, int(MISSING)]
    assert (aware.naive.tolist(), naive.naive.tolist()) == ([False, False], [True, False])


def test_offsets_are_told_with_their_first_and_last_instant() -> None:
    texts = ["2015-03-08T01:30:00-06:00", "2015-03-08T03:30:00-05:00", "2015-03-08T23:00:00-05:00"]
    assert parse_times(pa.array(texts)).offsets == {
        (-360, instant(texts[0])),
        (-300, instant(texts[1])),
        (-300, instant(texts[2])),
    }


@given(st.lists(st.integers(1_640_995_200_000, 1_672_531_200_000), min_size=1, max_size=20))
def test_offsets_are_told_with_the_outermost_instants_of_each_day(moments: list[int]) -> None:
    texts = [f"{np.datetime64(moment + 3_600_000, 'ms')}+01:00" for moment in moments]
    assert parse_times(pa.array(texts)).offsets == outermost((60, moment) for moment in moments)


@pytest.mark.parametrize("year", ["0001", "1900", "1999", "2100", "9999"])
def test_the_offset_of_an_impossible_time_tells_nothing(year: str) -> None:
    parsed = parse_times(pa.array([f"{year}-06-01T00:00:00+05:30", "2022-01-01T00:00:00+05:30"]))
    assert parsed.offsets == {(330, instant("2022-01-01T00:00:00"))}
    assert parsed.instants[0] != MISSING


def test_naive_times_are_placed_in_the_zone() -> None:
    wall = parse_times(
        pa.array(["2015-03-08 01:30", "2015-03-08 02:30", "2015-11-01 01:30", "2015-11-01 02:30"])
    )
    placed = localise(wall.instants, wall.naive, "America/Chicago")
    assert placed.tolist() == [
        instant("2015-03-08T01:30:00-06:00"),
        instant("2015-03-08T03:00:00-05:00"),
        instant("2015-11-01T01:30:00-05:00"),
        instant("2015-11-01T02:30:00-06:00"),
    ]


def test_times_with_offset_stay_where_they_are() -> None:
    parsed = parse_times(pa.array(["2022-01-01T00:00:00Z", "2022-01-01 00:00:00"]))
    placed = localise(parsed.instants, parsed.naive, "Asia/Kolkata")
    np.testing.assert_array_equal(np.diff(placed), [-330 * 60_000])


LOCAL = [
    ("31/12/2023 10:15", "dmy", "2023-12-31T10:15:00"),
    ("31-12-2023 10:15:30", "dmy", "2023-12-31T10:15:30"),
    ("31.12.2023 10:15", "dmy", "2023-12-31T10:15:00"),
    ("12/31/2023 10:15:30 PM", "mdy", "2023-12-31T22:15:30"),
    ("1/2/2023 9:05", "dmy", "2023-02-01T09:05:00"),
    ("1/2/2023 9:05", "mdy", "2023-01-02T09:05:00"),
    ("2023/12/31 10:15", "", "2023-12-31T10:15:00"),
]


@pytest.mark.parametrize(("text", "order", "expected"), LOCAL)
def test_local_forms_are_wall_clock_times_in_the_named_order(text: str, order: str, expected: str) -> None:
    parsed = parse_times(pa.array([text]), FileFormat(date_order=order))
    assert parsed.instants.tolist() == [instant(f"{expected}Z")]
    assert parsed.naive.all()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("31/12/2023 10:15", "mdy"),
        ("12/31/2023 10:15", "dmy"),
        ("1/2/2023 10:15", ""),
        ("1/2/2023 13:15 PM", "dmy"),
        ("31/2/2023 10:15", "dmy"),
        ("1/2/2023", "dmy"),
    ],
)
def test_a_time_that_the_order_does_not_fit_is_never_read_another_way(text: str, order: str) -> None:
    parsed = parse_times(pa.array([text]), FileFormat(date_order=order))
    assert (parsed.instants.tolist(), parsed.present.tolist()) == ([int(MISSING)], [True])


def test_evidence_counts_what_only_one_order_can_read() -> None:
    texts = ["31/12/2023 10:15", "1/2/2023 10:15", "12/31/2023 10:15", "13.1.2023 9:05", "99/1/2023 9:05"]
    assert order_evidence(texts) == (2, 1)
    assert order_evidence(["2023-12-31 10:15", "", "noon"]) == (0, 0)
    assert order_evidence([]) == (0, 0)


def test_only_times_that_need_an_order_are_ordered() -> None:
    texts = ["31/12/2023 10:15", "12/31/2023 10:15", "03/04/2023 10:15", "2023-12-31 10:15", "03/04/2023", ""]
    day_first, month_first = ordered_dates(texts)
    assert day_first.tolist() == [True, False, True, False, False, False]
    assert month_first.tolist() == [False, True, True, False, False, False]


@given(st.lists(time_texts(), min_size=1, max_size=10), st.sampled_from(("", "dmy", "mdy")), st.data())
def test_a_text_says_the_same_in_any_batch_as_alone(
    texts: list[str], order: str, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(texts)))
    column = pa.array(texts, pa.string())
    parts = [parse_times(part, FileFormat(date_order=order)) for part in (column[:cut], column[cut:])]
    alone = [read_one(text, order) for text in texts]
    for parsed in ([parse_times(column, FileFormat(date_order=order))], parts):
        instants = np.concatenate([part.instants for part in parsed])
        assert instants.tolist() == [int(MISSING) if one.ms is None else one.ms for one in alone]
        assert np.concatenate([part.naive for part in parsed]).tolist() == [bool(one.naive) for one in alone]
        present = np.concatenate([part.present for part in parsed]).tolist()
        assert present == [bool(text.strip()) for text in texts]
    assert {minutes for minutes, _ in parts[0].offsets | parts[1].offsets} == {
        one.minutes
        for one in alone
        if one.minutes is not None and instant("2000-01-01T00:00Z") <= one.ms < instant("2100-01-01T00:00Z")
    }


def test_the_decimal_mark_of_the_file_is_that_of_its_epochs() -> None:
    column = pa.array(["1641012035,25", "1641012035.25", "1641012035"])
    parsed = parse_times(column, FileFormat(decimal=","))
    assert parsed.instants.tolist() == [1_641_012_035_250, int(MISSING), 1_641_012_035_000]


def _same(left: ParsedTimes, right: ParsedTimes) -> bool:
    arrays = all(
        np.array_equal(getattr(left, name), getattr(right, name)) for name in ("instants", "naive", "present")
    )
    return arrays and left.offsets == right.offsets


@pytest.mark.parametrize(
    "column",
    [
        pa.array([*TEXTS, None, "", *UNREADABLE]),
        pa.array([1_641_012_035, None, 1_641_012_035_250]),
        pa.array([1_641_012_035_000, None], pa.timestamp("ms", tz="UTC")),
    ],
)
def test_a_dictionary_says_what_its_values_say(column: pa.Array) -> None:
    encoded = column.dictionary_encode()
    assert _same(parse_times(encoded), parse_times(column))
    assert _same(parse_times(encoded.slice(1)), parse_times(column.slice(1)))


def test_unused_words_of_a_dictionary_tell_no_offset() -> None:
    words = pa.array(["2022-01-01T00:00:00+05:30", "2022-01-01T00:00:00-06:00"])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 0]), words)
    assert {minutes for minutes, _ in parse_times(column).offsets} == {330}


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64()])
def test_a_date_names_no_slot_as_text_or_as_a_type(kind: pa.DataType) -> None:
    parsed = parse_times(pa.array([18_993, None], pa.int32()).cast(pa.date32()).cast(kind))
    assert parsed.instants.tolist() == [int(MISSING)] * 2
    assert parsed.present.tolist() == [True, False]


def test_seconds_beyond_all_counting_are_unreadable() -> None:
    ticks = pa.array([2**62, -(2**62), 0], pa.int64()).cast(pa.timestamp("s"))
    parsed = parse_times(ticks)
    assert parsed.instants.tolist() == [int(MISSING), int(MISSING), 0]
    assert parsed.naive.tolist() == [False, False, True]


ODD_ZONES = (
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Caracas",
    "America/St_Johns",
    "Asia/Pyongyang",
    "Pacific/Apia",
    "UTC",
)


# Arrow's tables end with the year 2037: later it keeps the offset of winter
MOMENTS = st.integers(instant("1990-01-01T00:00Z"), instant("2037-12-30T00:00Z"))
needs_zones_of_arrow = pytest.mark.skipif(
    sys.platform == "win32", reason="Arrow asks a library of Windows for zones that wine and old Windows lack"
)


@needs_zones_of_arrow
@given(st.lists(MOMENTS, min_size=1, max_size=5), st.sampled_from((*PREFERRED, *ODD_ZONES)))
def test_wall_clocks_are_placed_as_the_time_library_places_them(walls: list[int], zone: str) -> None:
    naive = np.ones(len(walls), bool)
    expected = pc.assume_timezone(
        pa.array(walls, pa.timestamp("ms")), zone, ambiguous="earliest", nonexistent="latest"
    )
    assert localise(np.array(walls), naive, zone).tolist() == expected.cast(pa.int64()).to_pylist()


@needs_zones_of_arrow
@pytest.mark.parametrize("zone", [*PREFERRED, *ODD_ZONES])
def test_wall_clocks_about_each_change_are_placed_as_the_time_library_places_them(zone: str) -> None:
    hours = np.arange(instant("2007-01-01T00:00Z"), instant("2019-01-01T00:00Z"), 1_800_000)
    expected = pc.assume_timezone(
        pa.array(hours, pa.timestamp("ms")), zone, ambiguous="earliest", nonexistent="latest"
    )
    placed = localise(hours, np.ones(hours.size, bool), zone)
    np.testing.assert_array_equal(placed, expected.cast(pa.int64()).to_numpy())


def test_a_fault_of_the_clock_does_not_move_its_neighbour() -> None:
    walls = np.array([instant("0001-01-01T00:00Z"), instant("2022-01-01T00:00Z"), 2**53])
    placed = localise(walls, np.array([True, True, True]), "America/Chicago")
    assert placed[1] == instant("2022-01-01T00:00-06:00")
    assert (np.abs(placed - walls) <= DAY_MS).all()


GOOD = "2022-01-01T10:10:35+05:30"
OTHERS = [
    "2022-01-01",
    "2022-01-01T10",
    "2022-01-01T10+05:30",
    "2022-01-01 10:10:35",
    "2022-01-01T10:10:35+05",
    "2022-01-01T10:10:35-05:30",
    "2022-01-01T10:10:35Z",
    "2022-02-30T10:10:35+05:30",
    "2022-01-01T10:10:35.1234567+05:30",
    " 2022-01-01T10:10:35+05:30",
    "0000-12-31T23:10:35+05:30",
    " ",
    "noon",
]


def same(left: ReadTimes, right: ReadTimes) -> bool:
    return all(
        np.array_equal(getattr(left, name), getattr(right, name)) for name in ReadTimes.__dataclass_fields__
    )


@given(time_texts(), st.lists(time_texts(), max_size=3))
def test_a_column_is_read_as_cell_by_cell_or_not_at_all(text: str, others: list[str]) -> None:
    for column in (pa.array([text]), pa.array([None, text, text]), pa.array([text, *others])):
        found = cast_iso(column)
        assert found is None or same(found, read_shaped(column))


@given(
    st.lists(st.datetimes(), min_size=1, max_size=4),
    st.sampled_from(("minutes", "seconds", "milliseconds", "microseconds", "auto")),
    st.sampled_from(("", "Z", "+05", "-0330", "+05:30", "-23:59")),
)
def test_iso_columns_are_read_as_cell_by_cell(moments: list[object], precision: str, offset: str) -> None:
    column = pa.array([moment.isoformat("T", precision) + offset for moment in moments])  # type: ignore[attr-defined]
    found = cast_iso(column)
    if found is None:  # the first two days of the year 1
        assert any(text.as_py().startswith("0001-01-0") for text in column)
    else:
        assert same(found, read_shaped(column))
        assert (found.ms != MISSING).all()


@pytest.mark.parametrize("digits", [1, 3, 6, 7, 9])
def test_fractions_are_cut(digits: int) -> None:
    fraction = "999999999"[:digits]
    for moment in ("2022-01-01T10:10:35", "1969-12-31T23:59:59"):
        found = cast_iso(pa.array([f"{moment}.{fraction}Z"]))
        assert found is not None
        assert found.ms.tolist() == [instant(f"{moment}Z") + int(fraction[:3].ljust(3, "0"))]


@pytest.mark.parametrize("other", OTHERS)
def test_one_other_cell_is_left_to_other_readers(other: str) -> None:
    assert cast_iso(pa.array([GOOD, GOOD])) is not None
    assert cast_iso(pa.array([GOOD, other])) is None


@pytest.mark.parametrize(
    "first", ["2022-01-01", "2022-01-01T10", "0000-01-01T00:00:00", "9999-99-99 00:00", ""]
)
def test_what_arrow_reads_and_we_do_not_is_left(first: str) -> None:
    assert cast_iso(pa.array([first])) is None


@pytest.mark.parametrize("empty", [None, ""])
def test_null_and_empty_cells_are_missing(empty: str | None) -> None:
    found = cast_iso(pa.array(["noon", empty, GOOD, empty])[1:])
    assert found is not None
    assert found.ms.tolist() == [int(MISSING), instant(GOOD), int(MISSING)]
    assert (found.has_offset.tolist(), found.minutes.tolist()) == ([False, True, False], [0, 330, 0])
    assert not found.naive.any()


def test_a_column_of_nothing_is_left() -> None:
    assert cast_iso(pa.array([], pa.string())) is None
    assert cast_iso(pa.array([None, ""], pa.string())) is None


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_timestamps_of_a_zone_tell_its_offsets(unit: str) -> None:
    summer, winter = 1_746_115_200, 1_735_732_800
    cells = pa.array([summer, winter, None], pa.timestamp("s", "America/New_York")).cast(
        pa.timestamp(unit, "America/New_York")
    )
    found = parse_times(cells)
    assert found.instants.tolist()[:2] == [summer * 1000, winter * 1000]
    assert not found.naive.any()
    assert {minutes for minutes, _ in found.offsets} == {-240, -300}
    assert parse_times(cells.cast(pa.timestamp(unit, "UTC"))).offsets == frozenset()
