"""What of plans does not change with epsilon, kept by whoever owns the data it follows from (architecture 4).

Counts are confidential outside relation `values`, and entries hold them. So no module keeps a cache: the
window's session owns one for the data it has loaded and drops both together; a job makes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.grouping.lru_cache import MOST_NUMBERS, LruCache
from core.system.own_process import WorkPlace, in_this_process

_Found = TypeVar("_Found")


class PlanCache:
    """Parts of plans by (part, counts, whatever else they depend on); of several threads at once."""

    def __init__(self, most: int = MOST_NUMBERS, apart: WorkPlace = in_this_process) -> None:
        """most: users in all entries together; the longest unused entry goes first.

        apart: where large searches of the plans are done that are made with this cache.
        """
        self._kept: LruCache[Any] = LruCache(most)
        self.apart = apart

    def get(
        self, part: str, counts: NDArray[np.int64], also: Hashable, work_out: Callable[[], _Found]
    ) -> _Found:
        """The part for these counts, shape (L,), and `also`; worked out where it is not kept.

        part: names what is worked out, so that two parts of the same counts are told apart.
        """
        found: _Found = self._kept.get(counts, (part, also), work_out)
        return found
