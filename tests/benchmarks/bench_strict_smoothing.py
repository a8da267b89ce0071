"""How often intervals of plan and enforce hold the true mean, raw and smoothed (strict-mode 6).

Run by hand: `python -m tests.benchmarks.bench_strict_smoothing [--parts austin,bangkok-7] [--releases 10]`.
Cities, plans and true means are those of `bench_strict`. A weight in a denominator is at least two scales of
its noise, so the released mean of a HAT with few records lies nearer to the middle than it should; smoothing
goes by means that do not. Told are shares of (HAT, release) pairs: of all published HATs and, in brackets, of
those where that floor divides and of the others; last the raw and smoothed ones of the fastest tenth.
Published are HATs with a noisy weight of `THRESHOLD` records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.zcdp import rho_of
from core.arrays import Floats
from core.bounding.plan_and_enforce import EnforcedMeans, EnforcedPlan, draw_enforced, plan_enforced
from core.city.noise_kind import NoiseKind
from core.city.smoothing import Smoothed, SmoothingFacts, smooth
from core.fixed_point import THOUSAND
from core.noise.simulated import SimulatedNoise
from tests.benchmarks.bench_strict import DELTA, PARTS, TOTALS, UPPER_BOUND, StrictCity, parts_asked_for

THRESHOLD = 5
"""Records."""
_HALF_HOUR = 0.5


@dataclass(frozen=True)
class Held:
    """One release: what was published, what it held, what it missed. Shapes (published,)."""

    raw: NDArray[np.bool_]
    smoothed: NDArray[np.bool_]
    floored: NDArray[np.bool_]
    """The noisy weight was taken for more than it was."""
    fastest: NDArray[np.bool_]
    raw_error: Floats
    smoothed_error: Floats


def releases(city: StrictCity, noise: NoiseKind, total: Decimal, many: int) -> Iterator[Held]:
    spend = rho_of(total, DELTA) if noise.squared else total
    plan = plan_enforced(city.public, city.listed, UPPER_BOUND, noise, spend)
    entries, truth = city.entries, city.truth
    fast = truth >= np.nanquantile(truth, 0.9)
    for number in range(many):
        drawn = draw_enforced(plan, entries, SimulatedNoise(number, 1))
        retained = drawn.weight >= THRESHOLD * THOUSAND
        found = smoothed(city, plan, drawn, retained)
        told = retained & ~np.isnan(truth)
        inner = told[retained]
        true = truth[told]
        means = drawn.means
        weights = drawn.weight / THOUSAND * plan.record_tokens
        yield Held(
            raw=(means.low[told] <= true) & (true <= means.high[told]),
            smoothed=(np.floor(found.lows[inner] * THOUSAND) <= true)
            & (true <= np.ceil(found.highs[inner] * THOUSAND)),
            floored=(weights < plan.least_weight)[told],
            fastest=fast[told],
            raw_error=np.abs(means.value[told] - true) / THOUSAND,
            smoothed_error=np.abs(found.values[inner] - true / THOUSAND),
        )


def smoothed(
    city: StrictCity, plan: EnforcedPlan, drawn: EnforcedMeans, retained: NDArray[np.bool_]
) -> Smoothed:
    """As a release does it (`core.advice.smoothed`)."""
    listed = city.listed.only(retained)
    grid = listed.window.grid
    facts = SmoothingFacts(
        cells=listed.cell.astype(np.int64),
        hours=np.array([grid.start(slot) / 60.0 for slot in listed.slot.tolist()]) + _HALF_HOUR,
        noise_variance=drawn.unbiased.deviation[retained] ** 2,
        bias_variance=np.zeros(len(listed)),
        gaussian=plan.noise.squared,
        upper_kmh=UPPER_BOUND / THOUSAND,
        ids=listed.names,
    )
    return smooth(facts.with_values(drawn.unbiased.value[retained]))


def print_city(city: StrictCity, many: int) -> None:
    print(f"\n{city.title}: {len(city.listed)} HATs listed\n")
    heads = ("noise", "total", "published", "raw error", "smoothed error", "raw holds", "smoothed holds")
    print(f"| {' | '.join(heads)} | of the fastest |")
    print("| --- |" + " --- |" * 7)
    for noise in NoiseKind:
        for total in TOTALS:
            told = list(releases(city, noise, total, many))

            def all_of(name: str, told: list[Held] = told) -> NDArray[np.generic]:
                return np.concatenate([getattr(one, name) for one in told])

            floored, fast = all_of("floored").astype(bool), all_of("fastest").astype(bool)
            cells = [noise.value, str(total), f"{floored.size / many:.0f}, {floored.mean():.0%} at the floor"]
            cells += [f"{all_of(name).mean():.2f}" for name in ("raw_error", "smoothed_error")]
            for name in ("raw", "smoothed"):
                held = all_of(name)
                cells.append(f"{held.mean():.1%} ({_share(held[floored])}; {_share(held[~floored])})")
            cells.append(f"{_share(all_of('raw')[fast])}, {_share(all_of('smoothed')[fast])}")
            print("| " + " | ".join(cells) + " |", flush=True)


def _share(held: NDArray[np.generic]) -> str:
    return f"{held.mean():.1%}" if held.size else "none"


def main() -> None:
    names, releases = parts_asked_for(__doc__, parts=["austin", "bangkok-7"], releases=10)
    for name in names:
        make, _ = PARTS[name]
        print_city(make(), releases)


if __name__ == "__main__":
    main()
