"""How a layer of one's own looks: its colour, and whether it names hexagons in a release, how near."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from core.geodata.map_layer import WIDTHS, MapLayer
from core.geodata.places_source import WITHIN_M
from ui.kit.labels import shrinkable
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.layout.reflowing_grid import ReflowingGrid
from ui.session.own_layers import LayerContent

_SWATCH = 14
_BETWEEN = 6
"""Pixels between two widgets of a row."""
_FIRST_COLOUR = "#3b6ea5"


class OverlayLook(QWidget):
    """Fields of a layer; emits the layer as it is wanted, and whether more of the same drag may follow."""

    wanted = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layer: MapLayer | None = None
        self._showing = False
        self.opacity = QSpinBox(self, minimum=0, maximum=100, singleStep=5, suffix="\u00a0%")
        self.name_field = ListBox(self)
        shrinkable(self.name_field)
        self.labels = QCheckBox(self.tr("Write the names"), self)
        self.places = QCheckBox(self.tr("Name hexagons by them"), self)
        self.places.setToolTip(
            in_lines(
                self.tr(
                    "Table, map and release show the name of the place that a "
                    "hexagon lies in or near. A release "
                    "publishes these names."
                )
            )
        )
        self.within = QSpinBox(self)
        self.within.setRange(*WITHIN_M)
        self.within.setSingleStep(500)
        self.within.setSuffix(" m")
        self.within.setGroupSeparatorShown(True)
        self.width_of_lines = QDoubleSpinBox(self)
        self.width_of_lines.setRange(*WIDTHS)
        self.width_of_lines.setDecimals(1)
        self.width_of_lines.setSingleStep(0.5)
        self.width_of_lines.setSuffix(" px")
        self.fill = QCheckBox(self.tr("Fill areas"), self)
        self.colour = QPushButton(self.tr("Choose…"), self)
        self.quiet = QPushButton(self.tr("As the theme"), self)
        self.quiet.setToolTip(self.tr("Quiet colours that follow light and dark"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setVerticalSpacing(4)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.addRow(self.tr("Opacity"), self.opacity)
        self.form.addRow(self.tr("Names from"), self.name_field)
        self.form.addRow(self._ticks())
        self.form.addRow(self.tr("Within"), self.within)
        self.form.addRow(self.tr("Colour"), _beside(self.colour, self.quiet))
        self.form.addRow(self.tr("Line width"), _beside(self.width_of_lines, self.fill))
        for widget, name in (
            (self.colour, self.tr("Choose the colour of the layer")),
            (self.quiet, self.tr("Let the colour of the layer follow the theme")),
            (self.width_of_lines, self.tr("Line width")),
            (self.within, self.tr("Largest distance from a hexagon's middle to a place, metres")),
        ):
            widget.setAccessibleName(name)

    def _ticks(self) -> QWidget:
        """In one row where their words are short enough: all of the panel is to be seen on a small screen."""
        ticks = QWidget(self)
        row = ReflowingGrid(ticks, across=14, down=4, columns=False)
        row.addWidget(self.labels)
        row.addWidget(self.places)
        return ticks

    def _connect(self) -> None:
        self.opacity.valueChanged.connect(lambda value: self._want(dragging=True, opacity=value / 100))
        self.width_of_lines.valueChanged.connect(lambda value: self._want(dragging=True, width=value))
        self.within.valueChanged.connect(lambda value: self._want(dragging=True, within_m=value))
        self.labels.toggled.connect(lambda on: self._want(labels=on))
        self.places.toggled.connect(lambda on: self._want(places=on))
        self.fill.toggled.connect(lambda on: self._want(fill=on))
        self.name_field.activated.connect(lambda _: self._want(name_field=self.name_field.currentData()))
        self.quiet.clicked.connect(lambda: self._want(colour=""))
        self.colour.clicked.connect(self.ask_colour)

    def show_layer(self, layer: MapLayer, content: LayerContent | None) -> None:
        """Show how a layer looks; content: what was read of it, which tells what may be chosen."""
        self._showing = True
        self._layer = layer
        pictures = content is not None and content.tiles is not None
        self.opacity.setValue(round(layer.opacity * 100))
        self._show_fields(layer, content)
        self.labels.setChecked(layer.labels)
        self.places.setChecked(layer.places)
        self.within.setValue(layer.within_m)
        self.width_of_lines.setValue(layer.width)
        self.fill.setChecked(layer.fill)
        self.colour.setIcon(_swatch(layer.colour))
        self.quiet.setEnabled(bool(layer.colour))
        for row in range(1, self.form.rowCount()):
            self.form.setRowVisible(row, not pictures)
        named = bool(layer.name_field)
        for widget in (self.labels, self.places):
            widget.setEnabled(named)
        self.within.setEnabled(named and layer.places)
        self._showing = False

    def _show_fields(self, layer: MapLayer, content: LayerContent | None) -> None:
        fields = content.features.fields if content is not None and content.features is not None else ()
        if layer.name_field and layer.name_field not in fields:
            fields = (layer.name_field, *fields)
        self.name_field.clear()
        self.name_field.addItem(self.tr("no field"), "")
        for field in fields:
            self.name_field.addItem(field, field)
        self.name_field.setCurrentIndex(self.name_field.findData(layer.name_field))

    def ask_colour(self) -> None:
        """Let the person choose a colour."""
        layer = self._layer
        dialog = QColorDialog(QColor(layer.colour if layer and layer.colour else _FIRST_COLOUR), self)
        dialog.setWindowTitle(self.tr("Colour of the layer"))
        dialog.colorSelected.connect(lambda colour: self._want(colour=colour.name()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _want(self, *, dragging: bool = False, **changes: Any) -> None:
        if self._layer is not None and not self._showing:
            self.wanted.emit(replace(self._layer, **changes), dragging)


def _beside(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(_BETWEEN)  # a form that has but one of its spacings gives rows none
    for widget in widgets:
        row.addWidget(widget, 1)
    return row


def _swatch(colour: str) -> QIcon:
    """A square of the colour; no picture for that of the theme."""
    if not colour:
        return QIcon()
    square = QPixmap(_SWATCH, _SWATCH)
    square.fill(QColor(colour))
    return QIcon(square)
