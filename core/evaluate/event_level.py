"""Neighbours that differ in one record, so that each record is a user (TR I.E, event-level; method 10.7).

For comparison alone: a release protects all records of a user, and nothing here can make one.
"""

from __future__ import annotations

import numpy as np

from core.contributions import HatData


def event_level(hat: HatData) -> HatData:
    """The same values, user by user in their order, each of a user with no other record and no visits."""
    first = np.cumsum(hat.counts) - hat.counts
    starts = np.repeat(hat.starts - first, hat.counts) + np.arange(int(hat.counts.sum()))
    return HatData(counts=np.ones_like(starts), starts=starts, values=hat.values, upper_bound=hat.upper_bound)
