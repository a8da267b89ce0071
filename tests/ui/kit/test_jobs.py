"""ui.kit.jobs: one end, few updates, real cancel, no stale results, nothing left behind."""

from __future__ import annotations

import ast
import gc
import itertools
import re
import sys
import threading
import time
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QThread, QThreadPool

from core.errors import InputError, InternalError
from core.progress import Cancelled
from tests.syntax_tree import nodes_of
from ui.kit.jobs import Job, cancel_all, longest_wait, wait_for_all
from ui.kit.stage import Stage


class Ends:
    """Collects what a job or a slot announces."""

    def __init__(self, source):
        self.seen = []
        self.updates = []
        self.threads = []
        source.progressed.connect(lambda done, text: self.updates.append((done, text)))
        source.succeeded.connect(lambda result: self._note("succeeded", result))
        source.failed.connect(lambda error: self._note("failed", error))
        source.cancelled.connect(lambda: self._note("cancelled", None))
        source.finished.connect(lambda: self._note("finished", None))

    def _note(self, name, carried):
        self.seen.append((name, carried))
        self.threads.append(QThread.currentThread())

    @property
    def names(self):
        return [name for name, _ in self.seen]


@pytest.fixture(autouse=True)
def _nothing_left(qapp):
    assert qapp is not None
    yield
    cancel_all()
    assert wait_for_all(5)
    assert QThreadPool.globalInstance().waitForDone(5000)
    assert QThreadPool.globalInstance().activeThreadCount() == 0


def run(qtbot, work):
    job = Job(work)
    ends = Ends(job)
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.start()
    return ends


def until_cancelled(progress):
    while True:
        progress(0.5, "working")
        time.sleep(0.001)


def test_success_carries_the_very_object(qtbot, qapp):
    result = {"count": 2**40}
    ends = run(qtbot, lambda _progress: result)
    assert ends.names == ["succeeded", "finished"]
    assert ends.seen[0][1] is result
    assert set(ends.threads) == {qapp.thread()}


def test_the_work_runs_elsewhere(qtbot):
    ends = run(qtbot, lambda _progress: threading.get_ident())
    assert ends.seen[0][1] != threading.get_ident()


@pytest.mark.parametrize("error", [InputError("no", mend="mend"), ZeroDivisionError("bug"), SystemExit(3)])
def test_failure_carries_the_exception_as_it_is(qtbot, error):
    def work(_progress):
        raise error

    ends = run(qtbot, work)
    assert ends.names == ["failed", "finished"]
    assert ends.seen[0][1] is error


def test_cancel_stops_the_work(qtbot):
    job = Job(until_cancelled)
    ends = Ends(job)
    job.start()
    qtbot.waitUntil(lambda: bool(ends.updates))
    assert job.running
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.cancel()
    assert ends.names == ["cancelled", "finished"]
    assert not job.running


def test_cancel_before_the_start_never_calls_the_work(qtbot):
    called = []
    job = Job(lambda _progress: called.append(1))
    ends = Ends(job)
    job.cancel()
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.start()
    assert ends.names == ["cancelled", "finished"]
    assert not called


def test_work_may_cancel_by_itself(qtbot):
    def work(_progress):
        raise Cancelled

    assert run(qtbot, work).names == ["cancelled", "finished"]


def test_a_cancel_that_comes_too_late_hides_nothing(qtbot):
    done = threading.Event()

    def work(_progress):
        done.set()
        return "published"

    job = Job(work)
    ends = Ends(job)
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.start()
        qtbot.waitUntil(done.is_set)
        job.cancel()
    assert ends.seen == [("succeeded", "published"), ("finished", None)]


def test_one_end_however_cancel_and_success_race(qtbot):
    collected = []
    for i in range(200):
        job = Job(lambda progress, steps=i % 7: [progress(0.5) for _ in range(steps)])
        collected.append(Ends(job))
        job.start()
        QCoreApplication.processEvents()  # it leaves for its thread
        if i % 3:
            time.sleep(i % 5 * 1e-5)
        job.cancel()
    assert wait_for_all(10)
    qtbot.wait(20)
    for ends in collected:
        assert len(ends.seen) == 2
        assert ends.names[0] in {"succeeded", "cancelled"}
        assert ends.names[1] == "finished"


def test_work_waits_until_the_event_is_over_that_asked_for_it(qtbot):
    begun = threading.Event()
    job = Job(lambda _progress: begun.set())
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.start()
        assert job.running
        assert QThreadPool.globalInstance().activeThreadCount() == 0
        assert not begun.is_set()
    assert begun.is_set()


def test_many_progress_calls_become_few_updates(qtbot):
    took = []

    def work(progress):
        start = time.monotonic()
        for i in range(200_000):
            progress(i / 200_000, "rows")
        time.sleep(0.12)
        took.append(time.monotonic() - start)

    ends = run(qtbot, work)
    assert 1 <= len(ends.updates) <= took[0] * 20 + 1
    assert ends.updates[-1] == (199_999 / 200_000, "rows")


def test_an_unchanged_progress_is_said_once(qtbot):
    def work(progress):
        progress(0.25, "waiting")
        time.sleep(0.2)

    assert run(qtbot, work).updates == [(0.25, "waiting")]


