"""Blocks: cut without gaps, worked on in order, stopped between."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import blocks
from core.blocks import cut, each
from core.progress import Cancelled, silent


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 60))
def test_slices_follow_one_another(first: int, size: int, most: int) -> None:
    found = cut(first, first + size, most)
    assert [place for one in found for place in range(one.start, one.stop)] == list(
        range(first, first + size)
    )
    assert all(0 < one.stop - one.start <= most for one in found)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_and_progress_rises(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_WORKERS", workers)
    told: list[float] = []
    found = each(lambda item: item * item, range(20), lambda done, _="": told.append(done), "Squaring")
    assert list(found) == [item * item for item in range(20)]
    assert told == [item / 20 for item in range(20)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_begins_nothing_further(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_WORKERS", workers)
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
    monkeypatch.setattr(blocks, "_WORKERS", workers)

    def fail(item: int) -> int:
        return 1 // (item - 3)

    with pytest.raises(ZeroDivisionError):
        list(each(fail, range(100), silent, "Working"))


def test_nothing_to_do_is_done() -> None:
    assert list(each(str, [], silent, "Working")) == []
