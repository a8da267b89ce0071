"""Changes between two releases in one slot, painted; grey is no larger than noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from core.portal.value_classes import scaled_edges
from core.published.comparison import CELLS, CHANGE, LABEL, VERDICT, ChangeVerdict, Comparison, in_slot
from ui.language.translation import core_text, grouped, translator
from ui.web_map.painting import SUPPRESSED_FILL, Fill, LegendClass, MapPainting

_tr = translator("ChangeLayer")

_EDGE = (Fraction(5),)
"""Of changes of a speed, km/h: from there on they are large."""
_FAR_DOWN, _DOWN, _QUIET, _UP, _FAR_UP = "#1f6aa5", "#7fb0cf", "#8f959c", "#e0a867", "#b5560f"
_ONLY_BEFORE, _ONLY_AFTER = "#7a3f8f", "#1f8a5b"
"""Blue where it fell, orange where it rose, grey within the noise: distinct for the colour-blind too."""
_FIGURES = 3
"""Decimals of a number in words, at most."""


@dataclass(frozen=True, slots=True)
class _Class:
    line: LegendClass
    verdict: ChangeVerdict
    far: bool = False


def paint_changes(found: Comparison, start: str, end: str, label: str | None = None) -> MapPainting:
    """What has changed in this part of the day: `HH:MM`, one of its `slots`.

    label: of the rows, where a hexagon slot has several.
    """
    edge = float(scaled_edges(_EDGE, found.quantity, found.span)[0]) if found.of_values else None
    classes = tuple(_classes(edge))
    rows = in_slot(found.rows, start, end)
    if label is not None:
        rows = rows[rows[LABEL] == label]
    rows_of_cells = {cell: row for row, cells in enumerate(rows[CELLS]) for cell in cells}
    fills = [
        _fill(verdict, change, classes, edge)
        for verdict, change in zip(rows[VERDICT], rows[CHANGE], strict=True)
    ]
    return MapPainting(
        title=_tr("Change: {number}").format(number=core_text(found.title)),
        unit=core_text(found.unit_of_changes),
        confidential=False,
        outside=_tr("in neither release"),
        classes=tuple(one.line for one in classes),
        fills={cell: fills[row] for cell, row in rows_of_cells.items()},
        tooltips=_Words(rows, rows_of_cells, found),
        note=_tr("Grey: no larger than the noise of both releases, at 95 %."),
    )


def _classes(edge: float | None) -> Iterator[_Class]:
    """The lines of the legend, from the bottom up; edge: from which on a change is large, None: none is."""
    yield _Class(LegendClass(_tr("in the earlier release only"), _ONLY_BEFORE), ChangeVerdict.ONLY_BEFORE)
    yield _Class(LegendClass(_tr("in the later release only"), _ONLY_AFTER), ChangeVerdict.ONLY_AFTER)
    if edge is None:
        yield _Class(LegendClass(_tr("fell"), _FAR_DOWN), ChangeVerdict.SMALLER)
    else:
        far = f"{edge:g}"
        yield _Class(
            LegendClass(_tr("fell by ≥ {far}").format(far=far), _FAR_DOWN), ChangeVerdict.SMALLER, far=True
        )
        yield _Class(LegendClass(_tr("fell by < {far}").format(far=far), _DOWN), ChangeVerdict.SMALLER)
    yield _Class(LegendClass(_tr("within the noise"), _QUIET), ChangeVerdict.WITHIN_NOISE)
    if edge is None:
        yield _Class(LegendClass(_tr("rose"), _FAR_UP), ChangeVerdict.LARGER)
    else:
        yield _Class(LegendClass(_tr("rose by < {far}").format(far=far), _UP), ChangeVerdict.LARGER)
        yield _Class(
            LegendClass(_tr("rose by ≥ {far}").format(far=far), _FAR_UP), ChangeVerdict.LARGER, far=True
        )


def _fill(verdict: ChangeVerdict, change: float, classes: tuple[_Class, ...], edge: float | None) -> Fill:
    if verdict == ChangeVerdict.UNTOLD:
        return SUPPRESSED_FILL
    changed = verdict in (ChangeVerdict.LARGER, ChangeVerdict.SMALLER)
    far = changed and edge is not None and abs(change) >= edge
    return next(place for place, one in enumerate(classes) if one.verdict == verdict and one.far == far)


class _Words(Mapping[str, Sequence[str]]):
    """Cell -> lines, made when the page asks: numbers of thousands of hexagons take long to be written."""

    def __init__(self, rows: pd.DataFrame, rows_of_cells: Mapping[str, int], found: Comparison) -> None:
        self._rows, self._rows_of_cells, self._found = rows, rows_of_cells, found

    def __getitem__(self, cell: str) -> Sequence[str]:
        return cell, _words(self._rows.iloc[self._rows_of_cells[cell]], self._found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows_of_cells)

    def __len__(self) -> int:
        return len(self._rows_of_cells)


def _words(row: Any, found: Comparison) -> str:
    """Both values, and the change with its interval."""

    def number(value: float, unit: str = found.unit) -> str:
        if pd.isna(value):
            return _tr("no number")
        return f"{grouped(value, min(found.decimals, _FIGURES))} {core_text(unit)}".strip()

    text = _tr("{before} → {after}").format(before=number(row.before), after=number(row.after))
    if pd.isna(row.change):
        return text
    ends = {name: number(getattr(row, name), found.unit_of_changes) for name in ("change", "low", "high")}
    changed = _tr("change {change}, 95 % interval {low} to {high}").format(**ends)
    return f"{text}\n{changed}"
