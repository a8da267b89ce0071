"""Buses that are late and early: records, and a spec that publishes every statistic of their delays."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tests.city import DAYS, POPULATION, VEHICLES

LOWER, UPPER = -600, 1800
"""Bounds of the delay, seconds."""
VALUE = f"""
[data.value]
name = "delay"
column_unit = "s"
unit = "s"
lower = {LOWER}
upper = {UPPER}
physical_min = -7200
physical_max = 7200
"""
SPEC = f"""
[release]
name = "test-delay"
version = "1.0.0"
title = "Delays of a made-up city"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"

[data]
files = ["delays.csv"]
zone = "Asia/Kolkata"
{VALUE}
[data.mapping]
vehicle = "vehicle"
time = "time"
latitude = "lat"
longitude = "lon"
value = "late"

[hats]
resolution = 7
dates = ["{DAYS[0]}", "{DAYS[-1]}"]
hours = ["09:00", "12:00"]

[selection]
rule = "hat"
threshold = 2

[privacy]
population = "{POPULATION}"
relation = "values"
unit = "vehicle"
confirmed = true
"""
MEAN = """
[[query]]
id = "mean_delay"
statistic = "mean"
mechanism = "two-step-clipping"
total = "6"
"""
OTHERS = """
[[query]]
id = "moments"
statistic = "mean_variance"
total = "6"
[[query]]
id = "pair_means"
statistic = "query1"
total = "6"
[[query]]
id = "late"
statistic = "query2"
total = "6"
[query.parameters]
limits = [-60, 0, 300.5]
[[query]]
id = "distribution"
statistic = "cdf"
total = "6"
[query.parameters]
bins = 12
tree = "flat"
"""


def write_delays(path: Path, *, seed: int = 3) -> Path:
    """About 600 pings of twelve buses around three places, two in five of them early."""
    rng = np.random.default_rng(seed)
    places = ((21.17, 72.83), (21.20, 72.86), (21.14, 72.80))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("vehicle", "time", "lat", "lon", "late"))
        for vehicle in range(VEHICLES):
            for day in DAYS:
                for ping in range(4 + 4 * vehicle):
                    lat, lon = places[(vehicle + ping // 6) % 3]
                    minute = 9 * 60 + (ping * 7) % 180
                    late = round(float(rng.normal(60, 240)), 1)
                    time = f"{day}T{minute // 60:02d}:{minute % 60:02d}:{ping % 60:02d}+05:30"
                    writer.writerow((f"bus{vehicle}", time, lat, lon, late))
    return path


def write_delay_spec(folder: Path, queries: str = MEAN + OTHERS) -> Path:
    """The records and the spec in a folder that is made; the spec's path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_delays(folder / "delays.csv")
    spec = folder / "delays.toml"
    spec.write_text(SPEC + queries, encoding="utf-8")
    return spec
