"""Local times that a change of the clocks makes doubtful: skipped in spring, there twice in autumn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.records.zones import DAY_MS, offsets_of


def moved_and_repeated(instants: NDArray[np.int64], zone: str) -> tuple[int, int]:
    """Of records that were read in local times: how many lie at the moment to which skipped times are moved,
    and how many at times that the clocks showed twice. instants: shape (n,), UTC milliseconds."""
    if not instants.size:
        return 0, 0
    offsets = offsets_of(zone, int(instants.min()) - DAY_MS, int(instants.max()) + DAY_MS)
    skipped = offsets.starts[1:][np.diff(offsets.offset_ms) > 0]
    walls = instants + offsets.at(instants)
    _, twice = gap_and_overlap(walls, np.ones(walls.size, bool), zone)
    return int(np.isin(instants, skipped).sum()), twice


def gap_and_overlap(instants: NDArray[np.int64], naive: NDArray[np.bool_], zone: str) -> tuple[int, int]:
    """How many naive times the zone skips, and how many it has twice.

    instants: shape (n,), wall-clock milliseconds where `naive`; other ones have no doubt and do not count.
    """
    wall = np.sort(instants[naive])
    if not wall.size:
        return 0, 0
    # a wall clock is nowhere further than a day from UTC
    offsets = offsets_of(zone, int(wall[0]) - DAY_MS, int(wall[-1]) + DAY_MS)
    changes, before, after = offsets.starts[1:], offsets.offset_ms[:-1], offsets.offset_ms[1:]
    # what the clock showed when it was changed, and what it was set to
    passed = np.searchsorted(wall, changes + after) - np.searchsorted(wall, changes + before)
    return int(passed[passed > 0].sum()), int(-passed[passed < 0].sum())
