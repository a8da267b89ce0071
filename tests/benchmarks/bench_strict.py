"""What relation `user` costs: plan and enforce beside what one would write first (strict-mode 5).

Run by hand: `python -m tests.benchmarks.bench_strict [--parts austin,bangkok-6,bangkok-7] [--releases 10]`.
Error of the mean speed of a HAT, km/h, averaged over simulated releases, then over HATs:

- plan and enforce, its noise Laplace or Gaussian, planned on counts that are taken as public here;
- the bounded mean (method 12.4), and a straightforward pipeline of OpenDP's own transformations: at most C
  HATs of a vehicle by the same keyed hash, its mean clamped, in each HAT a noisy sum over a noisy count,
  epsilon / 2 C for either. C is the largest number of HATs of a public vehicle, as no record is left out
  then; or that which public counts choose; or the best for each total *after the fact*, which no analyst
  could know;
- tokens in relation `values`: the same HATs where presence and counts need no protection.

Everybody is judged by the mean over the records of all vehicles. Austin: planned on the exact counts of
Sunday 2015-06-07, run on 2015-09-06. Bangkok's taxis: planned on the exact counts of every other taxi, run on
the rest. Neither plan would be public in earnest: counts of protected vehicles never are.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

import numpy as np
import opendp.prelude as dp

from core.accounting.zcdp import rho_of
from core.arrays import Floats, Ints
from core.bounding.bounded_mean import SUMS, BoundedMeanPlan, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounding import Entries, bounded_rows, candidate_rows, unit_entries
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.plan_and_enforce import USUAL_SHARE, draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.city_draw import draw_city
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, JointCity, plan_city
from core.city.noise_kind import NoiseKind
from core.contributions import Contributions, contributions_of, pairs_of
from core.fixed_point import THOUSAND
from core.hats.places import HEXAGONS
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.mechanisms.tokens import EXACT, TokensParams
from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial
from core.planning.constant_choice import PublicCity, best_constant
from core.privacy import Unit
from tests.benchmarks.cities import records_of

UPPER_BOUND = 65 * THOUSAND
DELTA = Decimal("1e-6")
TOTALS = tuple(map(Decimal, (4, 16, 64, 256)))
HATS_PER_VEHICLE = (1, 2, 5, 12, 20, 45, 65, 130)
"""C that are tried."""
FEWEST_VEHICLES = 10
"""Of the public counts, in every HAT of the list."""
AMPLE = Decimal(64)
"""From this total on, plan and enforce has at most a share of the straightforward pipeline's error."""
MOST_SHARE = 0.5
"""Of Austin."""
AUSTIN_RESOLUTION = 8
AUSTIN_DAYS = dt.date(2015, 6, 7), dt.date(2015, 9, 6)
_KEY = bytes(range(32))
Draw = Callable[[int], Ints]
"""Number of a release -> means of the HATs, thousandths; shape (G,)."""


@dataclass(frozen=True)
class StrictCity:
    """Public counts of a list of HATs, and the records of those who are protected."""

    title: str
    listed: CandidateHats
    public: CityPairs
    contributions: Contributions

    @property
    def entries(self) -> Entries:
        """All that is in the list, nothing bounded yet."""
        return unit_entries(
            candidate_rows(self.contributions, self.listed, Unit.VEHICLE), pairs_of(self.contributions)
        )

    @property
    def truth(self) -> Floats:
        """Mean over records, thousandths; shape (G,), nan where there are none."""
        entries, size = self.entries, len(self.listed)
        with np.errstate(invalid="ignore"):
            means: Floats = np.bincount(entries.column, entries.sums, size) / np.bincount(
                entries.column, entries.records, size
            )
        return means

    def constants(self, hats: int) -> BoundingConstants:
        return BoundingConstants(
            unit=Unit.VEHICLE,
            hats_per_vehicle=hats,
            days_per_vehicle=1,
            cells=tuple(sorted(set(self.listed.cell.tolist()))),
            places=HEXAGONS,
            window=self.listed.window,
            listed=(),
            upper_bound=UPPER_BOUND,
            derived=False,
        )

    def bounded(self, constants: BoundingConstants) -> Entries:
        """At most C of the listed HATs of each vehicle."""
        rows = bounded_rows(self.contributions, self.listed, constants, _KEY, by_day=False)
        return unit_entries(rows, pairs_of(self.contributions))


