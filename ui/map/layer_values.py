"""What a layer shows of all slots: for the strip of slots, and for the small maps side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.advice.slot_figures import SlotFigure, slot_figures
from core.bundle.release_result import HatRow
from core.hats.slots import SlotGrid
from core.planning.query_plan import hats_with_errors
from core.statistics.base import Estimate
from core.statistics.error_figures import error_scale
from ui.map.difference_layer import PIN_DIFFERENCE, DifferenceScale, shown_differences
from ui.map.layers import (
    INTERVAL_WIDTH,
    RELEASED_MEAN,
    SELECTED,
    SMOOTHED_VALUE,
    SMOOTHED_WIDTH,
    TYPICAL_ERROR,
    VEHICLES,
    Layer,
    MapState,
    shown_cells,
)
from ui.map.legend_classes import DISTINCT_VEHICLES, ClassScale
from ui.session.marked_hats import Hat
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL, UNKNOWN_FILL, Fill

SUPPRESSED_CODE: Final = -1
UNKNOWN_CODE: Final = -2
OUTSIDE_CODE: Final = -3
_FILLS: dict[int, Fill] = {
    SUPPRESSED_CODE: SUPPRESSED_FILL,
    UNKNOWN_CODE: UNKNOWN_FILL,
    OUTSIDE_CODE: OUTSIDE_FILL,
}
_Row = tuple[str, int, int, float]
"""Cell, slot, code and number (NaN without one)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LayerValues:
    """Columns of shape (n,), one entry for each HAT that the layer shows, in any slot."""

    cells: tuple[str, ...]
    slots: NDArray[np.int64]
    codes: NDArray[np.int8]
    """The number of a class, or one of the codes above."""
    numbers: NDArray[np.float64]
    """In the layer's unit, NaN where there is none."""

    @property
    def hats(self) -> Iterator[tuple[Hat, Fill]]:
        """Every HAT with its fill."""
        for cell, slot, code in zip(self.cells, self.slots.tolist(), self.codes.tolist(), strict=True):
            yield (cell, slot), _FILLS.get(code, code)

    def figures(self, slots: range) -> tuple[SlotFigure, ...]:
        """One figure for each slot."""
        return slot_figures(slots, self.slots, self.numbers, self.codes == SUPPRESSED_CODE)


def layer_values(layer: Layer, state: MapState, grid: SlotGrid) -> LayerValues:
    """All slots of a layer; what `paint` shows of one of them is the same. For a worker.

    grid: what the slots of the state are counted in.
    """
    if not layer.available(state):
        return _of_rows(())
    if layer.key == VEHICLES:
        return _vehicles(layer, state)
    return _of_rows(_ROWS[layer.key](layer, state, grid))


def _of_rows(given: Iterable[_Row]) -> LayerValues:
    rows = list(given)
    return LayerValues(
        cells=tuple(cell for cell, _, _, _ in rows),
        slots=np.array([slot for _, slot, _, _ in rows], np.int64),
        codes=np.array([code for _, _, code, _ in rows], np.int8),
        numbers=np.array([number for _, _, _, number in rows], np.float64),
    )


def _code(scale: ClassScale, value: float) -> int:
    return scale.classify(value) if scale.limits[0] <= value <= scale.limits[-1] else OUTSIDE_CODE


def _scale(layer: Layer, state: MapState) -> ClassScale:
    given = layer.of_value(state) if layer.of_value is not None else None
    return given.scale if given is not None and isinstance(given.scale, ClassScale) else DISTINCT_VEHICLES


def _vehicles(layer: Layer, state: MapState) -> LayerValues:
    """As columns: a row for each of a hundred thousand HATs would keep Python's lock from the window."""
    overview, numbers = state.overview, state.overview.vehicles.astype(np.float64)
    codes = _scale(layer, state).classes_of(numbers, outside=OUTSIDE_CODE).astype(np.int8)
    cells, slots = overview.cells, overview.slots.astype(np.int64)
    if state.protects_presence:
        candidates = set(shown_cells(state))
        retained = np.array([cell in candidates for cell in cells], np.bool_)
        cells = tuple(compress(cells, retained))
        slots, codes, numbers = slots[retained], codes[retained], numbers[retained]
    return LayerValues(cells=cells, slots=slots, codes=codes, numbers=numbers)


