"""Works for a process of its own, at the top of a module that both processes can load."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable
from typing import Any

from core.errors import InputError
from core.progress import Progress


def process_id(progress: Progress) -> int:  # noqa: ARG001 - a work takes it
    return os.getpid()


def counted_steps(steps: int, progress: Progress) -> int:
    """Tells its process as it goes; returns it too."""
    for step in range(steps):
        progress(step / steps, str(os.getpid()))
    return os.getpid()


def endless(progress: Progress) -> None:
    for step in itertools.count():
        progress(1 - 1 / (step + 1))


def refused(progress: Progress) -> None:  # noqa: ARG001 - a work takes it
    raise InputError("There is no such town.", where="query.town", mend="name another")


def broken_outside(own: int, progress: Progress) -> int:  # noqa: ARG001 - a work takes it
    """Works in the process `own` alone."""
    if os.getpid() != own:
        raise ZeroDivisionError
    return own


def loud(progress: Progress) -> str:  # noqa: ARG001 - a work takes it
    """Prints, in Python and below it."""
    print("to be seen by nobody", flush=True)
    os.write(1, b"nor this")
    return "done"


def loaded_windows(progress: Progress) -> list[str]:  # noqa: ARG001 - a work takes it
    """What of Qt and of the window is loaded."""
    return [name for name in sys.modules if name.partition(".")[0] in {"PySide6", "shiboken6", "ui"}]


def broken_here(work: Callable[..., Any], own: int, *given: object, progress: Progress) -> Any:
    """`work`, in any process but `own`."""
    assert os.getpid() != own
    return work(*given, progress=progress)