def austin() -> StrictCity:
    planned, run = (
        contributions_of(
            records_of("Austin"), AUSTIN_RESOLUTION, build_window(((day, day),), ("00:00", "24:00"), 60)
        )
        for day in AUSTIN_DAYS
    )
    return _city("Austin, resolution 8, hourly", planned, run)


def bangkok(resolution: int) -> StrictCity:
    records = records_of("Bangkok")
    window = build_window(date_ranges_of(records), ("00:00", "24:00"), 60)
    whole = contributions_of(records, resolution, window)
    rows = np.arange(whole.vehicle.size)
    halves = (_only(whole, rows[whole.vehicle % 2 == odd]) for odd in (0, 1))
    return _city(f"Bangkok, resolution {resolution}, hourly", *halves)


def _only(table: Contributions, rows: Ints) -> Contributions:
    """Some rows of a table; its HATs stay."""
    sizes = np.diff(table.start)[rows]
    values = [table.values[table.start[row] : table.start[row + 1]] for row in rows.tolist()]
    return dataclasses.replace(
        table,
        hat=table.hat[rows],
        vehicle=table.vehicle[rows],
        day=table.day[rows],
        start=np.concatenate(([0], np.cumsum(sizes))),
        values=np.concatenate(values),
    )


def _city(title: str, planned: Contributions, run: Contributions) -> StrictCity:
    """The list: HATs where enough of the public vehicles were."""
    vehicles = np.zeros(len(planned.cell), np.int64)
    pair = np.unique(planned.hat.astype(np.int64) * len(planned.vehicles) + planned.vehicle)
    np.add.at(vehicles, pair // len(planned.vehicles), 1)
    enough = vehicles >= FEWEST_VEHICLES
    listed = {
        window: CandidateHats(window=window, cell=planned.cell[enough], slot=planned.slot[enough])
        for window in (planned.window, run.window)
    }
    entries = unit_entries(candidate_rows(planned, listed[planned.window], Unit.VEHICLE), pairs_of(planned))
    return StrictCity(title, listed[run.window], _pairs(entries), run)


def _pairs(entries: Entries) -> CityPairs:
    """Counts alone. Tokens of `values` are planned on those of the vehicles themselves."""
    column, unit, records = _in_order(entries)
    return CityPairs(
        hat=np.unique(column, return_inverse=True)[1].astype(np.int32),
        vehicle=unit.astype(np.int32),
        code=unit.astype(np.int32),
        records=records,
    )


def _in_order(entries: Entries) -> tuple[Ints, Ints, Ints]:
    order = np.lexsort((entries.unit, entries.column))
    return (
        entries.column[order],
        np.unique(entries.unit[order], return_inverse=True)[1],
        entries.records[order],
    )


def enforced(city: StrictCity, noise: NoiseKind, total: Decimal, share: Decimal) -> Draw:
    spend = rho_of(total, DELTA) if noise.squared else total
    plan = plan_enforced(city.public, city.listed, UPPER_BOUND, noise, spend, share=share)
    entries = city.entries
    return lambda number: draw_enforced(plan, entries, SimulatedNoise(number, 1)).means.value


def bounded_mean(city: StrictCity, hats: int, total: Decimal) -> Draw:
    constants = city.constants(hats)
    plan = bounded_plan(city, constants, total)
    entries = city.bounded(constants)

    def draw(number: int) -> Ints:
        return draw_bounded_mean(
            plan, entries, lambda name: SimulatedNoise(2 * number + (name == SUMS), 1)
        ).means.value

    return draw


def bounded_plan(city: StrictCity, constants: BoundingConstants, total: Decimal) -> BoundedMeanPlan:
    plan = plan_bounded_mean(constants, NoiseKind.LAPLACE, total, 1)
    return dataclasses.replace(plan, candidates=city.listed)


def straightforward(city: StrictCity, hats: int, total: Decimal) -> Draw:
    """OpenDP's clamp, sum, count and Laplace measurements; it finds their scales by its own maps."""
    entries = city.bounded(city.constants(hats))
    each = float(total) / (2 * hats)
    size = len(city.listed)
    value = np.rint(entries.sums / entries.records).astype(np.int64)
    exact = {
        "sum": np.bincount(entries.column, value, size).astype(np.int64),
        "count": np.bincount(entries.column, minlength=size).astype(np.int64),
    }
    noisy = {name: _noise_of(scale) for name, scale in _scales(each).items()}

    def draw(_: int) -> Ints:
        sums, counts = (np.array(noisy[name](column.tolist())) for name, column in exact.items())
        return np.rint(sums / np.maximum(counts, 1)).astype(np.int64).clip(0, UPPER_BOUND)

    return draw


@cache
def _scales(each: float) -> dict[str, float]:
    """Of a HAT's sum and count, for so much epsilon each and a vehicle that has one row in it."""
    rows = dp.vector_domain(dp.atom_domain(T="i64")), dp.symmetric_distance()
    numbers = {
        "sum": rows >> dp.t.then_clamp((0, UPPER_BOUND)) >> dp.t.then_sum(),
        "count": rows >> dp.t.then_count(),
    }
    return {
        name: dp.binary_search_param(lambda scale, made=made: made >> dp.m.then_laplace(scale), 1, each)
        for name, made in numbers.items()
    }


def _noise_of(scale: float) -> Callable[[list[int]], list[int]]:
    """The same noise on each HAT of a vector: what a measurement of each HAT would add."""
    return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale)


