"""Cities to measure joint releases on: Austin's buses, and ones that are made up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import h3
import numpy as np

from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs, city_pairs, columns_of
from core.city.city_places import CityPlaces
from core.city.smoothing import SmoothingInput
from core.city.vehicle_sums import vehicle_sums
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.fixed_point import THOUSAND
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.planning.values_query import distinct_vehicles
from core.privacy import Unit
from tests.benchmarks.cities import DATA, SAMPLE, records_of

RESOLUTION = 8
AUSTIN_UPPER = 65 * THOUSAND
_AUSTIN = (30.27, -97.74)


@dataclass(frozen=True)
class CityTable:
    """Published HATs with the true values of every vehicle in them."""

    pairs: CityPairs
    hat_index: Ints
    sums: Ints
    """Shape (n,): thousandths, of each pair."""
    places: CityPlaces
    upper_bound: int

    @property
    def truth(self) -> Floats:
        """The mean of each HAT, km/h."""
        return self.pairs.by_hat(self.sums) / self.pairs.by_hat(self.pairs.records) / THOUSAND


@cache
def austin_table(ranges: Sequence[tuple[dt.date, dt.date]] | None, minimum_vehicles: int) -> CityTable:
    """Hours of all day, of some dates (None: all), where so many distinct vehicles were."""
    return city_table("Austin", RESOLUTION, minimum_vehicles, ranges)


@cache
def city_table(
    name: str,
    resolution: int,
    minimum_vehicles: int,
    ranges: Sequence[tuple[dt.date, dt.date]] | None = None,
) -> CityTable:
    """The same of any city that there are records of, or of the sample that comes with the program."""
    if name != SAMPLE and not DATA.is_dir():
        raise SystemExit(f"no records of real cities at {DATA.parent.name}/{DATA.name}")
    records = records_of(name)
    window = build_window(ranges or date_ranges_of(records), ("00:00", "24:00"), 60)
    contributions = contributions_of(records, resolution, window)
    users = users_of(contributions, Unit.VEHICLE, EVALUATION_TIE_KEY)
    published = distinct_vehicles(contributions) >= minimum_vehicles
    index, pairs = np.flatnonzero(published), city_pairs(users, published)
    return CityTable(
        pairs=pairs,
        hat_index=index,
        sums=vehicle_sums(users, columns_of(published)),
        places=_places(pairs, contributions.cell[index].astype(np.int64), contributions.slot[index] + 0.5),
        upper_bound=AUSTIN_UPPER,
    )


def _places(pairs: CityPairs, cells: Ints, hours: Floats) -> CityPlaces:
    """hours: the middles of slots."""
    ids = (f"{int(hour):02d} {cell:x}" for hour, cell in zip(hours.tolist(), cells.tolist(), strict=True))
    sign = pairs.records_per_visit(speeds=True)
    return CityPlaces(cells=cells, hours=hours, ids=tuple(ids), sign=sign)


def generated_table(seed: int = 0) -> CityTable:
    """A city whose streets the public constants never saw: U 110 km/h, motorways in a ring and two axes
    at about 90, streets at 40, a centre of 2 km at 12 that is slower still at two rush hours; 240 vehicles
    that drive along, and send a ping each minute: where it is slow they send more.
    """
    rng = np.random.default_rng(seed)
    upper = 110.0
    centre = h3.latlng_to_cell(48.1, 11.6, RESOLUTION)
    names = h3.grid_disk(centre, 6)
    place = {name: number for number, name in enumerate(names)}
    away = np.array([h3.grid_distance(centre, name) for name in names])
    angle = np.arctan2(*(np.array([h3.cell_to_latlng(name) for name in names]) - h3.cell_to_latlng(centre)).T)
    motorway = (away == 5) | ((np.abs(np.sin(angle)) < 0.12) & (away > 2))
    speed = np.where(motorway, 90.0, np.where(away <= 2, 12.0, 40.0)) * rng.lognormal(0.0, 0.15, away.size)
    hours = np.arange(5, 23)
    rush = np.where(np.isin(hours, (7, 8, 16, 17)), 0.7, 1.0)
    true_speed = np.clip(speed[:, None] * np.where(away[:, None] <= 5, rush, 1.0), 3.0, upper)
    true_speed = true_speed * rng.lognormal(0.0, 0.05, true_speed.shape)
    neighbours = [[place[other] for other in h3.grid_ring(name, 1) if other in place] for name in names]
    rows: list[tuple[int, int, int, int, int]] = []
    for vehicle in range(240):
        manner, at = rng.normal(1.0, 0.12), int(rng.integers(away.size))
        for hour in range(hours.size):
            pings: dict[int, list[float]] = {}
            entered: dict[int, int] = {}
            minutes = 60
            while minutes > 0:
                mean = max(true_speed[at, hour] * manner, 2.0)
                stay = min(minutes, max(1, round(60.0 * 0.9 / mean)))
                values = np.clip(rng.normal(mean, 0.35 * mean, stay), 0.0, upper)
                pings.setdefault(at, []).extend(values.tolist())
                entered[at] = entered.get(at, 0) + 1
                minutes -= stay
                at = neighbours[at][rng.integers(len(neighbours[at]))]
            rows.extend(
                (cell * hours.size + hour, vehicle, len(values), entered[cell], round(sum(values) * THOUSAND))
                for cell, values in pings.items()
            )
    hat, vehicle_of, records, visits, sums = np.array(sorted(rows), np.int64).T
    enough = np.bincount(hat) >= 10
    retained = enough[hat]
    number = np.cumsum(enough) - 1
    _, renumbered = np.unique(vehicle_of[retained], return_inverse=True)
    chosen = np.flatnonzero(enough)
    cells = np.array([h3.str_to_int(name) for name in names], np.int64)
    pairs = CityPairs(
        hat=number[hat[retained]].astype(np.int32),
        vehicle=renumbered.astype(np.int32),
        code=renumbered.astype(np.int32),
        records=records[retained],
        visits=visits[retained],
    )
    return CityTable(
        pairs=pairs,
        hat_index=np.arange(chosen.size),
        sums=sums[retained],
        places=_places(pairs, cells[chosen // hours.size], hours[chosen % hours.size] + 0.5),
        upper_bound=round(upper * THOUSAND),
    )


def large_pairs(number: int, seed: int = 0) -> CityPairs:
    """About so many pairs of 5,700 vehicles in 20,000 HATs, busy and quiet ones."""
    rng = np.random.default_rng(seed)
    hats, vehicles = 20_000, 5_700
    busy = rng.lognormal(0.0, 1.2, hats).cumsum()
    hat = np.searchsorted(busy, rng.random(2 * number) * busy[-1])
    vehicle = rng.integers(vehicles, size=2 * number)
    distinct = np.unique(hat * vehicles + vehicle)
    if distinct.size > number:
        distinct = np.sort(rng.choice(distinct, number, replace=False))
    _, renumbered = np.unique(distinct // vehicles, return_inverse=True)
    _, driver = np.unique(distinct % vehicles, return_inverse=True)
    return CityPairs(
        hat=renumbered.astype(np.int32),
        vehicle=driver.astype(np.int32),
        code=driver.astype(np.int32),
        records=rng.geometric(0.1, distinct.size),
    )


def smoothing_table(hats: int, seed: int = 0) -> SmoothingInput:
    """A release of so many HATs around one place, slots of an hour."""
    rng = np.random.default_rng(seed)
    cells = np.array(
        [h3.str_to_int(name) for name in h3.grid_disk(h3.latlng_to_cell(*_AUSTIN, RESOLUTION), 9)], np.int64
    )
    picked = rng.permutation(cells.size * 24)[:hats]
    cell, hour = cells[picked // 24], picked % 24
    variance = 2.0 * (10.0 * rng.lognormal(0.0, 0.7, hats)) ** 2
    values = 22.0 + 8.0 * np.sin(hour / 4.0) + rng.laplace(0.0, 1.0, hats) * np.sqrt(variance / 2.0)
    return SmoothingInput(
        cells=cell,
        hours=hour + 0.5,
        values=values,
        noise_variance=variance,
        bias_variance=np.zeros(hats),
        gaussian=False,
        upper_kmh=65.0,
        ids=tuple(map(str, range(hats))),
    )
