"""The contribution table against a literal grouping of records."""

from __future__ import annotations

import dataclasses
import datetime as dt
import zoneinfo
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions, contributions_of, pairs_of, runs
from core.contributions.values import RunValues
from core.errors import InputError
from core.hats import cell_codes
from core.hats.slots import SLOT_LENGTHS, SLOT_MINUTES, SlotLength, clock
from core.hats.window import Window, build_window, fitted_hours
from core.progress import Cancelled
from core.records.column_cache import MemoryColumnCache
from core.records.records import Records
from tests.records import ZONE, Ping, assert_same, assert_tells, instant, make_records
from tests.strategies import RESOLUTION, pings, window

Row = tuple[int, int, str, dt.date]
"""(cell, slot, vehicle, local date)."""

CHANGES = (
    ("America/Chicago", "2015-03-08", "2015-11-01", 30.3, -97.7),
    ("Europe/London", "2022-03-27", "2022-10-30", 51.5, -0.12),
    ("Australia/Lord_Howe", "2022-10-02", "2022-04-03", -31.55, 159.08),
    ("Asia/Kolkata", "2022-03-27", "2022-10-30", 21.17, 72.83),
)
"""Zone, a day in spring and one in autumn on which clocks change there (or somewhere), and a place."""


@contextmanager
def in_blocks(size: int) -> Iterator[None]:
    """Records are read that many at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_BLOCK", size)
        patch.setattr(cell_codes, "_BLOCK", size)
        yield


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
                over.grid.slot_of(minute),
                records.vehicles[int(records.vehicle[index])],
                moment.date(),
            )
            groups[row].append((instants[index], latitude, longitude, int(records.value[index])))
    return {row: [value for *_, value in sorted(found)] for row, found in groups.items()}


def _literal_visits(records: Records, resolution: int, over: Window) -> dict[Row, int]:
    """Each vehicle's records of a day walked through one by one, those outside the window as well."""
    visits: dict[Row, int] = defaultdict(int)
    instants = records.instants().tolist()
    before: Row | None = None
    for index in range(len(records)):
        moment = dt.datetime.fromtimestamp(instants[index] / 1000, tz=zoneinfo.ZoneInfo(records.zone))
        minute = moment.hour * 60 + moment.minute
        latitude, longitude = int(records.latitude[index]), int(records.longitude[index])
        cell = h3.str_to_int(h3.latlng_to_cell(latitude / 1e7, longitude / 1e7, resolution))
        vehicle = records.vehicles[int(records.vehicle[index])]
        here = (cell, over.grid.slot_of(minute), vehicle, moment.date())
        if here != before and moment.date() in over.dates and over.start <= minute < over.end:
            visits[here] += 1
        before = here
    return dict(visits)


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
        with pytest.raises(InputError, match="contains no record") as caught:
            contributions_of(records, resolution, over)
        assert_tells(caught.value)
        return
    table = contributions_of(records, resolution, over)
    found = _as_dict(table)
    assert found == expected
    assert list(found) == sorted(expected), "sorted by (cell, slot, vehicle, date)"
    assert table.visits is not None
    assert dict(zip(found, table.visits.tolist(), strict=True)) == _literal_visits(records, resolution, over)
    assert table.hats == len({row[:2] for row in expected})
    assert (np.bincount(table.hat, minlength=table.hats) > 0).all()
    assert (table.zone, table.resolution, table.upper_bound) == (
        records.zone,
        resolution,
        records.upper_bound,
    )


@given(
    pings(max_size=60),
    st.sampled_from((5, 7, 9)),
    st.sampled_from(SLOT_LENGTHS),
    st.sampled_from((("08:00", "18:00"), ("08:20", "17:50"), ("05:07", "06:00"), ("00:00", "24:00"))),
    st.sets(st.integers(1, 4), min_size=1),
    st.sampled_from((1, 2, 7, 1 << 18)),
)
def test_the_table_is_a_literal_grouping(
    found: list[Ping], resolution: int, slot: SlotLength, hours: tuple[str, str], days: set[int], block: int
) -> None:
    ranges = tuple((dt.date(2022, 1, day), dt.date(2022, 1, day)) for day in days)
    with in_blocks(block):
        _check(make_records(found), resolution, build_window(ranges, fitted_hours(hours, slot), slot))


