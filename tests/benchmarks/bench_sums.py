"""Whether the ranges that a bundle's page shows of sums hold: all hours of a place, and the whole network.

Run by hand: `python -m tests.benchmarks.bench_sums`. Means of rows by their effective vehicles, as the page
makes them of released columns alone (method 14.9), against those of the true numbers, over repeated releases.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.city.city_plan import CityPlan
from core.mechanisms.tokens import TokensParams
from tests.benchmarks.bench_city import Planner, Released, released, smoothed, truth_of
from tests.benchmarks.cities import SAMPLE
from tests.benchmarks.city_tables import city_table

CITIES = {
    "Austin, four days": ("Austin", 7, 2, ((dt.date(2016, 11, 24), dt.date(2016, 11, 27)),)),
    "Austin, a Sunday": ("Austin", 8, 10, ((dt.date(2015, 9, 6), dt.date(2015, 9, 6)),)),
    "Surat": ("Surat", 7, 5, None),
    "Bangkok": ("Bangkok", 7, 5, None),
    "sample": (SAMPLE, 6, 20, None),
}
TOTALS, RELEASES, LEAST = (4.0, 10.0, 30.0), 12, 0.94
_NORMAL = 1.96
_USUAL = 0.9


def half_widths(values: Floats, half: Floats, effective: Floats, upper: float) -> Floats:
    """Of one release, as far as columns tell them; shape (G,)."""
    low, high = np.clip(values - half, 0.0, upper), np.clip(values + half, 0.0, upper)
    seen = np.maximum(high - values, values - low)
    whole, root = (low <= 0.0) & (high >= upper), np.sqrt(effective)
    usual = np.quantile((seen * root)[~whole], _USUAL, method="higher") if not whole.all() else 0.0
    return np.where(whole, np.maximum(seen, usual / root), seen)


def range_of_mean(shares: Floats, half: Floats, bias: Floats) -> float:
    """Half of it: noise is independent, biases are taken as one."""
    noise = np.maximum(0.0, (half / _NORMAL) ** 2 - bias**2)
    return float(_NORMAL * np.sqrt((shares**2 * noise).sum() + (shares * bias).sum() ** 2))


def held(plan: CityPlan, found: Released, truth: Floats) -> tuple[list[bool], list[bool], list[bool]]:
    """Of the network, of all hours of each place raw, and smoothed."""
    effective, bias = plan.effective_vehicles, plan.bias.typical
    widths = np.broadcast_to(found.half_width(plan), found.values.shape)
    network, raw, smooth = [], [], []
    places = [plan.places.cells == cell for cell in np.unique(plan.places.cells)]
    for values, width, law in zip(found.values, widths, smoothed(plan, found), strict=True):
        half = half_widths(values, width, effective, plan.upper_kmh)
        for hats, into in [(np.ones(values.size, bool), network), *((place, raw) for place in places)]:
            shares = effective[hats] / effective[hats].sum()
            error = abs((shares * (values[hats] - truth[hats])).sum())
            into.append(bool(error <= range_of_mean(shares, half[hats], bias[hats])))
        for hats in places:
            shares = effective[hats] / effective[hats].sum()
            low, true, high = ((shares * one[hats]).sum() for one in (law.lows, truth, law.highs))
            smooth.append(bool(low <= true <= high))
    return network, raw, smooth


def main(cities: Sequence[str] = tuple(CITIES)) -> int:
    """A line for each city and total; 1 where a raw range or the network's holds less often than it must."""
    missed = False
    print("| city | total | network | all hours, raw | all hours, smoothed | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for city in cities:
        table = city_table(*CITIES[city])
        for total in TOTALS:
            plan = Planner(table, TokensParams()).plan(total)
            shares = [
                float(np.mean(one))
                for one in held(plan, released(table, plan, RELEASES), truth_of(table, plan))
            ]
            good = min(shares[:2]) >= LEAST
            missed |= not good
            figures = " | ".join(f"{share:.1%}" for share in shares)
            print(f"| {city} | {total:g} | {figures} | {'met' if good else 'MISSED'} |", flush=True)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
