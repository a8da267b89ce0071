"""The real cities that accuracy is measured on: all dates and hours, slots of an hour, unit vehicle.

Their records lie outside of the repository; without them there is nothing to measure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.arrays import Ints
from core.contributions import (
    EVALUATION_TIE_KEY,
    Contributions,
    PairTable,
    UserTable,
    contributions_of,
    pairs_of,
    users_of,
)
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.planning.values_query import distinct_vehicles
from core.privacy import Unit
from core.records.records import Records
from core.spec import parse_data
from core.spec.toml_section import Section
from core.store.load_records import load_records

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
RESOLUTIONS = (7, 8)
FEWEST_VEHICLES = 5
_UNITS = [{"unit": "mph", "from": "2015-01-01", "to": "2015-10-01"}]
_UNITS += [{"unit": "m/s", "from": "2015-10-02", "to": "2018-01-01"}]
_PLACES = {"latitude": "latitude", "longitude": "longitude"}
CITIES: dict[str, dict[str, object]] = {
    "Austin": {
        "files": ["austin-buses/*.csv.gz"],
        "zone": "America/Chicago",
        "mapping": {"vehicle": "vehicle_id", "time": "timestamp", "value": "speed", **_PLACES},
        "units": _UNITS,
    },
    "Surat": {
        "files": ["india-iudx/suratITMS.json.gz"],
        "zone": "Asia/Kolkata",
        "mapping": {
            "vehicle": "license_plate",
            "time": "observationDateTime",
            "position": "location.coordinates",
            "position_order": "lon,lat",
            "value": "speed",
            "unit": "km/h",
        },
    },
    "Bangkok": {
        "files": ["bangkok-taxis/taxi_trip_ends_2019-04-04_to_10.csv.gz"],
        "zone": "Asia/Bangkok",
        "pings": "events",
        "mapping": {
            "vehicle": "VehicleID",
            "time": "date_time",
            "latitude": "lat",
            "longitude": "lon",
            "value": "speed",
            "unit": "km/h",
        },
    },
}


SAMPLE = "sample"
_SAMPLE_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "sample"
_SAMPLE = {**CITIES["Surat"], "files": ["surat-synthetic.parquet"]}


@dataclass(frozen=True)
class CityHats:
    """The HATs of one city at one resolution with at least five vehicles."""

    name: str
    resolution: int
    contributions: Contributions
    users: UserTable
    pairs: PairTable
    chosen: Ints


@cache
def records_of(name: str) -> Records:
    """All records, cleaned as the city's spec would."""
    folder, city = (_SAMPLE_FOLDER, _SAMPLE) if name == SAMPLE else (DATA, CITIES[name])
    data = parse_data(Section("data", {"upper_bound_kmh": 65.0, **city}), folder)
    return load_records(data.paths(), data.rules).records


def city_hats(most: int, seed: int = 0) -> Iterator[CityHats]:
    """Every city and resolution; most: HATs of each, drawn at random where there are more."""
    if not DATA.is_dir():
        raise SystemExit(f"no records of real cities at {DATA.parent.name}/{DATA.name}")
    for name in CITIES:
        records = records_of(name)
        window = build_window(date_ranges_of(records), ("00:00", "24:00"), 60)
        for resolution in RESOLUTIONS:
            table = contributions_of(records, resolution, window)
            chosen = np.flatnonzero(distinct_vehicles(table) >= FEWEST_VEHICLES)
            if chosen.size > most:
                drawn = np.random.default_rng(seed).choice(chosen, most, replace=False)
                chosen = np.sort(drawn)
            users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
            yield CityHats(name, resolution, table, users, pairs_of(table), chosen)
