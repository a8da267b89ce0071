"""Parts of plans are found again while their owner lives, and not a moment longer."""

from __future__ import annotations

import gc
import weakref

import numpy as np

from core.grouping.plan_cache import PlanCache


class Part:
    """Something that can be watched."""


def counts(*users: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(users, np.int64)


def test_a_part_is_found_by_its_name_its_counts_and_what_else_it_depends_on() -> None:
    cache = PlanCache()
    first = cache.get("arrays", counts(3, 1), (5, "sqrt"), Part)
    assert cache.get("arrays", counts(3, 1), (5, "sqrt"), Part) is first
    assert cache.get("arrays", counts(3, 1), (6, "sqrt"), Part) is not first
    assert cache.get("arrays", counts(3, 2), (5, "sqrt"), Part) is not first
    assert cache.get("weights", counts(3, 1), (5, "sqrt"), Part) is not first


def test_owners_share_nothing() -> None:
    one, other = PlanCache(), PlanCache()
    assert one.get("arrays", counts(1), 0, Part) is not other.get("arrays", counts(1), 0, Part)


def test_it_is_bounded_over_all_parts() -> None:
    cache = PlanCache(most=2 * 34)
    first = cache.get("arrays", counts(1, 1), 0, Part)
    for number in range(2):
        cache.get("weights", counts(1, 1), number, Part)
    assert cache.get("arrays", counts(1, 1), 0, Part) is not first


def test_what_it_holds_dies_with_it() -> None:
    cache = PlanCache()
    part = weakref.ref(cache.get("arrays", counts(3, 1), 0, Part))
    gc.collect()
    assert part() is not None
    del cache
    gc.collect()
    assert part() is None
