"""The list of layers from top to bottom with the hexagons among them; an empty file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from core.geodata.map_layer import MapLayer
from ui.kit.message_bar import message_of
from ui.language.translation import counted, percent
from ui.session.own_layers import OwnLayers

_NUMBER = Qt.ItemDataRole.UserRole


class OverlayList(QListWidget):
    """Layers are seen while they are ticked; the row of the hexagons can be neither hidden nor chosen."""

    seen = Signal(int, bool)
    """Number of a layer, and whether it is to be seen."""
    chosen = Signal()

    def __init__(self, layers: OwnLayers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers = layers
        self._showing = False
        self.setAccessibleName(self.tr("Layers from top to bottom"))
        self.setWordWrap(True)
        # air around two lines of text; the list has its own ring of focus, the system's has a gradient
        self.setStyleSheet("QListView { outline: 0; } QListView::item { padding: 3px; }")
        self.itemChanged.connect(self._on_item)
        self.currentRowChanged.connect(lambda _: None if self._showing else self.chosen.emit())

    @property
    def number(self) -> int | None:
        """Of the chosen layer among the draft's; None where none is chosen."""
        item = self.currentItem()
        found = None if item is None else item.data(_NUMBER)
        return found if isinstance(found, int) and found < len(self._layers.layers) else None

    @property
    def rows_height(self) -> int:
        """Pixels that show every row."""
        return sum(map(self.sizeHintForRow, range(self.count()))) + 2 * self.frameWidth()

    @property
    def row_ends(self) -> list[int]:
        """Pixels from the first row to the end of each."""
        return [self.visualItemRect(self.item(row)).bottom() + 1 for row in range(self.count())]

    def choose(self, number: int) -> None:
        """Make a layer the chosen one."""
        for row in range(self.count()):
            if self.item(row).data(_NUMBER) == number:
                self.setCurrentRow(row)

    def refresh(self) -> None:
        """The layers of the draft as they stand; the chosen one stays chosen."""
        layers, retained = self._layers.layers, self.number
        over = sum(layer.over for layer in layers)
        self._showing = True
        while self.count() > len(layers) + 1:
            self.takeItem(self.count() - 1)
        while self.count() < len(layers) + 1:
            self.addItem(QListWidgetItem())
        for row in range(self.count()):
            if row == over:
                self._show_hexagons(self.item(row))
            else:
                number = row if row < over else row - 1
                self._show_layer(self.item(row), layers, number)
        self._showing = False
        if retained is not None:
            self.choose(min(retained, len(layers) - 1))

    def _show_hexagons(self, item: QListWidgetItem) -> None:
        item.setText(self.tr("Hexagons"))
        item.setData(Qt.ItemDataRole.CheckStateRole, None)
        item.setData(_NUMBER, None)
        item.setFlags(Qt.ItemFlag.NoItemFlags)

    def _show_layer(self, item: QListWidgetItem, layers: Sequence[MapLayer], number: int) -> None:
        layer = layers[number]
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setText(f"{name_of_layer(layer)}\n{self.state_of(layer)}")
        item.setCheckState(Qt.CheckState.Checked if layer.visible else Qt.CheckState.Unchecked)
        item.setData(_NUMBER, number)

    def state_of(self, layer: MapLayer) -> str:
        """What is to be said of it in a few words."""
        error, content = self._layers.error(layer), self._layers.content(layer)
        if error is not None:
            return message_of(error).what
        if content is None:
            return self.tr("reading, {share}").format(share=percent(self._layers.done(layer)))
        if content.features is None:
            return self.tr("pictures")
        if not content.features.count:
            return self.tr("! empty: the file contains no feature to draw")
        text = counted("{n} feature", "{n} features", content.features.count)
        return self.tr("{features}, names hexagons").format(features=text) if layer.names_hexagons else text

    def _on_item(self, item: QListWidgetItem) -> None:
        number = item.data(_NUMBER)
        if not self._showing and isinstance(number, int):
            self.seen.emit(number, item.checkState() is Qt.CheckState.Checked)


def name_of_layer(layer: MapLayer) -> str:
    """What a layer is called: by its table, else by its file."""
    return layer.table or layer.file.stem
