"""A logarithmic axis with clean labels: as many round numbers as there is room for.

pyqtgraph's own crowds 2 to 9 of every decade over one another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg

_ROOM = 26
"""Least pixels between two labels."""
_LABELS: tuple[tuple[float, ...], ...] = (
    (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9),
    (1, 1.5, 2, 3, 4, 5, 7),
    (1, 2, 3, 5),
    (1, 2, 5),
    (1,),
)
"""Labels of one decade, densest first; each row lies in the one before but for the sparsest."""


def log_ticks(low: float, high: float, length: float) -> list[float]:
    """Ticks between `low` and `high` (all three exponents of ten but `length`, in pixels)."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low or length <= 0:
        return []
    per_decade = length / (high - low)
    decades = range(math.floor(low), math.ceil(high))
    for labels in _LABELS:
        if per_decade * _closest(labels) >= _ROOM:
            break
    every = 1 if per_decade >= _ROOM else math.ceil(_ROOM / per_decade)
    ticks = [
        decade + math.log10(label)
        for decade in (*decades, decades.stop)
        for label in labels
        if decade % every == 0
    ]
    return [tick for tick in ticks if low <= tick <= high]


def _closest(labels: Sequence[float]) -> float:
    """The least distance of neighbours, in decades."""
    return min(math.log10(b / a) for a, b in zip(labels, (*labels[1:], 10 * labels[0]), strict=True))


class LogAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """For a `PlotWidget(axisItems={"left": LogAxis("left")})` in logarithmic mode."""

    def logTickValues(  # noqa: N802 - pyqtgraph's name
        self,
        minVal: float,  # noqa: N803
        maxVal: float,  # noqa: N803
        size: float,
        stdTicks: object,  # noqa: ARG002, N803 - the linear axis' choice
    ) -> list[tuple[None, list[float]]]:
        return [(None, log_ticks(minVal, maxVal, size))]

    def logTickStrings(  # noqa: N802 - pyqtgraph's name
        self,
        values: Sequence[float],
        scale: float,  # noqa: ARG002 - no unit prefixes here
        spacing: float | None,  # noqa: ARG002
    ) -> list[str]:
        return [f"{10**value:g}" for value in values]
