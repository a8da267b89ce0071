"""Local times that a change of the clocks makes doubtful: skipped in spring, there twice in autumn."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def gap_and_overlap(instants: NDArray[np.int64], naive: NDArray[np.bool_], zone: str) -> tuple[int, int]:
    """How many naive times the zone skips, and how many it has twice.

    instants: shape (n,), wall-clock milliseconds where `naive`; other ones have no doubt and do not count.
    """
    wall = pa.array(instants[naive], type=pa.timestamp("ms"))

    def placed(ambiguous: str, nonexistent: str) -> NDArray[np.int64]:
        stamps = pc.assume_timezone(wall, zone, ambiguous=ambiguous, nonexistent=nonexistent)
        result: NDArray[np.int64] = stamps.cast(pa.int64()).to_numpy(zero_copy_only=False)
        return result

    first = placed("earliest", "earliest")
    skipped = int((first != placed("earliest", "latest")).sum())
    return skipped, int((first != placed("latest", "earliest")).sum())
