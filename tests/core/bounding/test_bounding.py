"""Bounding: at most so many HATs and days, by keyed hash, a function of the unit's own records alone."""

from __future__ import annotations

import time
from collections import Counter, defaultdict

import numpy as np
import pytest

from core.bounding.bounding import (
    bounded_rows,
    candidate_rows,
    first_by_hash,
    rows_in_columns,
    unit_entries,
)
from core.bounding.candidates import candidate_hats
from core.contributions import pairs_of
from core.privacy import Unit
from tests.bounding import (
    KEY,
    OUTSIDE,
    UNITS,
    Stay,
    constants_of,
    entries_in,
    mixed,
    neighbours,
    random_stays,
    table_of,
    unit_of,
    word,
)
from tests.strategies import CELLS

EVERY_UNIT = pytest.mark.parametrize("unit", UNITS)
SEEDS = pytest.mark.parametrize("seed", range(12))
Kept = set[tuple[str, int, int]]
"""(vehicle, day, column) of rows."""


def kept_of(stays: list[Stay], unit: Unit, *, by_day: bool = False, key: bytes = KEY) -> Kept:
    constants, table = constants_of(unit), table_of(stays)
    rows = bounded_rows(table, candidate_hats(constants), constants, key, by_day=by_day)
    return {
        (table.vehicles[table.vehicle[row]], int(table.day[row]), int(column))
        for row, column in zip(rows.row, rows.column, strict=True)
    }


def by_hand(stays: list[Stay], unit: Unit, *, by_day: bool) -> Kept:
    """The first two HATs of each unit, unit by unit, in plain Python."""
    constants = constants_of(unit)
    listed = candidate_hats(constants)
    names = dict(zip(zip(listed.cell.tolist(), listed.slot.tolist(), strict=True), listed.names, strict=True))
    columns = {place: column for column, place in enumerate(names)}
    dates = [date.isoformat() for date in constants.window.dates]
    units = defaultdict(list)
    for stay in stays:
        if (stay.cell, stay.slot) in names:
            units[unit_of(unit)(stay)].append(stay)
    retained = set()
    for own in units.values():
        vehicle = word("vehicle", own[0].vehicle)
        if by_day and unit is Unit.VEHICLE:
            days = sorted(
                {stay.day for stay in own}, key=lambda day: mixed(mixed(vehicle) ^ word("date", dates[day]))
            )
            own = [stay for stay in own if stay.day in days[: constants.days]]
        if unit is Unit.VEHICLE_DAY:
            vehicle = mixed(mixed(vehicle) ^ word("date", dates[own[0].day]))
        hats = sorted(
            {(stay.cell, stay.slot) for stay in own},
            key=lambda place: mixed(mixed(vehicle) ^ word("hat", names[place])),
        )[: constants.hats]
        retained |= {
            (stay.vehicle, stay.day, columns[stay.cell, stay.slot])
            for stay in own
            if (stay.cell, stay.slot) in hats
        }
    return retained


@SEEDS
@EVERY_UNIT
@pytest.mark.parametrize("by_day", [False, True])
def test_the_first_are_kept_by_keyed_hash(seed: int, unit: Unit, by_day: bool) -> None:
    stays = random_stays(seed)
    found = kept_of(stays, unit, by_day=by_day)
    assert found == by_hand(stays, unit, by_day=by_day)
    assert found
    hats = Counter(
        (vehicle, day if unit is Unit.VEHICLE_DAY else 0)
        for vehicle, day, _ in {
            (vehicle, day if unit is Unit.VEHICLE_DAY else 0, column) for vehicle, day, column in found
        }
    )
    assert max(hats.values()) == 2
    if by_day and unit is Unit.VEHICLE:
        days = Counter(vehicle for vehicle, _ in {(vehicle, day) for vehicle, day, _ in found})
        assert max(days.values()) <= 2


@SEEDS
@EVERY_UNIT
@pytest.mark.parametrize("by_day", [False, True])
def test_other_units_change_nothing(seed: int, unit: Unit, by_day: bool) -> None:
    """What is kept of the others is the same, whoever is added or removed."""
    stays = random_stays(seed, visits=25)
    whole = kept_of(stays, unit, by_day=by_day)
    for fewer in neighbours(stays, unit):
        gone = {unit_of(unit)(stay) for stay in stays} - {unit_of(unit)(stay) for stay in fewer}
        left = {one for one in whole if not any(one[: len(unit)] == unit for unit in gone)}
        assert (kept_of(fewer, unit, by_day=by_day) if fewer else set()) == left


