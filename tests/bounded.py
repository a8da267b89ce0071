"""Bounds on the work a call may do, in processor time: load from elsewhere does not count."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest


@contextmanager
def processor_seconds(most: float) -> Iterator[None]:
    """Fail what runs within after so many seconds of this process's processor time, as a hang would.

    For work that is done at once when it grows with its input and hardly ends when it grows faster:
    the bound can be generous. Main thread only.
    """
    if sys.platform == "win32":
        pytest.skip("Windows has no timer of processor time")

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {most} seconds of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
