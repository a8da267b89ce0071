"""The resolution table against plain sets and pandas, on made-up cities and on Surat."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections import Counter, defaultdict
from pathlib import Path

import h3
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.advice.knob_advice import slot_name
from core.assist.column_guesses import guess_mapping
from core.clean.mapping import ReadingRules
from core.contributions import Contributions, contributions_of
from core.errors import InputError
from core.hats.slots import ALL, SLOT_LENGTHS
from core.hats.window import Window
from core.planning.resolution_table import (
    Bins,
    Histogram,
    ResolutionRow,
    require_resolutions,
    resolution_row,
    resolution_table,
    windows_of,
)
from core.privacy import Confidential
from core.progress import Cancelled
from core.read.reader_registry import reader_for
from core.records.records import Records
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city
from tests.records import Ping, assert_tells, instant, make_records
from tests.strategies import contributions, pings, window

KNOWN = (1, 1, 1, 2, 5, 5, 9, 9, 9, 9)


def histogram(values: tuple[int, ...]) -> Histogram:
    return Histogram(counts=np.bincount(values))


def occurring(found: Histogram) -> dict[int, int]:
    return {value: int(found.counts[value]) for value in np.flatnonzero(found.counts).tolist()}


def literal(records: Records, resolution: int, over: Window, threshold: int) -> dict[str, object]:
    """Every figure by sets of names, from one record after the other; nothing of an empty window."""
    zone = zoneinfo.ZoneInfo(records.zone)
    hats: dict[tuple[str, int, dt.date], set[int]] = defaultdict(set)
    days: dict[tuple[int, dt.date], set[tuple[str, int]]] = defaultdict(set)
    held: Counter[tuple[str, int]] = Counter()
    instants = records.instants().tolist()
    for row in range(len(records)):
        local = dt.datetime.fromtimestamp(instants[row] / 1000, zone)
        minute = local.hour * 60 + local.minute
        if local.date() not in over.dates or not over.start <= minute < over.end:
            continue
        place = records.latitude[row] / 10**7, records.longitude[row] / 10**7
        hat = h3.latlng_to_cell(*place, resolution), over.grid.slot_of(minute)
        held[hat] += 1
        hats[*hat, local.date()].add(int(records.vehicle[row]))
        days[int(records.vehicle[row]), local.date()].add(hat)
    if not hats:
        return {}
    cells = {cell for cell, *_ in hats}
    busy = [
        cell
        for cell in cells
        if all(
            sum(len(hats.get((cell, slot, date), ())) for date in over.dates) >= over.days * threshold
            for slot in over.slots
        )
    ]
    seen: Counter[tuple[str, int]] = Counter()
    for (cell, slot, _), vehicles in hats.items():
        seen[cell, slot] += len(vehicles)
    crowded = [hat for hat, count in seen.items() if count >= over.days * threshold]
    per_hat, per_vehicle = [len(found) for found in hats.values()], [len(found) for found in days.values()]
    return {
        "area": sum(h3.cell_area(cell, unit="km^2") for cell in cells) / len(cells),
        "cells": len(cells),
        "hats": len({(cell, slot) for cell, slot, _ in hats}),
        "mean": sum(per_hat) / len(per_hat),
        "busy": len(busy),
        "records": held.total(),
        "busy hats": len(crowded),
        "busy records": sum(held[hat] for hat in crowded) / held.total(),
        "per_hat": Counter(per_hat),
        "per_vehicle": Counter(per_vehicle),
        "k_day": max(per_vehicle),
    }


def figures(row: ResolutionRow, threshold: int) -> dict[str, object]:
    """The same figures of a row."""
    return {
        "area": pytest.approx(row.mean_area_km2),
        "cells": row.cells,
        "hats": row.hats,
        "mean": pytest.approx(row.vehicles_per_hat_day.mean),
        "busy": row.busy_cells(threshold),
        "records": row.records,
        "busy hats": row.busy_hats(threshold),
        "busy records": row.busy_records(threshold),
        "per_hat": occurring(row.vehicles_per_hat_day),
        "per_vehicle": occurring(row.hats_per_vehicle_day),
        "k_day": row.k_day,
    }


@given(pings(min_size=3), st.sampled_from((5, 7, 9)), st.integers(1, 2))
def test_every_figure_is_the_literal_one(found: list[Ping], resolution: int, threshold: int) -> None:
    records, over = make_records(found), window(days=2)
    expected = literal(records, resolution, over, threshold)
    if not expected:
        with pytest.raises(InputError, match="contains no record"):
            resolution_table(records, [resolution], over, threshold)
        return
    (row,) = resolution_table(records, [resolution], over, threshold).rows
    assert expected == figures(row, threshold)


@given(pings(min_size=3), st.integers(1, 2), st.sampled_from((("09:00", "12:00"), ("08:20", "13:20"))))
def test_every_length_of_slot_is_the_literal_one_over_its_own_hours(
    found: list[Ping], threshold: int, hours: tuple[str, str]
) -> None:
    records, over = make_records(found), window(days=2, hours=hours)
    if not literal(records, 7, over, threshold):
        return
    table = resolution_table(records, [7, 6], over, threshold, lengths=SLOT_LENGTHS)
    lengths = [row.window.slot_minutes for row in table.others if row.resolution == 7]
    assert [(row.resolution, row.window) for row in table.rows] == [(7, over), (6, over)]
    assert sorted([60, *lengths]) == sorted([15, 30, 60, 120, 240, over.end - over.start])
    for row in table.all_rows:
        assert literal(records, row.resolution, row.window, threshold) == figures(row, threshold)
        assert row.window.start <= over.start < over.end <= row.window.end
        if row.window.hours == over.hours:
            assert row.records == table.rows[0].records
    assert table.loaded == len(records) >= table.hours.total >= table.rows[0].records


@pytest.mark.parametrize("resolution", [6, 7, 8])
def test_a_city_against_pandas(tmp_path: Path, resolution: int) -> None:
    spec = load_spec(write_city(tmp_path))
    records = load_records(spec.data.paths(), spec.data.rules).records
    (row,) = resolution_table(records, [resolution], spec.window, 2).rows
    frame = pd.DataFrame(
        {
            "time": pd.to_datetime(records.instants(), unit="ms", utc=True).tz_convert(records.zone),
            "bus": records.vehicle,
            "cell": [
                h3.latlng_to_cell(a, b, resolution)
                for a, b in zip(records.latitude / 10**7, records.longitude / 10**7, strict=True)
            ],
        }
    )
    frame["day"], frame["hour"] = frame.time.dt.date, frame.time.dt.hour
    frame = frame[(frame.hour >= 9) & (frame.hour < 12)]
    assert frame.day.nunique() == spec.window.days
    buses = frame.groupby(["cell", "hour", "day"]).bus.nunique()
    hats = frame.drop_duplicates(["bus", "day", "cell", "hour"]).groupby(["bus", "day"]).size()
    sums = buses.groupby(["cell", "hour"]).sum().unstack(fill_value=0)
    busy = (sums >= spec.window.days * 2).all(axis=1)
    assert row.cells == frame.cell.nunique()
    assert row.hats == frame.groupby(["cell", "hour"]).ngroups
    assert row.vehicles_per_hat_day.mean == pytest.approx(buses.mean())
    assert occurring(row.vehicles_per_hat_day) == buses.value_counts().to_dict()
    assert occurring(row.hats_per_vehicle_day) == hats.value_counts().to_dict()
    assert row.k_day == hats.max()
    assert 0 < row.busy_share(2) == pytest.approx(busy.mean())
    assert row.vehicles_per_hat_day.median == buses.quantile(0.5, interpolation="lower")
    assert row.vehicles_per_hat_day.deviation == pytest.approx(buses.std(ddof=0))
    assert row.vehicles_per_hat_day.minimum == buses.min()
    assert row.records == len(frame)


def test_surat_at_three_resolutions(shared_data: Path) -> None:
    path = shared_data / "india-iudx" / "suratITMS.json.gz"
    mapping = guess_mapping(reader_for(path).preview(path), where=str(path)).mapping
    records = load_records([path], ReadingRules(mapping=mapping, zone=None, upper_bound=65_000)).records
    over = window(days=1, hours=("10:00", "11:00"))
    table = resolution_table(records, [8, 6, 7], over, 10)
    assert [row.resolution for row in table.rows] == [8, 6, 7]
    for row in table.rows:
        expected = literal(records, row.resolution, over, 10)
        assert expected == figures(row, 10)
    assert [(row.cells, row.hats, row.k_day) for row in table.rows] == [
        (204, 204, 6),
        (19, 19, 3),
        (64, 64, 4),
    ]


@given(contributions(most_hats=7), st.integers(1, 4))
def test_busy_cells_are_those_of_the_rule(table: Contributions, threshold: int) -> None:
    row = resolution_row(table)
    request = SelectionRequest(rule="every-slot", threshold=threshold)
    try:
        expected = len(set(select(table, request).cell.tolist()))
    except InputError:
        expected = 0
    assert row.busy_cells(threshold) == expected
    assert row.busy_share(threshold) == expected / len(set(table.cell.tolist()))


def test_a_threshold_is_met_at_least_and_over_all_listed_dates() -> None:
    buses = [
        Ping(f"bus{bus}", instant(f"2022-01-0{day}T{hour:02}:05:00"), 21.17, 72.83, 10.0)
        for day in (1, 2)
        for hour in (9, 10)
        for bus in range(3)
    ]
    two, three = window(2, ("09:00", "11:00")), window(3, ("09:00", "11:00"))
    (of_two,) = resolution_table(make_records(buses), [7], two, 3).rows
    (of_three,) = resolution_table(make_records(buses), [7], three, 3).rows
    assert (of_two.busy_cells(3), of_two.busy_cells(4)) == (1, 0)
    assert (of_three.busy_cells(2), of_three.busy_cells(3)) == (1, 0)
    assert of_two.vehicles_per_hat_day.mean == of_three.vehicles_per_hat_day.mean == 3
    (longer,) = resolution_table(make_records(buses), [7], window(2, ("09:00", "12:00")), 3).rows
    assert longer.busy_cells(1) == 0


def test_a_coarse_cell_is_not_the_union_of_its_children() -> None:
    """A place whose fine cell has another parent than the coarse cell it lies in."""
    rng = np.random.default_rng(3)
    places = zip(rng.uniform(21.0, 21.3, 400), rng.uniform(72.7, 73.0, 400), strict=True)
    latitude, longitude = next(
        (a, b)
        for a, b in places
        if h3.cell_to_parent(h3.latlng_to_cell(a, b, 8), 7) != h3.latlng_to_cell(a, b, 7)
    )
    start = instant("2022-01-01T09:05:00")
    records = make_records([Ping("bus", start, latitude, longitude, 10.0)])
    (row,) = resolution_table(records, [7], window(1), 1).rows
    placed = records.latitude[0] / 10**7, records.longitude[0] / 10**7
    own = h3.cell_area(h3.latlng_to_cell(*placed, 7), unit="km^2")
    assert row.mean_area_km2 == pytest.approx(own, rel=1e-12)
    parent = h3.cell_to_parent(h3.latlng_to_cell(*placed, 8), 7)
    assert row.mean_area_km2 != pytest.approx(h3.cell_area(parent, unit="km^2"), rel=1e-9)


def test_figures_of_a_histogram() -> None:
    found = histogram(KNOWN)
    assert (found.total, found.maximum, found.median) == (10, 9, 5)
    assert found.mean == pytest.approx(np.mean(KNOWN))
    assert [found.quartile(number) for number in (1, 2, 3)] == [1, 5, 9]
    assert histogram((4,)).median == histogram((4, 4)).median == 4


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 3))
def test_a_quartile_is_the_least_value_with_enough_items(values: list[int], number: int) -> None:
    expected = np.quantile(values, number / 4, method="inverted_cdf")
    assert histogram(tuple(values)).quartile(number) == expected


@given(st.lists(st.integers(1, 200), min_size=1, max_size=30), st.integers(1, 60))
def test_bins_hold_every_item_once(values: list[int], most: int) -> None:
    found = histogram(tuple(values)).bins(most)
    assert found.counts.size <= most
    for bar, count in enumerate(found.counts.tolist()):
        first, last = found.range_of(bar)
        assert last - first + 1 == found.width
        assert count == sum(first <= value <= last for value in values)
        assert found.share_of(bar) == count / len(values)
        assert {found.bar_of(value) for value in range(first, last + 1)} == {bar}
    assert found.bar_of(0) is None
    assert found.bar_of(found.range_of(found.counts.size - 1)[1] + 1) is None
    assert found.counts.sum() == len(values)
    assert found.width == 1 or -(-max(values) // (found.width - 1)) > most


@pytest.mark.parametrize("resolutions", [(), (4,), (11,), (7, 7), (6, 7, 6)])
def test_other_resolutions_are_refused(resolutions: tuple[int, ...]) -> None:
    with pytest.raises(InputError) as caught:
        require_resolutions(resolutions, where="here")
    assert_tells(caught.value)
    with pytest.raises(InputError):
        resolution_table(make_records([Ping("bus", 0, 1.0, 1.0, 1.0)]), resolutions, window(), 10)


def test_a_threshold_below_one_and_an_empty_window_are_refused() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T09:00:00"), 21.1, 72.8, 1.0)])
    with pytest.raises(InputError, match="at least 1"):
        resolution_table(records, [7], window(), 0)
    with pytest.raises(InputError, match="no record") as caught:
        resolution_table(records, [7], window(hours=("10:00", "11:00")), 1)
    assert_tells(caught.value)


def test_progress_rises_to_the_end_and_can_stop_the_work() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T09:00:00"), 21.1, 72.8, 1.0)])
    told: list[float] = []
    resolution_table(records, [6, 7, 8], window(), 1, lambda done, _="": told.append(done))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    assert len(told) >= 6

    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - as Progress is called
        if done > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        resolution_table(records, [6, 7, 8], window(), 1, stop)


def test_nothing_of_the_table_shows_in_its_repr(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = resolution_table(records, [7], spec.window, 2)
    row = resolution_row(contributions_of(records, 7, spec.window))
    for found in (table, row, row.hats_per_vehicle_day, row.hats_per_vehicle_day.bins(9)):
        assert isinstance(found, Confidential)
        assert repr(found).startswith("<confidential ")
    assert repr(table) == "<confidential ResolutionTable: rows=1, others=0>"
    assert repr(Bins(width=2, counts=np.array([7]))) == "<confidential Bins: counts=1>"


def test_the_json_holds_every_histogram_whole(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    records = load_records(spec.data.paths(), spec.data.rules).records
    told = resolution_table(records, [7, 8], spec.window, 2).to_json()
    assert told["confidential"] is True
    assert (told["days"], told["threshold"], told["hours"]) == (2, 2, ["09:00", "12:00"])
    records_told = {"loaded": len(records), "on_dates": len(records), "kept": len(records)}
    assert told["records"] == records_told
    assert told["slots"] == []
    for row in told["resolutions"]:
        spread = row["vehicles_per_hat_day"]
        items = {int(value): count for value, count in spread["histogram"].items()}
        assert sum(items.values()) == spread["items"]
        assert sum(value * count for value, count in items.items()) / spread["items"] == row["mean_vehicles"]
        assert max(map(int, row["hats_per_vehicle_day"]["histogram"])) == row["k_day"]


@pytest.mark.parametrize(
    ("hours", "names"),
    [
        (3, ["1 hour", "4 hours", "all hours"]),  # the slot of four hours is longer than what was asked for
        (4, ["1 hour", "all hours"]),
        (1, ["all hours", "4 hours"]),
        (8, ["1 hour", "4 hours", "all hours"]),
    ],
)
def test_one_slot_is_called_all_hours_where_it_is_all_that_were_asked_for(
    hours: int, names: list[str]
) -> None:
    day = dt.date(2022, 1, 3)
    asked = Window(date_ranges=((day, day),), start=9 * 60, end=(9 + hours) * 60, slot_minutes=60)
    assert [slot_name(one.slot_length) for one in windows_of(asked, (60, 240, ALL))] == names
