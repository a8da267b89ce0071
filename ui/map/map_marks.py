"""Marks between the map and the other tabs: what is marked on the map is a HAT of the slot it shows."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Slot

from ui.session.marked_hats import Hat
from ui.session.session import Session
from ui.web_map.map_view import MapView
from ui.web_map.painting import Fill, MapPainting


class MapMarks(QObject):
    """Follows the painting that is shown; a hexagon without anything in this slot is no HAT."""

    def __init__(self, view: MapView, session: Session) -> None:
        super().__init__(view)
        self._view = view
        self._session = session
        self._painting: MapPainting | None = None
        self._slot = 0
        view.toggled.connect(self._toggle)
        view.brushed.connect(self._add)
        view.class_pressed.connect(self._press)
        session.marked.changed.connect(self._show)
        session.hat_chosen.connect(self._show)

    def follow(self, painting: MapPainting, slot: int) -> None:
        """What is shown now, and the slot it is of."""
        self._painting, self._slot = painting, slot
        self._show()

    def _hats(self, cells: Iterable[str]) -> list[Hat]:
        shown = self._painting.fills if self._painting is not None else {}
        return [(cell, self._slot) for cell in cells if cell in shown]

    @Slot(str)
    def _toggle(self, cell: str) -> None:
        for hat in self._hats((cell,)):
            self._session.marked.toggle(hat)

    @Slot(object)
    def _add(self, cells: tuple[str, ...]) -> None:
        self._session.marked.add(self._hats(cells))

    @Slot(object, bool)
    def _press(self, fill: Fill, add: bool) -> None:
        """All hexagons of a class."""
        shown = self._painting.fills if self._painting is not None else {}
        hats = self._hats(cell for cell, own in shown.items() if own == fill)
        marked = self._session.marked
        if add:
            marked.add(hats)
        else:
            marked.take(hats)

    @Slot()
    def _show(self) -> None:
        """The one that is chosen has its outline, and needs nothing else to step back."""
        stands_out = self._session.marks_stand_out
        self._view.mark(self._session.marked.cells_in(self._slot) if stands_out else frozenset())
