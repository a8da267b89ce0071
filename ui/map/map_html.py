"""The map's page: hexagons drawn by folium, our own scripts, nothing from the network.

Made to run in a worker thread: plain data in, one HTML text out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import InputError
from core.progress import Progress, part, silent
from ui.map.app_scheme import ASSET_ORIGIN
from ui.map.web_page import CONTENT_POLICY

# Seven decimals of a degree are a centimetre: corners of neighbours still coincide.
_DECIMALS = 7
_CELLS_PER_PROGRESS = 250

_SCRIPTS = [
    ("leaflet", f"{ASSET_ORIGIN}leaflet/leaflet.js"),
    ("webchannel", "qrc:///qtwebchannel/qwebchannel.js"),
    ("hexveil_graticule", f"{ASSET_ORIGIN}map/graticule.js"),
    ("hexveil_hatch", f"{ASSET_ORIGIN}map/hatch.js"),
    ("hexveil_legend", f"{ASSET_ORIGIN}map/legend.js"),
    ("hexveil_overlays", f"{ASSET_ORIGIN}map/overlays.js"),
    ("hexveil_brush", f"{ASSET_ORIGIN}map/brush.js"),
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
    progress: Progress = silent,
) -> str:
    """The HTML page with one hexagon per H3 cell, unpainted.

    `texts` are the visible words (translated), `page` is the name that the page reports when it is
    ready. `usual`: south, west, north and east in degrees; the page begins with the hexagons that it
    touches, with all of them without one. Raises InputError for a text that is no H3 cell.
    """
    # folium brings pandas and costs 0.4 s: the first map pays for it in its worker, not the start-up.
    import folium
    from branca.element import Element, MacroElement

    theme = "dark" if dark else "light"
    shapes = _features(cells, part(progress, 0.0, 0.6))
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
    first = _bounds([shape for shape in shapes if usual is None or _touches(shape, usual)])
    sheet.add_child(_element(MacroElement, _VIEW, map=sheet.get_name(), bounds=_bounds(shapes), first=first))
    # No simplifying and no clipping: hexagons keep their corners and are not cut anew at every pan.
    layer = folium.GeoJson(
        {"type": "FeatureCollection", "features": []},
        control=False,
        smooth_factor=0,
        no_clip=True,
        class_name="hexveil-cell hexveil-outside",
    ).add_to(sheet)
    sheet.add_child(_element(MacroElement, _CELLS))
    options = {"page": page, "texts": dict(texts)}
    sheet.add_child(_element(MacroElement, _START, layer=layer.get_name(), options=options))
    html: str = sheet.get_root().render()
    return html.replace(_HERE, _script(layer.get_name(), shapes, part(progress, 0.6, 1.0)), 1)


def _features(cells: Sequence[str], progress: Progress) -> list[dict[str, Any]]:
    import h3

    features: list[dict[str, Any]] = []
    for i, cell in enumerate(cells):
        if i % _CELLS_PER_PROGRESS == 0:
            progress(i / len(cells))
        if not h3.is_valid_cell(cell):
            raise InputError(
                f"{cell!r} is no H3 cell.", where="map", mend="give H3 cells as hexadecimal text"
            )
        ring = [(lon, lat) for lat, lon in h3.cell_to_boundary(cell)]
        features.append(
            {"type": "Feature", "id": cell, "properties": {}, "geometry": _polygon(ring, features)}
        )
    return features


def _script(layer: str, features: list[dict[str, Any]], progress: Progress) -> str:
    """Adds the features to the layer, a few at a time; of numbers and cell ids only."""
    statements: list[str] = []
    for first in range(0, len(features), _CELLS_PER_PROGRESS):
        progress(first / len(features))
        some = {"type": "FeatureCollection", "features": features[first : first + _CELLS_PER_PROGRESS]}
        statements.append(f"{layer}.addData({json.dumps(some, sort_keys=True)});")
    return "\n".join(statements)


def _polygon(ring: list[tuple[float, float]], before: list[dict[str, Any]]) -> dict[str, Any]:
    # West and east of the date line are neighbours: all cells count longitude from the first one.
    origin = before[0]["geometry"]["coordinates"][0][0][0] if before else ring[0][0]
    corners = [
        [round(lon - 360 * round((lon - origin) / 360), _DECIMALS), round(lat, _DECIMALS)]
        for lon, lat in ring
    ]
    return {"type": "Polygon", "coordinates": [[*corners, corners[0]]]}


def _bounds(features: list[dict[str, Any]]) -> list[tuple[float, float]] | None:
    """South-west and north-east corner as (latitude, longitude)."""
    corners = [corner for feature in features for corner in feature["geometry"]["coordinates"][0]]
    if not corners:
        return None
    lons, lats = zip(*corners, strict=True)
    return [(min(lats), min(lons)), (max(lats), max(lons))]


def _touches(feature: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    """Whether a hexagon's own rectangle and the box have a point in common, around the Earth as well."""
    lons, lats = zip(*feature["geometry"]["coordinates"][0], strict=True)
    south, west, north, east = box
    turns = (360 * turn for turn in (-1, 0, 1))
    beside = any(min(lons) + turn <= east and max(lons) + turn >= west for turn in turns)
    return beside and min(lats) <= north and max(lats) >= south


def _element(kind: type, template: str, **values: Any) -> Any:
    """A branca element that renders `template` with `values` as its attributes."""
    from jinja2 import Template

    element = kind()
    element._template = Template(template)
    for name, value in values.items():
        setattr(element, name, value)
    return element
