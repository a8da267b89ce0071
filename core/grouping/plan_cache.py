"""Plans in memory: how large they are, in users, and what in them stays at any epsilon (architecture 4).

Another epsilon leaves most of a HAT's plan as it was; a review, a release and a choice that is undone ask for
a whole plan that was made. Counts are confidential outside relation `values`, and entries hold them. So no
module keeps a cache: the window's session owns one for the data it has loaded and drops both together; a job
makes its own. It lies in memory only and is of a bounded size: the entry that was used least recently goes
first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

_Found = TypeVar("_Found")
MOST_NUMBERS, MOST_OF_PLANS = 1 << 21, 1 << 22
"""Users in all: some 100 MiB of parts, and twice that of whole plans."""
_ENTRY = 32
"""What an entry of the plans in memory, or a HAT of a plan, takes by itself, in users."""


class PlanCache:
    """Parts of plans by (part, counts, whatever else they depend on), and whole plans; of several threads."""

    def __init__(self, most: int = MOST_NUMBERS, most_of_plans: int = MOST_OF_PLANS) -> None:
        """most: users in all entries together."""
        self._parts, self._plans = _Recent(most), _Recent(most_of_plans)
        self._most_of_plans = most_of_plans
        self._in_use: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    def get(
        self, part: str, counts: NDArray[np.int64], also: Hashable, work_out: Callable[[], _Found]
    ) -> _Found:
        """The part for these counts, shape (L,), and `also`; computed where it is not stored.

        part: names what is computed, so that two parts of the same counts are distinguished.
        """
        return self._parts.found((part, counts.tobytes(), also), counts.size + _ENTRY, work_out)

    def whole(self, inputs: Hashable, users: int, hats: int, plan: Callable[[], _Found]) -> _Found:
        """The plan of these inputs, all that it follows from; the newest one stays, however large it is.

        One that somebody still has takes no more memory by being found again. users: of all HATs together.
        """
        in_use = self._in_use.get(inputs)
        work_out = plan if in_use is None else (lambda: in_use)
        found: _Found = self._plans.found(inputs, min(users + hats * _ENTRY, self._most_of_plans), work_out)
        self._in_use[inputs] = found
        return found


class _Recent:
    """What was found last, by keys, up to so many users in all."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._retained: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def found(self, key: Hashable, size: int, work_out: Callable[[], _Found]) -> _Found:
        """What is stored under the key, or else computed; size: in users."""
        found: _Found
        with self._lock:
            if key in self._retained:
                self._retained.move_to_end(key)
                found, _ = self._retained[key]
                return found
        found = work_out()
        with self._lock:
            if size <= self._most and key not in self._retained:
                self._retained[key] = found, size
                self._size += size
            while self._size > self._most:
                _, (_, gone) = self._retained.popitem(last=False)
                self._size -= gone
        return found
