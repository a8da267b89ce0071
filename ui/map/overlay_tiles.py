"""Answers what the map's page asks of the analyst's own layers: tiles, and names that fit beside each other.

overlay/KEY/ZOOM/COLUMN/ROW.bin                        what is drawn there (`vector_tiles`)
overlay/KEY/ZOOM/COLUMN/ROW.png                        a picture, see-through where the layer has a hole
overlay/KEY/names/ZOOM/WEST/SOUTH/EAST/NORTH.json      longitude, latitude, text; the box in metres
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Iterable
from functools import partial

from core.errors import HexveilError
from core.geodata.features import Features
from core.geodata.tile_pyramids import TilePyramid
from core.geodata.vector_tiles import draw_tile, names_in
from ui.session.own_layers import LayerContent
from ui.web_map.late_answers import Answer

PREFIX = "overlay/"
_NUMBERS, _PNG, _JSON = b"application/octet-stream", b"image/png", b"application/json"
_MOST_ZOOM = 24
_SEE_THROUGH = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class OverlayTiles:
    """What is on the map now; work for a worker of whatever is asked of it."""

    def __init__(self) -> None:
        self._layers: dict[str, LayerContent] = {}

    def keep(self, contents: Iterable[LayerContent]) -> None:
        """Answer for these layers, and for no others."""
        self._layers = {content.key: content for content in contents}

    def work_for(self, path: str) -> Callable[[], Answer] | None:
        """Work that answers; None for what is not there."""
        key, *asked = path.removeprefix(PREFIX).split("/")
        layer = self._layers.get(key)
        try:
            if layer is None:
                return None
            if asked[0] == "names":
                return _work_for_names(layer, asked[1:])
            return _work_for_tile(layer, asked)
        except (ValueError, IndexError, OverflowError):
            return None


def _work_for_names(layer: LayerContent, asked: list[str]) -> Callable[[], Answer] | None:
    zoom, west, south, east, north = (float(part.removesuffix(".json")) for part in asked)
    if layer.features is None or not all(map(math.isfinite, (zoom, west, south, east, north))):
        return None
    return partial(_names, layer.features, (west, south, east, north), min(max(zoom, 0.0), _MOST_ZOOM))


def _work_for_tile(layer: LayerContent, asked: list[str]) -> Callable[[], Answer] | None:
    number, _, ending = asked[2].partition(".")
    zoom, column, row = int(asked[0]), int(asked[1]), int(number)
    if (
        len(asked) != 3
        or not 0 <= zoom <= _MOST_ZOOM
        or not (0 <= column < 1 << zoom and 0 <= row < 1 << zoom)
    ):
        return None
    if ending == "bin" and layer.features is not None:
        return partial(_drawn, layer.features, zoom, column, row)
    if ending == "png" and layer.tiles is not None:
        return partial(_picture, layer.tiles, zoom, column, row)
    return None


def _drawn(layer: Features, zoom: int, column: int, row: int) -> Answer:
    return _NUMBERS, draw_tile(layer.parts, zoom, column, row)


def _picture(layer: TilePyramid, zoom: int, column: int, row: int) -> Answer:
    try:
        found = layer.picture(zoom, column, row)
    except HexveilError:  # a damaged page of the file is a hole too
        found = None
    return (_PNG, _SEE_THROUGH) if found is None else (found[0].encode(), found[1])


def _names(layer: Features, box: tuple[float, float, float, float], zoom: float) -> Answer:
    return _JSON, json.dumps(names_in(layer, box, zoom)).encode()
