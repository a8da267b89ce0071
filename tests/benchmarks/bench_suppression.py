"""User suppression over 5,000 HATs and 2,000 vehicles, and the literal algorithm on few. Run: make bench."""

from __future__ import annotations

import os
import time
from decimal import Decimal
from functools import partial

import numpy as np

from core.statistics.moments import constant_error, hat_error, hat_errors
from core.statistics.suppression import Occupancy, Suppression, suppress
from tests.core.statistics.literal_suppression import literal_suppression

UPPER_KMH = 65.0
LIMIT_S = 10.0
RULES: tuple[str | int, ...] = ("median", 100, "sqrt", "simplified")
EPSILONS = (Decimal("0.1"), Decimal(1))


def city(hats: int, users: int, fewest: int, most: int) -> Occupancy:
    """Each user in `fewest` to `most` HATs, busy ones more often; counts 1 to 400, mean about 50."""
    rng = np.random.default_rng(1)
    weight = rng.pareto(1.2, hats) + 0.2
    each = rng.integers(fewest, most + 1, users)
    found = [rng.choice(hats, size, replace=False, p=weight / weight.sum()) for size in each.tolist()]
    hat = np.unique(np.concatenate(found), return_inverse=True)[1]
    return Occupancy(
        hat=hat.astype(np.int32),
        user=np.repeat(np.arange(users), each),
        counts=np.minimum(rng.geometric(0.02, hat.size), 400),
        rank=rng.permutation(users),
    )


def measured(
    occupancy: Occupancy, rule: str | int, epsilon: Decimal
) -> tuple[float, float, float, Suppression]:
    """(seconds on the wall, of the processor, the longest without a call of progress, result)."""
    hats = int(occupancy.hat.max()) + 1
    errors, cap = partial(hat_errors, UPPER_KMH), constant_error(UPPER_KMH)
    times = [time.perf_counter()]
    own = time.process_time()

    def note(done: float, text: str = "") -> None:  # noqa: ARG001 - one shape for every progress
        times.append(time.perf_counter())

    done = suppress(occupancy, rule, np.full(hats, float(epsilon)), errors, cap, note)
    own = time.process_time() - own
    times.append(time.perf_counter())
    return times[-1] - times[0], own, float(np.diff(times).max()), done


def literal_seconds(occupancy: Occupancy, rule: str | int, epsilon: Decimal) -> float:
    def error(retained: int, largest: int, records: int, epsilon: float) -> float:
        return hat_error(UPPER_KMH, retained, largest, records, Decimal(repr(epsilon)))

    hats = int(occupancy.hat.max()) + 1
    before = time.perf_counter()
    literal_suppression(occupancy, rule, [epsilon] * hats, error, constant_error(UPPER_KMH))
    return time.perf_counter() - before


def main() -> None:
    slowest = 0.0
    occupancy = city(5_000, 2_000, 50, 800)
    for rule in RULES:
        for epsilon in EPSILONS:
            wall, own, gap, done = measured(occupancy, rule, epsilon)
            slowest = max(slowest, wall)
            print(
                f"{occupancy.hat.size:,} rows, m_UB {rule!s:10} eps {epsilon!s:4}: {wall:6.2f} s "
                f"(processor {own:6.2f} s), longest gap {gap:.3f} s, {done.dropped:,} dropped, "
                f"{done.before} -> {done.after} HATs, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    few = city(60, 60, 5, 40)
    for rule in RULES:
        ours, literal = measured(few, rule, Decimal(1))[0], literal_seconds(few, rule, Decimal(1))
        print(
            f"{few.hat.size:,} rows, m_UB {rule!s:10} {ours * 1e3:7.1f} ms, "
            f"literally {literal * 1e3:9.1f} ms, {literal / ours:5.0f} times"
        )
    print(f"slowest {slowest:.2f} s, limit {LIMIT_S} s: {'met' if slowest < LIMIT_S else 'MISSED'}")


if __name__ == "__main__":
    main()