WHOLE_SLOTS = st.integers(1, 6).flatmap(
    lambda fours: st.integers(0, 288 - 48 * fours).map(lambda fifth: (5 * fifth, 5 * fifth + 240 * fours))
)
"""Hours, in minutes, that slots of every length fit."""


@given(pings(max_size=60), WHOLE_SLOTS, st.sampled_from((5, 8)))
def test_slots_of_every_length_part_the_records_of_the_window(
    found: list[Ping], hours: tuple[int, int], resolution: int
) -> None:
    """Each length gives each record of the window once, to the same cells, vehicles and days."""
    records = make_records(found)
    first, last = dt.date(2022, 1, 1), dt.date(2022, 1, 3)
    moments = [
        dt.datetime.fromtimestamp(number / 1000, tz=zoneinfo.ZoneInfo(ZONE))
        for number in records.instants().tolist()
    ]
    inside = sum(hours[0] <= moment.hour * 60 + moment.minute < hours[1] for moment in moments)
    given_to: list[Counter[tuple[int, int, int]]] = []
    for length in SLOT_LENGTHS:
        over = build_window(((first, last),), (clock(hours[0]), clock(hours[1])), length)
        if not inside:
            with pytest.raises(InputError, match="contains no record"):
                contributions_of(records, resolution, over)
            continue
        table = contributions_of(records, resolution, over)
        assert int(table.records.sum()) == inside
        assert set(table.slot.tolist()) <= set(over.slots)
        shares: Counter[tuple[int, int, int]] = Counter()
        rows = zip(table.cell[table.hat], table.vehicle, table.day, table.counts, strict=True)
        for cell, vehicle, day, count in rows:
            shares[int(cell), int(vehicle), int(day)] += int(count)
        given_to.append(shares)
    assert all(shares == given_to[0] for shares in given_to)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3 * 24 * 12)), min_size=1, max_size=40),
    st.sampled_from(CHANGES),
    st.integers(1, 2),
    st.sampled_from(SLOT_MINUTES),
    st.sampled_from((1, 3, 1 << 18)),
)
def test_days_with_a_change_of_the_clock_group_by_the_wall_clock(
    found: list[tuple[int, int]],
    change: tuple[str, str, str, float, float],
    season: int,
    slot: int,
    block: int,
) -> None:
    zone, latitude, longitude = change[0], *change[3:]
    day = dt.date.fromisoformat(str(change[season]))
    start = instant(f"{day - dt.timedelta(days=1)}T12:00:00", zone)
    records = make_records(
        [Ping(f"bus {bus}", start + step * 300_000, latitude, longitude, step % 60) for bus, step in found],
        zone=zone,
    )
    first, last = day - dt.timedelta(days=1), day + dt.timedelta(days=1)
    with in_blocks(block):
        _check(records, RESOLUTION, build_window(((first, last),), ("00:00", "24:00"), slot))


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


def test_the_window_is_local_and_its_end_exclusive() -> None:
    texts = ["08:59:59", "09:00:00", "20:59:59", "21:00:00"]
    records = make_records(
        [Ping("bus", instant(f"2022-01-01T{text}"), 21.17, 72.83, float(n)) for n, text in enumerate(texts)]
    )
    table = contributions_of(records, RESOLUTION, window(days=1, hours=("09:00", "21:00")))
    assert table.values[:].tolist() == [1000, 2000]


def test_dates_between_two_ranges_are_left_out() -> None:
    records = make_records(
        [Ping("bus", instant(f"2022-01-0{day}T10:00:00"), 21.17, 72.83, float(day)) for day in range(1, 6)]
    )
    ranges = tuple((dt.date(2022, 1, day), dt.date(2022, 1, day)) for day in (2, 4))
    table = contributions_of(records, RESOLUTION, build_window(ranges, ("09:00", "21:00"), 60))
    assert table.values[:].tolist() == [2000, 4000]
    assert table.day.tolist() == [0, 1]


