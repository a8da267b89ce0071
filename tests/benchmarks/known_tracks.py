"""What positions with times alone tell of speeds: the figures of docs/privacy.md 1.1.

Run by hand: `python -m tests.benchmarks.known_tracks SPEC.toml`. Positions are thinned to one in so many
seconds; a speed is distance by time between two of them, in the hexagon slot where it ends. Printed is how
far the mean of one vehicle there, and of all, lies from the mean of what they reported, in the median.
"""

from __future__ import annotations

import sys
from pathlib import Path

import h3
import numpy as np
from numpy.typing import NDArray

from core.spec import load_spec
from core.store.load_records import load_records

SECONDS = (60, 120, 240)
FEWEST = {"one vehicle": 5, "all vehicles": 30}
"""Records of a mean that is compared."""
_DEGREES, _EARTH_KM, _HOUR = 1e-7, 6371.0, 3600.0
_LONGEST = 1.6
"""Of the interval: what is farther apart is no track."""


def means_of(
    keys: NDArray[np.int64], speeds: NDArray[np.float64], fewest: int
) -> dict[tuple[int, ...], float]:
    """Mean of each group of rows that has rows enough; keys: shape (n, k)."""
    groups, group = np.unique(keys, axis=0, return_inverse=True)
    count = np.bincount(group.ravel())
    means = np.bincount(group.ravel(), speeds) / count
    return {tuple(groups[i].tolist()): float(means[i]) for i in np.flatnonzero(count >= fewest)}


def main() -> None:
    spec = load_spec(Path(sys.argv[1]))
    records = load_records(spec.data.paths(), spec.data.rules).records
    order = np.lexsort((records.instants(), records.vehicle))
    vehicle, second = records.vehicle[order].astype(np.int64), records.instants()[order] // 1000
    north, east = (column[order] * _DEGREES for column in (records.latitude, records.longitude))
    cells = [h3.latlng_to_cell(*place, spec.resolution) for place in zip(north, east, strict=True)]
    cell = np.unique(cells, return_inverse=True)[1]
    slot = np.c_[cell, second // (60 * spec.window.slot_minutes)]
    reported = records.value[order] / 1000
    for seconds in SECONDS:
        kept = np.unique(np.c_[vehicle, second // seconds], axis=0, return_index=True)[1]
        before, after = kept[:-1], kept[1:]
        hours = (second[after] - second[before]) / _HOUR
        track = (vehicle[before] == vehicle[after]) & (hours * _HOUR <= _LONGEST * seconds)
        before, after, hours = before[track], after[track], hours[track]
        shrink = np.cos(np.radians(north[after]))
        along = np.hypot(north[after] - north[before], (east[after] - east[before]) * shrink)
        speeds = np.radians(along) * _EARTH_KM / hours
        for name, keys in (("one vehicle", np.c_[slot, vehicle]), ("all vehicles", slot)):
            truth = means_of(keys, reported, FEWEST[name])
            known = means_of(keys[after], speeds, 1)
            missed = [abs(known[key] - mean) for key, mean in truth.items() if key in known]
            print(f"{seconds} s, {name}: {np.median(missed):.2f} km/h in {len(missed):,} hexagon slots")


if __name__ == "__main__":
    main()
