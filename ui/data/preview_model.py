"""Rows of a file as a table, with the columns in use marked. Confidential."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QGuiApplication, QPalette

from core.read.preview_rows import Preview
from ui.kit.model_index import ROOT, ModelIndex

_TINT = 46
"""Opacity of the mark on a column in use, of 255: text on it stays readable in both themes."""
_LONGEST = 80


class PreviewModel(QAbstractTableModel):
    """Read-only; a column in use carries its part in the header and a tint."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview = Preview(columns=(), rows=())
        self._numbered = True
        self._uses: dict[str, str] = {}

    @property
    def uses(self) -> dict[str, str]:
        """Column in use -> what it is used for, in words."""
        return dict(self._uses)

    def set_preview(self, preview: Preview, *, numbered: bool = True) -> None:
        """Show other rows; no column is in use any more. Only the first rows of a file are `numbered`."""
        self.beginResetModel()
        self._preview = preview
        self._numbered = numbered
        self._uses = {}
        self.endResetModel()

    def set_uses(self, uses: Mapping[str, str]) -> None:
        """Mark the columns in use."""
        if uses == self._uses or not self._preview.columns:
            return
        self._uses = dict(uses)
        last = len(self._preview.columns) - 1
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
        if self._preview.rows:
            corner = self.index(len(self._preview.rows) - 1, last)
            self.dataChanged.emit(self.index(0, 0), corner, [Qt.ItemDataRole.BackgroundRole])

    def rowCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._preview.rows)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._preview.columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            cell = self._preview.rows[index.row()][index.column()]
            return cell if len(cell) <= _LONGEST else cell[:_LONGEST] + "…"
        if role == Qt.ItemDataRole.BackgroundRole and self._use_of(index.column()):
            return QBrush(_tint())
        return None

    def _use_of(self, column: int) -> str:
        """Of several columns of one name the first is read, and it alone is in use."""
        name = self._preview.columns[column]
        return self._uses.get(name, "") if self._preview.columns.index(name) == column else ""

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            number = section + 1 if self._numbered else "·"
            return number if role == Qt.ItemDataRole.DisplayRole else None
        name, use = self._preview.columns[section], self._use_of(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name}\n✓ {use}" if use else f"{name}\n"
        if role == Qt.ItemDataRole.FontRole and use:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None


def _tint() -> QColor:
    colour = QGuiApplication.palette().color(QPalette.ColorRole.Highlight)
    colour.setAlpha(_TINT)
    return colour
