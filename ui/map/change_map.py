"""The map of *Compare*, slot by slot; places without outlines."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from core.published.comparison import CELLS, Comparison
from ui.kit.labels import plain_label
from ui.kit.theme import Theme
from ui.layout.boxes import in_column, in_row
from ui.map.change_layer import paint_changes
from ui.map.place_rings import drawn_places
from ui.web_map.map_view import MapView


class ChangeMap(QWidget):
    """Public: anybody who has both bundles sees the same. Its page is made for the first comparison."""

    clicked = Signal(str, str)
    """The person clicked this cell; and the start of the slot that is shown, `HH:MM`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found: Comparison | None = None
        self._label: str | None = None
        self.view: MapView | None = None
        caption = plain_label(self.tr("&Slot"), self)
        self.slot = QSlider(Qt.Orientation.Horizontal, self)
        self.slot.setAccessibleName(self.tr("Timeslot of the changes shown on the map"))
        self.slot.valueChanged.connect(self._paint)
        caption.setBuddy(self.slot)
        self.slot_text = plain_label(parent=self)
        self.slot_text.setProperty("look", "heading")
        row = in_row(None, caption, (self.slot, 1), self.slot_text)
        self._column = in_column(self, row, margins=(0, 6, 0, 0))
        theme.changed.connect(self._restyle)

    def show_changes(self, found: Comparison, label: str | None) -> None:
        """Show a comparison; the slot stays where it is one of both. label: of its rows."""
        if self.view is None:
            self.view = MapView(self)
            self.view.set_theme(self._theme.colours.dark)
            self.view.clicked.connect(self._on_clicked)
            self._column.addWidget(self.view, 1)
        before = self._slot()
        self._found, self._label = found, label
        slots = found.slots
        self.slot.blockSignals(True)
        self.slot.setRange(0, max(len(slots) - 1, 0))
        self.slot.setValue(slots.index(before) if before in slots else 0)
        self.slot.setEnabled(len(slots) > 1)
        self.slot.blockSignals(False)
        self._paint()
        self.view.show_cells(
            drawn_places(
                [cell for cells in found.rows[CELLS].drop_duplicates() for cell in cells], found.outlines
            ),
            outlines=found.outlines,
            nothing=self.tr("These places have no outlines; see the table."),
        )

    def choose(self, cell: str, start: str) -> None:
        """Outline a cell, and show the slot that begins then."""
        if self._found is None or self.view is None:
            return
        starts = [first for first, _ in self._found.slots]
        if start in starts:
            self.slot.setValue(starts.index(start))
        self.view.select(cell)

    def dispose(self) -> None:
        """Before the application ends."""
        if self.view is not None:
            self.view.dispose()

    def _slot(self) -> tuple[str, str] | None:
        slots = self._found.slots if self._found else ()
        return slots[self.slot.value()] if slots else None

    def _paint(self) -> None:
        slot = self._slot()
        if self._found is None or self.view is None or slot is None:
            return
        self.slot_text.setText(" – ".join(slot))
        self.slot.setAccessibleDescription(self.slot_text.text())
        self.view.paint(paint_changes(self._found, *slot, self._label))

    def _on_clicked(self, cell: str) -> None:
        slot = self._slot()
        if self.view is not None and slot is not None:
            self.view.select(cell)
            self.clicked.emit(cell, slot[0])

    def _restyle(self) -> None:
        if self.view is not None:
            self.view.set_theme(self._theme.colours.dark)
