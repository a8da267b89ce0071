"""What dwell time and the new cap bring two-step clipping, against its first version, over real cities.

Run by hand: `python -m tests.benchmarks.bench_dwell [--hats N]`. HATs that LINEAR answers, with at least five
vehicles; exact expected errors of both versions in the same run.
"""

from __future__ import annotations

import argparse
import math
from decimal import Decimal

import numpy as np

from core.arrays import Floats, Ints
from core.evaluate.exact_errors import clamped_laplace_error
from core.evaluate.true_statistics import true_mean
from core.fixed_point import FINE, THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.two_step_clipping import MECHANISM, rounded_means
from core.mechanisms.two_step_clipping_plan import WEIGHT, LinearPlan, spread_guess
from core.mechanisms.water_filling import group_counts, water_filled
from tests.benchmarks.cities import city_hats

EPSILONS = (1, 2, 4)
U = 65.0


def first_weights(counts: Ints, epsilon: float) -> Floats:
    """Weights of version 1: no dwell time, and a fifth of each moved weight feared to lean one way."""
    groups, users = group_counts(counts), counts.size
    spread = 0.7 * spread_guess(groups, U, vehicle_spread=4.0, record_spread=20.0)
    caps = np.geomspace(1.0 / users, max(1.0001 / users, float(groups.shares[0])), 25)
    weights = water_filled(groups, caps)
    moved = weights - groups.shares
    bias = spread * np.sqrt(
        2.0 / math.pi * (moved**2 @ groups.users) + (0.2 * np.abs(moved) @ groups.users) ** 2
    )
    best = int(np.argmin(U * weights.max(axis=1) / epsilon + bias))
    return np.repeat(weights[best], groups.users)


def error(centre: float, scale: float, truth: float) -> float:
    """Expected |clamped estimate - truth|, km/h."""
    return float(clamped_laplace_error(np.array([centre]), np.array([scale]), truth, U)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hats", type=int, default=100_000, help="of each city and resolution")
    ratios: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for city in city_hats(parser.parse_args().hats):
        for epsilon in EPSILONS:
            found = ratios.setdefault((city.name, epsilon), [])
            here = []
            for index in city.chosen.tolist():
                hat = city.users.hat_data(index)
                plan = MECHANISM.plan(
                    hat.public, Decimal(epsilon), int(U * THOUSAND), MECHANISM.Params(), PlanCache()
                )
                if not isinstance(plan, LinearPlan):
                    continue
                means, truth = rounded_means(hat) / THOUSAND, true_mean(hat)
                centre = float((plan.weights / WEIGHT) @ means) * FINE / plan.divisor
                weights = first_weights(hat.counts, float(epsilon))
                before = error(float(weights @ means), U * float(weights.max()) / epsilon, truth)
                here.append((error(centre, plan.noise_scale, truth), before))
            found.extend(here)
            _tell(f"{city.name}, resolution {city.resolution}", epsilon, here)
    print("Both resolutions together")
    for (name, epsilon), found in sorted(ratios.items()):
        _tell(name, epsilon, found)


def _tell(name: str, epsilon: int, pairs: list[tuple[float, float]]) -> None:
    new, old = np.array(pairs).T
    ratio = float(np.exp(np.log(new / old).mean()))
    print(
        f"  {name:22} epsilon {epsilon}: {new.size:5} HATs, new / old {ratio:.3f} (geometric mean), "
        f"mean error {new.mean():.3f} against {old.mean():.3f} km/h",
        flush=True,
    )


if __name__ == "__main__":
    main()
