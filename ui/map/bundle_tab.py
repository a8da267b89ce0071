"""Tab *Verified bundle*: a bundle's numbers and slots as signed, or places without outlines."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSlider, QStackedWidget, QWidget

from core.verify.values import BundleValues
from ui.kit.cards import flowing
from ui.kit.empty_state import EmptyState
from ui.kit.labels import plain_label
from ui.kit.list_box import ListBox
from ui.kit.message_bar import Message
from ui.kit.theme import Theme
from ui.layout.boxes import in_column
from ui.layout.chip_rows import ChipRows
from ui.map.bundle_layer import paint_bundle, released_title, smoothed_title
from ui.map.layer_picture import PictureOffer, bundle_picture, bundle_refusal, refuse
from ui.map.place_rings import drawn_places
from ui.session.hat_texts import group_row
from ui.web_map.map_view import MapView

_LEAST_LAYER, _LEAST_SLOT = 150, 105
"""Pixels of the list of layers, and of the way that the slider has."""


class BundleTab(QWidget):
    """Public: anybody who has the bundle sees the same. Its page is made for the first bundle."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: BundleValues | None = None
        self.view: MapView | None = None
        self.empty = EmptyState(self)
        self.title = flowing(look="heading", parent=self)
        self.slot = QSlider(Qt.Orientation.Horizontal, self)
        self.slot.setAccessibleName(self.tr("Timeslot of the bundle shown on the map"))
        self.slot.valueChanged.connect(self._paint)
        self.slot_text = plain_label(parent=self)
        self.slot_text.setProperty("look", "heading")
        self.layer = ListBox(self)
        self.layer.setAccessibleName(self.tr("Numbers of the bundle shown on the map"))
        self.layer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.layer.setMinimumWidth(_LEAST_LAYER)
        self.layer.currentIndexChanged.connect(self._paint)
        self.slot.setMinimumWidth(_LEAST_SLOT)
        self._head, self._below = QHBoxLayout(), QHBoxLayout()
        self._head.addWidget(self.title, 8)  # it wraps: each line of it lowers the map
        self._head.addWidget(self.slot_text)
        self._below.addWidget(self.layer)
        self.chips = ChipRows(self)
        self.chips.pressed.connect(self._choose_label)
        self._labels: tuple[str, ...] = ()
        self._map = QWidget(self)
        self._column = in_column(self._map, self._head, self._below, self.chips, margins=(8, 8, 8, 8))
        self._shown = QStackedWidget(self)
        self._shown.addWidget(self.empty)
        self._shown.addWidget(self._map)
        in_column(self, self._shown)
        theme.changed.connect(self._restyle)
        self.clear()

    @property
    def values(self) -> BundleValues | None:
        """What is shown; None while nothing is."""
        return self._values

    def clear(self) -> None:
        """Nothing is verified, or not yet: what was shown is of another bundle."""
        self.explain(
            Message(
                what=self.tr("No bundle is shown."),
                mend=self.tr(
                    "Verify a bundle to see its released numbers here, beside those of your own data."
                ),
            )
        )

    def explain(self, message: Message) -> None:
        """Why no bundle is shown."""
        self._values = None
        self.empty.show_message(message)
        self._shown.setCurrentWidget(self.empty)

    def show_bundle(self, values: BundleValues) -> None:
        """Show the numbers of a bundle that holds."""
        self._values = values
        if self.view is None:
            self.view = MapView(self)
            self.view.set_theme(self._theme.colours.dark)
            self._column.addWidget(self.view, 1)
        self.title.setText(self.tr("{release}: as signed, not your data").format(release=values.release))
        self.slot.blockSignals(True)
        self.slot.setRange(0, max(len(values.slots) - 1, 0))
        self.slot.setValue(0)
        self.slot.setEnabled(len(values.slots) > 1)
        self.slot.blockSignals(False)
        self._labels = tuple(values.labels(group)[0] for group in range(len(values.groups)) if values.hats)
        self._show_labels()
        self._offer_layers(values)
        self._shown.setCurrentWidget(self._map)
        self._paint()
        self.view.show_cells(
            drawn_places(values.cells, values.outlines),
            outlines=values.outlines,
            nothing=self.tr("These places have no outlines; see the data files of the bundle."),
        )

    def _show_labels(self) -> None:
        values = self._values
        assert values is not None
        rows = enumerate(zip(values.groups, self._labels, strict=False))
        self.chips.show_rows(
            [group_row(name, values.labels(number), label) for number, (name, label) in rows]
        )

    def _choose_label(self, row: int, label: str) -> None:
        self._labels = tuple(label if row == number else one for number, one in enumerate(self._labels))
        self._paint()

    def _offer_layers(self, values: BundleValues) -> None:
        """Numbers as released, and smoothed where the bundle has them; else there is no choice."""
        self.layer.blockSignals(True)
        self.layer.clear()
        self.layer.addItem(released_title(values), False)
        if values.smoothed:
            self.layer.addItem(smoothed_title(values), True)
        self.layer.blockSignals(False)
        self.layer.setVisible(values.smoothed)
        # the list has a row with the slider: beside the title both would be cut
        for row in (self._head, self._below):
            row.removeWidget(self.slot)
        if values.smoothed:
            self._below.addWidget(self.slot, 1)
        else:
            self._head.insertWidget(1, self.slot, 3)

    @property
    def _smoothed(self) -> bool:
        return bool(self.layer.currentData())

    def picture(self) -> PictureOffer:
        """A picture of the part of the day that is shown, or why there is none."""
        values = self._values
        if values is None or not values.slots:
            missing = self.tr("no bundle is shown")
            return PictureOffer(name="", refusal=missing, make=partial(refuse, missing))
        start, end = values.slots[self.slot.value()]
        smoothed, labels = self._smoothed, self._labels
        return PictureOffer(
            name=f"{values.release}-{start.replace(':', '')}" + ("-smoothed" if smoothed else ""),
            refusal=bundle_refusal(values),
            make=lambda: bundle_picture(values, start, end, labels, smoothed=smoothed),
        )

    def dispose(self) -> None:
        """Before the application ends."""
        if self.view is not None:
            self.view.dispose()

    def _paint(self) -> None:
        if self._values is None or self.view is None or not self._values.slots:
            return
        start, end = self._values.slots[self.slot.value()]
        self.slot_text.setText(f"{start} – {end}")
        self.slot.setAccessibleDescription(self.slot_text.text())
        self.view.paint(paint_bundle(self._values, start, end, self._labels, smoothed=self._smoothed))

    def _restyle(self) -> None:
        if self.view is not None:
            self.view.set_theme(self._theme.colours.dark)
