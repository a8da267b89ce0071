"""Regions that keep a promise on Austin's buses, and what they miss (city-release 10); confidential.

    python -m tests.benchmarks.bench_regions [--promised 2] [--total 10] [--releases 20]

Resolution 9, hours of the whole day, U 65, unit vehicle; one day and all of them, both kinds of noise.
Kept: the noise of the noisiest region on average. Missed: |released - true mean| of regions over simulated
releases: their mean, and of each region's mean the median and the largest. Seconds are those of a processor.
"""

from __future__ import annotations

import argparse
import datetime as dt
import time
from decimal import Decimal

import numpy as np

from core.arrays import Floats
from core.city.city_draw import draw_city
from core.city.city_plan import CityBudget, CityPlan
from core.city.noise_kind import NoiseKind
from core.city.region_boxes import box_grid, boxes_of
from core.city.region_plan import plan_regions
from core.city.region_search import Promise, search_regions
from core.city.region_spread import unevenness
from core.city.vehicle_sums import vehicle_sums
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, contributions_of, users_of
from core.fixed_point import THOUSAND
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.mechanisms.tokens import TOKENS, TokensParams
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from tests.benchmarks.cities import DATA, records_of
from tests.region_fleets import large_fleet

RESOLUTION = 9
DAY = dt.date(2015, 9, 6)
DELTA = Decimal("1e-6")
PROTOTYPE = {"day": (25, 0.86), "all": (48, 1.0)}
"""Regions and share of records at 2 km/h and a total of 10, Laplace."""
FLEET = 3_000
"""Vehicles of a made-up fleet."""


def contributed(name: str) -> tuple[Contributions, UserTable]:
    """All records of the buses, of a day or of all."""
    records = records_of("Austin")
    ranges = ((DAY, DAY),) if name == "day" else date_ranges_of(records)
    table = contributions_of(records, RESOLUTION, build_window(ranges, ("00:00", "24:00"), 60))
    return table, users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)


def missed(plan: CityPlan, users: UserTable, hats: int, releases: int) -> Floats:
    """|released - true| of every release and region, km/h."""
    sums = vehicle_sums(users, plan.columns(hats))
    truth = plan.pairs.by_hat(sums) / plan.pairs.by_hat(plan.pairs.records) / THOUSAND
    drawn = draw_city(plan, sums, lambda _: SimulatedNoise(0, releases)).unclamped / THOUSAND
    found: Floats = np.abs(np.clip(drawn, 0.0, plan.upper_kmh) - truth)
    return found


def line(name: str, noise: NoiseKind, promised: float, total: Decimal, releases: int) -> str:
    """One city with one kind of noise."""
    table, users = contributed(name)
    params = TokensParams(regions=True, promised_error=promised, noise=noise.value)
    budget = CityBudget(epsilon=total, delta=DELTA)
    begun = time.process_time()
    plan = plan_regions(table, users, np.ones(table.hats, bool), budget, params, 2)
    seconds = time.process_time() - begun
    if plan.regions is None:
        raise SystemExit("a plan without regions")
    errors = missed(plan, users, table.hats, releases)
    retained = noise.mean_of_scale * float(plan.scale.max())
    prototype = "{} with {:.0%}".format(*PROTOTYPE[name]) if noise is NoiseKind.LAPLACE else "-"
    return (
        f"| {name} | {noise} | {len(plan.regions.listed)} | {plan.regions.record_share:.1%} | {prototype} | "
        f"{retained:.6f} | {errors.mean():.2f} | {np.median(errors.mean(axis=0)):.2f} | "
        f"{errors.mean(axis=0).max():.2f} | {seconds:.2f} |"
    )


def fleet_line(promised: float, total: Decimal) -> str:
    """Seconds of a large made-up fleet."""
    city = large_fleet(FLEET)
    begun = time.process_time()
    boxes = boxes_of(box_grid(city.cells, city.window), city.pairs, city.cells, city.slots)
    asked = Promise(
        noise=NoiseKind.LAPLACE, tokens_of_box=TOKENS * 65.0 / (promised * float(total)), minimum_vehicles=2
    )
    found = search_regions(boxes, unevenness(boxes), asked)
    seconds = time.process_time() - begun
    return f"{FLEET:,} vehicles, {city.pairs.hat.size:,} pairs: {len(found)} regions in {seconds:.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--promised", type=float, default=2.0)
    parser.add_argument("--total", type=Decimal, default=Decimal(10))
    parser.add_argument("--releases", type=int, default=20)
    given = parser.parse_args()
    print(fleet_line(given.promised, given.total))
    if not DATA.is_dir():
        raise SystemExit(f"no records of real cities at {DATA.parent.name}/{DATA.name}")
    print("| city | noise | regions | records | prototype | kept | missed | median | largest | s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in PROTOTYPE:
        for noise in NoiseKind:
            print(line(name, noise, given.promised, given.total, given.releases), flush=True)


if __name__ == "__main__":
    main()
