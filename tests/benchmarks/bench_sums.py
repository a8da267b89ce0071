"""Whether the ranges that a bundle's page shows of sums and differences hold.

Run by hand: `python -m tests.benchmarks.bench_sums [CITY ...]`. Means of rows by their effective vehicles
(all hours of a place, the whole network), and comparisons (middle and edge, thirds of the day) with the means
of their parts, as made of released columns alone (method 14.9), against those of the true numbers, over
repeated releases; of cities that were looked at twice as well.
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
from core.city.smoothing import Smoothed, smoothed_sums
from core.mechanisms.tokens import TokensParams
from core.portal.differences import shared_biases
from core.portal.row_parts import thirds
from core.shares.share_plan import reach_in_deviations
from tests.benchmarks.bench_city import Planner, Released, released, smoothed, truth_of
from tests.benchmarks.cities import SAMPLE
from tests.benchmarks.city_tables import city_table

CITIES = {
    "Austin, four days": (("Austin", 7, 2, ((dt.date(2016, 11, 24), dt.date(2016, 11, 27)),)), 24),
    "Austin, a Sunday": (("Austin", 8, 10, ((dt.date(2015, 9, 6), dt.date(2015, 9, 6)),)), 60),
    "Surat": (("Surat", 7, 5, None), 2_000),
    "Bangkok": (("Bangkok", 7, 5, None), 12),
    "sample": ((SAMPLE, 6, 20, None), 300),
}
"""And how many releases are smoothed: more where there are fewer ranges."""
RAW_RELEASES = 2_000
"""Of one look, where no release has to be smoothed: a share of 95 % is right to a twentieth of that."""
TWO_LOOKS = {"Austin, four days": 20, "sample": 60}
TOTALS, TOTALS_OF_TWO_LOOKS, LEAST = (4.0, 10.0, 30.0), (10.0, 30.0), 0.94
_NORMAL, _MIDDLE = 1.96, 0.6745
"""Deviations to each side that hold 95 % and half of a normal law."""


def biases_of(plan: CityPlan, found: Released) -> tuple[Floats, Floats]:
    """Modelled biases, and those that intervals allow for; shape (releases, G) each."""
    biases = [one.bias for one in found.looked_twice] or [plan.bias] * len(found.values)
    return np.array([one.typical for one in biases]), np.array([one.interval for one in biases])


def hours_of_places(plan: CityPlan) -> Floats:
    """Shares of each place's rows in the mean of all its hours; shape (places, G)."""
    _, of = np.unique(plan.places.cells, return_inverse=True)
    shares = np.where(of == np.arange(of.max() + 1)[:, None], plan.effective_vehicles, 0.0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


def deviations_of_means(plan: CityPlan, found: Released, shares: Floats) -> Floats:
    """Noise is independent, biases are taken as one; shape (releases, means)."""
    widths = np.broadcast_to(found.half_width(plan), found.values.shape)
    bias, _ = biases_of(plan, found)
    noise = np.maximum(0.0, (widths / _NORMAL) ** 2 - bias**2)
    return np.sqrt(noise @ (shares**2).T + (bias @ shares.T) ** 2)


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


def held_raw(plan: CityPlan, found: Released, truth: Floats) -> list[float]:
    """Shares that hold, of the network, of all hours of each place, and of differences."""
    effective = plan.effective_vehicles
    held = []
    for shares in (effective[None, :] / effective.sum(), hours_of_places(plan)):
        missed = np.abs((found.values - truth) @ shares.T)
        held.append(missed <= _NORMAL * deviations_of_means(plan, found, shares))
    sums = compared(plan)
    missed = np.abs((found.values - truth) @ sums[2::3].T)
    held.append(missed <= reaches(plan, found, sums)[:, 2::3])
    return [float(one.mean()) for one in held]


def reaches(plan: CityPlan, found: Released, sums: Floats) -> Floats:
    """Half the raw ranges of the sums; shape (releases, sums)."""
    bias, allowed = biases_of(plan, found)
    factor = reach_in_deviations(gaussian=plan.noise.squared, tile=False)[1]
    independent = (plan.noise.variance(found.scales) + allowed**2) @ (sums**2).T
    shared = np.array([shared_biases(sums, one) for one in bias])
    return np.asarray(np.hypot(factor * np.sqrt(independent), _NORMAL * shared), np.float64)


def held_smoothed(plan: CityPlan, found: Released, laws: Sequence[Smoothed], truth: Floats) -> list[float]:
    """Shares that hold, of all hours of each place, of differences, and of their parts; how often raw and
    smoothed ones both called a difference clear that has the other sign; the mean width of the latter, km/h.
    """
    sums, hours = compared(plan), hours_of_places(plan)
    true, of_places, contrast = sums @ truth, hours @ truth, np.arange(len(sums)) % 3 == 2
    bias, allowed = biases_of(plan, found)
    middles, around = found.values @ hours.T, _MIDDLE * deviations_of_means(plan, found, hours)
    raw, reach = found.values @ sums.T, reaches(plan, found, sums)
    places, law, parts, wrong, widths = [], [], [], [], []
    for number, (values, one) in enumerate(zip(found.values, laws, strict=True)):
        low = np.minimum(hours @ one.lows, middles[number] - around[number])
        high = np.maximum(hours @ one.highs, middles[number] + around[number])
        places.append((low <= of_places) & (of_places <= high))
        facts = dataclasses.replace(
            plan.places.facts(found.scales[number], allowed[number], plan.upper_kmh),
            noise_variance=plan.noise.variance(found.scales[number]) + allowed[number] ** 2,
            bias_variance=np.zeros(values.size),
            gaussian=plan.noise.squared,
        )
        made = smoothed_sums(facts.with_values(values), sums, one.spreads)
        shared = _NORMAL * shared_biases(sums, bias[number])
        lows = made.values - np.hypot(made.values - made.lows, shared)
        highs = made.values + np.hypot(made.highs - made.values, shared)
        inside = (lows <= true) & (true <= highs)
        law.append(inside[contrast])
        parts.append(inside[~contrast])
        clear = (np.abs(raw[number]) > reach[number]) & ((lows > 0.0) | (highs < 0.0))
        wrong.append((clear & (made.values * true < 0.0))[contrast])
        widths.append((highs - lows)[contrast])
    return [float(np.mean(one)) for one in (places, law, parts, wrong, widths)]


def main(cities: Sequence[str] = tuple(CITIES)) -> int:
    """A line for each city and total; 1 where a range holds less often than it must."""
    missed = False
    print(
        "| city | total | network | all hours, raw | smoothed | differences, raw | smoothed | parts "
        "| wrong sign | width, km/h | |"
    )
    print("|" + " --- |" * 11)
    for city in cities:
        where, releases = CITIES[city]
        table = city_table(*where)
        lines = [(total, releases, False) for total in TOTALS]
        lines += [(total, TWO_LOOKS[city], True) for total in TOTALS_OF_TWO_LOOKS if city in TWO_LOOKS]
        for total, number, twice in lines:
            params = TokensParams(noise="gauss", zoom=True) if twice else TokensParams()
            plan = Planner(table, params).plan(total)
            truth, found = truth_of(table, plan), released(table, plan, number)
            many = found if twice else released(table, plan, RAW_RELEASES)
            network, hours, differences = held_raw(plan, many, truth)
            of_places, law, parts, wrong, width = held_smoothed(
                plan, found, list(smoothed(plan, found)), truth
            )
            shares = network, hours, of_places, differences, law, parts
            good = min(shares) >= LEAST
            missed |= not good
            figures = " | ".join(f"{share:.1%}" for share in (*shares, wrong))
            met = "met" if good else "MISSED"
            looks = ", two looks" if twice else ""
            print(f"| {city}{looks} | {total:g} | {figures} | {width:.1f} | {met} |", flush=True)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or tuple(CITIES)))
