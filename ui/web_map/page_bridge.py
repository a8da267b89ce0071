"""The bridge to the map's page: what it can tell and ask."""

from __future__ import annotations

from PySide6.QtCore import Property, QObject, Signal, Slot

from core.hats.slots import ID_PARTS
from ui.web_map.painting import MOST_CLASSES, SUPPRESSED_FILL, UNKNOWN_FILL, Fill, MapPainting

_FILLS: dict[str, Fill] = {
    SUPPRESSED_FILL: SUPPRESSED_FILL,
    UNKNOWN_FILL: UNKNOWN_FILL,
    **{f"{number}": number for number in range(MOST_CLASSES)},
}


class PageBridge(QObject):
    """Of what the page says, only what fits the drawn cells is passed on."""

    ready = Signal(str)
    clicked = Signal(str)
    toggled = Signal(str)
    brushed = Signal(object)
    class_pressed = Signal(object, bool)
    painted = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.cells: frozenset[str] = frozenset()
        """What is drawn; none while a page is on its way."""
        self.painting: MapPainting | None = None
        self.outside = ""
        self._frame = 0

    def _last_frame(self) -> int:
        return self._frame

    def _note_frame(self, number: int) -> None:
        self._frame = number
        self.painted.emit(number)

    # A property, since a page that is replaced meanwhile could not take the answer to a call.
    frame = Property(int, _last_frame, _note_frame, notify=painted)

    @Slot(str)
    def pageReady(self, name: str) -> None:  # noqa: N802
        self.ready.emit(name)

    @Slot(str)
    def cellClicked(self, cell: str) -> None:  # noqa: N802
        if cell in self.cells:
            self.clicked.emit(cell)

    @Slot(str)
    def cellToggled(self, cell: str) -> None:  # noqa: N802
        if cell in self.cells:
            self.toggled.emit(cell)

    @Slot(str)
    def cellsMarked(self, ids: str) -> None:  # noqa: N802
        self.brushed.emit(tuple(cell for cell in ids.split(ID_PARTS) if cell in self.cells))

    @Slot(str, bool)
    def classMarked(self, name: str, add: bool) -> None:  # noqa: N802
        if self.cells and name in _FILLS:
            self.class_pressed.emit(_FILLS[name], add)

    @Slot(str, result="QStringList")
    def tooltip(self, cell: str) -> list[str]:
        return list(self.painting.words_of(cell, self.outside)) if self.painting else []
