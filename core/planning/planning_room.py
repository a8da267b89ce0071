"""Memory and minutes that planning a city takes; more than HEXVEIL_PLANNING_GB is refused."""

from __future__ import annotations

import math
import os

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions
from core.errors import InputError
from core.mechanisms.tokens import BOUNDED, SPLIT

ROOM = "HEXVEIL_PLANNING_GB"
"""The environment's word for another limit."""
USUAL_GB = 8.0
_PAIR_BYTES = 500
"""Memory of planning a city, with that of L-BFGS, for each pair of vehicle and HAT; regions take no more."""
_PAIR_SECONDS, _BOUNDED_SECONDS = 20e-6, 170e-6
"""Of a processor at most, both kinds of noise together; the second of mode `bounded`."""


class NoRoom(InputError):
    """A city takes more memory to plan than is allowed."""


def require_room_for(contributions: Contributions, published: NDArray[np.bool_], mode: str) -> None:
    """Raises NoRoom where the published HATs, shape (G,), have more vehicles than memory allows."""
    pairs = contributions.starts_vehicle() & published[contributions.hat]
    require_room(int(np.count_nonzero(pairs)), mode)


def require_room(pairs: int, mode: str = SPLIT) -> None:
    """The same of so many pairs of a HAT and a vehicle."""
    needed, limit = pairs * _PAIR_BYTES / 1e9, _limit()
    seconds = pairs * (_BOUNDED_SECONDS if mode == BOUNDED else _PAIR_SECONDS)
    if needed > limit:
        raise NoRoom(
            "This city takes up to {needed} GB of memory and {minutes} min to plan; {limit} GB are allowed.",
            needed=f"{needed:.3g}",
            minutes=f"{max(seconds / 60.0, 1.0):.0f}",
            limit=f"{limit:.3g}",
            where="selection",
            mend="choose coarser hexagons, longer slots or fewer hexagon slots, or allow more memory "
            "(HEXVEIL_PLANNING_GB)",
        )


def _limit() -> float:
    """Raises InputError for what is no number above 0."""
    text = os.environ.get(ROOM, "")
    try:
        limit = float(text) if text else USUAL_GB
    except ValueError:
        limit = 0.0
    if not 0.0 < limit < math.inf:
        raise InputError(
            "{variable} is not a number above 0.",
            variable=ROOM,
            where="environment",
            mend="write for instance 16",
        )
    return limit
