"""A small made-up city on disk with its release spec: what whole-job tests start from."""

from __future__ import annotations

import csv
import io
from functools import cache
from pathlib import Path

import numpy as np

POPULATION = "Test buses"
PASSPHRASE = "correct horse"
VEHICLES = 12
DAYS = ("2022-01-03", "2022-01-04")
SPEC = """
[release]
name = "test-speed"
version = "1.0.0"
title = "Speeds of a made-up city"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"

[data]
files = ["records.csv"]
zone = "Asia/Kolkata"
upper_bound_kmh = 65.0

[data.mapping]
vehicle = "vehicle"
time = "time"
latitude = "lat"
longitude = "lon"
value = "speed"
unit = "km/h"

[hats]
resolution = 7
slot_minutes = 60
dates = ["2022-01-03", "2022-01-04"]
hours = ["09:00", "12:00"]

[selection]
rule = "hat"
threshold = 2
minimum_vehicles = 2

[privacy]
population = "Test buses"
relation = "values"
unit = "vehicle"
confirmed = true

[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "array-averaging"
total = "6"

[query.parameters]
grouping = "bestfit"
m_ub = "median"
"""


TOKENS = (
    (SPEC[SPEC.index("[query.parameters]") :], ""),
    ('mechanism = "array-averaging"', 'mechanism = "tokens"'),
)
"""A mean of the whole city."""
BY_ORDER = (*TOKENS, ('total = "6"\n', 'total = "6"\n[query.parameters]\nmode = "bounded"\n'))
"""The same, by a search that the order of vehicles with equal counts leads one way or another."""
BOUNDARY = (('rule = "hat"\nthreshold = 2', 'rule = "boundary"\nfile = "ward.geojson"'),)
"""An edit of the spec: the hexagons of a boundary instead of a threshold."""


EVERY_STATISTIC = (
    (
        SPEC[SPEC.index("[[query]]") :],
        """[[query]]
id = "moments"
statistic = "mean_variance"
total = "6"
division = "optimal"
[query.parameters]
suppress_users = true

[[query]]
id = "pair_means"
statistic = "query1"
noise_scale = "8"

[[query]]
id = "speeding"
statistic = "query2"
total = "4"
division = "optimal"
[query.parameters]
limits = [20, 30, 40.5]

[[query]]
id = "distribution"
statistic = "cdf"
epsilon = "2"
[query.parameters]
bins = 13
tree = "binary"
weights = "user"
""",
    ),
)
"""An edit of the spec: every statistic with one method, each with another kind of budget."""
SUPPRESSING = (
    (
        SPEC[SPEC.index("[[query]]") :],
        """[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "baseline"
epsilon = "0.6"
[query.parameters]
suppress_users = true

[[query]]
id = "pair_means"
statistic = "query1"
epsilon = "0.6"
[query.parameters]
suppress_users = true

[[query]]
id = "speeding"
statistic = "query2"
epsilon = "0.6"
[query.parameters]
limits = [20, 30]
histogram = true
suppress_users = true
""",
    ),
)
"""An edit of the spec: users leave hexagon slots, by every kind of count."""


def write_records(path: Path, *, seed: int = 7, bump: float = 0.0) -> Path:
    """About 600 pings of twelve buses around three places; `bump` is added to every speed."""
    path.write_bytes(_records(seed, bump))
    return path


@cache
def _records(seed: int, bump: float) -> bytes:
    """Made once: hundreds of tests begin with the same."""
    rng = np.random.default_rng(seed)
    places = ((21.17, 72.83), (21.20, 72.86), (21.14, 72.80))
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(("vehicle", "time", "lat", "lon", "speed"))
    for vehicle in range(VEHICLES):
        for day in DAYS:
            for ping in range(4 + 4 * vehicle):
                lat, lon = places[(vehicle + ping // 6) % 3]
                minute = 9 * 60 + (ping * 7) % 180
                writer.writerow(
                    (
                        f"bus-{vehicle:02d}",
                        f"{day}T{minute // 60:02d}:{minute % 60:02d}:{ping % 60:02d}+05:30",
                        round(lat + rng.normal(0, 0.002), 6),
                        round(lon + rng.normal(0, 0.002), 6),
                        round(float(rng.uniform(0, 50)) + bump, 1),
                    )
                )
    return file.getvalue().encode()


def write_city(folder: Path, *, edit: tuple[tuple[str, str], ...] = ()) -> Path:
    """Records and spec in a folder; `edit` replaces parts of the spec's text. Returns the spec."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "records.csv").exists():
        write_records(folder / "records.csv")
    text = SPEC
    for old, new in edit:
        assert old in text
        text = text.replace(old, new)
    spec = folder / "spec.toml"
    spec.write_text(text, encoding="utf-8")
    return spec


DERIVED = (
    ('value = "speed"\n', ""),
    ('unit = "km/h"\n', ""),
    ("[hats]", "[data.derived_speed]\nmax_gap_seconds = 86400\n\n[hats]"),
)
"""Edits of the spec that take speeds from positions."""

BY_REGION = (
    ("resolution = 7", "resolution = 9"),
    ("threshold = 2", "threshold = 1"),
    (
        SPEC[SPEC.index('mechanism = "array-averaging"') :],
        """mechanism = "tokens"
total = "12"

[query.parameters]
regions = true
promised_error = 8.0
""",
    ),
)
"""Edits of the spec that publish regions in place of HATs."""
