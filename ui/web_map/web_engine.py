"""Whether this computer's web engine draws maps. Where it does not, all else goes on without them.

An engine that fails may take the whole program with it: so each start leaves a mark in the home folder from
just before the engine is first asked for a page until that page is there. Who finds the mark of a start that
is gone does not ask the engine, before the person says so.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

import psutil

_MARK = "map-starting-"


class WebEngine:
    """What is known of the engine in this process; a window's maps share it."""

    def __init__(self) -> None:
        self.given_up = False
        """It has failed, here or in an earlier start: it is not asked for pages."""
        self._folder: Path | None = None
        self._has_drawn = False

    def remember_in(self, folder: Path) -> None:
        """Keep the marks in this folder, and look there for those of starts that died."""
        self._folder = folder
        self.given_up = any(not _is_running(mark) for mark in self._marks())

    def starting(self) -> None:
        """A page is about to be asked for."""
        if self._folder is not None and not self._has_drawn:
            # a home that cannot be written to is no reason not to draw
            with contextlib.suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                (self._folder / f"{_MARK}{os.getpid()}").touch(mode=0o600)

    def drawn(self) -> None:
        """A page is there: what other starts met no longer counts."""
        self.given_up = False
        if not self._has_drawn:
            self._has_drawn = True
            self._forget(self._marks())

    def failed(self) -> None:
        """It cannot be used, and has left this program alive."""
        self.given_up = True
        self.ended()

    def try_again(self) -> None:
        """The person wants it to be asked once more."""
        self.given_up = False
        self._forget(mark for mark in self._marks() if not _is_running(mark))

    def ended(self) -> None:
        """The program ends in order, or needs no mark any more."""
        if self._folder is not None:
            self._forget([self._folder / f"{_MARK}{os.getpid()}"])

    def _marks(self) -> list[Path]:
        if self._folder is None:
            return []
        return [mark for mark in self._folder.glob(f"{_MARK}*") if mark.name[len(_MARK) :].isdecimal()]

    @staticmethod
    def _forget(marks: Iterable[Path]) -> None:
        for mark in marks:
            with contextlib.suppress(OSError):
                mark.unlink(missing_ok=True)


def _is_running(mark: Path) -> bool:
    """Whether the process that left a mark is still there, and not another one of its number."""
    try:
        process = psutil.Process(int(mark.name[len(_MARK) :]))
        return bool(process.create_time() <= mark.stat().st_mtime + 1)
    except (psutil.Error, OSError, OverflowError):
        return False


engine = WebEngine()
"""That of this process."""