def _selected(_layer: Layer, state: MapState, _: SlotGrid) -> Iterator[_Row]:
    assert state.forecast is not None
    selection = state.forecast.selection
    assert selection is not None
    id_text = state.overview.places.id_text
    pairs = zip(selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist(), strict=True)
    if state.protects_presence:
        yield from ((id_text(cell), slot, 0, 1.0) for cell, slot, _ in pairs)
        return
    overview, plan = state.overview, state.forecast.plan
    chosen = set(selection.index.tolist())
    bare = {hat.index for hat in plan.hats if hat.plan is None} if plan is not None else set()
    for row, (cell, slot) in enumerate(zip(overview.cells, overview.slots.tolist(), strict=True)):
        if row in bare:
            yield cell, slot, SUPPRESSED_CODE, math.nan
        else:
            yield cell, slot, 0 if row in chosen else 1, 1.0 if row in chosen else math.nan
    yield from ((id_text(cell), slot, SUPPRESSED_CODE, math.nan) for cell, slot, row in pairs if row < 0)


def _errors(layer: Layer, state: MapState, _: SlotGrid) -> Iterator[_Row]:
    assert state.forecast is not None
    assert state.forecast.plan is not None
    scale = _scale(layer, state)
    scale_shown = error_scale(state.forecast.plan.query.question.statistic.measures[0])
    for hat, error in hats_with_errors(state.forecast.plan):
        if error is None:
            yield hat.cell_text, hat.slot, SUPPRESSED_CODE, math.nan
        else:
            yield hat.cell_text, hat.slot, _code(scale, scale_shown * error), scale_shown * error


def _differences(layer: Layer, state: MapState, _: SlotGrid) -> Iterator[_Row]:
    given = layer.of_value(state) if layer.of_value is not None else None
    pinned, shown = (one.plan if one is not None else None for one in (state.pinned, state.forecast))
    assert given is not None
    assert isinstance(given.scale, DifferenceScale)
    assert pinned is not None
    assert shown is not None
    for hat in shown_differences(pinned, shown):
        yield hat.cell, hat.slot, given.scale.classify(hat), math.nan if hat.gain is None else hat.gain


def _released(layer: Layer, state: MapState, grid: SlotGrid) -> Iterator[_Row]:
    number = state.number
    assert number is not None
    smoothed = layer.key in (SMOOTHED_VALUE, SMOOTHED_WIDTH)
    width, scale = layer.key in (INTERVAL_WIDTH, SMOOTHED_WIDTH), _scale(layer, state)
    spans: dict[tuple[str, str], tuple[int, ...]] = {}
    for row in number.query.rows:
        item = number.smoothed_of(row) if smoothed else number.of(row)
        code, figure = _released_figure(row, item, scale, number.parts, width=width)
        hours = row.slot_start, row.slot_end
        if hours not in spans:
            spans[hours] = tuple(dict.fromkeys(slot for _, slot in row.hats(grid)))
        yield from ((cell, slot, code, figure) for cell in row.hexagons for slot in spans[hours])


def _released_figure(
    row: HatRow, item: Estimate | None, scale: ClassScale, parts: float, *, width: bool
) -> tuple[int, float]:
    """Its class, and the number as it is read; parts: integers in a unit."""
    if row.first is None:
        return SUPPRESSED_CODE, math.nan
    if item is None or not item.informative:
        return UNKNOWN_CODE, math.nan
    figure = (item.high - item.low if width else item.value) / parts
    return _code(scale, figure), figure


_ROWS: dict[str, Callable[[Layer, MapState, SlotGrid], Iterable[_Row]]] = {
    SELECTED: _selected,
    TYPICAL_ERROR: _errors,
    PIN_DIFFERENCE: _differences,
    **dict.fromkeys((RELEASED_MEAN, SMOOTHED_VALUE, INTERVAL_WIDTH, SMOOTHED_WIDTH), _released),
}
