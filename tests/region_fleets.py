"""Made-up fleets in hexagons of resolution 9: what regions are timed on, and planned of."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import h3
import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.city.city_pairs import CityPairs
from core.contributions import Contributions, contributions_of
from core.hats.window import Window, build_window
from tests.records import Ping, instant, make_records
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


def fleet_contributions(vehicles: int, days: int, seed: int = 1) -> Contributions:
    """Records of a small fleet, every hour of some days, around three places."""
    rng = np.random.default_rng(seed)
    first = dt.date(2022, 1, 3)
    dates = [first + dt.timedelta(days=number) for number in range(days)]
    places = ((21.170, 72.830), (21.178, 72.838), (21.230, 72.880))
    pings = [
        Ping(
            f"bus-{vehicle:03}",
            instant(f"{date}T{hour:02}:{minute:02}:{vehicle % 60:02}"),
            places[(vehicle + hour) % 3][0] + rng.normal(0.0, 0.003),
            places[(vehicle + hour) % 3][1] + rng.normal(0.0, 0.003),
            float(np.clip(rng.normal(25.0, 12.0), 0.0, 65.0)),
        )
        for vehicle in range(vehicles)
        for date in dates
        for hour in range(6, 22)
        for minute in range(0, 60, 60 // (1 + vehicle % 3))
    ]
    window = build_window(((dates[0], dates[-1]),), ("06:00", "22:00"), 60)
    return contributions_of(make_records(pings), 9, window)
