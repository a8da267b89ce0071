"""Garbage collection in the main thread: workers never destroy, and nothing piles up."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from gc import disable, freeze

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from ui.kit import garbage_collection as garbage_module
from ui.kit.garbage_collection import GarbageCollector, uncollected
from ui.kit.jobs import Job


class Ring:
    """Garbage that only the cyclic collector finds; notes who collected it."""

    def __init__(self, threads: list[threading.Thread]) -> None:
        self.me = self
        self._threads = threads

    def __del__(self) -> None:
        self._threads.append(threading.current_thread())


def make_rings(count: int, threads: list[threading.Thread]) -> None:
    for _ in range(count):
        Ring(threads)


def test_a_worker_makes_garbage_and_the_main_thread_collects_it(
    qtbot: QtBot, garbage: GarbageCollector
) -> None:
    garbage.collect()
    threads: list[threading.Thread] = []
    job = Job(lambda _: make_rings(5000, threads))
    with qtbot.waitSignal(job.finished, timeout=10_000):
        job.start()
    qtbot.waitUntil(lambda: len(threads) == 5000, timeout=10_000)
    assert set(threads) == {threading.main_thread()}


def test_nothing_is_collected_while_classes_are_made(garbage: GarbageCollector) -> None:
    """As a worker does that imports modules of Qt, whatever else is going on."""
    garbage.collect()
    threads: list[threading.Thread] = []
    with uncollected():
        make_rings(5000, threads)
        garbage.collect()
        assert threads == []
    garbage.collect()
    assert len(threads) == 5000


PLAIN_PYTHON = """
import threading
collectors = []
class Ring:
    def __init__(self): self.me = self
    def __del__(self): collectors.append(threading.current_thread())
def make_rings():
    for _ in range(5000): Ring()
worker = threading.Thread(target=make_rings)
worker.start()
worker.join()
assert worker in collectors
"""


def test_without_it_a_worker_collects() -> None:
    """Why all this is needed: plain Python collects where it allocates.

    In a process of its own, as here the worker would destroy what is left of the windows of earlier tests.
    """
    subprocess.run([sys.executable, "-I", "-c", PLAIN_PYTHON], check=True, timeout=60)


def test_the_oldest_generation_is_collected_in_its_turn(
    garbage: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(garbage, "_last_full", float("-inf"))  # another test may have come to one just now
    monkeypatch.setattr(garbage_module, "any_running", lambda: False)
    monkeypatch.setattr(gc, "collect", asked.append)
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    for counts in ((700, 10, 10), (701, 3, 2), (701, 11, 10), (900, 11, 11), (3, 2, 11)):
        monkeypatch.setattr(gc, "get_count", lambda counts=counts: counts)
        garbage.collect()
    assert asked == [0, 1, 2, 1]  # the last one comes too soon after the one before it


def test_the_first_full_collection_after_sparing_spares_once_more(
    garbage: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | str] = []
    monkeypatch.setattr(garbage, "_spares_once_more", False)
    monkeypatch.setattr(garbage, "_last_full", float("-inf"))
    monkeypatch.setattr(garbage_module, "any_running", lambda: False)
    monkeypatch.setattr(garbage_module, "FULL_INTERVAL_S", 0.0)
    monkeypatch.setattr(gc, "collect", asked.append)
    monkeypatch.setattr(gc, "freeze", lambda: asked.append("freeze"))
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc, "get_count", lambda: (701, 11, 11))
    garbage.spare_what_stays()
    garbage.collect()
    garbage.collect()
    assert asked == ["freeze", "freeze", 2]


def test_a_full_collection_waits_while_work_is_running(
    qtbot: QtBot, garbage: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc, "get_count", lambda: (701, 11, 11))
    monkeypatch.setattr(garbage_module, "FULL_INTERVAL_S", 0.0)
    monkeypatch.setattr(garbage_module, "young_objects", lambda _: 701)
    may_end = threading.Event()
    job = Job(lambda _: may_end.wait(10))
    with qtbot.waitSignal(job.finished, timeout=10_000), monkeypatch.context() as patch:
        patch.setattr(gc, "collect", asked.append)
        job.start()
        garbage.collect()
        may_end.set()
    assert set(asked) == {1}
    monkeypatch.setattr(gc, "collect", asked.append)
    garbage.collect()
    assert asked[-1] == 2


@contextlib.contextmanager
def second_collector() -> Iterator[GarbageCollector]:
    """Beside the session's, which is in force again afterwards, whatever takes the place of `gc` here."""
    collector = GarbageCollector()
    try:
        yield collector
    finally:
        collector.stop()
        disable()
        freeze()  # as after collecting the tests
        QTimer.singleShot(0, collector.deleteLater)


@pytest.mark.usefixtures("qapp")
def test_many_young_objects_wait_while_work_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    with second_collector() as collector:
        monkeypatch.setattr(gc, "collect", asked.append)
        monkeypatch.setattr(garbage_module, "any_running", lambda: True)
        for young, seen in ((701, [0]), (50_000, []), (3_000_000, [0])):
            asked.clear()
            monkeypatch.setattr(gc, "get_count", lambda young=young: (young, 0, 0))
            collector.collect()
            assert asked == seen
        monkeypatch.setattr(garbage_module, "any_running", lambda: False)
        monkeypatch.setattr(gc, "get_count", lambda: (50_000, 0, 0))
        collector.collect()
        assert asked == [0, 0]


@pytest.mark.usefixtures("qapp")
def test_young_objects_wait_that_python_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 140,000 it counted 892, as older ones were freed meanwhile. One look tells, while work runs."""
    asked: list[int] = []
    looks: list[int] = []
    running = [True]

    def many(generation: int) -> int:
        looks.append(generation)
        return 140_000

    with second_collector() as collector:
        monkeypatch.setattr(gc, "collect", asked.append)
        monkeypatch.setattr(gc, "get_count", lambda: (892, 0, 0))
        monkeypatch.setattr(garbage_module, "any_running", lambda: running[0])
        monkeypatch.setattr(garbage_module, "young_objects", many)
        for _ in range(3):
            collector.collect()
        assert (asked, looks) == ([], [0])
        running[0] = False
        collector.collect()
        assert (asked, looks) == ([0], [0])
        running[0] = True
        collector.collect()
        assert (asked, looks) == ([0], [0, 0])


@pytest.mark.usefixtures("qapp")
def test_what_a_large_import_brings_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(gc, "get_count", lambda: (90_000, 0, 0))
    monkeypatch.setattr(gc, "freeze", lambda: asked.append("freeze"))
    monkeypatch.setattr(gc, "collect", lambda _: asked.append("collect"))
    with second_collector() as collector:
        for number in range(100):
            monkeypatch.setitem(sys.modules, f"brought.{number}", garbage_module)
        collector.collect()
        assert asked == ["freeze"]
        collector.collect()
        assert asked == ["freeze", "collect"]


@pytest.mark.usefixtures("qapp")
def test_what_stays_is_left_out_and_stopping_gives_it_back() -> None:
    with second_collector() as collector:
        kept = Ring([])
        collector.spare_what_stays()
        assert gc.get_freeze_count() > 0
        gone = weakref.ref(kept)
        del kept
        gc.collect()
        assert gone() is not None  # frozen: not looked at
        collector.stop()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
        gc.collect()
        assert gone() is None
