"""Ours against the best of the papers' mechanisms: the table of docs/mechanisms.md (method 6, 10).

Made-up data only. Errors are means over data draws; the best of the papers' mechanisms is chosen
after the fact for each cell, over both groupings, which nobody can do in a release.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal

import numpy as np

from core.advice.adviser import advise
from core.contributions import HatData
from core.evaluate.compared_curves import all_series
from core.evaluate.evaluation import evaluate
from core.evaluate.replica import replica, replica_with_effects
from core.evaluate.scaling import sample_scaled, user_scaled

OURS = "two-step-clipping"
EPSILONS = tuple(map(Decimal, ("0.5", "1", "2")))
DRAWS = 5
TRIALS = 10_000
EFFECT = 6_000
"""How much faster the busiest vehicles of the one-sided sets are, thousandths of km/h."""


def thinned(hat: HatData, keep: int) -> HatData:
    """Every `keep`-th user: a small HAT with the replica's mix of counts."""
    users = np.arange(0, hat.counts.size, keep)
    counts = hat.counts[users]
    parts = [hat.values[start : start + size] for start, size in zip(hat.starts[users], counts, strict=True)]
    return HatData(
        counts=counts,
        starts=np.cumsum(counts) - counts,
        values=np.concatenate(parts),
        upper_bound=hat.upper_bound,
    )


def one_sided(hat: HatData) -> HatData:
    """The busiest quarter of the users is faster, all others are not."""
    fast = np.zeros(hat.values.size, bool)
    for start, size in zip(hat.starts[: hat.counts.size // 4], hat.counts, strict=False):
        fast[start : start + size] = True
    values = np.minimum(hat.values + EFFECT * fast, hat.upper_bound).astype(np.int32)
    return HatData(counts=hat.counts, starts=hat.starts, values=values, upper_bound=hat.upper_bound)


SETS: dict[str, Callable[[int], HatData]] = {
    "replica": replica,
    "replica, sample scaling": lambda seed: sample_scaled(replica(seed), seed),
    "replica, user scaling": lambda seed: user_scaled(replica(seed), seed),
    "effects": replica_with_effects,
    "effects, sample scaling": lambda seed: sample_scaled(replica_with_effects(seed), 100 + seed),
    "effects, user scaling": lambda seed: user_scaled(replica_with_effects(seed), 100 + seed),
    "effects, 22 users": lambda seed: thinned(replica_with_effects(seed), 10),
    "effects, 6 users": lambda seed: thinned(replica_with_effects(seed), 40),
    "busiest quarter 6 km/h faster": lambda seed: one_sided(replica(seed)),
    "busiest quarter 6 km/h faster, 22 users": lambda seed: thinned(one_sided(replica(seed)), 10),
    "busiest quarter 6 km/h faster, every user ten times": lambda seed: user_copied(one_sided(replica(seed))),
}


def user_copied(hat: HatData, factor: int = 10) -> HatData:
    """Every user ten times, values and all: unlike user scaling it keeps differences between vehicles."""
    counts = np.repeat(hat.counts, factor)
    order = np.repeat(hat.starts, factor)
    parts = [hat.values[start : start + size] for start, size in zip(order, counts, strict=True)]
    return HatData(
        counts=counts,
        starts=np.cumsum(counts) - counts,
        values=np.concatenate(parts),
        upper_bound=hat.upper_bound,
    )


def errors_of(make: Callable[[int], HatData]) -> dict[Decimal, dict[str, float]]:
    """Mean absolute error by epsilon and curve, km/h, over the data draws."""
    total: dict[Decimal, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for seed in range(DRAWS):
        table = evaluate(make(seed), all_series(), EPSILONS, source="", trials=TRIALS, exact=False)
        for row in table.rows:
            name = row.mechanism + (f" ({row.grouping})" if row.grouping else "")
            total[row.eps][name] += row.mae / DRAWS
    return total


def main() -> None:
    print("| data | eps | ours | best of the papers' | which | times better | adviser |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for title, make in SETS.items():
        hat = make(0)
        for epsilon, errors in errors_of(make).items():
            ours = errors.pop(OURS)
            best = min(errors, key=errors.__getitem__)
            advised = advise(hat.public, epsilon, hat.upper_bound).mechanism
            print(
                f"| {title} | {epsilon} | {ours:.3g} | {errors[best]:.3g} | {best} "
                f"| {errors[best] / ours:.2f} | {advised} |"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
