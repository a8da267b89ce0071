"""Parts of plans are found again while their owner lives, within a bounded size, and not a moment longer."""

from __future__ import annotations

import weakref
from threading import Thread

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


def test_the_newest_whole_plan_stays_however_large_it_is() -> None:
    cache = PlanCache(most_of_plans=100)
    small = cache.whole("small", 10, 1, Part)
    assert cache.whole("small", 10, 1, Part) is small
    large = cache.whole("large", 1_000, 1, Part)
    assert cache.whole("large", 1_000, 1, Part) is large
    gone = weakref.ref(small)
    del small
    assert gone() is None


def test_what_it_holds_dies_with_it() -> None:
    cache = PlanCache()
    part = weakref.ref(cache.get("arrays", counts(3, 1), 0, Part))
    assert part() is not None
    del cache
    assert part() is None


def test_the_longest_unused_goes_first() -> None:
    recent = PlanCache(most=3 * 34)
    retained = [recent.get("arrays", counts(number, 1), 0, object) for number in range(3)]
    assert recent.get("arrays", counts(0, 1), 0, object) is retained[0]
    recent.get("arrays", counts(9, 1), 0, object)
    assert recent.get("arrays", counts(0, 1), 0, object) is retained[0]
    assert recent.get("arrays", counts(2, 1), 0, object) is retained[2]
    assert recent.get("arrays", counts(1, 1), 0, object) is not retained[1]


def test_what_is_too_large_is_not_kept_and_drives_nothing_out() -> None:
    recent = PlanCache(most=40)
    small = recent.get("arrays", counts(1), 0, object)
    large = np.ones(100, np.int64)
    assert recent.get("arrays", large, 0, object) is not recent.get("arrays", large, 0, object)
    assert recent.get("arrays", counts(1), 0, object) is small


def test_threads_get_what_belongs_to_their_counts() -> None:
    recent = PlanCache(most=200)
    wrong: list[int] = []

    def ask(seed: int) -> None:
        for number in np.random.default_rng(seed).integers(1, 20, 2_000).tolist():
            if recent.get("arrays", counts(number), 0, lambda number=number: number) != number:  # type: ignore[misc]
                wrong.append(number)

    threads = [Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_plan_that_somebody_has_is_found_again_however_full_it_is() -> None:
    """Two statistics of a large city drove out each other's plan: review and release made both anew."""
    cache = PlanCache(most_of_plans=1)
    both = [cache.whole(name, 100, 1, Part) for name in ("mean", "shares")]
    for _ in range(2):
        assert [cache.whole(name, 100, 1, Part) for name in ("mean", "shares")] == both
    shares = weakref.ref(both.pop())
    cache.whole("mean", 100, 1, Part)
    assert shares() is None, "nobody has it any more, and there is no room"
