"""The HATs as a table model, sorted and filtered by whole columns; confidential heads never copied."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QBrush, QGuiApplication, QPalette

from core.accounting.epsilon_rounding import plain
from core.advice.usefulness import verdict_word
from core.hats.groups import as_cell
from core.privacy import Relation
from ui.kit.model_index import ROOT, ModelIndex
from ui.language.translation import core_text, grouped
from ui.session.draft_charge import shown_epsilon
from ui.session.hat_texts import place_text, short_cell
from ui.session.marked_hats import Hat
from ui.session.shown_release import practice_remark
from ui.table.hat_columns import HatColumn, hat_columns, is_shown
from ui.table.rows import JUDGED, RELEASED, SMOOTHED, HatStatus, no_rows
from ui.table.sortable_rows import PLACE_KEY, SortableRows, planned_epsilon, sortable

SORT_ROLE = Qt.ItemDataRole.UserRole
"""The number, or the text, that a cell sorts by."""
DASH = "–"
# As numbers: a cell is asked for eight roles each time that it is painted, and Qt's enums are slow.
_RIGHT = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value
_LEFT = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value
_MUTED, _MARKED = QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.Midlight


class HatTableModel(QAbstractTableModel):
    """Read-only; rows are those that pass the filter, in the order asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._smoothed = False
        self._present: tuple[HatColumn, ...] = ()
        self._sorted = (1, Qt.SortOrder.AscendingOrder)
        self._words: tuple[str, ...] = ()
        self._selected_only = self._marked_only = False
        self.slots: range | None = None
        """Those of the labels that are shown; None where nothing tells rows apart."""
        self._marked: frozenset[Hat] = frozenset()
        self._is_marked: NDArray[np.bool_] = np.zeros(0, bool)
        self._is_muted: NDArray[np.bool_] = np.zeros(0, bool)
        self._brushes: dict[QPalette.ColorRole, QBrush] = {}
        self._brushes_of = -1
        """The palette that they are of: a brush is asked for with each cell."""
        self._statuses: dict[int, str] = {
            HatStatus.UNKNOWN: DASH,
            HatStatus.SELECTED: self.tr("Yes"),
            HatStatus.NOT_SELECTED: self.tr("Not selected"),
            HatStatus.SUPPRESSED: self.tr("Suppressed"),
            HatStatus.NO_INFORMATION: self.tr("No information"),
            **{one: core_text(verdict_word(word)) for one, word in JUDGED.items()},
        }
        self._answers: dict[int, Callable[[HatColumn, int], Any]] = {
            Qt.ItemDataRole.DisplayRole: self._text,
            Qt.ItemDataRole.ToolTipRole: self._exact,
            Qt.ItemDataRole.TextAlignmentRole: self._alignment,
            Qt.ItemDataRole.ForegroundRole: self._ink,
            Qt.ItemDataRole.BackgroundRole: self._tint,
            SORT_ROLE: self._sort_key,
        }
        self._take(sortable(no_rows()))

    # what is in it

    @property
    def columns(self) -> tuple[HatColumn, ...]:
        """The columns as they stand: those of a release come with it."""
        return self._present

    @property
    def shown(self) -> int:
        """Rows that pass the filter."""
        return int(self._shown.size)

    @property
    def total(self) -> int:
        """All rows."""
        return len(self._rows)

    @property
    def has_smoothed(self) -> bool:
        """There are smoothed numbers to show in the place of the raw ones."""
        return self._rows.smoothed

    @property
    def smoothed(self) -> bool:
        """Smoothed numbers stand in the place of the raw ones."""
        return self._smoothed and self._rows.smoothed

    @property
    def order(self) -> tuple[int, Qt.SortOrder]:
        """The column that rows are sorted by, and which way."""
        return self._sorted

    def show_smoothed(self, smoothed: bool) -> None:
        """Put smoothed numbers in the place of the raw ones, or back; for rows that have them."""
        if smoothed != self._smoothed:
            self.beginResetModel()
            self._smoothed = smoothed
            self._take(self._sortable)
            self.endResetModel()

    @property
    def has_release(self) -> bool:
        return self._rows.published is not None

    @property
    def shows_release(self) -> bool:
        """There are released numbers, or made-up ones in their place."""
        return self.has_release or self._rows.preview

    @property
    def practised(self) -> bool:
        """The released numbers are those of a practice."""
        return self._rows.practice

    @property
    def sorted_by(self) -> tuple[str, bool]:
        """Key of the column that rows are sorted by, and whether downwards: for `sortable` to prepare."""
        place, order = self._sorted
        return self._present[place].key, order is Qt.SortOrder.DescendingOrder

    def set_rows(self, rows: SortableRows) -> None:
        """Show other rows; filter and order stay."""
        self.beginResetModel()
        self._take(rows)
        self.endResetModel()

    def _take(self, given: SortableRows) -> None:
        sorted_by = self._name(self._sorted[0])
        self._sortable, self._rows = given, given.rows
        rows = given.rows
        # Qt asks for the number of columns for every cell of a selection
        self._columns = hat_columns(rows, smoothed=self.smoothed)
        self._present = tuple(column for column in self._columns if is_shown(column, rows))
        self._is_marked = self._find_marked()
        self._is_muted = ~np.isin(rows.status, [one for one in HatStatus if one.has_number])
        names = [self._name(place) for place in range(len(self._present))]
        self._sorted = (
            (names.index(sorted_by), self._sorted[1])
            if sorted_by in names
            else (names.index("hexagon"), Qt.SortOrder.AscendingOrder)
        )
        self._arrange()

    def _name(self, place: int) -> str:
        """Of a column that stands there: the same for the raw and the smoothed number."""
        key = self._present[place].key if place < len(self._present) else "hexagon"
        return dict(zip(SMOOTHED, RELEASED, strict=True)).get(key, key)

    def _arrange(self) -> None:
        self._order = self._find_order()
        self._shown = self._order[self._passes()[self._order]]

    def set_filter(
        self, text: str, *, selected_only: bool, marked_only: bool = False, slots: range | None = None
    ) -> None:
        """Keep rows of which every word is part of the hexagon or begins the slot; slots: None for all."""
        self.beginResetModel()
        self.slots = slots
        self._words = tuple(text.casefold().split())
        self._selected_only, self._marked_only = selected_only, marked_only
        self._shown = self._order[self._passes()[self._order]]
        self.endResetModel()

    def set_marked(self, hats: frozenset[Hat]) -> None:
        """Tint the rows of these HATs; where only marked ones are shown, show these."""
        self._marked = hats
        if self._marked_only:
            self.beginResetModel()
        self._is_marked = self._find_marked()
        if self._marked_only:
            self._shown = self._order[self._passes()[self._order]]
            self.endResetModel()
        elif self.shown:
            last = self.index(self.shown - 1, len(self._present) - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.BackgroundRole])

    def _find_marked(self) -> NDArray[np.bool_]:
        """Shape (R,): the rows of marked HATs."""
        found, place = np.zeros(len(self._rows), bool), self._sortable.place
        found[[row for hat in self._marked if (row := place.get(hat)) is not None]] = True
        return found

    @property
    def marked_rows(self) -> list[int]:
        """The shown rows of marked HATs."""
        rows: list[int] = np.flatnonzero(self._is_marked[self._shown]).tolist()
        return rows

    def hats_at(self, rows: Sequence[int]) -> list[Hat]:
        """The HATs of shown rows."""
        named = self._sortable.hats
        return [named[source] for source in self._shown[list(rows)].tolist()]

    def hat_at(self, row: int) -> Hat:
        """The HAT of a shown row."""
        source = int(self._shown[row])
        return self._rows.cells[source], int(self._rows.slots[source])

    def row_of(self, hat: Hat) -> int:
        """Where a HAT is shown, -1 if it is not."""
        found = np.flatnonzero(self._shown == self._sortable.place.get(hat, -1))
        return int(found[0]) if found.size else -1

    def copy_text(self, rows: Sequence[int], relation: Relation | None) -> tuple[str, int]:
        """What of these shown rows may leave the window, tab-separated, and how many rows that is.

        After a release the lines of the published file, below a remark where it is a practice; before
        it which HATs are selected, and that only where presence is public (method 5). Nothing else ever.
        """
        hats = [self.hat_at(row) for row in rows]
        published = self._rows.published
        if published is not None:
            header: Sequence[str] = published.header
            known = (published.lines[hat] for hat in hats if hat in published.lines)
            lines: list[tuple[str, ...]] = list(dict.fromkeys(known))  # HATs of a region share one
        else:
            grid = self._rows.grid
            header = (
                "h3_cell" if self._rows.by_hexagon else "place_id",
                "slot_start",
                *(group.name for group in grid.groups),
            )
            lines = [
                (as_cell(cell), grid.text(slot), *map(as_cell, grid.labels(slot)))
                for row, (cell, slot) in zip(rows, hats, strict=True)
                if relation is Relation.VALUES and HatStatus(self._rows.status[self._shown[row]]).has_number
            ]
        if not lines:
            return "", 0
        remarks = practice_remark(practice=self.practised and published is not None)
        text = [*remarks, *("\t".join(line) for line in (header, *lines))]
        return "\n".join(text) + "\n", len(lines)

    # order and filter

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self.columns):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        sources = [int(self._shown[index.row()]) for index in before]
        self._sorted = (column, order)
        self._arrange()
        rows = np.empty(len(self._rows), np.int64)
        rows[self._shown] = np.arange(self._shown.size)
        after = [
            self.index(int(rows[source]), index.column())
            for source, index in zip(sources, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _find_order(self) -> NDArray[np.int64]:
        key, descending = self.sorted_by
        return self._sortable.order(key, descending=descending)

    def _passes(self) -> NDArray[np.bool_]:
        passes = np.ones(len(self._rows), bool)
        if self._selected_only:
            passes &= self._rows.status >= HatStatus.SELECTED
        if self._marked_only:
            passes &= self._is_marked
        if self.slots is not None:
            passes &= (self._rows.slots >= self.slots.start) & (self._rows.slots < self.slots.stop)
        for word in self._words:
            passes &= self._matches(word)
        return passes

    def _matches(self, word: str) -> NDArray[np.bool_]:
        hexagons = np.array([word in name for name in self._sortable.hexagons], bool)
        slots = [slot for slot in np.unique(self._rows.slots) if self._rows.slot_text(slot).startswith(word)]
        matches = hexagons[self._sortable.keys["hexagon"].astype(np.int64)] | np.isin(self._rows.slots, slots)
        if self._rows.places:
            matches |= np.array([word in place.casefold() for place in self._rows.places], bool)
        return np.asarray(matches, bool)

    # Qt's side

    def rowCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else self.shown

    def columnCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        answer = self._answers.get(role)
        if answer is None or not index.isValid():
            return None
        return answer(self._present[index.column()], int(self._shown[index.row()]))

    def _exact(self, column: HatColumn, row: int) -> str | None:
        """An epsilon is shown rounded up, a hexagon without its last digits."""
        if column.key == "hexagon":
            return self._rows.cells[row]
        number = float(self._rows.numbers[column.key][row]) if column.key == "epsilon" else math.nan
        return None if math.isnan(number) else plain(planned_epsilon(number))

    def _alignment(self, column: HatColumn, _: int) -> int:
        return _RIGHT if column.numeric else _LEFT

    def _ink(self, _: HatColumn, row: int) -> QBrush | None:
        return self._brush(_MUTED) if self._is_muted[row] else None

    def _tint(self, _: HatColumn, row: int) -> QBrush | None:
        return self._brush(_MARKED) if self._is_marked[row] else None

    def _brush(self, role: QPalette.ColorRole) -> QBrush:
        palette = QGuiApplication.palette()
        if palette.cacheKey() != self._brushes_of:
            self._brushes_of = palette.cacheKey()
            self._brushes = {role: palette.brush(role) for role in (_MUTED, _MARKED)}
        return self._brushes[role]

    def _text(self, column: HatColumn, row: int) -> str:
        if column.key == "slot":
            return self._rows.slot_text(int(self._rows.slots[row]))
        if column.key == "hexagon":
            return short_cell(self._rows.cells[row])
        if column.key == PLACE_KEY:
            unnamed = short_cell(self._rows.cells[row]) if self._rows.by_hexagon else DASH
            return place_text(self._rows.places[row]) or unnamed
        if column.key == "status":
            return self._statuses[int(self._rows.status[row])]
        number = float(self._rows.numbers[column.key][row])
        if math.isnan(number):
            return DASH
        if column.decimals is None:
            return _filled(shown_epsilon(planned_epsilon(number)), self._sortable.epsilon_decimals)
        return grouped(number, column.decimals)

    def _sort_key(self, column: HatColumn, row: int) -> float | str | None:
        if column.key == "hexagon":
            return self._rows.cells[row]
        if column.key == PLACE_KEY:
            return self._rows.places[row]
        number = float(self._sortable.keys[column.key][row])
        return None if math.isnan(number) else number

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                self.tr("Confidential: made from the loaded records, for your screen only. Never copied.")
                if column.confidential
                else None
            )
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = column.title.replace("\n", " ")
            return self.tr("{column}, confidential").format(column=title) if column.confidential else title
        return None


def _filled(figure: str, decimals: int) -> str:
    """A figure with zeros up to so many decimals; one that has more keeps them."""
    known = len(figure.partition(".")[2])
    return figure if known >= decimals else f"{figure}{'' if known else '.'}{'0' * (decimals - known)}"
