"""Progress is a function of a number; cancelling is an exception it may raise."""

from __future__ import annotations

import contextlib
from typing import Protocol


class Cancelled(Exception):
    """The person stopped the work. No error: nothing is left half-written."""


class Progress(Protocol):
    """Called with the share done (0..1) and a short text; raises `Cancelled` to stop the work."""

    def __call__(self, done: float, text: str = "") -> None: ...


def silent(done: float, text: str = "") -> None:
    """Ignore progress."""


def part(progress: Progress, start: float, end: float) -> Progress:
    """The slice [start, end] of `progress`, for a step that counts its own 0..1."""

    def sliced(done: float, text: str = "") -> None:
        progress(start + (end - start) * done, text)

    return sliced


def rising(progress: Progress) -> Progress:
    """`progress` that never goes back, for work that may have to begin anew."""
    most = 0.0

    def risen(done: float, text: str = "") -> None:
        nonlocal most
        most = max(most, done)
        progress(most, text)

    return risen


def wordless(progress: Progress, text: str) -> Progress:
    """`progress` that always tells the same text, for work whose own words would tell counts."""

    said = text

    def worded(done: float, text: str = "") -> None:  # noqa: ARG001 - the protocol's shape
        progress(done, said)

    return worded


def unstoppable(progress: Progress) -> Progress:
    """`progress` for work that nobody may stop amid it: a wish to stop it is not heard."""

    def passed_on(done: float, text: str = "") -> None:
        with contextlib.suppress(Cancelled):
            progress(done, text)

    return passed_on
