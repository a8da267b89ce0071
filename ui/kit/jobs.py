"""Long work off the window's thread: a thin shell around a plain function of core.

    job = Job(lambda progress: ingest(files, mapping, progress=progress))
    job.succeeded.connect(session.set_records)
    job.start()

A job runs `work(progress)` in the thread pool and ends in exactly one of `succeeded`, `failed` or
`cancelled`, then `finished`. Jobs are made in the main thread and all their signals are emitted there;
the work itself must never touch a widget.

Work begins once the event is over that asked for it. The window's thread is at work until then, and would
wait for Python's lock time and again; and of work that is asked for anew in the same event, as a map is by
each thing that it follows, only the last is done.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThreadPool, QTimer, Signal, Slot

from core.errors import HexveilError, InternalError
from core.progress import Cancelled, Progress
from ui.language.translation import core_text

PROGRESS_INTERVAL_MS = 50
_LEAST_THREADS = 4

JobWork = Callable[[Progress], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """What somebody waits for."""

    seconds: float
    what: str
    """In words; empty where nothing was said."""
    done: float | None
    """From 0 to 1; None where that is not known."""


class Job(QObject):
    """One piece of work, run once in a worker thread.

    `succeeded` carries the result by reference: the work must not write to it afterwards. `failed`
    carries the exception as it was raised. A cancel that comes too late to stop the work does not hide
    its outcome: the signal tells what really happened.
    """

    progressed = Signal(float, str)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()

    def __init__(self, work: JobWork, *, what: str = "", parent: QObject | None = None) -> None:
        """what: is being done, in a few words, for as long as the work itself has said nothing."""
        super().__init__(parent)
        self._run = _Run(work)
        self._what = what
        # A job may die with its parent while the work runs: then nobody wants the work any more. One without
        # lives until its end; its last reference may go as a frame is cleared, where Python code crashed.
        if parent is not None:
            self.destroyed.connect(self._run.cancel_asked.set)
        self._passed_on: tuple[float, str] | None = None
        self._timer = QTimer(self, interval=PROGRESS_INTERVAL_MS)
        self._timer.timeout.connect(self._pass_on)
        self._state = "new"
        self.began = 0.0
        """By the monotonic clock, once it is started."""

    @property
    def running(self) -> bool:
        """Started and not yet ended."""
        return self._state == "running"

    def start(self) -> None:
        """Put the work into the thread pool, after this event. A job starts once."""
        if self._state != "new":
            raise InternalError("a job starts once")
        self._state = "running"
        self.began = time.monotonic()
        self._timer.start()
        _running[self._run] = self
        _mailbox().send(self._run)

    @property
    def wait(self) -> Wait:
        """How long, for what, and how far, of a job that runs."""
        done, text = self._run.latest or (None, "")
        return Wait(
            seconds=time.monotonic() - self.began, what=(text and core_text(text)) or self._what, done=done
        )

    def cancel(self) -> None:
        """Ask the work to stop: its next progress call raises `Cancelled`."""
        self._run.cancel_asked.set()

    @Slot()
    def _pass_on(self) -> None:
        latest = self._run.latest
        if latest is not None and latest != self._passed_on:
            self._passed_on = latest
            done, text = latest
            self.progressed.emit(done, core_text(text))

    def _end(self, outcome: _Outcome) -> None:
        self._state = "ended"
        self._timer.stop()
        outcome.announce(self)
        for error in outcome.carried if outcome.signal == "failed" else ():
            tell_if_unheard(self, error)
        self.finished.emit()


def tell_if_unheard(source: QObject, error: BaseException) -> None:
    """A mistake of the program goes where all go that nobody caught, where nobody waits for this one.

    The part that asks for an input says what is wrong with it.
    """
    known = source.metaObject()
    # QMetaMethod.fromSignal would keep the job for good
    failed = known.method(known.indexOfSignal("failed(PyObject)"))
    if isinstance(error, HexveilError) or source.isSignalConnected(failed):
        return
    sys.excepthook(type(error), error, error.__traceback__)


def longest_wait() -> Wait | None:
    """Of all work that has not ended, what a person has waited for longest; None where nothing runs."""
    awaited = [job for job in _running.values() if shiboken6.isValid(job) and not job.signalsBlocked()]
    # by when they began: the clock goes on while one looks at the waits of all
    return min(awaited, key=lambda job: job.began).wait if awaited else None


def any_running() -> bool:
    """Some work has not ended."""
    return bool(_running)


def cancel_all() -> None:
    """Ask every running job to stop."""
    for run in tuple(_running):
        run.cancel_asked.set()


def wait_for_all(timeout: float) -> bool:
    """Wait up to `timeout` seconds for every job and announce their ends; False if one still runs.

    For `closeEvent`, after `cancel_all`: the window stands still meanwhile.
    """
    deadline = time.monotonic() + timeout
    while _running:
        _mailbox().dispatch()
        left = max(0, int((deadline - time.monotonic()) * 1000))
        done = _pool().waitForDone(left)
        QCoreApplication.sendPostedEvents(_mailbox(), QEvent.Type.MetaCall)
        if not done or time.monotonic() > deadline:
            break
    return not _running


class _Outcome:
    """How a work ended: the name of the job's signal and what it carries."""

    def __init__(self, signal: str, *carried: Any) -> None:
        self.signal = signal
        self.carried = carried

    def announce(self, job: Job) -> None:
        getattr(job, self.signal).emit(*self.carried)