def test_a_job_starts_once(qtbot):
    job = Job(lambda _progress: None)
    with qtbot.waitSignal(job.finished):
        job.start()
    with pytest.raises(InternalError):
        job.start()


def test_a_job_nobody_holds_still_ends(qtbot):
    seen = []
    job = Job(lambda _progress: time.sleep(0.05))
    job.finished.connect(lambda: seen.append("finished"))
    job.start()
    del job
    gc.collect()
    qtbot.waitUntil(lambda: seen == ["finished"])


def test_a_job_whose_parent_dies_stops_in_silence():
    parent = QObject()
    job = Job(until_cancelled, parent=parent)
    ends = Ends(job)
    job.start()
    QCoreApplication.processEvents()
    shiboken6.delete(parent)
    assert wait_for_all(5)
    assert not ends.seen


def test_an_ended_job_lets_go_of_its_work_and_result(qtbot):
    class Big:
        pass

    big = Big()
    gone = weakref.ref(big)
    job = Job(lambda _progress, held=big: held)
    with qtbot.waitSignal(job.finished):
        job.start()
    del big

    def is_gone():
        gc.collect()
        return gone() is None

    qtbot.waitUntil(is_gone, timeout=5_000)  # its thread may still be about to return


def test_nothing_is_left_of_a_job_that_failed(qtbot):
    """To ask whether anybody listens kept the job, and all that its work held, for good."""
    job = Job(lambda _progress: 1 / 0)
    job.failed.connect(lambda _: None)
    gone = weakref.ref(job)
    with qtbot.waitSignal(job.finished):
        job.start()
    del job

    def is_gone():
        gc.collect()
        return gone() is None

    qtbot.waitUntil(is_gone, timeout=5_000)


@pytest.mark.parametrize("in_stage", [False, True])
@pytest.mark.parametrize("error", [ValueError("odd"), InputError("expected", mend="say so")])
def test_a_mistake_of_the_program_that_nobody_hears_of_goes_where_all_go(qtbot, monkeypatch, in_stage, error):
    """What is wrong with an input may be told by another work; a mistake of ours was lost without a word."""
    told = []
    monkeypatch.setattr(sys, "excepthook", lambda *found: told.append(found[1]))

    def work(_):
        raise error

    job = Stage(None) if in_stage else Job(work)
    with qtbot.waitSignal(job.finished, timeout=5000):
        job.start(work) if in_stage else job.start()
    assert told == ([] if isinstance(error, InputError) else [error])


def test_waiting_gives_up_after_its_time():
    gate = threading.Event()
    job = Job(lambda _progress: gate.wait(5))
    job.start()
    assert not wait_for_all(0.05)
    gate.set()
    assert wait_for_all(5)
    assert not job.running


def test_no_thread_is_left():
    before = threading.active_count()
    for _ in range(300):
        Job(lambda progress: progress(1.0)).start()
    assert wait_for_all(10)
    assert QThreadPool.globalInstance().waitForDone(5000)
    assert QThreadPool.globalInstance().activeThreadCount() == 0
    assert threading.active_count() <= before


def test_the_longest_wait_is_told(qtbot):
    assert longest_wait() is None
    go_on = threading.Event()
    first, second = (Job(lambda _: go_on.wait(10), what=what) for what in ("first", "second"))
    with qtbot.waitSignals([first.finished, second.finished], timeout=10_000):
        first.start()
        second.start()
        wait = longest_wait()
        go_on.set()
    assert wait is not None
    assert (wait.what, wait.done) == ("first", None)
    assert longest_wait() is None


def test_the_longest_wait_does_not_depend_on_who_is_looked_at_first(qtbot, monkeypatch):
    doubled = (2.0**times for times in itertools.count())  # a clock that goes on between any two looks
    go_on = threading.Event()
    first, second = (Job(lambda _: go_on.wait(10), what=what) for what in ("first", "second"))
    with qtbot.waitSignals([first.finished, second.finished], timeout=10_000):
        with monkeypatch.context() as patch:
            patch.setattr("ui.kit.jobs.time", SimpleNamespace(monotonic=lambda: next(doubled)))
            first.start()
            second.start()
            wait = longest_wait()
        go_on.set()
    assert wait is not None
    assert wait.what == "first"


STARTS = re.compile(r"\b(?:start|ask|\w*Job)\(")
"""What may hand over work: only sources that do are taken apart."""


def test_no_work_leads_to_a_widget():
    """A worker may be the last to let go of its work: what that holds would die in the worker's thread."""
    found = []
    for path in sorted((Path(__file__).parents[3] / "ui").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for call in nodes_of(ast.parse(text)) if STARTS.search(text) else ():
            if not isinstance(call, ast.Call):
                continue
            named = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if named not in ("start", "ask") and not named.endswith("Job"):
                continue
            for work in call.args[1:2] if named == "ask" else call.args[:1]:
                done = work.args[0] if isinstance(work, ast.Call) else work  # of a partial
                names = {part.id for part in ast.walk(done) if isinstance(part, ast.Name)}
                if "self" in names and (done is not work or isinstance(work, ast.Lambda)):
                    found.append(f"{path.name}:{call.lineno}")
    assert found == []
