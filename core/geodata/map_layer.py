"""One layer under or over the hexagons: where it lies, how it looks, how many a project may have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.geodata.places_source import USUAL_WITHIN_M, WITHIN_M, PlacesSource

MOST_LAYERS = 20
"""Layers of a project's map: each costs the page a canvas as large as itself."""
WIDTHS = (0.5, 12.0)
"""Pixels of lines and of points, from and to."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLayer:
    """Checked on construction; raises ValueError for a look that there is none of."""

    file: Path
    table: str = ""
    """Of a file that holds several; empty for its only one."""
    over: bool = False
    """Above the hexagons."""
    visible: bool = True
    opacity: float = 1.0
    """From 0, which is not seen, to 1."""
    name_field: str = ""
    """The field that names its features; empty: nothing does."""
    labels: bool = False
    """The names are written on the map."""
    places: bool = False
    """The names are those of places, and name hexagons too."""
    within_m: int = USUAL_WITHIN_M
    """Metres from a hexagon's middle to a place that still names it."""
    colour: str = ""
    """As `#rrggbb`; empty: quiet colours that follow the theme."""
    width: float = 1.5
    """Of lines and outlines, in pixels; points are three times as wide."""
    fill: bool = True
    """Areas have their colour inside too."""

    def __post_init__(self) -> None:
        low, high = WIDTHS
        least, most = WITHIN_M
        sound = (
            0 <= self.opacity <= 1
            and low <= self.width <= high
            and least <= self.within_m <= most
            and (not self.colour or _COLOUR.fullmatch(self.colour))
        )
        if not sound:
            raise ValueError("no such look of a layer")

    @property
    def contents(self) -> tuple[Path, str, str]:
        """What is to be read for it: two layers that look different may share it."""
        return self.file, self.table, self.name_field

    @property
    def names_hexagons(self) -> bool:
        """It is a layer of places, and something names them."""
        return self.places and bool(self.name_field)

    @property
    def places_source(self) -> PlacesSource:
        """The same as a spec names it."""
        return PlacesSource(
            file=str(self.file), table=self.table, name_field=self.name_field, within_m=self.within_m
        )


def without_those_below(layers: Iterable[MapLayer], folder: Path) -> tuple[MapLayer, ...]:
    """The layers whose files lie elsewhere: those of a sample go with it."""
    return tuple(layer for layer in layers if not layer.file.is_relative_to(folder))


def layer_of_places(source: PlacesSource) -> MapLayer:
    """The layer that a spec names places by; quietly below the hexagons."""
    return MapLayer(
        file=Path(source.file),
        table=source.table,
        name_field=source.name_field,
        within_m=source.within_m,
        places=True,
    )


def from_top(layers: Iterable[MapLayer]) -> tuple[MapLayer, ...]:
    """From top to bottom: those over the hexagons first."""
    return tuple(sorted(layers, key=lambda layer: not layer.over))


def moved(layers: Sequence[MapLayer], number: int, *, up: bool) -> tuple[MapLayer, ...]:
    """The layers with one of them a place higher or lower; past the last one over the hexagons it goes under.

    layers: in order. The same where it is at the end already.
    """
    rows: list[MapLayer | None] = [layer for layer in layers if layer.over]
    rows += [None, *(layer for layer in layers if not layer.over)]
    place = number if number < rows.index(None) else number + 1
    other = place - 1 if up else place + 1
    if 0 <= other < len(rows):
        rows[place], rows[other] = rows[other], rows[place]
    hexagons = rows.index(None)
    return tuple(replace(layer, over=row < hexagons) for row, layer in enumerate(rows) if layer is not None)
