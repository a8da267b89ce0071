"""What a release costs in epsilon, unit by unit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QWidget

from core.privacy import Unit
from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.language.translation import translator

_tr = translator("ChargeTable")

CHARGED_UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY, Unit.VEHICLE_HAT_DAY)


def unit_names() -> dict[Unit, str]:
    """Whose charge it is, as people read it."""
    return {
        Unit.VEHICLE: _tr("each vehicle"),
        Unit.VEHICLE_DAY: _tr("each vehicle and day"),
        Unit.VEHICLE_HAT_DAY: _tr("each visit"),
    }


def unit_tip(unit: Unit) -> str:
    """What stands behind the plain word for a unit; empty where it says all."""
    if unit is Unit.VEHICLE_HAT_DAY:
        return _tr("Of a vehicle to a hexagon in one slot of one day (unit vehicle-hat-day)")
    return ""


def empty(layout: QLayout) -> None:
    """Take every widget out, to be deleted."""
    while (item := layout.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()


class ChargeTable(QWidget):
    """A row for each unit, a column for each charge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        self._columns: list[tuple[str, tuple[str, ...]]] = []

    def show_charges(self, columns: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Head of each column, and what its charge comes to for each unit."""
        texts = [(head, tuple(amounts)) for head, amounts in columns]
        if texts == self._columns:
            return
        self._columns = texts
        empty(self._grid)
        self._put(self.tr("Epsilon"), 0, 0)
        for row, (unit, name) in enumerate(unit_names().items(), start=1):
            self._put(name, row, 0).setToolTip(in_lines(unit_tip(unit)))
        for column, (head, amounts) in enumerate(texts, start=1):
            self._put(head, 0, column)
            for row, amount in enumerate(amounts, start=1):
                self._put(amount, row, column, muted=False)

    def _put(self, text: str, row: int, column: int, *, muted: bool = True) -> QLabel:
        made = label(text, "muted" if muted else "", self)
        made.setWordWrap(column == 0)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        made.setAlignment(side | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(made, row, column)
        return made
