"""ui.kit.young_objects: how many there are, and that what a piece of work brings is not looked at."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from gc import freeze

import pytest
from pytestqt.qtbot import QtBot

from ui.kit import young_objects as module
from ui.kit.jobs import Job
from ui.kit.young_objects import spare_what_was_brought, young_objects

MANY = 2000


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that is young by now grows old, and a test need not make as many objects as a city has.

    What a test leaves out of collections is looked at again after it.
    """
    gc.collect(1)
    monkeypatch.setattr(module, "MANY_BROUGHT", MANY)
    yield
    gc.unfreeze()
    gc.collect()
    freeze()  # as after collecting the tests


def made() -> list[list[int]]:
    return [[number] for number in range(2 * MANY)]


def test_all_that_are_young_count_whatever_was_freed() -> None:
    old = made()
    gc.collect(1)
    before = young_objects()
    kept = made()
    del old
    assert gc.get_count()[0] < len(kept)
    assert young_objects() - before >= len(kept)
    assert young_objects(1) >= young_objects()


def test_only_very_many_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: asked.append(True))
    began = gc.get_count()[0]
    spare_what_was_brought(began)
    assert asked == []
    kept = made()
    spare_what_was_brought(gc.get_count()[0])
    assert asked == [], "what was young before is not of this work"
    spare_what_was_brought(began)
    assert asked == [True]
    monkeypatch.setattr(gc, "isenabled", lambda: True)
    spare_what_was_brought(began)
    assert asked == [True]
    del kept


def test_what_a_job_brings_is_left_out_before_anybody_takes_it(qtbot: QtBot) -> None:
    """To look at 144,000 objects of a large city stalled the window for 148 ms."""
    young: list[int] = []
    job = Job(lambda _: made())
    job.succeeded.connect(lambda brought: young.append(young_objects() if brought else -1))
    with qtbot.waitSignal(job.finished, timeout=10_000):
        job.start()
    assert 0 <= young[0] < MANY
