"""Whether the ranges that a bundle's page shows of sums and differences hold.

Run by hand: `python -m tests.benchmarks.bench_sums [differences [CITY ...]]`. Means of rows by their
effective vehicles (all hours of a place, the whole network), and comparisons (middle and edge, thirds of the
day) with the means of their parts, as made of released columns alone (method 14.9), against those of the
true numbers, over repeated releases.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import sys
from collections.abc import Sequence

import h3
import numpy as np

from core.arrays import Floats
from core.city.city_plan import CityPlan
from core.city.smoothing import smoothed_sums
from core.mechanisms.tokens import TokensParams
from core.portal.row_parts import thirds
from core.shares.share_plan import reach_in_deviations
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
DIFFERENCES, LEAST_OF_DIFFERENCES = 40, 0.9
"""Releases, of which each has three: 120 hold in 94 % give or take four."""
_NORMAL = 1.96


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
    for values, half, law in zip(found.values, widths, smoothed(plan, found), strict=True):
        for hats, into in [(np.ones(values.size, bool), network), *((place, raw) for place in places)]:
            shares = effective[hats] / effective[hats].sum()
            error = abs((shares * (values[hats] - truth[hats])).sum())
            into.append(bool(error <= range_of_mean(shares, half[hats], bias[hats])))
        for hats in places:
            shares = effective[hats] / effective[hats].sum()
            low, true, high = ((shares * one[hats]).sum() for one in (law.lows, truth, law.highs))
            smooth.append(bool(low <= true <= high))
    return network, raw, smooth


def compared(plan: CityPlan) -> Floats:
    """Weights of both parts of each comparison and of their difference, shape (3 x comparisons, G)."""
    cells, of = np.unique(plan.places.cells, return_inverse=True)
    effective = plan.effective_vehicles
    middles = np.array([h3.cell_to_latlng(h3.int_to_str(int(cell))) for cell in cells])
    near, far, _ = thirds(middles, np.bincount(of, effective))
    early, noon, late = (
        np.isin(plan.places.hours, some) for some in np.array_split(np.unique(plan.places.hours), 3)
    )
    pairs = [(np.isin(of, near), np.isin(of, far)), (late, noon), (early, noon)]
    rows = []
    for first, second in ((one, other) for one, other in pairs if one.any() and other.any()):
        own, other = (np.where(one, effective, 0.0) / effective[one].sum() for one in (first, second))
        rows += [own, other, own - other]
    return np.vstack(rows)


def held_differences(plan: CityPlan, found: Released, truth: Floats) -> tuple[list[float], float, float]:
    """Shares that hold, of differences raw and smoothed, of parts smoothed; and how often both called one
    clear that has the other sign; and the mean width of smoothed ranges, km/h."""
    sums = compared(plan)
    deviation = np.hypot(np.sqrt(plan.noise.variance(plan.scale)), plan.bias.interval)
    reach = reach_in_deviations(gaussian=plan.noise.squared, tile=False)[1] * np.sqrt(sums**2 @ deviation**2)
    bias = plan.bias.typical
    shared = np.sqrt(np.maximum((sums @ bias) ** 2 - sums**2 @ bias**2, 0.0))
    true, contrast = sums @ truth, np.arange(len(sums)) % 3 == 2
    raw, law, parts, wrong, widths = [], [], [], [], []
    for values, one in zip(found.values, smoothed(plan, found), strict=True):
        facts = dataclasses.replace(
            plan.places.facts(plan.scale, plan.bias.interval, plan.upper_kmh),
            noise_variance=deviation**2,
            bias_variance=np.zeros(deviation.size),
            gaussian=plan.noise.squared,
        )
        made = smoothed_sums(facts.with_values(values), sums, one.spreads)
        drawn = sums @ values
        lows = made.values - np.hypot(made.values - made.lows, _NORMAL * shared)
        highs = made.values + np.hypot(made.highs - made.values, _NORMAL * shared)
        inside = (lows <= true) & (true <= highs)
        raw.append(np.abs(drawn - true)[contrast] <= reach[contrast])
        law.append(inside[contrast])
        parts.append(inside[~contrast])
        clear = (np.abs(drawn) > reach) & ((made.lows > 0.0) | (made.highs < 0.0))
        wrong.append((clear & (made.values * true < 0.0))[contrast])
        widths.append((made.highs - made.lows)[contrast])
    shares = [float(np.mean(one)) for one in (raw, law, parts)]
    return shares, float(np.mean(wrong)), float(np.mean(widths))


def differences_of(cities: Sequence[str] = tuple(CITIES)) -> int:
    """A line for each city and total; 1 where differences hold less often than they must."""
    missed = False
    print("| city | total | differences, raw | smoothed | parts, smoothed | wrong sign | width | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for city in cities:
        table = city_table(*CITIES[city])
        for total in TOTALS:
            plan = Planner(table, TokensParams()).plan(total)
            shares, wrong, width = held_differences(
                plan, released(table, plan, DIFFERENCES), truth_of(table, plan)
            )
            good = min(shares[:2]) >= LEAST_OF_DIFFERENCES
            missed |= not good
            figures = " | ".join(f"{share:.1%}" for share in (*shares, wrong))
            met = "met" if good else "MISSED"
            print(f"| {city} | {total:g} | {figures} | {width:.1f} km/h | {met} |", flush=True)
    return int(missed)


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
    wanted = differences_of if sys.argv[1:2] == ["differences"] else main
    raise SystemExit(wanted(sys.argv[2:] or tuple(CITIES)))
