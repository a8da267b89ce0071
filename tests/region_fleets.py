"""A large made-up fleet in hexagons of resolution 9: what the search for regions is timed on."""

from __future__ import annotations

from dataclasses import dataclass

import h3
import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.city.city_pairs import CityPairs
from core.hats.window import Window
from tests.tiny_cities import AUSTIN, tiny_window

_RINGS, _ROUTE, _STOPS, _HOURS = 40, 120, 40, 24


@dataclass(frozen=True)
class Fleet:
    """Pairs of HATs, and where and when these are."""

    window: Window
    cells: NDArray[np.uint64]
    slots: Ints
    pairs: CityPairs


def large_fleet(vehicles: int, seed: int = 1) -> Fleet:
    """About forty pairs a vehicle, which keeps to its part of the city at all hours."""
    rng = np.random.default_rng(seed)
    around = np.array(sorted(map(h3.str_to_int, h3.grid_disk(h3.latlng_to_cell(*AUSTIN, 9), _RINGS))))
    start = rng.integers(around.size - _ROUTE, size=vehicles)
    vehicle = np.repeat(np.arange(vehicles), _STOPS)
    cell = start[vehicle] + rng.integers(_ROUTE, size=vehicle.size)
    hat = cell * _HOURS + rng.integers(_HOURS, size=vehicle.size)
    pair = np.unique(hat * vehicles + vehicle)
    hats = np.unique(pair // vehicles)
    code = (pair % vehicles).astype(np.int32)
    return Fleet(
        window=tiny_window(),
        cells=around[hats // _HOURS].astype(np.uint64),
        slots=hats % _HOURS,
        pairs=CityPairs(
            hat=np.searchsorted(hats, pair // vehicles).astype(np.int32),
            vehicle=code,
            code=code,
            records=rng.integers(1, 30, size=pair.size),
        ),
    )
