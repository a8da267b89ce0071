"""What was worked out lately is not worked out again, within a bounded size."""

from __future__ import annotations

from threading import Thread

import numpy as np

from core.grouping.lru_cache import LruCache


def counts(*users: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(users, np.int64)


def test_equal_counts_and_choices_share_a_result() -> None:
    recent: LruCache[object] = LruCache()
    first = recent.get(counts(3, 1), "a", object)
    assert recent.get(counts(3, 1), "a", object) is first
    assert recent.get(counts(3, 1), "b", object) is not first
    assert recent.get(counts(3, 1, 1), "a", object) is not first


def test_the_longest_unused_goes_first() -> None:
    recent: LruCache[object] = LruCache(most=3 * 34)
    kept = [recent.get(counts(number, 1), 0, object) for number in range(3)]
    assert recent.get(counts(0, 1), 0, object) is kept[0]
    recent.get(counts(9, 1), 0, object)
    assert recent.get(counts(0, 1), 0, object) is kept[0]
    assert recent.get(counts(2, 1), 0, object) is kept[2]
    assert recent.get(counts(1, 1), 0, object) is not kept[1]


def test_what_is_too_large_is_not_kept_and_drives_nothing_out() -> None:
    recent: LruCache[object] = LruCache(most=40)
    small = recent.get(counts(1), 0, object)
    large = np.ones(100, np.int64)
    assert recent.get(large, 0, object) is not recent.get(large, 0, object)
    assert recent.get(counts(1), 0, object) is small


def test_threads_get_what_belongs_to_their_counts() -> None:
    recent: LruCache[int] = LruCache(most=200)
    wrong: list[int] = []

    def ask(seed: int) -> None:
        for number in np.random.default_rng(seed).integers(1, 20, 2_000).tolist():
            if recent.get(counts(number), 0, lambda number=number: number) != number:  # type: ignore[misc]
                wrong.append(number)

    threads = [Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
