"""Made-up taxis on disk with a release spec of relation `user`: who was there at all is private."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import h3
import numpy as np

from core.accounting.ledger import Ledger
from core.contributions import Contributions, contributions_of
from core.hats.cells import cell_text
from core.keys.signing_key import SigningKey
from core.release.prepare_publish import PublishedRelease, plan_release, prepare, publish
from core.release.prepared import Prepared
from core.spec import ReleaseSpec, load_spec
from core.store.load_records import load_records

POPULATION = "Taxis"
NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
TYPED = "\n[query.parameters]\nfleet = 60\nvehicles = 20\nrecords = 3\n"
SPEC = """
[release]
name = "taxi-speed"
version = "1.0.0"
title = "Speeds of made-up taxis"
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
dates = ["2022-01-03", "2022-01-04"]
hours = ["09:00", "12:00"]

[selection]
rule = "cells"
file = "cells.txt"
threshold = 5

[privacy]
population = "Taxis"
relation = "user"
unit = "vehicle"
hats_per_vehicle = 4
confirmed = true

[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "bounded-mean"
total = "40"
"""
ENFORCED = (
    ('mechanism = "bounded-mean"\ntotal = "40"', f'mechanism = "plan-and-enforce"\ntotal = "40"{TYPED}'),
)
REGIONS = (
    *ENFORCED,
    ('total = "40"', 'total = "8"'),
    ("records = 3\n", "records = 3\nregions = true\npromised_error = 2.0\n"),
)
SHARES = (
    (
        'statistic = "mean"\nmechanism = "bounded-mean"\ntotal = "40"',
        f'statistic = "share"\ntotal = "40"{TYPED}percentiles = [15, 50, 85]\n',
    ),
)
BY_DAY = (('unit = "vehicle"\n', 'unit = "vehicle-day"\n'),)
GAUSSIAN = (("\ntotal = ", '\nparameters = {noise = "gauss"}\ntotal = '),)
RAW = (("\ntotal = ", "\nparameters = {smooth = false}\ntotal = "),)
DERIVED = (('value = "speed"\nunit = "km/h"\n', "\n[data.derived_speed]\n"),)
MIXED = (("resolution = 7", "resolution = [6, 8]"), ('file = "cells.txt"', 'file = "mixed.txt"'))
"""Hexagons of two resolutions."""
DAYS = (("hats_per_vehicle = 4\n", "hats_per_vehicle = 4\ndays_per_vehicle = 1\n"),)
OTHERS = """
[[query]]
id = "pair_means"
statistic = "query1"
total = "40"
[query.parameters]
{noise}

[[query]]
id = "speeding"
statistic = "query2"
total = "30"
[query.parameters]
limits = [20, 30.5]
histogram = {histogram}
{noise}

[[query]]
id = "distribution"
statistic = "cdf"
total = "60"
[query.parameters]
bins = 7
{weights}
{noise}
"""


def others(*, noise: str = "", histogram: bool = False, weights: str = "") -> tuple[tuple[str, str], ...]:
    """Query 1, Query 2 and a distribution beside the mean."""
    told = OTHERS.format(noise=noise, histogram=str(histogram).lower(), weights=weights)
    return (('total = "40"\n', f'total = "40"\n{told}'),)


CELLS = sorted(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 7), 1))
MIXED_CELLS = sorted(
    {h3.latlng_to_cell(*h3.cell_to_latlng(cell), 8) for cell in CELLS[:3]}
    | {h3.latlng_to_cell(*h3.cell_to_latlng(cell), 6) for cell in CELLS}
)
"""Small hexagons of some places, and the large ones of all."""
OUTSIDE = h3.latlng_to_cell(22.5, 74.0, 7)


class Ping(NamedTuple):
    vehicle: str
    time: str
    cell: str
    speed: float


def pings(seed: int = 7, *, vehicles: int = 40, each: int = 12, cells: Sequence[str] = CELLS) -> list[Ping]:
    """Taxis here and there, in all hours of both days."""
    return list(_pings(seed, vehicles, each, tuple(cells)))


@cache
def _pings(seed: int, vehicles: int, each: int, cells: tuple[str, ...]) -> tuple[Ping, ...]:
    """Made once: hundreds of tests begin with the same."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(vehicles):
        for _ in range(each):
            day, hour, minute, second = (
                int(rng.integers(most)) + least for least, most in ((3, 2), (9, 3), (0, 60), (0, 60))
            )
            found.append(
                Ping(
                    f"taxi {number}",
                    f"2022-01-0{day}T{hour:02d}:{minute:02d}:{second:02d}+05:30",
                    str(rng.choice(cells)),
                    float(np.round(np.clip(rng.normal(25, 10), 0, 65), 1)),
                )
            )
    return tuple(found)


def write_taxis(
    folder: Path, rows: Iterable[Ping] | None = None, edits: Sequence[tuple[str, str]] = ()
) -> Path:
    """The folder's spec, with records and candidate cells beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cells.txt").write_text("\n".join(CELLS), encoding="utf-8")
    (folder / "mixed.txt").write_text("\n".join(MIXED_CELLS), encoding="utf-8")
    (folder / "records.csv").write_bytes(_records(tuple(pings() if rows is None else rows)))
    text = SPEC
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "release.toml"
    path.write_text(text, encoding="utf-8")
    return path


@cache
def _records(rows: tuple[Ping, ...]) -> bytes:
    """Written once: most tests begin with the same."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["vehicle", "time", "lat", "lon", "speed"])
    for row in rows:
        writer.writerow([row.vehicle, row.time, *h3.cell_to_latlng(row.cell), row.speed])
    return file.getvalue().encode()


def ledger_in(folder: Path, *, limit: Decimal = Decimal(10_000)) -> Ledger:
    """One whose population allows Gaussian noise too."""
    opened = Ledger.open(folder / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=limit, delta=Decimal("1e-6"))
    return opened


def table_of_spec(spec: ReleaseSpec) -> Contributions:
    """What the records of a spec come to; perhaps nothing."""
    loaded = load_records(spec.data.paths(), spec.data.rules)
    return contributions_of(loaded.records, spec.resolution, spec.window, empty_allowed=True)


def planned(spec: Path, ledger: Ledger) -> Prepared:
    """Prepared from the records of a spec file."""
    read = load_spec(spec)
    return plan_release(read, ledger, table_of_spec(read), None)


def released(spec: Path, ledger: Ledger, key: SigningKey, out: Path) -> PublishedRelease:
    """The whole job."""
    return publish(prepare(load_spec(spec), ledger), ledger, key=key, out=out, now=NOW)


def candidate_names() -> list[tuple[str, str]]:
    """Cell and slot of each row, in order."""
    return [(cell_text(h3.str_to_int(cell)), f"{hour:02d}:00") for cell in CELLS for hour in (9, 10, 11)]


EVERY_RELEASE: dict[str, Sequence[tuple[str, str]]] = {
    "bounded": (),
    "by day": BY_DAY,
    "gaussian": GAUSSIAN,
    "raw": RAW,
    "enforced": ENFORCED,
    "enforced by day": (*ENFORCED, *BY_DAY),
    "regions": REGIONS,
    "enforced, gaussian": (
        *ENFORCED,
        ("[query.parameters]\n", '[query.parameters]\nnoise = "gauss"\n'),
    ),
    "shares": SHARES,
    "every statistic": (*DAYS, *others()),
    "two resolutions": MIXED,
    "every statistic by day, gaussian": (
        *BY_DAY,
        *others(noise='noise = "gauss"', histogram=True, weights='weights = "records"\nm_ub = 3'),
    ),
}
"""Name -> edits of the spec: every kind of release that relation `user` has."""
