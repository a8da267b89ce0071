"""An axis of whole numbers: no label between two of them."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg

from ui.language.translation import whole


class WholeAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """For a `PlotWidget(axisItems={"bottom": WholeAxis("bottom")})` of counts."""

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self,
        minVal: float,  # noqa: N803
        maxVal: float,  # noqa: N803
        size: float,
    ) -> list[tuple[float, float]]:
        """pyqtgraph's levels as far as they are whole; at least every number."""
        usual: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        return [level for level in usual if level[0] >= 1] or [(1.0, 0.0)]

    def tickStrings(  # noqa: N802 - pyqtgraph's name
        self, values: Any, scale: float, spacing: float
    ) -> list[str]:
        del scale, spacing  # no unit prefixes here
        return [whole(round(value)) for value in values]
