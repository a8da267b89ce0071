"""A command that the system tells to end (SIGTERM, as at a shutdown) ends in order, as by Ctrl+C."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

EXIT_CODE = 128 + signal.SIGTERM
"""As shells tell who was ended by this signal."""


class AskedToEnd(KeyboardInterrupt):
    """Whatever was begun is given up, and its temporary files are removed."""


@contextlib.contextmanager
def ends_in_order() -> Iterator[None]:
    """The signal raises AskedToEnd, once: what cleans up is not interrupted."""
    if threading.current_thread() is not threading.main_thread():  # no other may ask for signals
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(_: int, __: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise AskedToEnd
