"""Public counts that a person types: the same for every candidate HAT (method 12.9)."""

from __future__ import annotations

import numpy as np

from core.bounding.public_counts import PublicCounts


def typed_counts(hats: int, *, vehicles: int, records: int, fleet: int) -> PublicCounts:
    """hats: how many candidates there are; vehicles: units of each; records: of one of them there.

    fleet: how many units there are in all, 0 where nobody says. Raises InputError for numbers that cannot be.
    """
    return PublicCounts(
        units=np.full(hats, vehicles, np.int64), records=np.full(hats, records, np.int64), fleet=fleet
    )
