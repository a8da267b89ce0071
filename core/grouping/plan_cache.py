"""What of plans does not change with epsilon, stored by the owner of its data (architecture 4).

Another epsilon leaves most of a HAT's plan as it was. Counts are confidential outside relation `values`, and
entries hold them. So no module keeps a cache: the window's session owns one for the data it has loaded and
drops both together; a job makes its own. It lies in memory only and is of a bounded size: the entry that was
used least recently goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Found = TypeVar("_Found")
MOST_NUMBERS = 1 << 21
"""Users in all: some 100 MiB."""
_ENTRY = 32
"""What an entry takes by itself, in users."""


class PlanCache:
    """Parts of plans by (part, counts, whatever else they depend on); of several threads together."""

    def __init__(self, most: int = MOST_NUMBERS) -> None:
        """most: users in all entries together."""
        self._most = most
        self._parts: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(
        self, part: str, counts: NDArray[np.int64], also: Hashable, work_out: Callable[[], _Found]
    ) -> _Found:
        """The part for these counts, shape (L,), and `also`; computed where it is not stored.

        part: names what is computed, so that two parts of the same counts are distinguished.
        """
        key = (part, counts.tobytes(), also)
        found: _Found
        with self._lock:
            if key in self._parts:
                self._parts.move_to_end(key)
                found, _ = self._parts[key]
                return found
        found = work_out()
        size = counts.size + _ENTRY
        with self._lock:
            if size <= self._most and key not in self._parts:
                self._parts[key] = found, size
                self._size += size
            while self._size > self._most:
                _, (_, gone) = self._parts.popitem(last=False)
                self._size -= gone
        return found
