"""Rule `cells`: a fixed list of hexagons, each with all slots of the window, records or not."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import Selection, SelectionRequest


class FixedCells:
    """The list is public and the same whatever the data hold."""

    key: ClassVar[str] = "cells"
    title: ClassVar[str] = "A fixed list of hexagons"
    needs_threshold: ClassVar[bool] = False

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        if not request.cells:
            raise InputError(
                "The list of cells is empty.", where="selection.file", mend="list one H3 cell a line"
            )
        slots = np.array(contributions.window.slots, np.int16)
        cells = np.unique(np.array(request.cells, np.uint64))
        known = {
            (cell, slot): index
            for index, (cell, slot) in enumerate(
                zip(contributions.cell.tolist(), contributions.slot.tolist(), strict=True)
            )
        }
        cell = np.repeat(cells, slots.size)
        slot = np.tile(slots, cells.size)
        pairs = zip(cell.tolist(), slot.tolist(), strict=True)
        return Selection(cell=cell, slot=slot, index=np.array([known.get(pair, -1) for pair in pairs]))


RULE = FixedCells()
