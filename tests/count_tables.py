"""Cities as tables of counts: how many records each vehicle gave each HAT, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, CityPlan, JointCity, plan_city
from core.contributions import Contributions
from core.mechanisms.tokens import TokensParams
from tests.records import ZONE
from tests.strategies import CELLS, RESOLUTION, U, window

Counts = NDArray[np.int64]
Table = Sequence[Sequence[int]] | Counts

BUSIEST = 2
"""The vehicle of `TOWN` that is in every HAT."""
TOWN = (
    (5, 0, 0, 1),
    (0, 7, 2, 0),
    (9, 3, 4, 6),
    (1, 1, 0, 2),
    (0, 0, 8, 1),
)
"""A small city, [vehicle][HAT]: nobody alone, nobody like another."""


@st.composite
def count_tables(
    draw: st.DrawFn, *, most_vehicles: int = 6, most_hats: int = 5, most_records: int = 9
) -> Counts:
    """[vehicle, HAT], shape (L, G); every vehicle and every HAT has a record, many pairs have none."""
    vehicles, hats = draw(st.integers(1, most_vehicles)), draw(st.integers(1, most_hats))
    number = st.integers(0, 2 * most_records).map(lambda drawn: max(0, drawn - most_records))
    drawn = draw(st.lists(number, min_size=vehicles * hats, max_size=vehicles * hats))
    table = np.array(drawn, np.int64).reshape(vehicles, hats)
    somewhere, someone = np.arange(vehicles) % hats, np.arange(hats) % vehicles
    table[np.arange(vehicles), somewhere] = np.maximum(table[np.arange(vehicles), somewhere], 1)
    table[someone, np.arange(hats)] = np.maximum(table[someone, np.arange(hats)], 1)
    return table


def pairs_of(counts: Table, visits: Table | None = None) -> CityPairs:
    """Vehicles keep their numbers; each must have a record."""
    table = np.asarray(counts, np.int64).T
    hat, vehicle = np.nonzero(table)
    return CityPairs(
        hat=hat.astype(np.int32),
        vehicle=vehicle.astype(np.int32),
        code=vehicle.astype(np.int32),
        records=table[hat, vehicle],
        visits=None if visits is None else np.asarray(visits, np.int64).T[hat, vehicle],
    )


def large_city(vehicles: int, hats: int, pairs: int, *, seed: int = 1, most_records: int = 40) -> CityPairs:
    """About so many random pairs; a few vehicles are in very many HATs, and every HAT has a vehicle."""
    rng = np.random.default_rng(seed)
    vehicle = (vehicles * rng.random(pairs) ** 2).astype(np.int64)
    hat = np.concatenate((rng.integers(0, hats, pairs), np.arange(hats)))
    vehicle = np.concatenate((vehicle, rng.integers(0, vehicles, hats)))
    both = np.unique(hat * vehicles + vehicle)
    code = (both % vehicles).astype(np.int32)
    return CityPairs(
        hat=(both // vehicles).astype(np.int32),
        vehicle=np.unique(code, return_inverse=True)[1].astype(np.int32),
        code=code,
        records=rng.geometric(2 / most_records, both.size).astype(np.int64),
    )


def contributions_of(
    counts: Table,
    values: Sequence[int] | None = None,
    *,
    days: int = 1,
    hours: tuple[str, str] = ("09:00", "12:00"),
    upper_bound: int = U,
) -> Contributions:
    """One table with those records, dealt out over the days by turns; at most seven HATs a slot.

    values: thousandths, one of each record by (HAT, vehicle, day); None: all 20 km/h.
    """
    table = np.asarray(counts, np.int64)
    rows = [
        (hat, vehicle, day, len(range(day, int(table[vehicle, hat]), days)))
        for hat in range(table.shape[1])
        for vehicle in range(table.shape[0])
        for day in range(days)
    ]
    rows = [row for row in rows if row[-1]]
    sizes = [row[-1] for row in rows]
    over = window(days=days, hours=hours)
    places = [(cell, slot) for cell in CELLS for slot in over.slots][: table.shape[1]]
    assert len(places) == table.shape[1], "more HATs than there are cells and slots"
    return Contributions(
        window=over,
        resolution=RESOLUTION,
        zone=ZONE,
        upper_bound=upper_bound,
        vehicles=tuple(f"bus {vehicle}" for vehicle in range(table.shape[0])),
        cell=np.array([cell for cell, _ in places], np.uint64),
        slot=np.array([slot for _, slot in places], np.int16),
        hat=np.array([row[0] for row in rows], np.int32),
        vehicle=np.array([row[1] for row in rows], np.int32),
        day=np.array([row[2] for row in rows], np.int16),
        start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        values=np.array([20_000] * sum(sizes) if values is None else values, np.int32),
    )


def places_of(hats: int) -> CityPlaces:
    """HATs side by side, then hour by hour."""
    return CityPlaces(
        cells=np.array([CELLS[number % len(CELLS)] for number in range(hats)], np.int64),
        hours=np.array([(8.5 + number // len(CELLS)) % 24 for number in range(hats)]),
        ids=tuple(f"{number:05d}" for number in range(hats)),
    )


def plan_of(
    pairs: CityPairs,
    total: str = "10",
    *,
    delta: str = "1e-6",
    upper_bound: int = U,
    importance: Floats | None = None,
    **params: object,
) -> CityPlan:
    """A joint plan of these pairs; `params` are those of tokens."""
    joint = JointCity(pairs, places_of(pairs.hats), upper_bound, TokensParams(**params), importance)
    budget = CityBudget(epsilon=Decimal(total), delta=Decimal(delta))
    return plan_city(joint, np.arange(pairs.hats), budget)
