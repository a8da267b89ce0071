"""Grouping a million users, and the literal algorithms of P3 on two thousand. Run: make bench."""

from __future__ import annotations

import time
from collections.abc import Callable
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatUsers
from core.errors import InputError
from core.grouping.groupings import GROUPINGS
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from tests.core.grouping.literal import as_printed

USERS, FEW = 1_000_000, 2_000
LIMIT_S = 3.0


def sizes_of(draw: Callable[[np.random.Generator, int], NDArray[np.int64]], users: int) -> NDArray[np.int64]:
    return np.sort(draw(np.random.default_rng(1), users))[::-1].astype(np.int64)


SHAPES: dict[str, Callable[[np.random.Generator, int], NDArray[np.int64]]] = {
    "geometric, mean 100": lambda rng, users: rng.geometric(0.01, users),
    "even, 1 to 400": lambda rng, users: rng.integers(1, 401, users),
    "even, 1 to a million": lambda rng, users: rng.integers(1, 1_000_001, users),
    "one record each": lambda rng, users: np.ones(users, np.int64),  # noqa: ARG005 - one shape for all
}


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    slowest = 0.0
    for name, draw in SHAPES.items():
        many, few = sizes_of(draw, USERS), sizes_of(draw, FEW)
        for grouping, group in GROUPINGS.items():
            seconds = timed(lambda group=group, many=many: group(many, int(np.median(many))))
            slowest = max(slowest, seconds)
            ours = timed(lambda group=group, few=few: group(few, int(np.median(few))))
            print(
                f"{name:22} {grouping:11} {USERS:,} users {seconds:5.2f} s; "
                f"{FEW:,} users {ours * 1e3:6.2f} ms",
                end="",
            )
            if few.max() < 10_000:
                arguments = grouping, few.tolist(), int(np.median(few))
                literal = timed(lambda arguments=arguments: as_printed(*arguments))
                print(f", as printed {literal * 1e3:8.1f} ms", end="")
            print()
    users = HatUsers(counts=sizes_of(SHAPES["geometric, mean 100"], USERS))
    for key, mechanism in mechanisms_of(Relation.VALUES).items():
        try:
            seconds = timed(
                lambda mechanism=mechanism: mechanism.plan(
                    users, Decimal(1), 65_000, mechanism.Params(), PlanCache()
                )
            )
            print(f"plan of {key:22} {USERS:,} users {seconds:5.2f} s")
        except InputError as error:
            print(f"plan of {key:22} {USERS:,} users, refused: {error.what}")
    print(f"slowest grouping {slowest:.2f} s, limit {LIMIT_S} s: {'met' if slowest < LIMIT_S else 'MISSED'}")


if __name__ == "__main__":
    main()
