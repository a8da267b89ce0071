"""Small cities where vehicles and days come and go, and public constants for them (relation `user`)."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from core.bounding import bounding
from core.bounding.bounding import Entries, bounded_rows, pair_entries, unit_entries
from core.bounding.candidates import candidate_hats
from core.bounding.constants import BoundingConstants
from core.contributions import Contributions, pairs_of
from core.hats.places import HEXAGONS
from core.privacy import Unit
from tests.records import ZONE
from tests.strategies import CELLS, RESOLUTION, U, window

KEY = bytes(range(32))
OUTSIDE = CELLS[-1]
"""A cell that is no candidate."""
_MASK = (1 << 64) - 1
UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY)


class Stay(NamedTuple):
    """What one vehicle sent from one HAT on one day."""

    cell: int
    slot: int
    vehicle: str
    day: int
    values: tuple[int, ...]


def constants_of(unit: Unit = Unit.VEHICLE, **changes: Any) -> BoundingConstants:
    """Two HATs and two days of a vehicle, six cells of three slots, three days."""
    values: dict[str, Any] = {
        "unit": unit,
        "hats_per_vehicle": 2,
        "days_per_vehicle": 2,
        "cells": CELLS[:-1],
        "places": HEXAGONS,
        "window": window(),
        "listed": (),
        "upper_bound": U,
        "derived": False,
    }
    return BoundingConstants(**(values | changes))


def table_of(stays: Iterable[Stay]) -> Contributions:
    """The contribution table of these stays, one for each (HAT, vehicle, day) at most."""
    rows = sorted(stays)
    names = sorted({row.vehicle for row in rows})
    places = sorted({(row.cell, row.slot) for row in rows})
    number_of = {one: number for listed in (names, places) for number, one in enumerate(listed)}
    flat = [value for row in rows for value in row.values]
    return Contributions(
        window=window(),
        resolution=RESOLUTION,
        zone=ZONE,
        upper_bound=U,
        vehicles=tuple(names),
        cell=np.array([cell for cell, _ in places], np.uint64),
        slot=np.array([slot for _, slot in places], np.int16),
        hat=np.array([number_of[row.cell, row.slot] for row in rows], np.int32),
        vehicle=np.array([number_of[row.vehicle] for row in rows], np.int32),
        day=np.array([row.day for row in rows], np.int16),
        start=np.cumsum([0, *(len(row.values) for row in rows)]),
        values=np.array(flat, np.int32),
    )


def random_stays(seed: int, *, vehicles: int = 5, visits: int = 40) -> list[Stay]:
    """Vehicles here and there, some outside of all candidates; values at both ends and between."""
    return list(_random_stays(seed, vehicles, visits))


@lru_cache(maxsize=256)
def _random_stays(seed: int, vehicles: int, visits: int) -> tuple[Stay, ...]:
    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(visits):
        place = (
            CELLS[rng.integers(len(CELLS))],
            int(rng.choice(window().slots)),
            f"bus {rng.integers(vehicles)}",
            int(rng.integers(3)),
        )
        size = int(rng.integers(1, 6))
        values = rng.choice([0, U, int(rng.integers(U + 1))]) * np.ones(size, np.int64)
        found[place] = Stay(*place, tuple(values.tolist()))
    return tuple(found.values())


def everywhere(vehicle: str, value: int = U) -> list[Stay]:
    """One vehicle that is in every HAT on every day."""
    return [
        Stay(cell, slot, vehicle, day, (value,))
        for cell in CELLS
        for slot in window().slots
        for day in range(3)
    ]


def neighbours(stays: list[Stay], unit: Unit) -> Iterator[list[Stay]]:
    """The data without one unit, for each of them."""
    whose = unit_of(unit)
    for one in sorted({whose(stay) for stay in stays}):
        yield [stay for stay in stays if whose(stay) != one]


def unit_of(unit: Unit) -> Callable[[Stay], tuple[Any, ...]]:
    """What tells the units of stays apart."""
    return (lambda stay: (stay.vehicle,)) if unit is Unit.VEHICLE else lambda stay: (stay.vehicle, stay.day)


def entries_in(stays: list[Stay], constants: BoundingConstants, *, by_day: bool = False) -> Entries:
    """What counts of these stays."""
    # a function that a test has put a fault into is another one
    functions = tuple(item for item in vars(bounding).values() if callable(item))
    return _entries_in(tuple(stays), constants, by_day, functions)


@lru_cache(maxsize=4096)
def _entries_in(
    stays: tuple[Stay, ...], constants: BoundingConstants, by_day: bool, _: tuple[object, ...]
) -> Entries:
    """Once for every kind of noise; nobody may write into what all are given."""
    table, candidates = table_of(stays), candidate_hats(constants)
    rows = bounded_rows(table, candidates, constants, KEY, by_day=by_day)
    entries = (pair_entries if by_day else unit_entries)(rows, pairs_of(table))
    for field in fields(entries):
        getattr(entries, field.name).setflags(write=False)
    return entries


def moved_by(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], *, squared: bool) -> float:
    """L1 distance of two vectors, or L2."""
    apart = [abs(here - there) for here, there in zip(one.tolist(), other.tolist(), strict=True)]
    return math.sqrt(sum(far**2 for far in apart)) if squared else float(sum(apart))


def word(kind: str, text: str, key: bytes = KEY) -> int:
    """64 bits of the keyed hash of a text, in plain integers."""
    return int.from_bytes(hmac.digest(key, f"{kind}\0{text}".encode(), hashlib.sha256)[:8], "big")


def mixed(number: int) -> int:
    """The bijection that splitmix64 ends with."""
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & _MASK
    return number ^ (number >> 31)
