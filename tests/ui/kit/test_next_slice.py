"""ui.kit.next_slice: what waits for the window comes between two slices of work."""

from __future__ import annotations

import itertools
import time

import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from ui.kit.next_slice import next_slice

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
