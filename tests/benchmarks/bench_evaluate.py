"""All mechanisms x both groupings x 16 epsilons x 10,000 trials on the replica: under 2 s."""

from __future__ import annotations

import time

from core.evaluate.compared_curves import all_series, epsilon_points
from core.evaluate.evaluation import evaluate, exact_curve
from core.evaluate.replica import replica

GOAL_S = 2.0
_ROUNDS = 3


def main() -> None:
    hat, series = replica(0), all_series()
    epsilons = epsilon_points("0.5:2:16", where="benchmark")
    evaluate(hat, series, epsilons[:1], source="replica", trials=10)
    trials = min(
        _timed(lambda: evaluate(hat, series, epsilons, source="replica", exact=False)) for _ in range(_ROUNDS)
    )
    print(
        f"{len(series)} curves x {len(epsilons)} epsilons x 10,000 trials: {trials:.2f} s (goal {GOAL_S} s)"
    )
    for curve in series:
        exact = _timed(lambda curve=curve: exact_curve(hat, curve, epsilons))
        print(f"{curve.mechanism.key:>22} {curve.grouping or '':<10} exact curve: {exact * 1000:5.0f} ms")


def _timed(work: object) -> float:
    before = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - before


if __name__ == "__main__":
    main()
