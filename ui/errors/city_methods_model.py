"""The table of methods at one total: published HATs, no better than a constant. Confidential."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from core.evaluate.city_comparison import CityErrors
from core.privacy import Confidential
from core.statistics.base import Measure
from core.statistics.error_figures import figure
from ui.errors.method_tips import method_tip
from ui.kit.figure_view import FigureView
from ui.kit.model_index import ROOT, ModelIndex
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted, translator
from ui.session.query_texts import with_unit

_tr = translator("CityMethods")

SHARE = Qt.ItemDataRole.UserRole
"""A figure as a part of the largest one that is shown, 0..1; None where there is none."""
BLIND = Qt.ItemDataRole.UserRole + 1
"""The figure is no better than one constant for all HATs."""
UNKNOWN = "–"
ZOOM = "zoom-gauss"
"""Key of the method that looks twice."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NAMES_HEAD = int(_LEFT) | int(Qt.TextFlag.TextWordWrap)
"""Beside heads of two lines, where the names have a narrow column."""
_BAR, _INSET = 3, 6
"""Pixels: how high the bar below a figure is, and what is left free at its sides."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MethodRow(Confidential):
    """The errors of one method in the median HAT; None where there is none."""

    key: str
    title: str
    tip: str
    """What the method does."""
    hats: int
    predicted_raw: float
    predicted_smoothed: float | None
    true_raw: float | None = None
    true_smoothed: float | None = None

    @property
    def predicted(self) -> tuple[float, ...]:
        """Those that there are."""
        return tuple(one for one in (self.predicted_raw, self.predicted_smoothed) if one is not None)


_PREDICTED = ("predicted_raw", "predicted_smoothed")
_TRUE = ("true_raw", "true_smoothed")


def method_rows(found: Sequence[CityErrors]) -> tuple[MethodRow, ...]:
    """The raw and the smoothed errors of a method in one row, the smallest predicted error first."""
    smoothed = {one.method.key: one for one in found if one.smoothed}
    rows = []
    for raw in found:
        if raw.smoothed:
            continue
        other, title = smoothed.get(raw.method.key), core_text(raw.method.title)
        rows.append(
            MethodRow(
                key=raw.method.key,
                title=f"{title[0].upper()}{title[1:]}",
                tip=method_tip(raw.method),
                hats=raw.hats,
                predicted_raw=raw.predicted,
                predicted_smoothed=None if other is None else other.predicted,
                true_raw=raw.median,
                true_smoothed=None if other is None else other.median,
            )
        )
    return tuple(sorted(rows, key=lambda row: min(row.predicted)))


def predicted_alone(found: CityErrors) -> CityErrors:
    """The same without what was measured."""
    return dataclasses.replace(found, median=None, mean=None, releases=0)


class CityMethodsModel(QAbstractTableModel):
    """Read-only; the first column names the methods. True errors have columns only while they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[MethodRow, ...] = ()
        self._measure: Measure | None = None
        self._constant: float | None = None
        self._chosen = ""
        self._columns: tuple[str, ...] = _PREDICTED

    def show_rows(
        self, rows: Sequence[MethodRow], measure: Measure, constant: float | None, *, chosen: str = ""
    ) -> None:
        """Show these methods; constant: what publishing one number for all HATs typically misses.

        chosen: key of the draft's own method.
        """
        shown = (self._rows, self._measure, self._constant, self._chosen)
        if shown == (tuple(rows), measure, constant, chosen):
            return
        self.beginResetModel()
        self._rows, self._measure, self._constant = tuple(rows), measure, constant
        self._chosen = chosen
        measured = any(getattr(row, name) is not None for row in rows for name in _TRUE)
        self._columns = (*_PREDICTED, *(_TRUE if measured else ()))
        self.endResetModel()

    @property
    def has_chosen(self) -> bool:
        """The draft's own method is among those that are shown."""
        return any(row.key == self._chosen for row in self._rows)

    @property
    def has_other_zoom(self) -> bool:
        """Zoom is among them, and not what the draft does."""
        return self._chosen != ZOOM and any(row.key == ZOOM for row in self._rows)

    @property
    def has_blind(self) -> bool:
        """Some figure that is shown is no better than one constant."""
        return any(self._is_blind(getattr(row, name)) for row in self._rows for name in self._columns)

    def rowCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else 1 + len(self._columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_LEFT if column == 0 else _RIGHT)
        if column == 0:
            return self._of_method(row, role)
        name = self._columns[column - 1]
        error: float | None = getattr(row, name)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(error)
        if role == Qt.ItemDataRole.ToolTipRole:
            return in_lines(self._tip(row, name, error))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}, {self._kind(name)}: {self._spoken(error)}"
        if role == Qt.ItemDataRole.FontRole and error is not None and error == self._least(name):
            return _bold()
        if role == SHARE:
            return None if error is None else error / self._largest()
        if role == BLIND:
            return self._is_blind(error)
        return None

    def _of_method(self, row: MethodRow, role: int) -> Any:
        chosen = row.key == self._chosen
        if role == Qt.ItemDataRole.DisplayRole:
            return f"✓ {row.title}" if chosen else row.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.tip
        if role == Qt.ItemDataRole.ToolTipRole:
            text = counted(
                "{method}: {n} hexagon slot is published.",
                "{method}: {n} hexagon slots are published.",
                row.hats,
                method=row.title,
            )
            own = (self.tr("The draft's own method."),) if chosen else ()
            return "\n".join((text, row.tip, *own))
        return None

    def _text(self, error: float | None) -> str:
        return UNKNOWN if error is None or self._measure is None else figure(error, self._measure)

    def _spoken(self, error: float | None) -> str:
        if error is None or self._measure is None:
            return self.tr("not known")
        return with_unit(figure(error, self._measure), self._measure.unit)

    def _tip(self, row: MethodRow, name: str, error: float | None) -> str:
        if error is None:
            return self.tr("These numbers are not smoothed.")
        text = f"{row.title}, {self._kind(name)}: {self._spoken(error)}"
        return text + "\n" + self.tr("No better than one constant.") if self._is_blind(error) else text

    def _is_blind(self, error: float | None) -> bool:
        return error is not None and self._constant is not None and error >= self._constant

    def _least(self, name: str) -> float | None:
        found = [getattr(row, name) for row in self._rows]
        return min((one for one in found if one is not None), default=None)

    def _largest(self) -> float:
        found = [getattr(row, name) for row in self._rows for name in self._columns]
        return max((one for one in found if one), default=1.0)

    def _kind(self, name: str) -> str:
        return {
            "predicted_raw": self.tr("predicted, raw"),
            "predicted_smoothed": self.tr("predicted, smoothed"),
            "true_raw": self.tr("true, raw"),
            "true_smoothed": self.tr("true, smoothed"),
        }[name]

    def _heading(self, name: str) -> str:
        """In two lines, as figures need less room than their names."""
        return {
            "predicted_raw": self.tr("Predicted\nraw"),
            "predicted_smoothed": self.tr("Predicted\nsmoothed"),
            "true_raw": self.tr("True\nraw"),
            "true_smoothed": self.tr("True\nsmoothed"),
        }[name]

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _NAMES_HEAD if section == 0 else int(_RIGHT)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if section == 0:
            unit = self._measure.unit if self._measure is not None else ""
            return (
                self.tr("Median hexagon slot, {unit}").format(unit=unit)
                if unit
                else self.tr("Median hexagon slot")
            )
        return self._heading(self._columns[section - 1])


class ErrorBarDelegate(QStyledItemDelegate):
    """Below a figure a bar as long as the error is large, to one scale in all columns."""

    def __init__(self, view: FigureView) -> None:
        super().__init__(view)
        self._view = view
        self.colour, self.blind = QColor(), QColor()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        if share is None:
            return
        box = option.rect.adjusted(_INSET, 0, -_INSET, 0)
        length = max(2, round(share * (self._view.narrowest() - 2 * _INSET)))
        colour = self.blind if index.data(BLIND) else self.colour
        painter.fillRect(box.right() - length + 1, box.bottom() - _BAR, length, _BAR, colour)


def _bold() -> QFont:
    font = QFont()
    font.setBold(True)
    return font
