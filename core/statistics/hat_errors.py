"""Errors of one HAT, stored for many numbers of records together: one call costs far more than one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.arrays import Floats, Ints
from core.privacy import Confidential

Errors = Callable[[Ints, Ints, Ints, Floats], Floats]
"""(n retained, largest k, records M, epsilon), all of one shape -> error of each HAT, in that shape.

Each result is a function of its four numbers alone, whatever else is in the same call.
"""

_AHEAD = 400
"""Records that leaving users may take with them before more errors of a HAT must be computed."""
_MOST_WINDOWS = 8
"""Windows of one HAT's stored errors: bounds the memory; rules move between a few m_UB."""


@dataclass(slots=True, kw_only=True, repr=False)
class HatErrors(Confidential):
    """Errors by the largest contribution k and the records retained n; M and epsilon are the HAT's."""

    errors: Errors
    records: int
    """M."""
    epsilon: float
    windows: dict[int, tuple[Floats, int, int]] = field(default_factory=dict)
    """k -> (errors, first n, last n)."""

    def window(self, largest: int, fewest: int, most: int) -> tuple[Floats, int]:
        """Errors for `first .. last` records retained, and `first`; `first` <= fewest, most <= `last`.

        largest: k. It is the other users' records that grow fewer, so that a window reaches below
        what is asked, though never below k, which somebody keeps.
        """
        found = self.windows.get(largest)
        if found is None or fewest < found[1] or most > found[2]:
            found = self._new_window(largest, fewest, most)
        return found[0], found[1]

    def _new_window(self, largest: int, fewest: int, most: int) -> tuple[Floats, int, int]:
        first = max(min(fewest, largest), fewest - _AHEAD)
        retained = np.arange(first, most + 1)
        like = np.full_like(retained, largest)
        errors = self.errors(
            retained, like, np.full_like(retained, self.records), np.full(retained.size, self.epsilon)
        )
        if len(self.windows) >= _MOST_WINDOWS:
            self.windows.clear()
        found = (errors, first, most)
        self.windows[largest] = found
        return found
