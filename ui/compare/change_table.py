"""The changes as a table: sorted, filtered and copied by whole columns of a pandas frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QGuiApplication, QPalette, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from core.published.comparison import (
    CELLS,
    CHANGE,
    CONFIRMED,
    HIGH,
    LABEL,
    LOW,
    NEW,
    OLD,
    SLOT_END,
    SLOT_START,
    VERDICT,
    ChangeVerdict,
    Comparison,
)
from ui.compare.change_words import verdict_words
from ui.kit.model_index import ROOT, ModelIndex
from ui.kit.tips import in_lines
from ui.language.translation import core_text, grouped
from ui.layout.row_table import RowTable
from ui.layout.whole_columns import whole_columns
from ui.session.hat_texts import short_cell
from ui.session.shown_release import practice_remark

_DASH = "–"
_MINUS = "−"
_ROW = 26
_PADDING = 6
_BESIDE_TITLE = 44
"""Pixels: the padding of a title, and the mark of sorting."""
_MOST_DECIMALS = 3
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NUMBERS = (LABEL, OLD, NEW, CHANGE, LOW, HIGH)
_SIGNED = (CHANGE, LOW, HIGH)
_CHANGED = (ChangeVerdict.LARGER, ChangeVerdict.SMALLER)


@dataclass(frozen=True, slots=True)
class _Column:
    key: str
    title: str


class ChangeTableModel(QAbstractTableModel):
    """Read-only; rows are those that pass the filter, in the order asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Comparison | None = None
        self._label: str | None = None
        self._words: tuple[str, ...] = ()
        self._changed_only = False
        self._sorted = (SLOT_START, True)
        self._columns: tuple[_Column, ...] = ()
        self._rows = pd.DataFrame()
        self._values: dict[str, list[Any]] = {}

    # what is in it

    def show_changes(self, found: Comparison | None, label: str | None) -> None:
        """Show a comparison, or nothing; filter and order stay. label: of its rows."""
        self.beginResetModel()
        self._found, self._label = found, label
        self._columns = self._columns_of(found) if found else ()
        self._arrange()
        self.endResetModel()

    def set_filter(self, text: str, *, changed_only: bool) -> None:
        """Keep rows of which every word is part of a hexagon or begins the slot."""
        self.beginResetModel()
        self._words, self._changed_only = tuple(text.casefold().split()), changed_only
        self._arrange()
        self.endResetModel()

    @property
    def shown(self) -> int:
        """Rows that pass the filter."""
        return len(self._rows)

    @property
    def total(self) -> int:
        """All rows."""
        return len(self._of_label())

    def place_at(self, row: int) -> tuple[str, str]:
        """A hexagon of a shown row, and the start of its slot."""
        return self._rows[CELLS].iloc[row][0], self._rows[SLOT_START].iloc[row]

    def row_of(self, cell: str, start: str) -> int:
        """Where the row of a hexagon and a part of the day is shown, -1 if it is not."""
        if not self.shown:
            return -1
        inside = (self._rows[SLOT_START] <= start) & (self._rows[SLOT_END] > start)
        cells = self._values[CELLS]
        return next((row for row in self._rows.index[inside].tolist() if cell in cells[row]), -1)

    def copy_text(self, rows: Sequence[int]) -> str:
        """Shown rows as lines of tab-separated cells, under the titles; all of it is public.

        Above them a remark where one of the two is a practice.
        """
        titles = [column.title.replace("\n", " ") for column in self._columns]
        lines = [[self._copied(column.key, row) for column in self._columns] for row in rows]
        remarks = practice_remark(practice=self._found is not None and self._found.practice)
        return "".join(line + "\n" for line in (*remarks, *map("\t".join, (titles, *lines))))

    def _columns_of(self, found: Comparison) -> tuple[_Column, ...]:
        tr = self.tr

        def head(title: str, unit: str = found.unit) -> str:
            return f"{title}\n{core_text(unit)}" if unit else title

        return (
            _Column(SLOT_START, tr("Slot")),
            _Column(CELLS, tr("Hexagon")),
            _Column(OLD, head(tr("Earlier"))),
            _Column(NEW, head(tr("Later"))),
            _Column(CHANGE, head(tr("Change"), found.unit_of_changes)),
            _Column(LOW, head(tr("95 % low"), found.unit_of_changes)),
            _Column(HIGH, head(tr("95 % high"), found.unit_of_changes)),
            _Column(VERDICT, tr("Status")),
        )

    def _of_label(self) -> pd.DataFrame:
        if self._found is None:
            return pd.DataFrame(columns=[CELLS, SLOT_START, SLOT_END, LABEL, VERDICT])
        rows = self._found.rows
        return rows if self._label is None else rows[rows[LABEL] == self._label]

    def _arrange(self) -> None:
        rows = self._of_label()
        if self._changed_only:
            rows = rows[rows[VERDICT].isin(_CHANGED)]
        if self._words and len(rows):
            cells = rows[CELLS].map(" ".join)
            for word in self._words:
                rows = rows[
                    cells[rows.index].str.contains(word, regex=False) | rows[SLOT_START].str.startswith(word)
                ]
        key, rising = self._sorted
        by = {SLOT_START: [SLOT_START, SLOT_END, CELLS], VERDICT: [VERDICT, CONFIRMED, CHANGE]}.get(
            key, [key, SLOT_START, CELLS]
        )
        self._rows = rows.sort_values(by, ascending=rising, ignore_index=True) if len(rows) else rows
        self._values = {name: self._rows[name].tolist() for name in self._rows.columns}

    # Qt's side

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self._columns):
            return
        self.beginResetModel()
        self._sorted = (self._columns[column].key, order is Qt.SortOrder.AscendingOrder)
        self._arrange()
        self.endResetModel()

    def rowCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else self.shown

    def columnCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        key, row = self._columns[index.column()].key, index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(key, row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if key in _NUMBERS else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole and self._values[VERDICT][row] not in _CHANGED:
            return QGuiApplication.palette().brush(QPalette.ColorRole.PlaceholderText)
        if role == Qt.ItemDataRole.ToolTipRole and key == CELLS:
            return in_lines(" ".join(self._values[CELLS][row]))
        return None

    def _text(self, key: str, row: int) -> str:
        value = self._values[key][row]
        if key == CELLS:
            first = short_cell(value[0])
            return first if len(value) == 1 else f"{first} +{len(value) - 1}"
        if key == SLOT_START:
            return f"{value} – {self._values[SLOT_END][row]}"
        if key == VERDICT:
            return verdict_words(value, confirmed=bool(self._values[CONFIRMED][row]))
        if pd.isna(value):
            return _DASH
        sign = "+" if key in _SIGNED and value > 0 else ""
        return sign + grouped(value, self._decimals).replace("-", _MINUS)

    def _copied(self, key: str, row: int) -> str:
        """As a spreadsheet reads it: numbers without groups, every hexagon of a region."""
        value = self._values[key][row]
        if key == CELLS:
            return " ".join(value)
        if key in _NUMBERS:
            return "" if pd.isna(value) else f"{value:.{self._decimals}f}"
        return self._text(key, row)

    @property
    def _decimals(self) -> int:
        return min(self._found.decimals, _MOST_DECIMALS) if self._found else 0

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.key in _NUMBERS else _LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.title.replace("\n", " ")
        return None


class ChangeTableView(RowTable):
    """Ctrl+C copies the rows that are selected."""

    def __init__(self, model: ChangeTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Changes"))
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {_PADDING}px; }}")
        self.show_rows(model, height=_ROW, sorted_by=0)
        self._least: list[int] = []

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._share_out()

    def fit_columns(self) -> None:
        """Each column as wide as its widest cell among the first rows, or line of its title.

        Qt keeps room for a mark of sorting that is as wide as a title is high, which two lines need not.
        """
        self.resizeColumnsToContents()
        header, metrics = self.horizontalHeader(), self.horizontalHeader().fontMetrics()
        self._least = []
        for column in range(header.count()):
            lines = self.model().headerData(column, Qt.Orientation.Horizontal).split("\n")
            title = max(map(metrics.horizontalAdvance, lines)) + _BESIDE_TITLE
            of_title = title if len(lines) > 1 else header.sectionSize(column)
            self._least.append(max(of_title, self.sizeHintForColumn(column)))
        self._share_out()

    def _share_out(self) -> None:
        """Where not all fit, the right edge cuts none in two."""
        if sum(self._least) <= self.viewport().width():  # the last one takes what is left
            widths = self._least
        else:
            widths = whole_columns(self.viewport().width(), self._least)
        for column, width in enumerate(widths):
            self.horizontalHeader().resizeSection(column, width)
