"""The analyst's maps, read in workers for the map and names of hexagons; a layer to add again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.errors import InputError
from core.geodata.features import Features
from core.geodata.first_look import first_look
from core.geodata.layer_files import read_layer
from core.geodata.map_layer import MapLayer
from core.geodata.part_trees import PartTrees
from core.geodata.place_index import PlaceIndex, place_index
from core.geodata.places import named_parts, names_of_cells
from core.geodata.tile_pyramids import TilePyramid
from core.hats.cells import cell_text
from core.hats.places import HEXAGON
from core.progress import Progress
from ui.kit.jobs import Job
from ui.kit.stage import Stage

if TYPE_CHECKING:
    from ui.session.session import Session

_FREED_TOGETHER = 2000

Contents = tuple[Path, str, str]
"""Of a layer: file, table, field of names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerContent:
    """What was read of a layer."""

    key: str
    """Never given to two: its painter knows it again."""
    features: Features | None = None
    named: PartTrees | None = None
    """The parts of features that have a name."""
    tiles: TilePyramid | None = None
    """In the place of features."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Naming:
    """What the names of hexagons follow from."""

    content: LayerContent
    within_m: int
    cells: frozenset[str]


class OwnLayers(QObject):
    """Follows the draft of a session; a layer that cannot be read leaves all others as they are."""

    changed = Signal()
    """What is read, being read, or cannot be."""
    places_changed = Signal()
    """The names of hexagons."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._read: dict[Contents, LayerContent | Exception] = {}
        self._reading: dict[Contents, Job] = {}
        self._done: dict[Contents, float] = {}
        self._keys = 0
        self._named_by: _Naming | None = None
        self._places: Mapping[str, str] = {}
        self._naming = Stage(self, self._on_named, failed=session.failed)
        self._indexed_of: tuple[str, ...] = ()
        self._index: PlaceIndex | None = None
        self._indexing = Stage(self, self._on_index, failed=session.failed)
        session.draft_changed.connect(self.follow)
        for signal in (session.contributions_changed, session.forecast_changed, session.published_changed):
            signal.connect(self._name_hexagons)

    # what is shown

    @property
    def layers(self) -> tuple[MapLayer, ...]:
        """Those of the draft, from top to bottom."""
        return self._session.draft.layers

    def content(self, layer: MapLayer) -> LayerContent | None:
        """What was read of it; None while it is read, or where it cannot be."""
        found = self._read.get(layer.contents)
        return found if isinstance(found, LayerContent) else None

    def error(self, layer: MapLayer) -> Exception | None:
        """Why it cannot be read."""
        found = self._read.get(layer.contents)
        return found if isinstance(found, Exception) else None

    def done(self, layer: MapLayer) -> float:
        """How much of it is read, from 0 to 1."""
        return self._done.get(layer.contents, 0.0)

    @property
    def busy(self) -> bool:
        """Something is being read."""
        return bool(self._reading)

    def place_of(self, cell: str) -> str:
        """The name of a hexagon; empty where nothing names it."""
        return self._places.get(cell, "")

    @property
    def places(self) -> Mapping[str, str]:
        """Hexagon -> name, of those that have one."""
        return self._places

    @property
    def index(self) -> PlaceIndex | None:
        """The names of all layers, to be found by what is typed; None while there are none."""
        return self._index

    # what is asked for

    def edit(self, text: str, layers: tuple[MapLayer, ...], *, dragging: bool = False) -> None:
        """Other layers, as one undo step."""
        self._session.edit(text, dragging=dragging, layers=layers)

    def cancel(self) -> None:
        """Stop reading; what is not read yet says so and can be removed."""
        for job in self._reading.values():
            job.cancel()

    def follow(self) -> None:
        """Read what the draft has and is not read yet, and let go of what it has no more."""
        wanted = {layer.contents for layer in self.layers}
        gone = [self._read.pop(contents) for contents in self._read.keys() - wanted]
        for contents in self._reading.keys() - wanted:
            job = self._reading.pop(contents)
            job.cancel()
            job.blockSignals(True)
        for contents in wanted - self._read.keys() - self._reading.keys():
            self._start(contents)
        self.changed.emit()
        self._name_hexagons()
        self._list_names()
        self._let_go(gone)

    def _let_go(self, gone: list[LayerContent | Exception]) -> None:
        """gone: emptied, by a worker that is the last who has them."""
        if gone:
            job = Job(partial(_free, gone), what=self.tr("Removing the layer…"), parent=self)
            job.finished.connect(job.deleteLater)
            job.start()

    def _start(self, contents: Contents) -> None:
        self._keys += 1
        job = Job(
            partial(_read_layer, contents, f"layer{self._keys}"),
            what=self.tr("Reading the layer {name}…").format(name=contents[0].name),
            parent=self,
        )
        self._reading[contents] = job
        self._done[contents] = 0.0
        job.succeeded.connect(partial(self._on_read, contents))
        job.failed.connect(partial(self._on_read, contents))
        job.cancelled.connect(partial(self._on_stopped, contents))
        job.progressed.connect(partial(self._on_progress, contents))
        job.start()

    def _on_progress(self, contents: Contents, done: float, _: str) -> None:
        self._done[contents] = done
        self.changed.emit()

    def _on_read(self, contents: Contents, found: LayerContent | Exception) -> None:
        self._reading.pop(contents).deleteLater()
        self._read[contents] = found
        self.changed.emit()
        self._name_hexagons()
        self._list_names()

    def _on_stopped(self, contents: Contents) -> None:
        stopped = InputError(
            self.tr("Reading was stopped."),
            where=str(contents[0]),
            mend=self.tr("remove the layer, or add it again"),
        )
        self._on_read(contents, stopped)

    # places

    def _name_hexagons(self) -> None:
        """By the first layer of places, if it is there."""
        naming, zones = self._naming_now(), self._session.zones
        if naming is None:
            self._named_by = None
            self._naming.drop()
            pairs = zip(zones.ids, zones.names, strict=True) if zones is not None else ()
            self._on_named({place: name for place, name in pairs if name != place})
        elif naming != self._named_by:
            self._named_by = naming
            self._naming.start(partial(_names, naming), what=self.tr("Naming hexagons…"))

    def _naming_now(self) -> _Naming | None:
        named = self.layers if self._session.draft.place_kind == HEXAGON else ()
        layer = next((layer for layer in named if layer.names_hexagons), None)
        content = self.content(layer) if layer is not None else None
        if layer is None or content is None or content.named is None:
            return None
        cells = self._cells()
        return _Naming(content=content, within_m=layer.within_m, cells=cells) if cells else None

    def _cells(self) -> frozenset[str]:
        """Every hexagon that anything is shown of."""
        session = self._session
        cells = set(session.overview.hexagons) if session.overview is not None else set()
        selection = session.forecast.selection if session.forecast is not None else None
        if selection is not None:
            cells |= {cell_text(cell) for cell in set(selection.cell.tolist())}
        return frozenset(cells)

    def _on_named(self, places: Mapping[str, str]) -> None:
        if places != self._places:
            self._places = places
            self.places_changed.emit()

    def _list_names(self) -> None:
        """The index of names follows all layers that have some."""
        found = {
            content.key: content.features
            for layer in self.layers
            if layer.name_field and (content := self.content(layer)) is not None and content.features
        }
        if tuple(found) == self._indexed_of:
            return
        self._indexed_of = tuple(found)
        if not found:
            self._indexing.drop()
            self._index = None
            return
        self._indexing.start(partial(_index, list(found.values())), what=self.tr("Listing names…"))

    def _on_index(self, index: PlaceIndex) -> None:
        self._index = index
        self.changed.emit()


