"""How far reading has come and how long it will take, in words for a person who waits."""

from __future__ import annotations

import time as clock
from collections.abc import Callable

from core.counted import count_of

_IN_FULL = 10_000
"""From here on a number of rows is rounded."""
_SETTLED = 0.5
"""Seconds before a rate is worth telling."""


class Pace:
    """Counts rows and describes the rate and the time left."""

    def __init__(self, now: Callable[[], float] = clock.monotonic) -> None:
        self._now = now
        self._begun = now()
        self._rows = 0

    def text(self, name: str, rows: int, fraction: float) -> str:
        """After `rows` more rows of the file `name`, with this fraction of all files read."""
        self._rows += rows
        read = count_of(self._rows, "row") if self._rows < _IN_FULL else f"{_short(self._rows)} rows"
        told = f"Reading {name}: {read}"
        elapsed = self._now() - self._begun
        if elapsed < _SETTLED or not fraction > 0.0:
            return told
        left = elapsed / fraction * (1.0 - min(fraction, 1.0))
        return f"{told}, {_short(round(self._rows / elapsed))} rows/s, about {_duration(left)} left"


def _short(count: int) -> str:
    if count < _IN_FULL:
        return f"{count:,}"
    if count < 999_500:
        return f"{count / 1000:.0f} k"
    return f"{count / 1_000_000:.1f} M"


def _duration(seconds: float) -> str:
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
