"""From a chart to a picture: axes, grid, curves or bars, and the room for legend, title and note."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.charts.chart import Axis, Bar, Chart, Curve
from core.charts.markers import marker
from core.charts.shapes import PAPER, Area, Picture, Point, Polyline, Shape, Words
from core.charts.ticks import Scale, linear_scale, log_scale, tick_label

PAPER_WIDTH, PAPER_HEIGHT = 900.0, 600.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 28.0, 92.0, 66.0
_LEGEND = 232.0
"""Width of a chart's legend, right of the plot."""
_TITLE, _TEXT, _SMALL = 19.0, 13.0, 12.0
_NOTE_LETTERS = 128
"""Letters that fit a line of a chart's note."""
_LEGEND_LETTERS = 28
_LINE = 17.0
"""From one line of a chart's legend or note to the next."""
_INK, _MUTED, _GRID = "#1c1c1c", "#555555", "#e2e2e2"
_DASH = (6.0, 4.0)
_BAR = "#0072b2"
_SWATCH = 34.0
_ERROR_BAR, _CAP = 1.0, 3.0
"""Width of the lines of an error bar, and half the length of those at its ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """The rectangle of the plot, and what its sides stand for."""

    left: float
    right: float
    top: float
    bottom: float
    across: Scale
    up: Scale

    def at(self, x: float, y: float) -> Point:
        return self.x(x), self.y(y)

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * self.across.share(value)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.up.share(value)


def picture_of(chart: Chart) -> Picture:
    """Every shape of the chart; it has curves or bars."""
    plot = _plot(chart)
    shapes = (
        *_heading(chart),
        *_axes(chart, plot),
        *(shape for bar in chart.bars for shape in _bar(bar, plot)),
        *(shape for curve in chart.curves for shape in _curve(curve, chart.x, plot)),
        *_frame(plot),
        *_legend(chart, plot),
    )
    return Picture(title=chart.title, width=PAPER_WIDTH, height=PAPER_HEIGHT, shapes=shapes)


def _plot(chart: Chart) -> _Plot:
    if chart.bars:
        # a bar of the value v reaches from v - 1/2 to v + 1/2
        edges = [chart.bars[0].first - 0.5, chart.bars[-1].last + 0.5]
        ticks = linear_scale([0.0, edges[1]], from_zero=True).ticks
        across = Scale(
            low=edges[0],
            high=edges[1],
            ticks=tuple(tick for tick in ticks if edges[0] <= tick <= edges[1]),
            log=False,
        )
        heights = [float(bar.items) for bar in chart.bars]
    else:
        across = _scale(list(chart.x), chart.across)
        heights = [value for curve in chart.curves for value in curve.y]
        ends = [end for curve in chart.curves for pair in _error_ends(curve) for end in pair]
        heights += [end for end in ends if end > 0.0 or not chart.up.log]
    return _Plot(
        left=_LEFT,
        right=PAPER_WIDTH - _RIGHT - (_LEGEND if chart.curves else 0.0),
        top=_TOP,
        bottom=PAPER_HEIGHT - _BOTTOM,
        across=across,
        up=_scale(heights, chart.up),
    )


def _scale(values: list[float], axis: Axis) -> Scale:
    return log_scale(values) if axis.log else linear_scale(values, from_zero=axis.from_zero)


def _heading(chart: Chart) -> Iterator[Shape]:
    yield Words(text=chart.title, at=(_LEFT, 26.0), size=_TITLE, colour=_INK)
    for number, line in enumerate(textwrap.wrap(chart.note, _NOTE_LETTERS)):
        yield Words(text=line, at=(_LEFT, 50.0 + number * (_LINE - 1.0)), size=_SMALL, colour=_MUTED)


def _axes(chart: Chart, plot: _Plot) -> Iterator[Shape]:
    for tick in plot.across.ticks:
        x = plot.x(tick)
        yield Polyline(points=((x, plot.top), (x, plot.bottom)), colour=_GRID, width=1.0)
        yield Words(
            text=tick_label(tick), at=(x, plot.bottom + 15.0), size=_SMALL, colour=_INK, align="middle"
        )
    for tick in plot.up.ticks:
        y = plot.y(tick)
        yield Polyline(points=((plot.left, y), (plot.right, y)), colour=_GRID, width=1.0)
        yield Words(text=tick_label(tick), at=(plot.left - 8.0, y), size=_SMALL, colour=_INK, align="end")
    middle = (plot.left + plot.right) / 2.0, (plot.top + plot.bottom) / 2.0
    yield Words(
        text=chart.across.label, at=(middle[0], PAPER_HEIGHT - 22.0), size=_TEXT, colour=_INK, align="middle"
    )
    yield Words(
        text=chart.up.label, at=(20.0, middle[1]), size=_TEXT, colour=_INK, align="middle", upwards=True
    )


def _frame(plot: _Plot) -> Iterator[Shape]:
    points = ((plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom))
    yield Polyline(points=points, colour=_INK, width=1.2)


def _bar(bar: Bar, plot: _Plot) -> Iterator[Shape]:
    left, right = plot.x(bar.first - 0.5), plot.x(bar.last + 0.5)
    top = plot.y(bar.items)
    corners = ((left, plot.bottom), (left, top), (right, top), (right, plot.bottom))
    yield Area(points=corners, fill=_BAR, colour=PAPER, width=0.6)


def _curve(curve: Curve, x: tuple[float, ...], plot: _Plot) -> Iterator[Shape]:
    points = tuple(plot.at(*point) for point in zip(x, curve.y, strict=True))
    for (across, _), ends in zip(points, _error_ends(curve), strict=False):
        yield from _error_bar(across, [plot.y(max(end, plot.up.low)) for end in ends], curve.stroke.colour)
    yield from _stroke(curve, points)


def _error_ends(curve: Curve) -> list[tuple[float, float]]:
    """Where the error bar of each point begins and ends; without standard errors there is none."""
    return [(y - error, y + error) for y, error in zip(curve.y, curve.standard_error, strict=False)]


def _error_bar(x: float, ends: Sequence[float], colour: str) -> Iterator[Shape]:
    """A line from end to end, with a short one across each."""
    yield Polyline(points=tuple((x, y) for y in ends), colour=colour, width=_ERROR_BAR)
    for y in ends:
        yield Polyline(points=((x - _CAP, y), (x + _CAP, y)), colour=colour, width=_ERROR_BAR)


def _stroke(curve: Curve, points: tuple[Point, ...]) -> Iterator[Shape]:
    """The line through the points, and its marks on them."""
    stroke = curve.stroke
    dash = _DASH if stroke.dashed else None
    yield Polyline(points=points, colour=stroke.colour, width=stroke.width, dash=dash)
    if stroke.marker:
        fill = PAPER if stroke.hollow else stroke.colour
        for point in points:
            yield Area(
                points=marker(stroke.marker, point, stroke.radius), fill=fill, colour=stroke.colour, width=1.3
            )


def _legend(chart: Chart, plot: _Plot) -> Iterator[Shape]:
    """Right of the plot, in the order of the curves at its right end, the highest first."""
    left, y = plot.right + 22.0, plot.top + 8.0
    for curve in sorted(chart.curves, key=lambda curve: -curve.y[-1]):
        ends = ((left, y), (left + _SWATCH / 2.0, y), (left + _SWATCH, y))
        yield Polyline(
            points=ends,
            colour=curve.stroke.colour,
            width=curve.stroke.width,
            dash=_DASH if curve.stroke.dashed else None,
        )
        yield from list(_stroke(curve, ends[1:2]))[1:]
        for line in textwrap.wrap(curve.title, _LEGEND_LETTERS):
            yield Words(text=line, at=(left + _SWATCH + 8.0, y), size=_SMALL, colour=_INK)
            y += _LINE
        y += 5.0
