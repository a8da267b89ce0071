"""Work in a separate process, for libraries that keep Python's lock through long calls (architecture 4).

    apart = OwnProcess()
    found = apart(search, objective, begin, progress=progress)

The process is this program again, started by one word, without Qt. It lives for further works and leaves when
this one does, however that ends. Works and results travel through pipes alone, and nothing is logged there.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from core.errors import HexveilError
from core.progress import Cancelled, Progress, rising, silent

OWN_PROCESS = "--own-process"
"""The word by which `main.py` becomes the other process."""
_Found = TypeVar("_Found")

_PROGRESS, _DONE, _RAISED, _FAILED = range(4)
"""What the other process tells."""
_GREETING = b"here\n"
_LONGEST_START = 30.0
"""Seconds. Whatever has not answered by then is not this program."""
_LONGEST_END = 2.0
"""Seconds."""
_LOOK = 0.05
"""Seconds between two looks whether somebody who waits still wants to."""


class WorkPlace(Protocol):
    """Where a work is done: `work(*given, progress=progress)`."""

    def __call__(self, work: Callable[..., _Found], *given: object, progress: Progress) -> _Found: ...


def in_this_process(work: Callable[..., _Found], *given: object, progress: Progress) -> _Found:
    """Here and now."""
    return work(*given, progress=progress)


class OwnProcess:
    """Does one work after the other in another process; of several threads together."""

    def __init__(self, command: tuple[str, ...] | None = None) -> None:
        """command: what starts a process that runs `serve`; None: this program's own."""
        self._command = command or _own_command()
        self._one_at_a_time = threading.Lock()
        self._helpers: list[_Helper] = []
        """One, once it is wanted."""
        weakref.finalize(self, _end_all, self._helpers)

    def __call__(self, work: Callable[..., _Found], *given: object, progress: Progress) -> _Found:
        """`work(*given, progress=progress)`, a function at the top of its module, in the other process.

        What cannot be done there is done here: the result is the same. Raises what the work raises, and what
        `progress` raises, after which the other process works at this no longer.
        """
        progress = rising(progress)
        while not self._one_at_a_time.acquire(timeout=_LOOK):
            progress(0.0)
        try:
            return self._there(work, given, progress)
        except (_NotDone, OSError, EOFError, pickle.UnpicklingError):
            pass
        finally:
            self._one_at_a_time.release()
        return work(*given, progress=progress)

    def start(self) -> None:
        """Start the process ahead of all works, and do not wait for it.

        Best before there are other threads: while a process is started, nobody else has Python's lock.
        """
        with self._one_at_a_time, suppress(_NotDone, OSError):
            self._helper()

    def prepare(self, work: Callable[..., object]) -> None:
        """Let the process load all that `work` needs; returns immediately."""
        begin = {"progress": silent}
        threading.Thread(target=self, args=(_load, work), kwargs=begin, daemon=True).start()

    def close(self) -> None:
        """End the process, whatever it does; a later work starts another."""
        free = self._one_at_a_time.acquire(timeout=_LONGEST_END)
        _end_all(self._helpers)
        if free:
            self._one_at_a_time.release()

    def _there(self, work: Callable[..., _Found], given: tuple[object, ...], progress: Progress) -> _Found:
        """Raises _NotDone, or an error of pipes and processes, where it cannot be done there."""
        helper = self._helper()
        try:
            return helper.run(work, given, progress)
        except (OSError, EOFError, pickle.UnpicklingError):
            if not helper.answered:
                self._command = ()  # nor will the next one
            _end_all(self._helpers)
            raise

    def _helper(self) -> _Helper:
        """The process; started where there is none. Raises OSError or _NotDone where it cannot be."""
        if not self._helpers:
            if not self._command:
                raise _NotDone
            self._helpers.append(_Helper(self._command))
        return self._helpers[0]


class _NotDone(Exception):
    """The other process could not do it."""


