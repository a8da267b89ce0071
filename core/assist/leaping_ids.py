"""Ids under which several vehicles may stand: leaps too fast, and too far for positions that stray."""

from __future__ import annotations

import numpy as np

from core.records.records import Records
from core.store.derived_speed import metres_between

_FASTEST = 300 / 3.6
"""Metres a second: no vehicle on streets or rails of a city is faster."""
_STRAY_M = 200.0
"""What positions stray by is no leap."""
_USUAL = 0.1
"""Share of an id's moves that must be leaps before it is doubted; below, single positions stray."""
_BLOCK_ROWS = 1 << 20


def leaping_ids(records: Records) -> int:
    """How many ids move faster than any vehicle in a tenth of their moves or more."""
    moves, leaps = np.zeros((2, len(records.vehicles)), np.int64)
    for start in range(0, len(records), _BLOCK_ROWS):
        part = slice(start, start + _BLOCK_ROWS + 1)
        vehicle = records.vehicle[part]
        latitude, longitude = (axis[part].astype(np.int64) for axis in (records.latitude, records.longitude))
        metres = metres_between(latitude[1:], longitude[1:], latitude[:-1], longitude[:-1])
        same = vehicle[1:] == vehicle[:-1]
        leap = same & (metres > _STRAY_M) & (metres > _FASTEST * np.diff(records.second[part]))
        moves += np.bincount(vehicle[1:][same], minlength=moves.size)
        leaps += np.bincount(vehicle[1:][leap], minlength=leaps.size)
    return int(np.count_nonzero((leaps > 0) & (leaps >= _USUAL * moves)))