def tokens(city: StrictCity, total: Decimal) -> Draw:
    """Relation `values`: planned on the exact counts of the day itself, as they are public there."""
    entries = city.entries
    there = np.unique(entries.column)
    params = TokensParams(mode=EXACT, noise=NoiseKind.LAPLACE.value)
    places = CityPlaces(
        cells=city.listed.cell[there].astype(np.int64),
        hours=city.listed.slot[there] + 0.5,
        ids=tuple(city.listed.names[column] for column in there.tolist()),
    )
    budget = CityBudget(epsilon=total, delta=Decimal(0))
    plan = plan_city(JointCity(_pairs(entries), places, UPPER_BOUND, params), there, budget)
    order = np.lexsort((entries.unit, entries.column))
    sums = entries.sums[order][np.isin(entries.column[order], plan.hat_index)]

    def draw(number: int) -> Ints:
        means = np.zeros(len(city.listed), np.int64)
        found = draw_city(plan, sums, lambda _: SingleTrial(number))
        means[plan.hat_index] = found.unclamped.clip(0, UPPER_BOUND)
        return means

    return draw


@dataclass(frozen=True)
class Missed:
    """Mean absolute error of each HAT over the releases, km/h, in two figures."""

    mean: float
    median: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} / {self.median:.2f}"


def missed(city: StrictCity, draw: Draw, releases: int) -> Missed:
    """Over the listed HATs that have records."""
    errors = np.mean([np.abs(draw(number) - city.truth) for number in range(releases)], axis=0) / THOUSAND
    there = errors[~np.isnan(errors)]
    return Missed(float(there.mean()), float(np.median(there)))


def constant_by_counts(city: StrictCity, total: Decimal) -> int:
    """The C that the public counts choose for a bounded mean; the cells of the list with all their slots."""
    constants = city.constants(1)
    candidates = candidate_hats(constants)
    units = np.zeros(len(candidates), np.int64)
    units[candidates.columns_at(city.listed.cell, city.listed.slot)] = np.bincount(city.public.hat)
    public = PublicCounts(units=units, records=np.ones_like(units), fleet=city.public.vehicles)
    found = best_constant(PublicCity(public, constants), NoiseKind.LAPLACE, total, tried=HATS_PER_VEHICLE)
    return found.hats_per_vehicle


def largest_constant(city: StrictCity) -> int:
    """The most listed HATs of a public vehicle."""
    return int(np.bincount(city.public.vehicle).max())


