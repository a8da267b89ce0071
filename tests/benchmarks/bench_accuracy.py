"""Whether stated errors and intervals are true: every mechanism and statistic over real cities (method 10).

Run by hand: `python -m tests.benchmarks.bench_accuracy [--hats N] [--releases N] [--statistics-releases N]`.
Each HAT is released again and again with simulated noise. Printed for each city, resolution and epsilon:
how many of the (HAT, release) pairs the 95 % intervals cover; their mean width against that of intervals of
the noise alone and of intervals as wide as the 95 % quantile of all actual errors; and the median typical
error over the median of the measured mean absolute errors. The last table pools resolutions and epsilons.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from core.arrays import Floats
from core.evaluate.cdf_example import exact_cdf
from core.evaluate.true_statistics import true_mean
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import mechanisms_of
from core.noise.laplace_normal import LN_20
from core.noise.simulated import SimulatedNoise
from core.planning.values_query import counts_of
from core.privacy import Relation
from core.statistics.base import AnyHatPlan, HatRecords, Question
from core.statistics.cdf_band import BAND
from core.statistics.cdf_weights import RECORDS
from core.statistics.registry import all_statistics
from tests.benchmarks.cities import CityHats, city_hats

EPSILONS = tuple(map(Decimal, ("0.5", "1", "4")))
UPPER = 65 * THOUSAND
QUERY2_LIMITS = (40.0, 50.0, 60.0)
CDF_BINS = 65
GOAL_COVERAGE = 0.94
GOAL_NOISE, GOAL_ERROR = 1.25, 1.15


@dataclass
class Released:
    """What many releases of many HATs gave, one entry a HAT; arrays over releases (and rows)."""

    largest: float
    centres: list[Floats] = field(default_factory=list)
    lows: list[Floats] = field(default_factory=list)
    highs: list[Floats] = field(default_factory=list)
    noises: list[Floats] = field(default_factory=list)
    """Half-widths for the noise alone."""
    truths: list[Floats] = field(default_factory=list)
    ends: list[Floats] = field(default_factory=list)
    """The most that each number can be."""
    errors: list[float] = field(default_factory=list)
    """Mean absolute error of the published numbers of each HAT."""
    typical: list[float] = field(default_factory=list)

    def add(self, centre: Floats, ends: tuple[Floats, Floats], noise: Floats, truth: Floats) -> None:
        for retained, told in zip(
            (self.centres, self.lows, self.highs, self.noises, self.truths, self.ends),
            (centre, *ends, noise, truth, np.asarray(self.largest)),
            strict=True,
        ):
            retained.append(np.broadcast_to(told, centre.shape))

    def join(self, other: Released) -> None:
        for name in ("centres", "lows", "highs", "noises", "truths", "ends", "errors", "typical"):
            getattr(self, name).extend(getattr(other, name))

    def line(self) -> str:
        centre, low, high, noise, truth, largest = (
            np.concatenate([one.ravel() for one in retained])
            for retained in (self.centres, self.lows, self.highs, self.noises, self.truths, self.ends)
        )
        rounding = 1e-6 * largest
        covered = float(((low <= truth + rounding) & (truth <= high + rounding)).mean())
        quantile = np.full_like(centre, float(np.quantile(np.abs(centre - truth), 0.95)))
        width, alone, actual = (
            float((ends[1] - ends[0]).mean())
            for ends in ((low, high), cut(centre, noise, largest), cut(centre, quantile, largest))
        )
        retained = covered >= GOAL_COVERAGE and width <= max(GOAL_NOISE * alone, GOAL_ERROR * actual)
        ratio = float(np.median(self.typical) / np.median(self.errors))
        return (
            f"covered {covered:.3f}  width {width:8.3f}  / noise's {width / alone:5.2f}  / errors' "
            f"{width / actual:5.2f}  {'ok  ' if retained else 'MISS'}  typical / measured {ratio:.2f}"
        )


def cut(centre: Floats, half: Floats, largest: Floats | float) -> tuple[Floats, Floats]:
    """Both ends of an interval as it is published: in [0, largest], all of it where nothing is left."""
    low, high = centre - half, centre + half
    empty = (high < 0.0) | (low > largest)
    return np.where(empty, 0.0, np.maximum(low, 0.0)), np.where(empty, largest, np.minimum(high, largest))


def of_mechanisms(city: CityHats, releases: int) -> Iterator[tuple[str, Decimal, Released]]:
    """Every mechanism with its default parameters."""
    for key, mechanism in mechanisms_of(Relation.VALUES).items():
        for epsilon in EPSILONS:
            found = Released(largest=UPPER / THOUSAND)
            for number, index in enumerate(city.chosen.tolist()):
                hat, cache = city.users.hat_data(index), PlanCache()
                plan = mechanism.plan(hat.public, epsilon, UPPER, mechanism.Params(), cache)
                accuracy = mechanism.accuracy(plan, hat.public, cache)
                draw = mechanism.run(plan, hat, SimulatedNoise(number, releases))
                half = accuracy.half_width if draw.half_width is None else draw.half_width
                truth = np.asarray(true_mean(hat))
                centre = draw.unclamped / THOUSAND
                ends = cut(centre, np.asarray(half), found.largest)
                found.add(centre, ends, draw.noise_scale * LN_20, truth)
                found.errors.append(float(np.abs(draw.estimates / THOUSAND - truth).mean()))
                found.typical.append(accuracy.typical_error)
            yield key, epsilon, found


def of_statistics(city: CityHats, releases: int) -> Iterator[tuple[str, Decimal, Released]]:
    """Every statistic that has a method of its own; each measure apart."""
    counts = counts_of(city.contributions, city.users)
    given = {"query2": {"limits": QUERY2_LIMITS}, "cdf": {"bins": CDF_BINS}}
    for key, statistic in all_statistics().items():
        if not statistic.method:
            continue
        question = Question(statistic=statistic, params=statistic.Params(**given.get(key, {})))
        for epsilon in EPSILONS:
            found = [Released(largest=1.0) for _ in statistic.measures]
            for number, index in enumerate(city.chosen.tolist()):
                hat, pairs = city.users.hat_data(index), city.pairs.hat(index)
                plan = statistic.plan(counts(index), epsilon, question)
                records = HatRecords(users=hat, pairs=pairs)
                truths = true_numbers(key, city, records, plan)
                drawn = [
                    statistic.draw(plan, records, SimulatedNoise(number * releases + draw, 1))
                    for draw in range(releases)
                ]
                for place, measure in enumerate(statistic.measures):
                    unit = 10.0**measure.decimals
                    truth, one = truths[place], found[place]
                    rows = [[item for item in all_ if item.measure == measure.name] for all_ in drawn]
                    table = (
                        np.array(
                            [
                                [(item.unclamped or 0, item.low, item.high, item.value) for item in row]
                                for row in rows
                            ],
                            np.float64,
                        )[:, : truth.size]
                        / unit
                    )
                    centre, low, high, value = np.moveaxis(table, 2, 0)
                    one.largest = largest_of(key, place, city, pairs.counts.size)
                    noise = noise_half_width(key, plan, place, truth.size)
                    one.add(centre, (low, high), noise, truth)
                    one.errors.append(float(np.abs(value - truth).mean()))
                    one.typical.append(plan.measures[place].typical_error)
            for measure, one in zip(statistic.measures, found, strict=True):
                yield measure.name if len(found) > 1 else key, epsilon, one


def true_numbers(key: str, city: CityHats, records: HatRecords, plan: AnyHatPlan) -> tuple[Floats, ...]:
    """What each measure would be without privacy, one number a row, in its unit."""
    pairs, hat = records.pairs, records.users
    if key == "query1":
        return (np.array([(pairs.sums / pairs.counts).mean() / THOUSAND]),)
    if key == "query2":
        days = city.contributions.window.days
        return (np.array([(pairs.maxima > limit * THOUSAND).sum() / days for limit in QUERY2_LIMITS]),)
    if key == "cdf":
        return (exact_cdf(hat, plan.detail.edges, RECORDS)[:-1],)
    mean = true_mean(hat)
    square = hat.sum_of_squares() / int(hat.counts.sum()) / THOUSAND**2
    return np.array([mean]), np.array([square - mean**2])


def largest_of(key: str, place: int, city: CityHats, pairs: int) -> float:
    upper = UPPER / THOUSAND
    return {
        "cdf": 1.0,
        "query1": upper,
        "query2": pairs / city.contributions.window.days,
        "mean_variance": (upper, upper**2 / 4.0)[place],
    }[key]


def noise_half_width(key: str, plan: AnyHatPlan, place: int, rows: int) -> Floats:
    """Of an interval that allows for the noise alone."""
    if key == "cdf":
        return np.asarray(BAND * plan.detail.deviation[:rows])
    return np.full(rows, plan.measures[place].noise_scale * LN_20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hats", type=int, default=100, help="of each city and resolution, at random")
    parser.add_argument("--releases", type=int, default=200, help="of each HAT by each mechanism")
    parser.add_argument("--statistics-releases", type=int, default=20, help="of each HAT by each statistic")
    asked = parser.parse_args()
    pooled: dict[tuple[str, str], Released] = defaultdict(lambda: Released(largest=0.0))
    for city in city_hats(asked.hats):
        print(f"{city.name}, resolution {city.resolution}: {city.chosen.size} HATs")
        for name, epsilon, found in (
            *of_mechanisms(city, asked.releases),
            *of_statistics(city, asked.statistics_releases),
        ):
            print(f"  {name:30} epsilon {epsilon:>4}  {found.line()}", flush=True)
            everything = pooled[name, city.name]
            everything.join(found)
    print("All epsilons and resolutions together")
    for (name, city_name), found in sorted(pooled.items()):
        print(f"  {name:30} {city_name:12}  {found.line()}")


if __name__ == "__main__":
    main()
