"""Answers to the map's page that take a while, in a separate thread; a tile that could not be drawn.

Not among the window's jobs: many tiles would keep their few threads from everything else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import shiboken6
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal, Slot
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob

from core.system.fault_report import fault_report

Answer = tuple[bytes, bytes]
"""Kind of content, and content."""
_log = logging.getLogger(__name__)


class LateAnswers(QObject):
    """Requests that wait; one that the page gives up meanwhile costs nothing more."""

    _done = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked = 0
        self._stopped = False
        self._waiting: dict[int, QWebEngineUrlRequestJob] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tiles")
        self._done.connect(self._deliver)

    def answer(self, job: QWebEngineUrlRequestJob, work: Callable[[], Answer]) -> None:
        """Do the work, and reply with what it gives."""
        if self._stopped:
            job.fail(QWebEngineUrlRequestJob.Error.RequestAborted)
            return
        self._asked += 1
        self._waiting[self._asked] = job
        job.destroyed.connect(partial(self._waiting.pop, self._asked, None))
        self._thread.submit(self._do, self._asked, work)

    def stop(self) -> None:
        """Answer nothing more."""
        self._stopped = True
        self._waiting.clear()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _do(self, number: int, work: Callable[[], Answer]) -> None:
        """In the thread."""
        if number not in self._waiting:
            return
        try:
            found: Answer | Exception = work()
        except Exception as error:
            found = error
        if number in self._waiting:
            self._done.emit(number, found)

    @Slot(int, object)
    def _deliver(self, number: int, found: Answer | Exception) -> None:
        job = self._waiting.pop(number, None)
        if job is None or not shiboken6.isValid(job):
            return
        if isinstance(found, Exception):
            _log.warning("a tile could not be drawn: %s", fault_report(found))
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
        else:
            reply(job, found)


def reply(job: QWebEngineUrlRequestJob, answer: Answer) -> None:
    """Answer a request."""
    kind, content = answer
    buffer = QBuffer(job)
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(kind), buffer)
