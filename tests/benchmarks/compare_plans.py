"""Two-step clipping as planned against version 2, which took TWO-STEP from fixed epsilons on (method 6.7).

Run by hand: `python -m tests.benchmarks.compare_plans [--hats N]`. Exact expected errors over HATs of real
cities, as many that TWO-STEP may answer at epsilon 4 as others, and over the sets of compare_mechanisms.
Printed by epsilon: new over old in the geometric mean, and foretold over true error in the median; then how
often the foretold error rises with epsilon.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from core.contributions import HatData
from core.evaluate.compared_curves import Series
from core.evaluate.exact_errors import exact_error
from core.grouping.plan_cache import PlanCache
from core.mechanisms.two_step_clipping import (
    MECHANISM,
    TwoStepClippingParams,
    case_of,
    linear_plan,
    two_step_plan,
)
from core.mechanisms.two_step_clipping_plan import LinearPlan, TwoStepPlan, sizes_of
from tests.benchmarks.cities import city_hats
from tests.benchmarks.compare_mechanisms import SETS

EPSILONS = tuple(map(Decimal, ("0.5", "0.75", "1", "1.25", "1.5", "2", "2.5", "3", "4")))
UPPER = 65_000
DRAWS = 5
ALIKE = 2.0
"""What version 2 feared that weight moved between vehicles shifts, km/h, when it chose a cap."""


def version_2(hat: HatData, epsilon: Decimal, cache: PlanCache) -> LinearPlan | TwoStepPlan:
    users = hat.public
    case = case_of(users, epsilon, UPPER, TwoStepClippingParams(), cache)
    if users.size * epsilon >= 90 and users.records >= 3 * users.size:
        return two_step_plan(case, epsilon, case.threshold_biases(cache))
    options, groups = case.guess.linear, case.guess.groups
    moved = np.abs(options.weights - groups.shares) @ groups.users / 2.0
    scales = UPPER / 1000 / float(epsilon) * options.weights.max(axis=1)
    errors = sizes_of(scales, np.hypot(options.bias, ALIKE * moved))
    return linear_plan(case, options.weights[int(np.argmin(errors))])


def hats(most: int) -> Iterator[tuple[str, HatData]]:
    for city in city_hats(10**6):
        kinds: dict[bool, list[HatData]] = {True: [], False: []}
        for index in city.chosen.tolist():
            hat = city.users.hat_data(index)
            users = hat.public
            kinds[users.size * 4 >= 90 and users.records >= 3 * users.size].append(hat)
        for large, found in kinds.items():
            rng = np.random.default_rng(0)
            for index in rng.permutation(len(found))[:most].tolist():
                yield f"{city.name}, {'many' if large else 'few'} vehicles", found[index]
    for title, make in SETS.items():
        yield from ((title, make(seed)) for seed in range(DRAWS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hats", type=int, default=60, help="of each city, resolution and kind")
    series = Series(mechanism=MECHANISM, params=MECHANISM.Params())
    rows: dict[str, list[list[tuple[float, float, float]]]] = {}
    for title, hat in hats(parser.parse_args().hats):
        cache, found = PlanCache(), []
        for epsilon in EPSILONS:
            plan = MECHANISM.plan(hat.public, epsilon, UPPER, MECHANISM.Params(), cache)
            errors = [exact_error(series, one, hat) for one in (plan, version_2(hat, epsilon, cache))]
            foretold = MECHANISM.accuracy(plan, hat.public, cache).typical_error
            found.append((foretold, *(error or 0.0 for error in errors)))
        rows.setdefault(title, []).append(found)
    print("new / old (foretold / true) at epsilon " + ", ".join(map(str, EPSILONS)))
    for title, found_of in rows.items():
        foretold, new, old = np.moveaxis(np.array(found_of), 2, 0)
        ratios = np.exp(np.log(new / old).mean(axis=0))
        told = np.median(foretold / new, axis=0)
        line = "  ".join(f"{ratio:.3f} ({one:.2f})" for ratio, one in zip(ratios, told, strict=True))
        rises = int((np.diff(foretold, axis=1) > 1e-9 * foretold[:, 1:]).sum())
        print(f"{title:52} {len(found_of):4} HATs  {line}  rises {rises}", flush=True)


if __name__ == "__main__":
    main()
