"""The contribution table against a literal grouping of records, and users in their order."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import zoneinfo
from collections import Counter, defaultdict

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import (
    EVALUATION_TIE_KEY,
    Contributions,
    UserTable,
    contributions_of,
    pairs_of,
    tie_ranks,
    users_of,
)
from core.errors import InputError
from core.hats import tile_table
from core.hats.slots import SLOT_MINUTES
from core.hats.window import Window, build_window
from core.ingest.records import Records
from core.privacy import Unit
from core.progress import Cancelled
from tests.records import ZONE, Ping, assert_same, assert_tells, instant, make_records
from tests.strategies import RESOLUTION, HatData, contributions, hat_data, pings, window

KEY = b"k" * 32
Row = tuple[int, int, str, dt.date]
"""(cell, slot, vehicle, local date)."""


def _literal(records: Records, resolution: int, over: Window) -> dict[Row, list[int]]:
    """Records grouped one by one with the standard library's clock, in (instant, lat, lon, value) order."""
    groups: dict[Row, list[tuple[int, int, int, int]]] = defaultdict(list)
    instants = records.instants().tolist()
    for index in range(len(records)):
        moment = dt.datetime.fromtimestamp(instants[index] / 1000, tz=zoneinfo.ZoneInfo(records.zone))
        minute = moment.hour * 60 + moment.minute
        if moment.date() in over.dates and over.start <= minute < over.end:
            latitude, longitude = int(records.latitude[index]), int(records.longitude[index])
            cell = h3.str_to_int(h3.latlng_to_cell(latitude / 1e7, longitude / 1e7, resolution))
            row = (
                cell,
                minute // over.slot_minutes,
                records.vehicles[int(records.vehicle[index])],
                moment.date(),
            )
            groups[row].append((instants[index], latitude, longitude, int(records.value[index])))
    return {row: [value for *_, value in sorted(found)] for row, found in groups.items()}


def _as_dict(table: Contributions) -> dict[Row, list[int]]:
    rows: dict[Row, list[int]] = {}
    for index in range(table.hat.size):
        hat = int(table.hat[index])
        row = (
            int(table.cell[hat]),
            int(table.slot[hat]),
            table.vehicles[int(table.vehicle[index])],
            table.window.dates[int(table.day[index])],
        )
        rows[row] = table.values[int(table.start[index]) : int(table.start[index + 1])].tolist()
    assert len(rows) == table.hat.size, "each row once"
    return rows


def _check(records: Records, resolution: int, over: Window) -> None:
    expected = _literal(records, resolution, over)
    if not expected:
        with pytest.raises(InputError, match="holds no record") as caught:
            contributions_of(records, resolution, over)
        assert_tells(caught.value)
        return
    table = contributions_of(records, resolution, over)
    found = _as_dict(table)
    assert found == expected
    assert list(found) == sorted(expected), "sorted by (cell, slot, vehicle, date)"
    assert table.hats == len({row[:2] for row in expected})
    assert (np.bincount(table.hat, minlength=table.hats) > 0).all()
    assert (table.zone, table.resolution, table.upper_bound) == (
        records.zone,
        resolution,
        records.upper_bound,
    )


@given(pings(max_size=60), st.sampled_from((5, 7, 9)), st.sampled_from(SLOT_MINUTES), st.integers(1, 2))
def test_the_table_is_a_literal_grouping(found: list[Ping], resolution: int, slot: int, days: int) -> None:
    _check(make_records(found), resolution, window(days=days, hours=("08:00", "18:00"), slot_minutes=slot))


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2 * 96)), min_size=1, max_size=40),
    st.sampled_from(("2015-03-07", "2015-10-31")),
    st.sampled_from(SLOT_MINUTES),
)
def test_days_with_a_change_of_the_clock_group_by_the_wall_clock(
    found: list[tuple[int, int]], first: str, slot: int
) -> None:
    zone = "America/Chicago"
    start = instant(f"{first}T12:00:00", zone)
    records = make_records(
        [Ping(f"bus {bus}", start + step * 900_000, 30.3, -97.7, float(step % 60)) for bus, step in found],
        zone=zone,
    )
    begin = dt.date.fromisoformat(first)
    over = build_window(((begin, begin + dt.timedelta(days=2)),), ("00:00", "24:00"), slot)
    _check(records, RESOLUTION, over)


