"""Work in threads: results in order, bounded, ended cleanly."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.progress import Cancelled, silent
from core.system import parallel
from core.system.parallel import cut, each, in_turn, read_ahead


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 60))
def test_slices_follow_one_another(first: int, size: int, most: int) -> None:
    found = cut(first, first + size, most)
    assert [place for one in found for place in range(one.start, one.stop)] == list(
        range(first, first + size)
    )
    assert all(0 < one.stop - one.start <= most for one in found)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_and_progress_rises(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "THREADS", workers)
    told: list[float] = []
    found = each(lambda item: item * item, range(20), lambda done, _="": told.append(done), "Squaring")
    assert list(found) == [item * item for item in range(20)]
    assert told == [item / 20 for item in range(20)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_begins_nothing_further(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "THREADS", workers)
    begun: list[int] = []
    before = threading.active_count()

    def stop(done: float, _: str = "") -> None:
        if done >= 0.1:
            raise Cancelled

    with pytest.raises(Cancelled) as caught:  # kept with its frames: no thread may hang on to them
        list(each(begun.append, range(100), stop, "Working"))
    assert len(begun) < 20
    assert threading.active_count() == before
    assert caught.tb is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_work_comes_through(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "THREADS", workers)

    def fail(item: int) -> int:
        return 1 // (item - 3)

    with pytest.raises(ZeroDivisionError):
        list(each(fail, range(100), silent, "Working"))


def test_nothing_to_do_is_done() -> None:
    assert list(each(str, [], silent, "Working")) == []


@given(items=st.lists(st.integers(), max_size=30), threads=st.integers(1, 3), ahead=st.integers(1, 5))
def test_results_come_in_the_order_of_items(items: list[int], threads: int, ahead: int) -> None:
    assert list(in_turn(items, str, threads=threads, ahead=ahead)) == [str(item) for item in items]


def test_one_item_alone_starts_no_thread() -> None:
    here = threading.get_ident()
    assert list(in_turn(iter([1]), lambda _: threading.get_ident())) == [here]
    assert here not in list(in_turn(iter([1, 2]), lambda _: threading.get_ident()))


def test_no_more_than_the_named_number_is_taken_ahead() -> None:
    taken = 0
    most = 0
    given_back = 0

    def items():
        nonlocal taken, most
        for number in range(50):
            taken += 1
            most = max(most, taken - given_back)
            yield number

    for _ in in_turn(items(), lambda _: time.sleep(0.001), threads=2, ahead=3):
        given_back += 1
    assert taken == 50
    assert most <= 4


def test_what_work_raises_is_raised_and_everything_ends() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    results = in_turn(range(1000), work, threads=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)
    assert not _workers()


def test_closing_drops_what_waits() -> None:
    begun = []

    def work(number: int) -> None:
        begun.append(number)
        time.sleep(0.005)

    with contextlib.closing(in_turn(range(1000), work, threads=1, ahead=100)) as results:
        next(results)
    assert len(begun) < 110
    assert not _workers()


def _workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if "ThreadPoolExecutor" in thread.name]


@given(items=st.lists(st.integers(), max_size=20), ahead=st.integers(1, 4))
def test_items_read_ahead_keep_their_order(items: list[int], ahead: int) -> None:
    assert list(read_ahead(items, ahead=ahead)) == items


def test_reading_ahead_happens_in_one_other_thread_and_is_bounded() -> None:
    threads = set()
    taken = 0

    def items():
        nonlocal taken
        for number in range(20):
            threads.add(threading.get_ident())
            taken += 1
            yield number

    with contextlib.closing(read_ahead(items(), ahead=3)) as ready:
        assert next(ready) == 0
        time.sleep(0.05)
        assert taken <= 1 + 3
        assert list(ready) == list(range(1, 20))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_what_reading_raises_is_raised_after_what_was_read() -> None:
    def items():
        yield 1
        yield 2
        raise ValueError("three")

    ready = read_ahead(items())
    assert [next(ready), next(ready)] == [1, 2]
    with pytest.raises(ValueError, match="three"):
        next(ready)
    assert not _workers()


def test_closing_stops_reading() -> None:
    taken = []
    ready = read_ahead((taken.append(number) for number in range(1000)), ahead=2)
    next(ready)
    ready.close()
    assert len(taken) <= 4
    assert not _workers()
