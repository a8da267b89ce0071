"""The map's page in HTML: folium's hexagons, our scripts, nothing from the network.

Made to run in a worker thread: plain data in, one HTML text out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.progress import Progress, part, silent
from ui.web_map.app_scheme import ASSET_ORIGIN
from ui.web_map.web_page import CONTENT_POLICY

# Seven decimals of a degree are a centimetre: corners of neighbours still coincide.
_DECIMALS = 7
_CELLS_PER_STEP = 50
"""`json` keeps Python's lock until it has written them: far less than a millisecond."""
_STRAYING = 1.5
"""So many times as high or wide as what is usual, the whole has hexagons astray."""

Outlines = Mapping[str, Mapping[str, Any]]
"""Id of a place -> its geometry as GeoJSON has it, degrees."""
_SCRIPTS = [
    ("leaflet", f"{ASSET_ORIGIN}leaflet/leaflet.js"),
    ("webchannel", "qrc:///qtwebchannel/qwebchannel.js"),
    ("hexveil_graticule", f"{ASSET_ORIGIN}map/graticule.js"),
    ("hexveil_hatch", f"{ASSET_ORIGIN}map/hatch.js"),
    ("hexveil_edges", f"{ASSET_ORIGIN}map/edges.js"),
    ("hexveil_legend", f"{ASSET_ORIGIN}map/legend.js"),
    ("hexveil_overlays", f"{ASSET_ORIGIN}map/overlays.js"),
    ("hexveil_brush", f"{ASSET_ORIGIN}map/brush.js"),
    ("hexveil_reveal", f"{ASSET_ORIGIN}map/reveal.js"),
    ("hexveil_map", f"{ASSET_ORIGIN}map/map.js"),
]
_STYLES = [
    ("leaflet_css", f"{ASSET_ORIGIN}leaflet/leaflet.css"),
    ("hexveil_css", f"{ASSET_ORIGIN}map/map.css"),
]
_HEAD = """<meta http-equiv="Content-Security-Policy" content="{{ this.policy }}">
<script>document.documentElement.dataset.theme = {{ this.theme|tojson }};</script>"""
# The view is set before the hexagons come: setting it afterwards would project them all once more.
_VIEW = """
{% macro script(this, kwargs) %}
hexveil.view({{ this.map }}, {{ this.bounds|tojson }}, {{ this.first|tojson }});
{% endmacro %}
"""
# The hexagons are put in after folium has rendered the page: branca reads what it renders as a template
# once more, and megabytes of it would hold Python's lock for longer than the window may stand still.
_HERE = "/* hexagons */"
_CELLS = f"{{% macro script(this, kwargs) %}}{_HERE}{{% endmacro %}}"
_START = """
{% macro script(this, kwargs) %}
hexveil.start({{ this.layer }}, {{ this.options|tojson }});
{% endmacro %}
"""


def build_map(
    cells: Sequence[str],
    texts: Mapping[str, str],
    *,
    page: str,
    dark: bool,
    usual: tuple[float, float, float, float] | None = None,
    outlines: Outlines = MappingProxyType({}),
    progress: Progress = silent,
) -> str:
    """The HTML page with one hexagon per H3 cell, unpainted; of other places those that have an outline.

    `texts` are the visible words (translated), `page` is the name that the page reports when it is
    ready. `usual`: south, west, north and east in degrees; the page begins with the hexagons that it
    touches, with all of them without one or where none lies far from it. Raises InputError for a text
    that is no H3 cell.
    """
    # folium brings pandas and costs 0.4 s: the first map pays for it in its worker, not the start-up.
    import folium
    from branca.element import Element, MacroElement

    theme = "dark" if dark else "light"
    shapes = _outlined(cells, outlines) if outlines else _shapes(cells, part(progress, 0.0, 0.6))
    sheet = folium.Map(
        location=(0, 0),
        zoom_start=2,
        tiles=None,
        zoom_control=False,
        attribution_control=False,
        font_size="12px",
        zoom_snap=0.25,
        zoom_delta=0.5,
        wheel_px_per_zoom_level=120,
        max_zoom=19,
    )
    sheet.default_js = _SCRIPTS
    sheet.default_css = _STYLES
    sheet.get_root().header.add_child(_element(Element, _HEAD, policy=CONTENT_POLICY, theme=theme), index=0)
    bounds, first = shapes.bounds(), shapes.bounds(usual)
    if bounds and first and not _strays(bounds, first):
        first = bounds
    sheet.add_child(_element(MacroElement, _VIEW, map=sheet.get_name(), bounds=bounds, first=first))
    # No simplifying and no clipping: hexagons keep their corners and are not cut anew at every pan.
    layer = folium.GeoJson(
        {"type": "FeatureCollection", "features": []},
        control=False,
        smooth_factor=0,
        no_clip=True,
        class_name="hexveil-cell hexveil-outside",
    ).add_to(sheet)
    sheet.add_child(_element(MacroElement, _CELLS))
    options = {"page": page, "texts": dict(texts), "places": _kind_of(outlines)}
    sheet.add_child(_element(MacroElement, _START, layer=layer.get_name(), options=options))
    html: str = sheet.get_root().render()
    return html.replace(_HERE, _script(layer.get_name(), shapes, part(progress, 0.6, 1.0)), 1)