def test_a_window_without_a_record_is_refused() -> None:
    records = make_records([Ping("SECRET123", instant("2022-02-01T10:00:00"), 21.17, 72.83, 1.0)])
    with pytest.raises(InputError, match="contains no record") as caught:
        contributions_of(records, RESOLUTION, window())
    assert_tells(caught.value, hidden=("secret123",))


@pytest.mark.parametrize("resolution", [4, 11])
def test_a_resolution_out_of_range_is_refused(resolution: int) -> None:
    records = make_records([Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 1.0)])
    with pytest.raises(InputError, match="not offered"):
        contributions_of(records, resolution, window())


@given(pings(max_size=40))
def test_the_table_depends_on_nothing_but_the_records(found: list[Ping]) -> None:
    inside = [*found, Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 5.0)]
    over = window(days=2, hours=("08:00", "18:00"))
    one, other = (
        contributions_of(make_records(order, zone=ZONE), RESOLUTION, over) for order in (inside, inside[::-1])
    )
    assert_same(one, other)


def _stopping(after: int) -> Callable[[float, str], None]:
    told: list[float] = []

    def stop(done: float, text: str = "") -> None:
        assert not told or done >= told[-1], "progress never falls"
        assert text != "" or done in (0.0, 1.0)
        told.append(done)
        if len(told) == after:
            raise Cancelled

    return stop


def test_it_can_be_stopped_between_any_two_blocks() -> None:
    start = instant("2022-01-01T09:00:00")
    records = make_records(
        Ping(f"bus {step % 3}", start + step * 60_000, 21.1 + step / 90, 72.8, float(step))
        for step in range(25)
    )
    whole = contributions_of(
        dataclasses.replace(records, column_cache=MemoryColumnCache()), RESOLUTION, window()
    )
    with in_blocks(4):
        for calls in range(1, 25):
            with pytest.raises(Cancelled):
                contributions_of(records, RESOLUTION, window(), _stopping(calls))
            retained = records.column_cache.get(f"cells-{RESOLUTION}")
            if retained is not None:
                break
        assert calls > 8, "several looks before the cells are kept"
        assert_same(contributions_of(records, RESOLUTION, window(), _stopping(0)), whole)


def test_a_stop_while_cells_are_indexed_keeps_nothing() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 1.0)])
    with pytest.raises(Cancelled):
        contributions_of(records, RESOLUTION, window(), _stopping(1))
    assert records.column_cache.get(f"cells-{RESOLUTION}") is None


@given(pings(max_size=60))
def test_sums_are_exact_rationals(found: list[Ping]) -> None:
    """The integers of the table are those that exact fractions of the files' numbers give."""
    records = make_records(found)
    over = window(days=2, hours=("08:00", "18:00"))
    exact: dict[Row, Fraction] = {
        row: sum((Fraction(value, 1000) for value in values), Fraction(0))
        for row, values in _literal(records, RESOLUTION, over).items()
    }
    if exact:
        table = contributions_of(records, RESOLUTION, over)
        sums = pairs_of(table).pairs.sums
        assert [Fraction(int(total), 1000) for total in sums] == [exact[row] for row in sorted(exact)]


def test_another_slot_or_window_does_not_index_again(monkeypatch: pytest.MonkeyPatch) -> None:
    records = make_records([Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 1.0)])
    contributions_of(records, RESOLUTION, window())
    monkeypatch.setattr(cell_codes, "index_cells", None)
    for slot in SLOT_MINUTES:
        again = contributions_of(
            records, RESOLUTION, window(days=1, hours=("08:00", "12:00"), slot_minutes=slot)
        )
        assert again.records.tolist() == [1], slot


def test_values_stay_in_the_records_column() -> None:
    start = instant("2022-01-01T10:00:00")
    records = make_records([Ping("bus", start + step, 21.17, 72.83, 1.0) for step in range(9)])
    values = contributions_of(records, RESOLUTION, window()).values
    assert isinstance(values, RunValues)
    assert values.source is records.value
