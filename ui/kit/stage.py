"""Background work for one question at a time: after another one is asked, the one before brings nothing more.

    self._curves = Stage(self, self._show_curves, failed=session.failed)
    if self._curves.ask(request, lambda progress: compute_curves(request, progress)):
        self._show_curves(...)  # this question has its answer already

A page asks as often as it likes: whenever the session says that something has changed. The key says what is
asked, and equal keys ask the same: what is under way, answered or refused is not begun anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from ui.kit.jobs import Job, JobWork, tell_if_unheard

Heard = Callable[..., object] | SignalInstance | None


class Stage(QObject):
    """A job at most, what it was asked for, and to what the answer that was taken last is one.

    The signals only ever speak of the newest question. After `failed` nothing counts as answered; after
    `cancelled` nothing is asked, and the answer of before stands.
    """

    progressed = Signal(float, str)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    finished = Signal()

    def __init__(
        self, parent: QObject | None, take: Heard = None, *, failed: Heard = None, stopped: Heard = None
    ) -> None:
        """take: gets the answer; failed: the exception. Each is a callable or a signal."""
        super().__init__(parent)
        self._job: Job | None = None
        self.asked: Any = None
        """The key of what is wanted now, whether it is under way, answered or refused; None: nothing is."""
        self.taken: Any = None
        """The key of the answer that was taken last."""
        for signal, heard in ((self.succeeded, take), (self.failed, failed), (self.cancelled, stopped)):
            if heard is not None:
                signal.connect(heard)

    @property
    def running(self) -> bool:
        """The newest work has not ended."""
        return self._job is not None and self._job.running

    def ask(self, key: object, work: JobWork, *, what: str = "") -> bool:
        """Want the answer to `key`, which `work` finds, and no other; True where it was taken already.

        what: as of a `Job`.
        """
        if key != self.asked:
            self.drop()
            self.asked = key
            if key != self.taken:
                self._start(work, what)
        return bool(key == self.taken)

    def start(self, work: JobWork, *, what: str = "") -> None:
        """The same with a question that is never asked again."""
        self.forget()
        self._start(work, what)

    def cancel(self) -> None:
        """Ask the newest work to stop; its end is still announced."""
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        """Want nothing more: stop the newest work and announce nothing of it. The answer of before stands."""
        job, self._job, self.asked = self._job, None, None
        if job is not None and job.running:
            job.cancel()
            job.blockSignals(True)

    def forget(self) -> None:
        """The same, and no answer stands."""
        self.drop()
        self.taken = None

    def _start(self, work: JobWork, what: str) -> None:
        self._job = job = Job(work, what=what)
        job.progressed.connect(self.progressed)
        job.succeeded.connect(self._on_succeeded)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        job.finished.connect(self.finished)
        job.start()

    def _on_succeeded(self, answer: object) -> None:
        self.taken = self.asked
        self.succeeded.emit(answer)

    def _on_failed(self, error: BaseException) -> None:
        self.taken = None
        self.failed.emit(error)
        tell_if_unheard(self, error)

    def _on_cancelled(self) -> None:
        self.asked = None
        self.cancelled.emit()