def _kind_of(outlines: Outlines) -> str:
    """What the legend's swatches look like."""
    if not outlines:
        return "hexagon"
    return "line" if next(iter(outlines.values()))["type"] == "LineString" else "area"


def _strays(bounds: list[list[float]], first: list[list[float]]) -> bool:
    """Whether all is far higher or wider than what is usual; else none of it has to lie below the legend."""
    (high, wide), (usually_high, usually_wide) = (
        np.subtract(corner, other) for other, corner in (bounds, first)
    )
    return bool(high > _STRAYING * usually_high or wide > _STRAYING * usually_wide)


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The corners of the cells, one cell's after another's; as columns, which is a third of the time."""

    cells: Sequence[str]
    first: NDArray[np.int64]
    """Shape (cells + 1,): where the corners of each begin, and where those of the last end."""
    corners: NDArray[np.float64]
    """Shape (corners, 2): longitude and latitude in degrees, rounded."""
    outlines: Outlines
    """Of cells that are more than one ring."""

    def bounds(self, box: tuple[float, float, float, float] | None = None) -> list[list[float]] | None:
        """South-west and north-east corner of all, as (latitude, longitude); None of none.

        box: south, west, north and east; only of the cells whose own rectangle has a point in common with
        it, around the Earth as well.
        """
        if not self.cells:
            return None
        least = np.minimum.reduceat(self.corners, self.first[:-1])
        most = np.maximum.reduceat(self.corners, self.first[:-1])
        if box is not None:
            south, west, north, east = box
            beside = np.zeros(len(self.cells), np.bool_)
            for turn in (-360, 0, 360):
                beside |= (least[:, 0] + turn <= east) & (most[:, 0] + turn >= west)
            seen = beside & (least[:, 1] <= north) & (most[:, 1] >= south)
            if not seen.any():
                return None
            least, most = least[seen], most[seen]
        return [least.min(axis=0)[::-1].tolist(), most.max(axis=0)[::-1].tolist()]

    def features(self, some: range) -> list[dict[str, Any]]:
        """As GeoJSON."""
        ends = self.first[some.start : some.stop + 1].tolist()
        corners = self.corners[ends[0] : ends[-1]].tolist()
        rings = (corners[a - ends[0] : b - ends[0]] for a, b in pairwise(ends))
        return [
            {
                "type": "Feature",
                "id": self.cells[place],
                "properties": {},
                "geometry": self.outlines.get(
                    self.cells[place], {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
                ),
            }
            for place, ring in zip(some, rings, strict=True)
        ]


def _shapes(cells: Sequence[str], progress: Progress) -> _Shapes:
    import h3

    rings: list[tuple[tuple[float, float], ...]] = []
    for i, cell in enumerate(cells):
        if i % _CELLS_PER_STEP == 0:
            progress(i / len(cells))
        if not h3.is_valid_cell(cell):
            raise InputError(
                f"{cell!r} is no H3 cell.", where="map", mend="give H3 cells as hexadecimal text"
            )
        rings.append(h3.cell_to_boundary(cell))
    degrees = np.fromiter((degree for ring in rings for corner in ring for degree in corner), np.float64)
    corners = np.ascontiguousarray(degrees.reshape(-1, 2)[:, ::-1])
    # West and east of the date line are neighbours: all cells count longitude from the first one.
    corners[:, 0] -= 360 * np.round((corners[:, 0] - corners[:1, 0]) / 360)
    sizes = np.array([0, *map(len, rings)], np.int64)
    return _Shapes(cells, np.cumsum(sizes), np.round(corners, _DECIMALS), {})


def _outlined(places: Sequence[str], outlines: Outlines) -> _Shapes:
    """Of zones: their geometries as they are, and all their corners together."""
    drawn = [place for place in places if place in outlines]
    corners = [np.array(list(_positions(outlines[place]["coordinates"]))) for place in drawn]
    sizes = np.array([0, *map(len, corners)], np.int64)
    joined = np.round(np.concatenate(corners), _DECIMALS) if corners else np.zeros((0, 2))
    return _Shapes(drawn, np.cumsum(sizes), joined, outlines)


def _positions(nested: Sequence[Any]) -> Iterator[Sequence[float]]:
    """Every position of a geometry, however deep it lies."""
    if nested and isinstance(nested[0], int | float):
        yield nested
        return
    for inner in nested:
        yield from _positions(inner)


def _script(layer: str, shapes: _Shapes, progress: Progress) -> str:
    """Adds the features to the layer, a few at a time; of numbers and cell ids only."""
    statements: list[str] = []
    for first in range(0, len(shapes.cells), _CELLS_PER_STEP):
        progress(first / len(shapes.cells))
        some = range(first, min(first + _CELLS_PER_STEP, len(shapes.cells)))
        features = {"type": "FeatureCollection", "features": shapes.features(some)}
        text = json.dumps(features, sort_keys=True).replace("<", "\\u003c")  # an id may hold any sign
        statements.append(f"{layer}.addData({text});")
    return "\n".join(statements)


def _element(kind: type, template: str, **values: Any) -> Any:
    """A branca element that renders `template` with `values` as its attributes."""
    from jinja2 import Template

    element = kind()
    element._template = Template(template)
    for name, value in values.items():
        setattr(element, name, value)
    return element
