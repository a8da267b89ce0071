"""ui.kit.next_slice: what waits for the window comes between two slices of work."""

from __future__ import annotations

import itertools
import time
from collections.abc import Generator

import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from ui.kit.next_slice import in_slices, next_slice

SLICES = 6
SLICE_S = 0.02


def test_a_timer_that_is_due_comes_between_any_two_slices(qtbot: QtBot) -> None:
    owner, seen = QObject(), list[str]()
    ticks = QTimer(owner)
    ticks.timeout.connect(lambda: seen.append("tick"))

    def work() -> None:
        seen.append("work")
        until = time.perf_counter() + SLICE_S
        while time.perf_counter() < until:
            pass
        if seen.count("work") < SLICES:
            next_slice(owner, work)

    ticks.start(5)
    next_slice(owner, work)
    qtbot.waitUntil(lambda: seen.count("work") == SLICES)
    pairs = list(itertools.pairwise(seen))
    assert ("work", "work") not in pairs


def test_nothing_is_done_for_what_is_gone(qtbot: QtBot) -> None:
    done, owner, other = list[str](), QObject(), QObject()
    next_slice(owner, lambda: done.append("gone"))
    next_slice(other, lambda: done.append("there"))
    shiboken6.delete(owner)
    qtbot.waitUntil(lambda: bool(done))
    assert done == ["there"]


def test_work_with_pauses_is_done_in_as_many_events(qtbot: QtBot) -> None:
    owner, seen = QObject(), list[str]()
    ticks = QTimer(owner)
    ticks.timeout.connect(lambda: seen.append("tick"))

    def work() -> Generator[None, None, str]:
        for number in range(3):
            seen.append(f"part {number}")
            yield
        return "all of it"

    ticks.start(0)
    in_slices(owner, work(), seen.append)
    qtbot.waitUntil(lambda: "all of it" in seen)
    parts = [what for what, _ in itertools.groupby(seen)]
    assert parts[:7] == ["part 0", "tick", "part 1", "tick", "part 2", "tick", "all of it"]


def test_work_with_pauses_ends_with_its_owner(qtbot: QtBot) -> None:
    owner, other, seen = QObject(), QObject(), list[str]()

    def work(ends: str) -> Generator[None, None, str]:
        try:
            yield
            yield
        finally:
            seen.append(f"cleaned up: {ends}")
        return ends

    in_slices(owner, work("gone"), seen.append)
    in_slices(other, work("there"), seen.append)
    shiboken6.delete(owner)
    qtbot.waitUntil(lambda: "there" in seen)
    assert seen == ["cleaned up: gone", "cleaned up: there", "there"]
