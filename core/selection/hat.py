"""Rule `hat`: HAT by HAT, at least `days x threshold` vehicle-days."""

from __future__ import annotations

from typing import ClassVar

from core.contributions import Contributions
from core.selection.base import CellFile, Selection, SelectionRequest, chosen, required, vehicle_days


class HatByHat:
    """Keeps each HAT that meets the threshold by itself."""

    key: ClassVar[str] = "hat"
    title: ClassVar[str] = "Busy hexagon slots"
    cell_file: ClassVar[CellFile | None] = None

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        return chosen(contributions, vehicle_days(contributions) >= required(contributions, request))


RULE = HatByHat()
