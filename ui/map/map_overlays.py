"""Brings own layers, streets and districts, onto the map's page, and their panel over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QPushButton, QWidget

from core.geodata.shapes import to_lon_lat
from ui.map.overlay_panel import OverlayPanel
from ui.map.overlay_tiles import PREFIX, OverlayTiles
from ui.session.own_layers import LayerContent, OwnLayers
from ui.web_map.map_view import MapView

ONLY_LAYERS = (".gpkg", ".mbtiles")
"""Endings of files that hold no records: wherever they are dropped, they are maps."""
DROPPED_AS_LAYERS = (*ONLY_LAYERS, ".geojson")
"""Endings of files that, dropped on the map, are put on it."""


class MapOverlays(QObject):
    """The page draws what is read and visible; the button opens the panel."""

    def __init__(self, layers: OwnLayers, view: MapView, parent: QWidget) -> None:
        super().__init__(parent)
        self._layers = layers
        self._view = view
        self._shown: Sequence[Mapping[str, Any]] = ()
        self._tiles = OverlayTiles()
        view.assets.answer_below(PREFIX, self._tiles.work_for)
        self.panel = OverlayPanel(layers, view)
        self.button = QPushButton(self.tr("La&yers"), parent)
        self.button.setCheckable(True)
        self.button.setToolTip(
            self.tr("Streets, districts and other maps of your own, below or above the hexagons")
        )
        self.button.toggled.connect(self._show_panel)
        self.panel.closed.connect(self._close_panel)
        layers.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Tell the page what is to be seen; where nothing of it has changed, nothing."""
        found = [
            (layer, content)
            for layer in self._layers.layers
            if layer.visible and (content := self._layers.content(layer)) is not None
        ]
        self._tiles.keep(content for _, content in found)
        shown = [
            {
                # two layers of one file and table share what was read, not how they look
                "id": f"{content.key}-{number}",
                "key": content.key,
                "over": layer.over,
                "opacity": layer.opacity,
                "colour": layer.colour,
                "width": layer.width,
                "fill": layer.fill,
                "labels": layer.labels and bool(layer.name_field),
                **_of_tiles(content),
            }
            for number, (layer, content) in enumerate(found)
        ]
        if shown != self._shown:
            self._shown = shown
            self._view.show_overlays(shown)

    def _show_panel(self, wanted: bool) -> None:
        self.panel.setVisible(wanted)
        self._view.cover(self.panel.covers if wanted else 0)
        if wanted:
            self.panel.refresh()
            self.panel.list.setFocus()

    def _close_panel(self) -> None:
        self.button.setChecked(False)
        self.button.setFocus()

    def add_files(self, paths: list[Path]) -> None:
        """Put the layers of files on the map, with the panel open."""
        self.button.setChecked(True)
        self.panel.add_files(paths)


def dropped_layers(data: QMimeData) -> list[Path]:
    """The files of a drop where all of them are maps; none otherwise."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return paths if paths and all(path.suffix.lower() in DROPPED_AS_LAYERS for path in paths) else []


def _of_tiles(content: LayerContent) -> dict[str, Any]:
    tiles = content.tiles
    if tiles is None:
        return {"pictures": False}
    bounds = None
    if tiles.box is not None:
        west, south, east, north = tiles.box
        (low_longitude, low_latitude), (longitude, latitude) = to_lon_lat(
            np.array([[west, south], [east, north]])
        ).tolist()
        bounds = [[low_latitude, low_longitude], [latitude, longitude]]
    return {"pictures": True, "leastZoom": tiles.least_zoom, "mostZoom": tiles.most_zoom, "bounds": bounds}
