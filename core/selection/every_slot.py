"""Rule `every-slot`: a hexagon is chosen when every slot of the window meets the threshold (TR III.C)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.contributions import Contributions
from core.selection.base import CellFile, Selection, SelectionRequest, chosen, required, vehicle_days


class EverySlot:
    """Keeps hexagons, with all their slots.

    TR prints both "more than" and "at least"; method 3 settles on at least.
    """

    key: ClassVar[str] = "every-slot"
    title: ClassVar[str] = "Busy in every slot"
    cell_file: ClassVar[CellFile | None] = None

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        busy = vehicle_days(contributions) >= required(contributions, request)
        window = contributions.window
        a_day = window.grid.a_day or len(window.slots)
        _, hexagon = np.unique(contributions.cell, return_inverse=True)
        # of each combination of labels by itself
        combination = (contributions.slot.astype(np.int64) - window.slots.start) // a_day
        _, place = np.unique(hexagon * len(window.slots) + combination, return_inverse=True)
        busy_slots = np.bincount(place, weights=busy)
        return chosen(contributions, (busy_slots == a_day)[place])


RULE = EverySlot()
