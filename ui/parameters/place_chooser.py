"""The kind of place, and what belongs to it; no column has a public name yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.draft.draft import Draft
from core.errors import InputError
from core.geodata.zones_source import ZonesSource
from core.hats.places import HEXAGON, LABELLED, WHOLE, WHOLE_ID, ZONED
from core.privacy import Relation
from core.selection.candidate_files import write_place_ids
from core.selection.cells import RULE as LISTED
from core.selection.registry import all_rules
from ui.kit.labels import shrinkable
from ui.kit.list_box import ListBox
from ui.kit.spec_words import caption_of, help_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_row
from ui.layout.tab_order import tab_through
from ui.parameters.candidates import FOLDER_OF_TYPED
from ui.parameters.zones_dialog import ZonesDialog
from ui.session.session import Session


class PlaceChooser(QWidget):
    """Edits the draft once kind and detail are both chosen; `refused(error)` says what lacks."""

    refused = Signal(object)

    def __init__(self, session: Session, resolution: ListBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: tuple[object, ...] = ()
        self.dialog: ZonesDialog | None = None
        self.kind = ListBox(self)
        self.kind.setAccessibleName(self.tr("Kind of place"))
        self.kind.setToolTip(in_lines(help_of("hats.place")))
        for title, kind in (
            (self.tr("Hexagons"), HEXAGON),
            (self.tr("Zones of a file"), ZONED),
            (self.tr("Column of records"), LABELLED),
            (self.tr("Whole area"), WHOLE),
        ):
            self.kind.addItem(title, kind)
        self.kind.activated.connect(self._choose_kind)
        self.column = ListBox(self)
        self.column.setPlaceholderText(self.tr("Choose…"))
        self.column.setAccessibleName(self.tr("Column of the places"))
        self.column.setToolTip(in_lines(help_of("hats.place_column")))
        self.column.activated.connect(self._choose_column)
        self.zones = QPushButton(self)
        self.zones.setToolTip(in_lines(help_of("hats.zones")))
        self.zones.clicked.connect(self._ask_zones)
        self._details = {HEXAGON: resolution, ZONED: self.zones, LABELLED: self.column}
        row: QHBoxLayout = in_row(self, (self.kind, 7))
        for box in (self.kind, self.column, resolution):
            shrinkable(box)
        for detail in self._details.values():
            row.addWidget(detail, 12 if detail is resolution else 5)  # its areas are the longest words
        tab_through([self.kind, self.column, self.zones, resolution], resolution)

    def refresh(self) -> None:
        """Show the draft; a kind that was chosen here, and waits for the rest, stays until that is edited."""
        draft = self._session.draft
        columns = [name for name, _ in self._columns]
        if [self.column.itemText(row) for row in range(self.column.count())] != columns:
            self.column.clear()
            self.column.addItems(columns)
        self.zones.setText(Path(draft.zones_source.file).name if draft.zones_source else self.tr("Choose…"))
        self.zones.setAccessibleName(self.tr("Zones: {file}").format(file=self.zones.text()))
        shown = (draft.place_kind, draft.place_column, draft.zones_source)
        if shown != self._shown:
            self._shown = shown
            self._show_kind(draft)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """What a contribution table decides."""
        return (self.kind, self.zones, self.column)

    @property
    def _columns(self) -> tuple[tuple[str, str], ...]:
        source = self._session.source
        return source.rules.mapping.public_columns if source is not None else ()

    def _show_kind(self, draft: Draft) -> None:
        self.kind.setCurrentIndex(self.kind.findData(draft.place_kind))
        self.column.setCurrentIndex(self.column.findText(draft.place_column))
        self._show_detail()

    def _show_detail(self) -> None:
        for kind, detail in self._details.items():
            detail.setVisible(kind == self.kind.currentData())

    def _choose_kind(self) -> None:
        kind = self.kind.currentData()
        self._show_detail()
        if kind in (HEXAGON, WHOLE):
            self._edit(place_kind=kind)
        elif kind == ZONED:
            self._ask_zones()
        elif len(self._columns) == 1:
            self._edit(place_kind=kind, place_column=self._columns[0][0])
        elif self._columns:
            self.column.setCurrentIndex(-1)
            self.column.setFocus()
        else:
            self._show_kind(self._session.draft)
            self.refused.emit(
                InputError(
                    self.tr("No column of the records has a public name yet."),
                    where=caption_of("data.mapping.columns"),
                    mend=self.tr("open the files again (step Data) and name the column there"),
                )
            )

    def _choose_column(self) -> None:
        self._edit(place_kind=LABELLED, place_column=self.column.currentText())

    def _ask_zones(self) -> None:
        self.dialog = dialog = ZonesDialog(self._session.draft.zones_source, self)
        dialog.chosen.connect(self._take_zones)
        dialog.rejected.connect(lambda: self._show_kind(self._session.draft))
        dialog.open()

    def _take_zones(self, source: ZonesSource) -> None:
        self._edit(place_kind=ZONED, zones_source=source)

    def _edit(self, **changes: Any) -> None:
        """A list of places of another kind lists none of these."""
        draft = self._session.draft
        if changes["place_kind"] != draft.place_kind and all_rules()[draft.rule].cell_file is not None:
            rule = LISTED.key if draft.relation is Relation.USER else Draft().rule
            whole = changes["place_kind"] == WHOLE and rule == LISTED.key
            folder = self._session.home.folder / FOLDER_OF_TYPED
            listed = str(write_place_ids(folder, (WHOLE_ID,))) if whole else ""  # there is but one
            changes |= {"rule": rule, "cells_file": listed}
        self._session.edit(self.tr("Place"), **changes)
        self._show_kind(self._session.draft)
