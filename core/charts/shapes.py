"""What pictures are made of: lines, areas and words, in points from the upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
PAPER = "#ffffff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyline:
    """A line through points."""

    points: tuple[Point, ...]
    colour: str
    width: float
    dash: tuple[float, float] | None = None
    """Lengths of stroke and gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled polygon with an outline."""

    points: tuple[Point, ...]
    fill: str
    colour: str
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One line of text, its middle at the height of `at`; Pillow's own typeface has Latin letters only."""

    text: str
    at: Point
    size: float
    colour: str
    align: Literal["start", "middle", "end"] = "start"
    upwards: bool = False
    """Read from below to above; `align` is then `middle`."""


Shape = Polyline | Area | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Shapes in the order in which they are drawn."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