def test_the_repeated_autumn_hour_is_one_slot_and_the_skipped_one_has_none() -> None:
    zone = "America/Chicago"
    twice = ["2015-11-01T01:30:00-05:00", "2015-11-01T01:15:00-06:00", "2015-11-01T02:15:00-06:00"]
    skipped = ["2015-03-08T01:59:59-06:00", "2015-03-08T03:00:00-05:00"]
    records = make_records(
        [Ping("bus", instant(text), 30.3, -97.7, float(n)) for n, text in enumerate(twice + skipped)],
        zone=zone,
    )
    for day, slots, values in (
        (dt.date(2015, 11, 1), [1, 2], [[0, 1000], [2000]]),
        (dt.date(2015, 3, 8), [1, 3], [[3000], [4000]]),
    ):
        over = build_window(((day, day),), ("00:00", "24:00"), 60)
        table = contributions_of(records, RESOLUTION, over)
        assert table.slot.tolist() == slots
        assert list(_as_dict(table).values()) == values


def test_the_window_is_local_and_its_end_exclusive() -> None:
    texts = ["08:59:59", "09:00:00", "20:59:59", "21:00:00"]
    records = make_records(
        [Ping("bus", instant(f"2022-01-01T{text}"), 21.17, 72.83, float(n)) for n, text in enumerate(texts)]
    )
    table = contributions_of(records, RESOLUTION, window(days=1, hours=("09:00", "21:00")))
    assert table.values.tolist() == [1000, 2000]


def test_dates_between_two_ranges_are_left_out() -> None:
    records = make_records(
        [Ping("bus", instant(f"2022-01-0{day}T10:00:00"), 21.17, 72.83, float(day)) for day in range(1, 6)]
    )
    ranges = tuple((dt.date(2022, 1, day), dt.date(2022, 1, day)) for day in (2, 4))
    table = contributions_of(records, RESOLUTION, build_window(ranges, ("09:00", "21:00"), 60))
    assert table.values.tolist() == [2000, 4000]
    assert table.day.tolist() == [0, 1]


def test_a_window_without_a_record_is_refused() -> None:
    records = make_records([Ping("SECRET123", instant("2022-02-01T10:00:00"), 21.17, 72.83, 1.0)])
    with pytest.raises(InputError, match="holds no record") as caught:
        contributions_of(records, RESOLUTION, window())
    assert_tells(caught.value, hidden=("secret123",))


@pytest.mark.parametrize("resolution", [4, 11])
def test_a_resolution_out_of_range_is_refused(resolution: int) -> None:
    records = make_records([Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 1.0)])
    with pytest.raises(InputError, match="not offered"):
        contributions_of(records, resolution, window())


