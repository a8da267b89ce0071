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
from core.fixed_point import THOUSAND
from core.hats.slots import SlotLength
from core.hats.window import Window, build_window
from tests.records import ZONE, Ping, instant

U = 65 * THOUSAND
RESOLUTION = 7
_CENTRE = h3.latlng_to_cell(21.17, 72.83, RESOLUTION)
CELLS = tuple(sorted(h3.str_to_int(cell) for cell in h3.grid_disk(_CENTRE, 1)))
"""Seven neighbouring hexagons, as integers, sorted."""


# A draw costs more than most of what is done with it, whatever is drawn: small tables come from one string of
# bytes each. It shrinks to zeros, which stand for the simplest choice everywhere.
class Dice:
    """Numbers that bytes tell, one after the other; 0 when they are used up."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def below(self, limit: int) -> int:
        """One of 0 .. limit - 1, for any number of bytes about equally likely."""
        width = 1 if limit <= 64 else ((limit - 1).bit_length() + 9) // 8
        number = int.from_bytes(self._content[self._place : self._place + width], "big")
        self._place += width
        return number % limit

    def few_below(self, limit: int) -> int:
        """The same, smaller ones more often."""
        return min(self.below(limit), self.below(limit))

    def some_below(self, limit: int, most: int) -> list[int]:
        """From one to `most` different ones of 0 .. limit - 1, sorted."""
        return sorted({self.below(limit) for _ in range(1 + self.few_below(most))})

    def order_of(self, size: int) -> list[int]:
        """0 .. size - 1 in some order."""
        order = list(range(size))
        for place in range(size - 1):
            other = place + self.below(size - place)
            order[place], order[other] = order[other], order[place]
        return order


@cache
def dice(size: int) -> st.SearchStrategy[Dice]:
    """Enough for so many bytes."""
    return st.binary(min_size=size, max_size=size).map(Dice)


def _counts_of(dice: Dice, most_users: int, most_records: int) -> NDArray[np.int64]:
    kind = dice.below(4)
    users = 1 + (dice.below(most_users) if kind else dice.few_below(most_users))
    if kind == 1:
        found = [1 + dice.below(most_records)] * users
    elif kind == 2:
        found = [1 + dice.below(most_records)]
    else:
        found = [1 + dice.below(most_records) for _ in range(users)]
    return np.array(sorted(found, reverse=True), np.int64)


@cache
def counts(*, most_users: int = 12, most_records: int = 9) -> st.SearchStrategy[NDArray[np.int64]]:
    """Counts m_l of one HAT, non-increasing: uneven ones, all equal ones, and a single user."""
    return dice(3 + most_users).map(lambda thrown: _counts_of(thrown, most_users, most_records))


_NEAR = 4
"""Values so near 0 or U are drawn for themselves."""


def _value_of(dice: Dice, upper_bound: int) -> int:
    kind = dice.below(16)
    if kind < 7:
        return upper_bound if kind % 2 else 0
    if kind < 9:
        near = dice.below(min(_NEAR, upper_bound + 1))
        return upper_bound - near if kind % 2 else near
    return dice.below(upper_bound + 1)


def _values_of(dice: Dice, size: int, upper_bound: int) -> list[int]:
    found: list[int] = []
    while len(found) < size:
        run = 1 + dice.below(size - len(found))
        same = dice.below(4)
        if same < 2:
            found += [_value_of(dice, upper_bound) for _ in range(run)]
        else:
            found += [upper_bound if same % 2 else 0] * run
    return found


@cache
def values(size: int, upper_bound: int = U) -> st.SearchStrategy[list[int]]:
    """Values in thousandths: runs of 0 and of U, and anything between."""
    return dice(4 * size).map(lambda thrown: _values_of(thrown, size, upper_bound))


def _visits_of(dice: Dice, sizes: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Not known, one visit each, a visit a record, or anything between."""
    kind = dice.below(8)
    if kind < 3:
        return None
    if kind < 5:
        return np.ones_like(sizes) if kind == 3 else sizes.copy()
    return np.array([1 + dice.below(size) for size in sizes.tolist()], np.int64)


@cache
def visits(sizes: tuple[int, ...]) -> st.SearchStrategy[NDArray[np.int64] | None]:
    """How often each user of such counts came: from once to as often as it has records."""
    return dice(1 + 2 * len(sizes)).map(lambda thrown: _visits_of(thrown, np.array(sizes, np.int64)))


@st.composite
def hat_users(draw: st.DrawFn, counts_of: st.SearchStrategy[NDArray[np.int64]] | None = None) -> HatUsers:
    """What is public of one HAT, with visits or without."""
    sizes = draw(counts() if counts_of is None else counts_of)
    return HatUsers(counts=sizes, visits=draw(visits(tuple(sizes.tolist()))))


@st.composite
def hat_data(
    draw: st.DrawFn,
    counts_of: st.SearchStrategy[NDArray[np.int64]] | None = None,
    *,
    upper_bound: int = U,
) -> HatData:
    """One HAT. Users by non-increasing count; their values lie in another order, as in a table."""
    sizes = draw(counts() if counts_of is None else counts_of)
    thrown = draw(dice(1 + 3 * sizes.size + 4 * int(sizes.sum())))
    starts = np.zeros(sizes.size, np.int64)
    before = 0
    for user in thrown.order_of(sizes.size):
        starts[user] = before
        before += int(sizes[user])
    seen = _visits_of(thrown, sizes)
    return HatData(
        counts=sizes,
        starts=starts,
        values=np.array(_values_of(thrown, before, upper_bound), np.int32),
        upper_bound=upper_bound,
        visits=seen,
    )


@cache
def window(
    days: int = 3, hours: tuple[str, str] = ("09:00", "12:00"), slot_minutes: SlotLength = 60
) -> Window:
    """A window from 2022-01-01 on."""
    first = dt.date(2022, 1, 1)
    return build_window(((first, first + dt.timedelta(days=days - 1)),), hours, slot_minutes)


_MOST_ROWS = 20


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
    thrown = draw(dice(8 + 2 * most_hats + 4 * _MOST_ROWS))
    over = window(days=1 + thrown.below(most_days))
    places = [(cell, slot) for cell in CELLS for slot in over.slots]
    hats = [places[number] for number in thrown.some_below(len(places), most_hats)]
    drawn = []
    for number in thrown.some_below(len(hats) * most_vehicles * over.days, _MOST_ROWS):
        rest, day = divmod(number, over.days)
        drawn.append((*divmod(rest, most_vehicles), day, 1 + thrown.below(most_records)))
    used_hats = sorted({hat for hat, *_ in drawn})
    used_vehicles = sorted({vehicle for _, vehicle, *_ in drawn})
    rows = sorted(
        (used_hats.index(hat), used_vehicles.index(vehicle), day, size) for hat, vehicle, day, size in drawn
    )
    sizes = [size for *_, size in rows]
    seen = _visits_of(thrown, np.array(sizes, np.int64))
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
        visits=None if seen is None else seen.astype(np.int32),
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
