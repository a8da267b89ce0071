"""Assignments and the like that were worked out lately, for counts that are planned again (architecture 3).

Another epsilon leaves most of a HAT's plan as it was. What is kept follows from public counts alone, and
lies in memory only: it is of a bounded size, the longest unused goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

_Found = TypeVar("_Found")
MOST_NUMBERS = 1 << 21
"""Users in all: some 100 MiB."""
_ENTRY = 32
"""What an entry takes by itself, in users."""


class LruCache(Generic[_Found]):
    """Results by (counts, whatever else they depend on); of several threads at once."""

    def __init__(self, most: int = MOST_NUMBERS) -> None:
        self._most = most
        self._kept: OrderedDict[Any, tuple[_Found, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, counts: NDArray[np.int64], also: Hashable, work_out: Callable[[], _Found]) -> _Found:
        """The result for these counts, shape (L,), and `also`; worked out where it is not kept."""
        key = (counts.tobytes(), also)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept[0]
        found = work_out()
        size = counts.size + _ENTRY
        with self._lock:
            if size <= self._most and key not in self._kept:
                self._kept[key] = found, size
                self._size += size
            while self._size > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._size -= gone
        return found
