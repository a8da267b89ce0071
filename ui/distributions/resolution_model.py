"""Lines of the table of grids and what they mean: area, busy HATs, K_day, records. Confidential."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QFont

from core.planning.resolution_table import ResolutionRow
from ui.distributions.resolution_rows import RowKey
from ui.kit.model_index import ROOT, ModelIndex
from ui.kit.tips import in_lines
from ui.language.translation import counted, percent, translator, whole
from ui.session.hat_texts import slot_length_text

_tr = translator("ResolutionModel")

_BRACKETS: Final = re.compile(r"\([^)]*\)")
PENDING = "…"
"""Stands where a figure is still being computed."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NAMES_HEAD = int(_LEFT) | int(Qt.TextFlag.TextWordWrap)
"""In two lines where the names have a narrow column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One line."""

    title: str
    tip: str
    text: Callable[[ResolutionRow], str]


class ResolutionModel(QAbstractTableModel):
    """Read-only; the first column names the quantities."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[RowKey, ...] = ()
        self._rows: Mapping[RowKey, ResolutionRow] = {}
        self._chosen: RowKey | None = None
        self._threshold = 1
        self._quantities = self._all_quantities()

    def _all_quantities(self) -> list[FigureRow]:
        tr = self.tr
        paired = tr("Over the hexagon slots and days with at least one record.")
        return [
            FigureRow(
                title=tr("Mean area of a hexagon (km²)"),
                tip=tr("Over the hexagons with records."),
                text=lambda row: f"{row.mean_area_km2:.3g}",
            ),
            FigureRow(
                title=tr("Hexagons with records"),
                tip=tr("In the dates and hours of the release."),
                text=lambda row: whole(row.cells),
            ),
            FigureRow(
                title=tr("Hexagon slots with records"),
                tip=tr("A hexagon counts once for each timeslot in which it has records."),
                text=lambda row: whole(row.hats),
            ),
            FigureRow(
                title=_with_brackets(tr("Hexagon slots busy (≥ {n} a day)").format(n=self._threshold)),
                tip=tr(
                    "Hexagon slots with that many different vehicles a day, on average over all "
                    "dates of the release."
                ),
                text=lambda row: whole(row.busy_hats(self._threshold)),
            ),
            FigureRow(
                title=tr("Hexagons busy in every slot"),
                tip=counted(
                    "Share of the hexagons with records that have at least {n} different vehicle a day "
                    "in every timeslot, on average over the dates of the release. The rule of this "
                    "name would select them.",
                    "Share of the hexagons with records that have at least {n} different vehicles a "
                    "day in every timeslot, on average over the dates of the release. The rule of this "
                    "name would select them.",
                    self._threshold,
                ),
                text=lambda row: percent(row.busy_share(self._threshold), 1),
            ),
            FigureRow(
                title=tr("Records in busy hexagon slots"),
                tip=tr("Their share of the records in the dates and hours of the column."),
                text=lambda row: percent(row.busy_records(self._threshold), 1),
            ),
            FigureRow(
                title=tr("Mean vehicles per slot-day"),
                tip=paired,
                text=lambda row: f"{row.vehicles_per_hat_day.mean:.2f}",
            ),
            FigureRow(
                title=tr("Most hexagon slots a day (K_day)"),
                tip=tr(
                    "Of one vehicle on one day. A vehicle pays in each of its hexagon slots, so this "
                    "drives the epsilon of a whole day."
                ),
                text=lambda row: whole(row.k_day),
            ),
        ]

    def show_rows(
        self,
        columns: Sequence[RowKey],
        rows: Mapping[RowKey, ResolutionRow],
        *,
        chosen: RowKey,
        threshold: int,
    ) -> None:
        """A column for each grid, filled where its row is known.

        chosen: the draft's grid. threshold: distinct vehicles a day.
        """
        anew = tuple(columns) != self._columns
        if anew:
            self.beginResetModel()
        self._columns, self._rows = tuple(columns), dict(rows)
        self._chosen, self._threshold = chosen, threshold
        self._quantities = self._all_quantities()
        if anew:
            self.endResetModel()
            return
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last.column())

    def rowCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._quantities)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else 1 + len(self._columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        quantity, column = self._quantities[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return quantity.title if column == 0 else self._figure(quantity, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return in_lines(quantity.tip)
        if role == Qt.ItemDataRole.AccessibleTextRole and column > 0:
            return self.tr("{quantity}, {grid}: {figure}").format(
                quantity=quantity.title,
                grid=grid_text(self._columns[column - 1]),
                figure=self._figure(quantity, column),
            )
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_LEFT if column == 0 else _RIGHT)
        if role == Qt.ItemDataRole.FontRole and column > 0 and self._is_chosen(column):
            return _bold()
        return None

    def _figure(self, quantity: FigureRow, column: int) -> str:
        row = self._rows.get(self._columns[column - 1])
        return PENDING if row is None else quantity.text(row)

    def _is_chosen(self, column: int) -> bool:
        return self._columns[column - 1] == self._chosen

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _NAMES_HEAD if section == 0 else int(_RIGHT)
        if section == 0:
            return self.tr("Resolution / slot") if role == Qt.ItemDataRole.DisplayRole else None
        key = self._columns[section - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"✓ {short_text(key)}" if self._is_chosen(section) else short_text(key)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tr("{grid}, {start} to {end}{chosen}").format(
                grid=grid_text(key).capitalize(),
                start=key.window.hours[0],
                end=key.window.hours[1],
                chosen=self.tr(": chosen in step Parameters.") if self._is_chosen(section) else ".",
            )
        if role == Qt.ItemDataRole.FontRole and self._is_chosen(section):
            return _bold()
        return None


def _with_brackets(text: str) -> str:
    """A line never ends between a pair of brackets."""
    return _BRACKETS.sub(lambda found: found.group().replace(" ", "\N{NO-BREAK SPACE}"), text)


def short_text(key: RowKey) -> str:
    """A grid in a heading: resolution and length of slot."""
    return f"{key.resolution} / {key.window.slot_minutes}"


def grid_text(key: RowKey) -> str:
    """A grid in a sentence."""
    return _tr("resolution {resolution}, slots of {length}").format(
        resolution=key.resolution, length=slot_length_text(key.window.slot_minutes)
    )


def _bold() -> QFont:
    font = QFont()
    font.setBold(True)
    return font