def _users(
    table: Contributions, unit: Unit, key: bytes
) -> list[tuple[int, list[tuple[str, int, list[int]]]]]:
    """HAT -> users as (vehicle, day or -1, values), ordered as SPEC 4 says: a literal version."""
    groups: dict[int, dict[tuple[str, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    for index in range(table.hat.size):
        day = -1 if unit is Unit.VEHICLE else int(table.day[index])
        name = table.vehicles[int(table.vehicle[index])]
        rows = table.values[int(table.start[index]) : int(table.start[index + 1])].tolist()
        groups[int(table.hat[index])][name, day] += rows

    def order(item: tuple[tuple[str, int], list[int]]) -> tuple[int, bytes, int]:
        (name, day), found = item
        return -len(found), hmac.new(key, name.encode(), hashlib.sha256).digest(), day

    return [
        (hat, [(name, day, found) for (name, day), found in sorted(users.items(), key=order)])
        for hat, users in sorted(groups.items())
    ]


def _values_of(hat: HatData) -> list[list[int]]:
    return [
        hat.values[start : start + count].tolist()
        for start, count in zip(hat.starts, hat.counts, strict=True)
    ]


@given(contributions(), st.sampled_from(list(Unit)), st.binary(min_size=32, max_size=32))
def test_users_are_a_literal_grouping_in_the_order_of_the_contract(
    table: Contributions, unit: Unit, key: bytes
) -> None:
    users = users_of(table, unit, key)
    for hat, expected in _users(table, unit, key):
        data = users.hat_data(hat)
        rows = slice(int(users.first[hat]), int(users.first[hat + 1]))
        assert [table.vehicles[code] for code in users.vehicle[rows]] == [name for name, _, _ in expected]
        assert _values_of(data) == [found for _, _, found in expected]
        assert (
            users.hat_counts(hat).tolist() == data.counts.tolist() == [len(found) for *_, found in expected]
        )
        assert data.upper_bound == table.upper_bound
    assert users.first[-1] == users.counts.size
    assert users.counts.sum() == table.values.size


def test_first_records_follow_time_whatever_their_order_in_the_file() -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping("bus", start + step * 1000, 21.17, 72.83, 60.0 - step) for step in (3, 0, 2, 1)]
    users = users_of(contributions_of(make_records(found), RESOLUTION, window()), Unit.VEHICLE, KEY)
    hat = users.hat_data(0)
    assert _values_of(hat) == [[60_000, 59_000, 58_000, 57_000]]
    assert hat.sums_of(np.array([0]), np.array([0]), np.array([2])).tolist() == [119_000]
    assert hat.sums_of(np.array([0]), np.array([2]), np.array([2])).tolist() == [115_000]
    assert hat.sums().tolist() == [234_000]


@given(st.permutations([f"bus {number}" for number in range(6)]))
def test_ties_are_ordered_by_the_key_and_not_by_position(names: list[str]) -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping(name, start + number, 21.17, 72.83, 1.0) for number, name in enumerate(names)]
    table = contributions_of(make_records(found), RESOLUTION, window())
    users = users_of(table, Unit.VEHICLE, KEY)
    ordered = [table.vehicles[code] for code in users.vehicle]
    assert ordered == sorted(names, key=lambda name: hmac.digest(KEY, name.encode(), hashlib.sha256))


def test_another_key_orders_ties_otherwise() -> None:
    names = tuple(f"bus {number}" for number in range(20))
    assert tie_ranks(names, KEY).tolist() != tie_ranks(names, EVALUATION_TIE_KEY).tolist()
    assert sorted(tie_ranks(names, KEY).tolist()) == list(range(20))


def test_a_vehicle_that_goes_away_leaves_the_order_of_the_others() -> None:
    names = [f"bus {number}" for number in range(12)]
    ranks = dict(zip(names, tie_ranks(tuple(names), KEY), strict=True))
    fewer = [name for name in names if name != "bus 5"]
    assert sorted(fewer, key=ranks.__getitem__) == [
        fewer[index] for index in np.argsort(tie_ranks(tuple(fewer), KEY))
    ]


@given(hat_data(), st.data())
def test_sums_of_segments_are_exact(hat: HatData, data: st.DataObject) -> None:
    user = np.array(data.draw(st.lists(st.integers(0, hat.counts.size - 1), max_size=8)), np.int64)
    first = np.array([data.draw(st.integers(0, int(hat.counts[one]))) for one in user], np.int64)
    taken = np.array(
        [
            data.draw(st.integers(0, int(hat.counts[one] - begin)))
            for one, begin in zip(user, first, strict=True)
        ],
        np.int64,
    )
    found = _values_of(hat)
    expected = [
        sum(found[one][begin : begin + few])
        for one, begin, few in zip(user.tolist(), first.tolist(), taken.tolist(), strict=True)
    ]
    assert hat.sums_of(user, first, taken).tolist() == expected
    assert hat.sums().tolist() == [sum(values) for values in found]


@given(hat_data(upper_bound=2**31 - 1), st.integers(1, 12))
def test_squares_of_the_first_records_are_summed_exactly(hat: HatData, most: int) -> None:
    """Whatever else the HAT holds; values of 31 bits leave 63 bits with their third square."""
    kept = hat.first_records(most)
    first = [values[:most] for values in _values_of(hat)]
    assert _values_of(kept) == first
    assert kept.sum_of_squares() == sum(value**2 for values in first for value in values)
    assert kept.sums().tolist() == [sum(values) for values in first]


@given(contributions())
def test_a_hat_is_named_by_slot_and_cell(table: Contributions) -> None:
    names = [table.hat_name(index) for index in range(table.hats)]
    assert names == [
        f"{slot:02d} {h3.int_to_str(cell)}"
        for cell, slot in zip(table.cell.tolist(), table.slot.tolist(), strict=True)
    ]
    assert Counter(names).most_common(1)[0][1] == 1


@given(contributions(), st.sampled_from(list(Unit)))
def test_tables_show_sizes_only(table: Contributions, unit: Unit) -> None:
    users: UserTable = users_of(table, unit, KEY)
    for thing in (table, users, users.hat_data(0)):
        assert repr(thing).startswith("<confidential ")
        assert "array" not in repr(thing)


def test_a_midnight_change_of_the_clock_keeps_days_apart() -> None:
    zone = "America/St_Johns"  # 2010-11-07: at 00:01 the clock goes back to 23:01 of the day before
    start = instant("2010-11-06T22:30:00", zone)
    found = [Ping("bus", start + step * 600_000, 47.5, -52.7, float(step)) for step in range(24)]
    first = dt.date(2010, 11, 6)
    _check(
        make_records(found, zone=zone),
        RESOLUTION,
        build_window(((first, first + dt.timedelta(days=1)),), ("00:00", "24:00"), 60),
    )


@given(pings(max_size=40))
def test_the_table_depends_on_nothing_but_the_records(found: list[Ping]) -> None:
    inside = [*found, Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 5.0)]
    over = window(days=2, hours=("08:00", "18:00"))
    one, other = (
        contributions_of(make_records(order, zone=ZONE), RESOLUTION, over) for order in (inside, inside[::-1])
    )
    assert_same(one, other)


