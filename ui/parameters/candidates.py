"""Candidate places of relation `user`: a list in a file, a box, or typed; never from the records."""

from __future__ import annotations

from enum import StrEnum, auto
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.errors import InputError
from core.hats.places import HEXAGON
from core.privacy import Relation
from core.selection.boundary import RULE as BOUNDARY
from core.selection.candidate_files import read_box, write_box, write_cells, write_place_ids
from core.selection.cells import RULE as LISTED
from ui.kit.labels import label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.layout.boxes import in_column, in_grid
from ui.parameters.groups_box import typed_texts
from ui.session.session import Session

_tr = translator("Candidates")
FOLDER_OF_TYPED = "candidates"
"""The folder of what is typed."""
_NARROW = 54


class Way(StrEnum):
    """How hexagons are named."""

    BOUNDARY = auto()
    LIST = auto()
    BOX = auto()
    TYPED = auto()


_RULES = {Way.BOUNDARY: BOUNDARY.key, Way.LIST: LISTED.key, Way.BOX: BOUNDARY.key, Way.TYPED: LISTED.key}


class Candidates(QWidget):
    """Each way ends in a file that the spec names; `file_wanted(rule)` asks for one that is there already."""

    file_wanted = Signal(str)
    refused = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown = ""
        """The draft's file when it was last looked at."""
        self.way = ListBox(self)
        self.way.setAccessibleName(self.tr("How the candidate hexagons are named"))
        for way, title in (
            (Way.BOUNDARY, self.tr("Boundary in a GeoJSON file")),
            (Way.LIST, _list_text(True)),
            (Way.BOX, self.tr("Box of coordinates")),
            (Way.TYPED, _typed_text(True)),
        ):
            self.way.addItem(title, way)
        shrinkable(self.way)
        self.way.activated.connect(self._change_way)
        self.refused.connect(partial(session.refused.note, self))
        self.file = QPushButton(self)
        self.file.clicked.connect(lambda: self.file_wanted.emit(_RULES[self._way]))
        self.edges = self._make_edges()
        self.typed = QLineEdit(self, placeholderText="8742d9d69ffffff …")
        self.typed.setAccessibleName(self.tr("Candidate hexagons, separated by spaces"))
        self.typed.editingFinished.connect(self._take_typed)
        self.note = label(self.tr("From a map or a list of districts, never from the records."), "muted")
        in_column(self, self.way, self.file, self._box, self.typed, self.note, spacing=5)
        self.setFocusProxy(self.way)
        self.refresh()

    def _make_edges(self) -> list[QLineEdit]:
        """Two rows of two: the column is narrow."""
        self._box = QWidget(self)
        grid = in_grid(self._box, across=5, down=5)
        edges = []
        names = (self.tr("south"), self.tr("west"), self.tr("north"), self.tr("east"))
        for number, name in enumerate(names):
            edge = QLineEdit(self._box)
            named = label(name, "muted")  # a placeholder is gone once there is a number
            named.setWordWrap(False)
            edge.setAccessibleName(self.tr("Box, {edge}, degrees").format(edge=name))
            edge.setToolTip(in_lines(self.tr("{edge}, degrees").format(edge=name)))
            edge.setMinimumWidth(_NARROW)
            edge.editingFinished.connect(self._take_box)
            row, column = divmod(number, 2)
            grid.addWidget(named, row, 2 * column)
            grid.addWidget(edge, row, 2 * column + 1)
            edges.append(edge)
        return edges

    @property
    def _way(self) -> Way:
        return Way(self.way.currentData())

    @property
    def _folder(self) -> Path:
        return self._session.home.folder / FOLDER_OF_TYPED

    def refresh(self) -> None:
        """Show the draft's list, wherever it came from."""
        draft = self._session.draft
        self._offer_ways(hexagons=draft.place_kind == HEXAGON)
        path = Path(draft.cells_file)
        ours = draft.cells_file and path.parent == self._folder
        if draft.cells_file:
            way = Way.BOUNDARY if draft.rule == BOUNDARY.key else Way.LIST
            if ours:
                way = Way.BOX if way is Way.BOUNDARY else Way.TYPED
            self.way.setCurrentIndex(self.way.findData(way))
        found = read_box(path) if ours and self._way is Way.BOX else None
        for edge, number in zip(self.edges, found or (), strict=False):
            edge.setText(f"{number:.10g}")
        if self._shown and not draft.cells_file:  # nothing is named any more: what stands here would mislead
            for typed in (*self.edges, self.typed):
                typed.clear()
        if self._shown != draft.cells_file or draft.relation is not Relation.USER:
            self._session.refused.mend(self)
        self._shown = draft.cells_file
        self.file.setText(path.name if draft.cells_file and not ours else self.tr("Choose file…"))
        self.file.setToolTip(in_lines(draft.cells_file))
        self._show_way()

    def _offer_ways(self, *, hexagons: bool) -> None:
        """Boundaries and boxes hold hexagons alone; other places are called by their ids."""
        items = self.way.model()
        assert isinstance(items, QStandardItemModel)
        texts = {Way.LIST: _list_text(hexagons), Way.TYPED: _typed_text(hexagons)}
        for row in range(self.way.count()):
            way = Way(self.way.itemData(row))
            items.item(row).setEnabled(hexagons or way in texts)
            if way in texts:
                self.way.setItemText(row, texts[way])
        if not hexagons and self._way not in texts:
            self.way.setCurrentIndex(self.way.findData(Way.TYPED))
        self.typed.setPlaceholderText(
            "8742d9d69ffffff …" if hexagons else self.tr("ids, separated by semicolons")
        )

    def _show_way(self) -> None:
        self.file.setVisible(self._way in (Way.BOUNDARY, Way.LIST))
        self._box.setVisible(self._way is Way.BOX)
        self.typed.setVisible(self._way is Way.TYPED)

    def _change_way(self) -> None:
        """What was refused of another way is not seen any more."""
        self._session.refused.mend(self)
        self._show_way()

    def _take_box(self) -> None:
        texts = [edge.text().strip() for edge in self.edges]
        if not all(texts):
            return
        try:
            south, west, north, east = map(float, texts)
        except ValueError:
            self.refused.emit(
                InputError(
                    self.tr("A box needs four numbers."),
                    where=self.tr("Box of coordinates"),
                    mend=self.tr("write degrees such as 13.75"),
                )
            )
            return
        try:
            path = write_box(self._folder, south=south, west=west, north=north, east=east)
        except InputError as error:
            self.refused.emit(error)
            return
        self._edit(path)

    def _take_typed(self) -> None:
        if not self.typed.text().strip():
            return
        try:
            draft, typed = self._session.draft, self.typed.text()
            if draft.place_kind == HEXAGON:
                path = write_cells(self._folder, typed, *(draft.mixed or (draft.resolution,)))
            else:
                path = write_place_ids(self._folder, typed_texts(typed))
        except InputError as error:
            self.refused.emit(error)
            return
        self._edit(path)

    def _edit(self, path: Path) -> None:
        self._session.refused.mend(self)
        self._session.edit(self.tr("Candidate hexagons"), rule=_RULES[self._way], cells_file=str(path))


def _list_text(hexagons: bool) -> str:
    return _tr("List of H3 cells in a file") if hexagons else _tr("List of ids in a file")


def _typed_text(hexagons: bool) -> str:
    return _tr("Typed list of H3 cells") if hexagons else _tr("Typed list of ids")
