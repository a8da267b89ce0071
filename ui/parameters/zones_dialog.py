"""Zones of a file: which layer and fields, their licence, areas shared, how wide lines become."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from core.errors import InputError
from core.geodata.layer_files import layer_rows, layers_in
from core.geodata.zones_source import BUFFER_M, ZonesSource
from core.progress import Progress
from ui.kit.labels import label, set_look
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import help_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import counted, whole
from ui.layout.boxes import in_column, in_form

if TYPE_CHECKING:
    from core.geodata.zones import Zones

_WIDE = 460
_MOST_SHOWN = 5
_KEY = "hats.zones."
LayerFields = tuple[tuple[str, ...], tuple[str, ...]]
"""Names of the layers of a file, and of the fields of the one that is chosen."""


class ZonesDialog(QDialog):
    """Emits `chosen(source)` once the layer was read; overlaps are shown before they are taken."""

    chosen = Signal(object)

    def __init__(self, source: ZonesSource | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Zones of a file"))
        self._path = Path(source.file) if source else Path()
        self._looked_at: ZonesSource | None = None
        self.file = QPushButton(self)
        self.file.clicked.connect(self._ask)
        self.table, self.id, self.name = (self._names() for _ in range(3))
        self.table.textActivated.connect(self._look)
        self.licence = QLineEdit(self, placeholderText="CC-BY-4.0")
        self.buffer = QSpinBox(self, maximum=BUFFER_M[1])
        self.buffer.setSpecialValueText(self.tr("the layer has areas"))
        self.buffer.setSuffix(self.tr(" m on each side"))
        self.message = MessageBar(self)
        self.note = label(look="muted")
        self.note.hide()
        form = in_form()
        for text, key, editor in (
            (self.tr("&File"), "file", self.file),
            (self.tr("&Layer"), "table", self.table),
            (self.tr("Field of the &ids"), "id", self.id),
            (self.tr("Field of the &names"), "name", self.name),
            (self.tr("Licen&ce"), "licence", self.licence),
            (self.tr("&Around lines"), "buffer_m", self.buffer),
        ):
            form.addRow(text, editor)
            editor.setToolTip(in_lines(help_of(_KEY + key)))
            editor.setAccessibleName(form.labelForField(editor).property("text").replace("&", ""))
        self._form = form
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.take = self.buttons.addButton(
            self.tr("&Use these zones"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        set_look(self.take, "primary")
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        said = self.tr("Ids, names and outlines are published with the release, under the layer's licence.")
        in_column(self, label(said, "muted"), form, self.note, self.message, self.buttons, margins=None)
        self.setMinimumWidth(_WIDE)
        self.looking = Stage(self, self._show_fields, failed=self.message.show_error)
        self.reading = Stage(self, self._on_read, failed=self.message.show_error)
        self.reading.finished.connect(self._enable)
        self.finished.connect(self._drop)
        self._fill(source)

    def _names(self) -> ListBox:
        """A list of names, of which another may be typed."""
        box = ListBox(self)
        box.setEditable(True)
        return box

    def _fill(self, source: ZonesSource | None) -> None:
        self._form.setRowVisible(self.table, bool(source and source.table))
        self.file.setText(self._path.name or self.tr("Choose file…"))
        self._enable()
        if source is None:
            return
        for box, text in ((self.table, source.table), (self.id, source.id), (self.name, source.name)):
            box.setEditText(text)
        self.licence.setText(source.licence)
        self.buffer.setValue(source.buffer_m)
        self._look()

    def _enable(self) -> None:
        """Without a file there are no zones, nor lines to draw them around."""
        known = bool(self._path.name)
        self.take.setEnabled(known)
        self.take.setToolTip(in_lines("" if known else self.tr("Choose the file of the zones first.")))
        self._form.setRowVisible(self.buffer, known)

    def _ask(self) -> None:
        kinds = self.tr("Layers ({endings});;All files (*)").format(endings="*.geojson *.json *.gpkg *.zip")
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Layer of the zones"), "", kinds)
        if path:
            self.take_file(Path(path))

    def take_file(self, path: Path) -> None:
        """Look into this file; its fields are offered, and none is chosen."""
        self._path = path
        self.file.setText(path.name)
        self._enable()
        for box in (self.table, self.id, self.name):
            box.clear()
            box.setEditText("")
        self._look()

    def _look(self) -> None:
        self.message.clear()
        self.looking.start(
            partial(_fields_of, self._path, self.table.currentText()), what=self.tr("Reading the layer…")
        )

    def _show_fields(self, found: LayerFields) -> None:
        tables, fields = found
        self._form.setRowVisible(self.table, len(tables) > 1 or bool(self.table.currentText()))
        for box, names in ((self.table, tables), (self.id, fields), (self.name, ("", *fields))):
            shown = box.currentText()
            box.clear()
            box.addItems(names)
            box.setEditText(shown)

    def _take(self) -> None:
        self.message.clear()
        try:
            source = ZonesSource(
                file=str(self._path) if self._path.name else "",
                id=self.id.currentText(),
                name=self.name.currentText(),
                licence=self.licence.text(),
                table=self.table.currentText(),
                buffer_m=self.buffer.value(),
            )
        except InputError as error:
            self.message.show_error(error)
            return
        if source == self._looked_at:
            self._accept(source)
            return
        self.take.setEnabled(False)
        self.reading.start(partial(_read, source), what=self.tr("Reading the zones…"))

    def _on_read(self, read: tuple[ZonesSource, Zones]) -> None:
        source, zones = read
        if not zones.overlaps:
            self._accept(source)
            return
        self._looked_at = source
        pairs = [
            self.tr("{first} and {second} share {area} m²").format(
                first=one.first, second=one.second, area=whole(round(one.square_metres))
            )
            for one in zones.overlaps[:_MOST_SHOWN]
        ]
        count = counted("{n} pair of zones overlaps:", "{n} pairs of zones overlap:", len(zones.overlaps))
        rule = self.tr("What lies in both belongs to the smaller id.")
        self.note.setText("\n".join([count, *pairs, rule]))
        self.note.show()
        self.take.setText(self.tr("&Use them all the same"))

    def _accept(self, source: ZonesSource) -> None:
        self.chosen.emit(source)
        self.accept()

    def _drop(self) -> None:
        self.looking.drop()
        self.reading.drop()


def _fields_of(path: Path, table: str, progress: Progress) -> LayerFields:
    zipped = path.suffix.lower() in (".zip", ".shp")
    tables = () if zipped else tuple(layer.name for layer in layers_in(path))
    chosen = table or (tables[0] if tables else "")
    return tables, layer_rows(path, chosen, (), progress).fields


def _read(source: ZonesSource, progress: Progress) -> tuple[ZonesSource, Zones]:
    from core.geodata.zone_layer import read_zones  # shapely takes a while, and few need it

    return source, read_zones(source, Path(), progress)