class _Run:
    """What the worker thread knows of a job.

    No QObject and no way to one: the worker may well be the last to let go of it, and a QObject must
    not be destroyed in a foreign thread.
    """

    def __init__(self, work: JobWork) -> None:
        self.cancel_asked = threading.Event()
        self.latest: tuple[float, str] | None = None
        self._work: JobWork | None = work

    def __call__(self) -> None:
        _mailbox().arrived.emit(self, self._outcome())

    def _outcome(self) -> _Outcome:
        work, self._work = self._work, None
        assert work is not None
        try:
            if self.cancel_asked.is_set():
                raise Cancelled
            return _Outcome("succeeded", work(self._progress))
        except Cancelled:
            return _Outcome("cancelled")
        except BaseException as error:
            # Whatever went wrong, a job has to end; an exception that left the thread would end the program.
            return _Outcome("failed", error)

    def _progress(self, done: float, text: str = "") -> None:
        if self.cancel_asked.is_set():
            raise Cancelled
        # One assignment, read by the job's timer: 200,000 calls cost no event at all.
        self.latest = (done, text)


class _Mailbox(QObject):
    """Brings works to the pool, and outcomes from the workers to the main thread, where it lives."""

    arrived = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._deliver)
        self._sent: list[_Run] = []
        self._leaves = QTimer(self, singleShot=True)
        self._leaves.timeout.connect(self.dispatch)

    def send(self, run: _Run) -> None:
        """To the pool, once the event loop has nothing else that is due."""
        self._sent.append(run)
        self._leaves.start(0)

    @Slot()
    def dispatch(self) -> None:
        """All that was sent; what nobody wants any more ends without a thread."""
        sent, self._sent = self._sent, []
        for run in sent:
            if run.cancel_asked.is_set():
                self._deliver(run, _Outcome("cancelled"))
            else:
                _pool().start(run)

    @Slot(object, object)
    def _deliver(self, run: _Run, outcome: _Outcome) -> None:
        job = _running.pop(run)
        if shiboken6.isValid(job):  # else nobody takes what it brings
            job._end(outcome)


# Qt keeps no Python object alive: a running job that nobody else holds has its reference here.
_running: dict[_Run, Job] = {}


@cache
def _mailbox() -> _Mailbox:
    return _Mailbox()


def _pool() -> QThreadPool:
    pool = QThreadPool.globalInstance()
    # On one or two cores a long import must not keep the map from being built.
    pool.setMaxThreadCount(max(_LEAST_THREADS, pool.maxThreadCount()))
    return pool