class _Helper:
    """The other process, seen from here."""

    def __init__(self, command: tuple[str, ...]) -> None:
        """Start it. Raises OSError where there is no such program."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._asks = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)
        self._number = 0
        self.answered = False
        """It is this program."""

    def run(self, work: Callable[..., _Found], given: tuple[object, ...], progress: Progress) -> _Found:
        """The work's result. Raises as `OwnProcess` does, and as it says of `_there`."""
        if not self.answered:
            self._greet()
        self._number += 1
        self._ask(pickle.dumps((work, given), pickle.HIGHEST_PROTOCOL))
        kind, what = self._answer()
        while kind == _PROGRESS:
            try:
                progress(*what)
            except BaseException:
                self._stop()
                raise
            kind, what = self._answer()
        if kind == _FAILED:
            raise _NotDone
        if kind == _RAISED:
            raise what
        return cast(_Found, what)

    def end(self) -> None:
        """Without a pipe to read it leaves."""
        with suppress(OSError):
            self._asks.close()
        try:
            self._process.wait(_LONGEST_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._answers.close()

    def _greet(self) -> None:
        watch = threading.Timer(_LONGEST_START, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            self.answered = self._answers.read(len(_GREETING)) == _GREETING
        finally:
            watch.cancel()
        if not self.answered:
            raise EOFError

    def _stop(self) -> None:
        """Tell it that nobody wants the work, and wait until it is free: at its next step, or dead."""
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            self._ask(None)
            while self._answer()[0] == _PROGRESS:
                pass

    def _ask(self, what: bytes | None) -> None:
        pickle.dump((self._number, what), self._asks, pickle.HIGHEST_PROTOCOL)
        self._asks.flush()

    def _answer(self) -> tuple[int, Any]:
        kind, what = pickle.load(self._answers)
        return kind, what


def serve() -> int:
    """Be the other process until there is nobody left to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # what a library prints must not reach the pipe
        os.dup2(nothing, number)
    server = _Server(asks, answers)
    threading.Thread(target=server.listen, daemon=True).start()
    server.work()
    return 0


class _Server:
    """The other process, seen from there: one thread listens, so that the end is noticed amid a work."""

    def __init__(self, asks: BinaryIO, answers: BinaryIO) -> None:
        self._asks, self._answers = asks, answers
        self._wanted = queue.SimpleQueue[tuple[int, bytes]]()
        self._stopped = 0
        """Number of the last work that nobody wants any more."""

    def listen(self) -> None:
        try:
            while True:
                number, what = pickle.load(self._asks)
                if what is None:
                    self._stopped = number
                else:
                    self._wanted.put((number, what))
        finally:  # also without memory for what is asked: who asks would wait for ever
            os._exit(0)

    def work(self) -> None:
        with suppress(OSError):
            self._answers.write(_GREETING)
            self._answers.flush()
            while True:
                self._do(*self._wanted.get())

    def _do(self, number: int, pickled: bytes) -> None:
        def progress(done: float, text: str = "") -> None:
            if self._stopped == number:
                raise Cancelled
            self._tell(_PROGRESS, (done, text))

        try:
            work, given = pickle.loads(pickled)
            answer = _DONE, work(*given, progress=progress)
        except (HexveilError, Cancelled) as error:
            answer = _RAISED, error
        except Exception:  # whatever it is, it is raised where it can be shown
            answer = _FAILED, None
        self._tell(*answer)

    def _tell(self, kind: int, what: object) -> None:
        self._answers.write(pickle.dumps((kind, what), pickle.HIGHEST_PROTOCOL))
        self._answers.flush()


def _end_all(helpers: list[_Helper]) -> None:
    while helpers:
        helpers.pop().end()


def _load(work: Callable[..., object], progress: Progress) -> None:
    """To name the work was to load it."""


def _own_command() -> tuple[str, ...]:
    """What starts this program: an installed one itself, the sources Python; empty where neither is known."""
    program = sys.executable
    if not program:
        return ()
    if getattr(sys, "frozen", False) or not Path(program).stem.startswith("python"):
        return program, OWN_PROCESS
    return program, str(Path(__file__).resolve().parents[2] / "main.py"), OWN_PROCESS
