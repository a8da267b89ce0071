"""Hypothesis strategies: small data sets of a city, with values that dwell on 0 and U."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import h3
import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import Contributions, HatData, HatUsers
from core.hats.slots import SlotLength
from core.hats.window import Window, build_window
from core.values import THOUSAND
from tests.records import ZONE, Ping, instant

U = 65 * THOUSAND
RESOLUTION = 7
_CENTRE = h3.latlng_to_cell(21.17, 72.83, RESOLUTION)
CELLS = tuple(sorted(h3.str_to_int(cell) for cell in h3.grid_disk(_CENTRE, 1)))
"""Seven neighbouring hexagons, as integers, sorted."""


# Strategies are made once wherever their bounds are known: to make one for every example costs as much
# as to draw from it.
@cache
def counts(*, most_users: int = 12, most_records: int = 9) -> st.SearchStrategy[NDArray[np.int64]]:
    """Counts m_l of one HAT, non-increasing: uneven ones, all equal ones, and a single user."""
    users = st.integers(1, most_users)
    records = st.integers(1, most_records)
    uneven = st.lists(records, min_size=1, max_size=most_users)
    equal = st.tuples(users, records).map(lambda pair: [pair[1]] * pair[0])
    single = records.map(lambda count: [count])
    return (uneven | equal | single).map(lambda found: np.array(sorted(found, reverse=True), np.int64))


_SAME = st.sampled_from((None, None, 0, 1))
"""Of a run of values: whether all are 0, all are U, or each is drawn."""


@cache
def _value_numbers(upper_bound: int) -> st.SearchStrategy[int]:
    """Odd ones 2 v + 1 stand for a value v, even ones by turns for 0 and for U."""
    return st.integers(0, 2 * upper_bound + 1)


@st.composite
def values(draw: st.DrawFn, size: int, upper_bound: int = U) -> list[int]:
    """Values in thousandths: runs of 0 and of U, and anything between."""
    numbers = _value_numbers(upper_bound)
    ends = (0, upper_bound)
    found: list[int] = []
    while len(found) < size:
        run = draw(st.integers(1, size - len(found)))
        same = draw(_SAME)
        if same is None:
            drawn = [draw(numbers) for _ in range(run)]
            found += [number // 2 if number % 2 else ends[number // 2 % 2] for number in drawn]
        else:
            found += [ends[same]] * run
    return found


@cache
def _visit_numbers() -> st.SearchStrategy[int | None]:
    """None where visits are not known; else 0 for one visit each, 1 for a visit a record, or a seed."""
    return st.none() | st.integers(0, 1 << 20)


@st.composite
def visits(draw: st.DrawFn, sizes: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """How often each user of such counts came: from once to as often as it has records."""
    number = draw(_visit_numbers())
    if number is None:
        return None
    if number < 2:
        return np.ones_like(sizes) if number == 0 else sizes.copy()
    return np.random.default_rng(number).integers(1, sizes, endpoint=True)


@st.composite
def hat_users(draw: st.DrawFn, counts_of: st.SearchStrategy[NDArray[np.int64]] | None = None) -> HatUsers:
    """What is public of one HAT, with visits or without."""
    sizes = draw(counts() if counts_of is None else counts_of)
    return HatUsers(counts=sizes, visits=draw(visits(sizes)))


@st.composite
def hat_data(
    draw: st.DrawFn,
    counts_of: st.SearchStrategy[NDArray[np.int64]] | None = None,
    *,
    upper_bound: int = U,
) -> HatData:
    """One HAT. Users by non-increasing count; their values lie in another order, as in a table."""
    sizes = draw(counts() if counts_of is None else counts_of)
    layout = draw(st.permutations(range(sizes.size)))
    starts = np.zeros(sizes.size, np.int64)
    before = 0
    for user in layout:
        starts[user] = before
        before += int(sizes[user])
    return HatData(
        counts=sizes,
        starts=starts,
        values=np.array(draw(values(before, upper_bound)), np.int32),
        upper_bound=upper_bound,
        visits=draw(visits(sizes)),
    )


@cache
def window(
    days: int = 3, hours: tuple[str, str] = ("09:00", "12:00"), slot_minutes: SlotLength = 60
) -> Window:
    """A window from 2022-01-01 on."""
    first = dt.date(2022, 1, 1)
    return build_window(((first, first + dt.timedelta(days=days - 1)),), hours, slot_minutes)


@cache
def _distinct(choices: int, most: int, variants: int = 1) -> st.SearchStrategy[list[int]]:
    """One to `most` of the numbers below `choices`, each in one of its variants: number * variants + variant.

    One integer stands for all that is chosen together, as each draw costs.
    """
    return st.lists(
        st.integers(0, choices * variants - 1),
        min_size=1,
        max_size=most,
        unique_by=lambda number: number // variants,
    )


@st.composite
def contributions(
    draw: st.DrawFn,
    *,
    most_vehicles: int = 6,
    most_hats: int = 5,
    most_days: int = 3,
    most_records: int = 4,
    upper_bound: int = U,
) -> Contributions:
    """A contribution table, built row by row from (HAT, vehicle, day) -> number of records.

    Every HAT and every vehicle of the table has a record.
    """
    over = window(days=draw(st.integers(1, most_days)))
    places = [(cell, slot) for cell in CELLS for slot in over.slots]
    hats = sorted(places[number] for number in draw(_distinct(len(places), most_hats)))
    drawn = []
    for number in draw(_distinct(len(hats) * most_vehicles * over.days, 20, most_records)):
        rest, size = divmod(number, most_records)
        rest, day = divmod(rest, over.days)
        drawn.append((*divmod(rest, most_vehicles), day, size + 1))
    used_hats = sorted({hat for hat, *_ in drawn})
    used_vehicles = sorted({vehicle for _, vehicle, *_ in drawn})
    rows = sorted(
        (used_hats.index(hat), used_vehicles.index(vehicle), day, size) for hat, vehicle, day, size in drawn
    )
    sizes = [size for *_, size in rows]
    return Contributions(
        window=over,
        resolution=RESOLUTION,
        zone=ZONE,
        upper_bound=upper_bound,
        vehicles=tuple(f"bus {vehicle}" for vehicle in used_vehicles),
        cell=np.array([hats[hat][0] for hat in used_hats], np.uint64),
        slot=np.array([hats[hat][1] for hat in used_hats], np.int16),
        hat=np.array([row[0] for row in rows], np.int32),
        vehicle=np.array([row[1] for row in rows], np.int32),
        day=np.array([row[2] for row in rows], np.int16),
        start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        values=np.array(draw(values(sum(sizes), upper_bound)), np.int32),
        visits=np.array([1 + number % size for number, size in enumerate(sizes)], np.int32),
    )


def pings(**bounds: Any) -> st.SearchStrategy[list[Ping]]:
    """Records of a few buses about `CELLS`, in and out of `window()`, with repeats of an instant."""
    start = instant("2022-01-01T08:00:00")
    one = st.builds(
        Ping,
        vehicle=st.sampled_from(("bus 1", "BUS 1", "bus 2", " bus 3", "007", "7")),
        instant=st.integers(0, 60).map(lambda step: start + step * 1_234_567),
        latitude=st.integers(2115, 2119).map(lambda value: value / 100),
        longitude=st.integers(7280, 7286).map(lambda value: value / 100),
        value=st.sampled_from((0.0, 65.0)) | st.integers(0, 90_000).map(lambda value: value / THOUSAND),
    )
    return st.lists(one, **({"min_size": 1, "max_size": 25} | bounds))


def hat_of(
    counts: Sequence[int] | NDArray[np.int64], values: Sequence[int] | NDArray[Any], upper_bound: int = U
) -> HatData:
    """One HAT whose users' values, in thousandths, stand one user after the other."""
    sizes = np.array(counts, np.int64)
    return HatData(
        counts=sizes,
        starts=np.cumsum(sizes) - sizes,
        values=np.array(values, np.int32),
        upper_bound=upper_bound,
    )


def one_record_each(
    rows: Iterable[tuple[int, int, int]], cells: Sequence[int], *, days: int, value: int = 0
) -> Contributions:
    """Contributions with one record of `value` thousandths in each (HAT, vehicle, day); a cell each HAT."""
    hat, vehicle, day = (np.array(column) for column in zip(*sorted(rows), strict=True))
    return Contributions(
        window=window(days=days),
        resolution=RESOLUTION,
        zone=ZONE,
        upper_bound=U,
        vehicles=tuple(f"bus {number}" for number in range(vehicle.max() + 1)),
        cell=np.array(cells, np.uint64),
        slot=np.full(len(cells), 9, np.int16),
        hat=hat.astype(np.int32),
        vehicle=vehicle.astype(np.int32),
        day=day.astype(np.int16),
        start=np.arange(hat.size + 1),
        values=np.full(hat.size, value, np.int32),
    )


def presence(*rows: tuple[int, int, int], days: int = 2) -> Contributions:
    """Contributions with one record in each (HAT, vehicle, day)."""
    return one_record_each(rows, CELLS[: max(hat for hat, *_ in rows) + 1], days=days)
