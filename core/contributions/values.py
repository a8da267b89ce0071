"""The values of a contribution table: an array, or runs of records that stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential


class Values(Protocol):
    """Thousandths of km/h in the table's order, read slice by slice; a plain array will do."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> NDArray[np.int32]: ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RunValues(Confidential):
    """Values of runs of records, gathered from the records' own column when a slice is asked for."""

    source: NDArray[np.int32]
    """Shape (n,): the value of every record; may lie on disk."""
    first: NDArray[np.int64]
    """Shape (R,): each run's first record."""
    before: NDArray[np.int64]
    """Shape (R + 1,): values before each run, and all of them."""

    def __len__(self) -> int:
        return int(self.before[-1])

    def __getitem__(self, part: slice, /) -> NDArray[np.int32]:
        """The values of a slice with step 1; shape (its length,)."""
        begin, end, _ = part.indices(len(self))
        end = max(begin, end)
        low = int(np.searchsorted(self.before, begin, side="right")) - 1
        high = int(np.searchsorted(self.before, end, side="left"))
        shift = self.first[low:high] - self.before[low:high]
        taken = np.diff(self.before[low : high + 1].clip(begin, end))
        record = np.repeat(shift, taken)
        record += np.arange(begin, end)
        return np.asarray(self.source[record])


def run_values(source: NDArray[np.int32], first: NDArray[np.int64], length: NDArray[np.int64]) -> RunValues:
    """Values of the runs in their order; first, length: shape (R,)."""
    return RunValues(source=source, first=first, before=np.concatenate(([0], np.cumsum(length))))
