"""What a chart shows, before anything is drawn: curves over one axis, or the bars of a histogram."""

from __future__ import annotations

from dataclasses import dataclass

from core.privacy import Confidential

PALETTE = (
    "#000000",
    "#d55e00",
    "#0072b2",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#7a7a7a",
    "#882255",
)
"""Distinct with any kind of colour vision: Okabe and Ito, without the yellow that fades, and a wine red."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What is along one side."""

    label: str
    """With the unit."""
    key: str
    """Column of the CSV."""
    log: bool = False
    from_zero: bool = True
    """A linear axis begins at 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """How a curve looks; two curves that may meet in a chart differ in more than colour."""

    colour: str
    marker: str = ""
    """Key of `core.charts.markers.MARKERS`; empty: none."""
    dashed: bool = False
    hollow: bool = False
    """Markers are filled with the paper's colour."""
    width: float = 1.8
    radius: float = 4.0
    """Of the markers; earlier curves of a chart are seen below later ones where theirs are larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line of the chart."""

    key: str
    """Column of the CSV."""
    title: str
    """In the legend."""
    y: tuple[float, ...]
    """One for each of `Chart.x`."""
    stroke: Stroke
    standard_error: tuple[float, ...] = ()
    """Of each of `y`, drawn as bars around it; empty: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How many items have a value from `first` to `last`, whole numbers."""

    first: int
    last: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Chart(Confidential):
    """One figure: curves over `x`, or bars."""

    name: str
    """Of its files, without ending."""
    title: str
    note: str
    """What it is made of and how, below the title."""
    across: Axis
    up: Axis
    x: tuple[float, ...] = ()
    """Increasing; above zero on a logarithmic axis."""
    curves: tuple[Curve, ...] = ()
    bars: tuple[Bar, ...] = ()