def _read_layer(contents: Contents, key: str, progress: Progress) -> LayerContent:
    found = read_layer(*contents, progress)
    if isinstance(found, TilePyramid):
        return LayerContent(key=key, tiles=found)
    return LayerContent(key=key, features=found, named=named_parts(found))


def _names(naming: _Naming, _: Progress) -> dict[str, str]:
    content = naming.content
    assert content.features is not None
    assert content.named is not None
    return names_of_cells(content.features, content.named, sorted(naming.cells), naming.within_m)


def _index(layers: list[Features], progress: Progress) -> PlaceIndex:
    return place_index(layers, progress)


def _free(gone: list[LayerContent | Exception], _: Progress) -> None:
    """Let go of layers, of their shapes a few at a time: Python does nothing else while it frees an array.

    gone: emptied.
    """
    while gone:
        content = gone.pop()
        if not isinstance(content, LayerContent):
            continue
        if content.tiles is not None:
            content.tiles.database.close()
        shapes = content.features.parts.shapes if content.features is not None else np.empty(0, object)
        del content
        for start in range(0, len(shapes), _FREED_TOGETHER):
            shapes[start : start + _FREED_TOGETHER] = None


def look_into(paths: list[Path]) -> Callable[[Progress], list[MapLayer]]:
    """Work that gives the layers of files, as they are first shown. Raises InputError for a file without."""

    def work(progress: Progress) -> list[MapLayer]:
        return [layer for path in paths for layer in first_look(path, progress)]

    return work