def best_after_the_fact(
    city: StrictCity, make: Callable[[StrictCity, int, Decimal], Draw], total: Decimal, releases: int
) -> tuple[int, Missed]:
    """The C with the smallest mean error, and that error."""
    found = {hats: missed(city, make(city, hats, total), releases) for hats in HATS_PER_VEHICLE}
    best = min(found, key=lambda hats: found[hats].mean)
    return best, found[best]


def print_city(city: StrictCity, releases: int, most_share: float) -> bool:
    """Whether plan and enforce is never worse, and as much better as it has to be where totals are ample."""
    units = np.unique(city.entries.unit).size
    measured = int((~np.isnan(city.truth)).sum())
    print(f"\n{city.title}: {len(city.listed)} HATs listed, {measured} with records, {units} vehicles\n")
    print("| mean / median error, km/h | " + " | ".join(map(str, TOTALS)) + " |")
    print("| --- |" + " --- |" * len(TOTALS))

    def row(title: str, cells: Sequence[object]) -> None:
        print(f"| {title} | " + " | ".join(map(str, cells)) + " |", flush=True)

    ours = [missed(city, enforced(city, NoiseKind.LAPLACE, total, USUAL_SHARE), releases) for total in TOTALS]
    row("plan and enforce, Laplace", ours)
    gauss = [missed(city, enforced(city, NoiseKind.GAUSS, total, USUAL_SHARE), releases) for total in TOTALS]
    row("plan and enforce, Gaussian", gauss)
    chosen = [constant_by_counts(city, total) for total in TOTALS]
    largest = [largest_constant(city)] * len(TOTALS)
    baselines: dict[str, list[Missed]] = {}
    for title, make in (("bounded mean", bounded_mean), ("OpenDP pipeline", straightforward)):
        for name, constants in (("largest C", largest), ("C by public counts", chosen)):
            found = [
                missed(city, make(city, hats, total), releases)
                for hats, total in zip(constants, TOTALS, strict=True)
            ]
            texts = (f"{one} (C {hats})" for one, hats in zip(found, constants, strict=True))
            row(f"{title}, {name}", list(texts))
            baselines[name] = found
        best = [best_after_the_fact(city, make, total, releases) for total in TOTALS]
        row(f"{title}, best C after the fact", [f"{one} (C {hats})" for hats, one in best])
        baselines["best C after the fact"] = [one for _, one in best]
    row("tokens, relation values", [missed(city, tokens(city, total), releases) for total in TOTALS])
    held = True
    for name, others in baselines.items():
        ratios = [one.mean / other.mean for one, other in zip(ours, others, strict=True)]
        row(f"Laplace / OpenDP pipeline, {name}", [f"{ratio:.2f}" for ratio in ratios])
        held &= all(
            ratio <= (most_share if total >= AMPLE else 1.0)
            for ratio, total in zip(ratios, TOTALS, strict=True)
        )
    return held


PARTS: dict[str, tuple[Callable[[], StrictCity], float]] = {
    "austin": (austin, MOST_SHARE),
    "bangkok-6": (lambda: bangkok(6), 1.0),
    "bangkok-7": (lambda: bangkok(7), 1.0),
}
"""The city, and the largest share of the pipeline's error from `AMPLE` on."""


def parts_asked_for(about: str | None, *, parts: Iterable[str], releases: int) -> tuple[list[str], int]:
    """Names of `PARTS`, and how many releases are simulated: as the command line says, or these."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(parts), help="comma-separated")
    parser.add_argument("--releases", type=int, default=releases, help="simulated, of each row and total")
    args = parser.parse_args()
    return args.parts.split(","), args.releases


def main() -> None:
    names, releases = parts_asked_for(__doc__, parts=PARTS, releases=10)
    dp.enable_features("contrib")
    parts = [PARTS[name] for name in names]
    held = [print_city(make(), releases, most_share) for make, most_share in parts]
    if not all(held):
        raise SystemExit("plan and enforce is not as much better as it has to be")


if __name__ == "__main__":
    main()
