"""Garbage collection in the main thread: workers never destroy, and nothing piles up."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

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


def test_the_oldest_generation_that_is_due_is_collected(
    garbage: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(gc, "collect", asked.append)
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    for counts in ((700, 10, 10), (701, 3, 2), (701, 11, 10), (900, 11, 11)):
        monkeypatch.setattr(gc, "get_count", lambda counts=counts: counts)
        garbage.collect()
    assert asked == [0, 1, 2]


@pytest.mark.usefixtures("qapp")
def test_stopping_gives_collection_back_to_python() -> None:
    collector = GarbageCollector()
    assert not gc.isenabled()
    try:
        gc.freeze()
        collector.stop()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
    finally:
        gc.disable()  # the session's is in force again,
        gc.freeze()  # and the tests themselves are left out
    QTimer.singleShot(0, collector.deleteLater)
