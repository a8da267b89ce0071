"""Files that somebody else holds for a moment: on Windows, virus scanners, indexers and other windows do."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

WAITS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each further try; together less than two."""
_IN_USE = frozenset({5, 32, 33, None})
"""Windows' errors for a file in use: access denied, sharing violation, lock violation; none where a file was
to be opened, which goes through the library of C."""
_ELSEWHERE = 0
"""Other systems than Windows name no error of a file that somebody else holds."""


def when_released(use: Callable[[], _T]) -> _T:
    """The result of a use of the file system, tried again while another program holds the file.

    Raises what the use raises: immediately where nobody holds a file, else after the last try. Elsewhere than
    on Windows no error says that a file is in use, and nothing is tried twice.
    """
    for wait in WAITS:
        try:
            return use()
        except PermissionError as error:
            if getattr(error, "winerror", _ELSEWHERE) not in _IN_USE:
                raise
            clock.sleep(wait)
    return use()
