"""The threshold that records begin with: the usual one, or less where that would leave no HAT."""

from __future__ import annotations

import numpy as np

from core.contributions import Contributions
from core.selection.base import days_of_hats, vehicle_days


def fitted_threshold(contributions: Contributions, usual: int) -> int:
    """Distinct vehicles a day: `usual` where any HAT reaches it, else the median HAT's number, at least 1.

    It follows from counts of vehicles: only for relation `values`, where these are public (method 5). The
    usual one where there is no HAT at all.
    """
    a_day = vehicle_days(contributions) // days_of_hats(contributions)
    if not a_day.size or int(a_day.max()) >= usual:
        return usual
    return max(1, int(np.median(a_day)))