def test_records_outside_of_the_candidates_take_no_place() -> None:
    inside = [Stay(cell, 9, "bus", 0, (1_000,)) for cell in CELLS[:2]]
    outside = [Stay(OUTSIDE, slot, "bus", 0, (1_000,)) for slot in (9, 10, 11)]
    assert kept_of([*inside, *outside], Unit.VEHICLE) == {("bus", 0, 0), ("bus", 0, 3)}
    assert kept_of(outside, Unit.VEHICLE) == set()


def test_nobody_inside_leaves_no_entries() -> None:
    for by_day in (False, True):
        entries = entries_in([Stay(OUTSIDE, 9, "bus", 0, (1_000,))], constants_of(), by_day=by_day)
        assert entries.column.size == entries.sums.size == 0


def test_another_key_keeps_other_hats() -> None:
    stays = [Stay(cell, slot, "bus", 0, (1,)) for cell in CELLS[:-1] for slot in (9, 10, 11)]
    retained = {frozenset(kept_of(stays, Unit.VEHICLE, key=bytes([seed]) * 32)) for seed in range(20)}
    assert len(retained) > 15


@SEEDS
def test_entries_hold_all_records_of_what_is_kept(seed: int) -> None:
    """Of a vehicle all days of a HAT together, or each day apart."""
    stays = [stay._replace(vehicle="bus", cell=CELLS[0]) for stay in random_stays(seed)]
    stays = list({stay[:4]: stay for stay in stays}.values())
    for by_day in (False, True):
        entries = entries_in(stays, constants_of(days_per_vehicle=3, hats_per_vehicle=18), by_day=by_day)
        held = defaultdict(list)
        for stay in sorted(stays):
            held[stay.slot, stay.day if by_day else 0].extend(stay.values)
        assert entries.records.tolist() == [len(values) for values in held.values()]
        assert entries.sums.tolist() == [sum(values) for values in held.values()]
        assert entries.maxima.tolist() == [max(values) for values in held.values()]


def test_first_by_hash_breaks_ties_by_order() -> None:
    group = np.array([1, 0, 1, 1, 0])
    assert first_by_hash(group, np.zeros(5, np.uint64), 1).tolist() == [True, True, False, False, False]
    assert first_by_hash(group, np.arange(5)[::-1].astype(np.uint64), 2).tolist() == [
        False, True, True, True, True,
    ]  # fmt: skip
    assert first_by_hash(group[:0], np.zeros(0, np.uint64), 2).size == 0


def test_a_large_city_takes_a_fraction_of_a_second() -> None:
    """5,000 vehicles with 200 HATs each."""
    rng = np.random.default_rng(1)
    constants = constants_of(hats_per_vehicle=20)
    words = rng.integers(0, 2**63, 1_000_000).astype(np.uint64)
    group = np.repeat(np.arange(5_000), 200)
    began = time.process_time()
    retained = first_by_hash(group, words, constants.hats)
    assert retained.sum() == 5_000 * constants.hats
    assert time.process_time() - began < 2.5


def test_what_is_confidential_shows_sizes_only() -> None:
    table = table_of([Stay(CELLS[0], 9, "bus", 0, (41_000,))])
    rows = candidate_rows(table, candidate_hats(constants_of()), Unit.VEHICLE)
    for shown in (repr(rows), repr(unit_entries(rows, pairs_of(table)))):
        assert shown.startswith("<confidential")
        assert "41000" not in shown


@SEEDS
@EVERY_UNIT
def test_columns_that_candidates_share_hold_the_rows_of_all(seed: int, unit: Unit) -> None:
    """Entry by entry what one pass over the stays gives; a column of -1 leaves its rows out."""
    stays, candidates = random_stays(seed), candidate_hats(constants_of(unit))
    columns = np.random.default_rng(seed).integers(-1, 3, len(candidates))
    table, whose = table_of(stays), unit_of(unit)
    place = {
        hat: int(column)
        for hat, column in zip(
            zip(candidates.cell.tolist(), candidates.slot.tolist(), strict=True), columns, strict=True
        )
    }
    expected: Counter[tuple[int, tuple[object, ...]]] = Counter()
    for stay in stays:
        if place.get((stay.cell, stay.slot), -1) >= 0:
            expected[place[stay.cell, stay.slot], whose(stay)] += len(stay.values)
    entries = unit_entries(rows_in_columns(candidate_rows(table, candidates, unit), columns), pairs_of(table))
    assert sorted(entries.records.tolist()) == sorted(expected.values())
    by_column = Counter[int]()
    for (column, _), records in expected.items():
        by_column[column] += records
    found = np.bincount(entries.column, entries.records, minlength=3)
    assert found.tolist() == [by_column[column] for column in range(3)]
    assert len(set(zip(entries.column.tolist(), entries.unit.tolist(), strict=True))) == entries.unit.size