def _pairs(table: Contributions) -> list[list[tuple[str, int, int, int]]]:
    """For each HAT its pairs as (vehicle, records, sum, largest value): a literal version."""
    listed: list[list[tuple[str, int, int, int]]] = [[] for _ in range(table.hats)]
    for index in range(table.hat.size):
        found = table.values[int(table.start[index]) : int(table.start[index + 1])].tolist()
        name = table.vehicles[int(table.vehicle[index])]
        listed[int(table.hat[index])].append((name, len(found), sum(found), max(found)))
    return listed


@given(contributions())
def test_pairs_are_a_literal_summary_of_each_vehicle_and_day(table: Contributions) -> None:
    pairs = pairs_of(table)
    for hat, expected in enumerate(_pairs(table)):
        one = pairs.hat(hat)
        names = [table.vehicles[code] for code in one.vehicle]
        columns = (one.counts.tolist(), one.sums.tolist(), one.maxima.tolist())
        assert list(zip(names, *columns, strict=True)) == expected
    assert pairs.first[-1] == table.hat.size
    assert pairs.pairs.counts.sum() == table.values.size


def test_the_days_of_a_vehicle_are_pairs_of_their_own() -> None:
    times = ("2022-01-01T10:00:00", "2022-01-01T10:30:00", "2022-01-03T10:00:00")
    found = [
        Ping("bus", instant(time), 21.17, 72.83, speed)
        for time, speed in zip(times, (1.0, 5.0, 0.0), strict=True)
    ]
    one = pairs_of(contributions_of(make_records(found), RESOLUTION, window())).hat(0)
    assert (one.counts.tolist(), one.sums.tolist(), one.maxima.tolist()) == ([2, 1], [6_000, 0], [5_000, 0])


def test_sums_of_pairs_leave_32_bits() -> None:
    start = instant("2022-01-01T10:00:00")
    found = [Ping("bus", start + step, 21.17, 72.83, 65.0) for step in range(40_000)]
    one = pairs_of(contributions_of(make_records(found), RESOLUTION, window())).hat(0)
    assert one.sums.tolist() == [65_000 * 40_000]


@given(contributions())
def test_pairs_show_sizes_only(table: Contributions) -> None:
    pairs = pairs_of(table)
    assert repr(pairs.hat(0)).startswith("<confidential HatPairs: ")
    assert repr(pairs).startswith("<confidential PairTable: ")
    assert "array" not in repr(pairs) + repr(pairs.hat(0))


def test_blocks_change_nothing_and_can_be_stopped_between(monkeypatch: pytest.MonkeyPatch) -> None:
    start = instant("2022-01-01T09:00:00")
    records = make_records(
        Ping(f"bus {step % 3}", start + step * 60_000, 21.1 + step / 90, 72.8, float(step))
        for step in range(25)
    )
    whole = contributions_of(records, RESOLUTION, window())
    monkeypatch.setattr(tile_table, "_BLOCK", 4)
    told: list[float] = []

    def stop_late(done: float, text: str = "") -> None:
        told.append(done)
        if text == "Indexing hexagons" and len(told) == 5:
            raise Cancelled

    assert_same(contributions_of(records, RESOLUTION, window()), whole)
    with pytest.raises(Cancelled):
        contributions_of(records, RESOLUTION, window(), stop_late)
    assert told == sorted(told)
