"""The unit of the speed, for all dates or from a first to a last date: real feeds change it midway."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.clean.mapping import UnitRange, require_units
from core.clean.value_units import UNIT_FACTORS
from core.errors import InputError
from ui.kit.elided_label import ElidedLabel
from ui.kit.form_grid import EDITOR_WIDTH, combo
from ui.kit.labels import label, set_look
from ui.kit.message_bar import problem_line
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.layout.boxes import in_column, in_row

_tr = translator("UnitRows")

_ANY_UNIT = next(iter(UNIT_FACTORS))
_DATE_WIDTH = 92
_NARROW = 70
"""Of the list where dates stand beside it."""


class _Row(QWidget):
    """One unit and its dates, both included; an empty date is open-ended."""

    changed = Signal()
    removed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.unit = combo(self, *((unit, unit) for unit in UNIT_FACTORS))
        self.unit.setAccessibleName(_tr("Unit"))
        self.first = _date_edit(self, _tr("first date"), _tr("First date of this unit, year-month-day"))
        self.last = _date_edit(self, _tr("last date"), _tr("Last date of this unit, year-month-day"))
        self.remove = QToolButton(self)
        self.remove.setText("✕")
        self.remove.setFixedWidth(28)
        self.remove.setAccessibleName(_tr("Remove this unit"))
        self.remove.setToolTip(_tr("Remove this unit"))
        self.unit.activated.connect(self.changed)
        for edit in (self.first, self.last):
            edit.textEdited.connect(self.changed)
        self.remove.clicked.connect(lambda: self.removed.emit(self))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)  # with dates, a row is as wide as editor and reason of others
        for widget in (self.unit, self.first, self.last, self.remove):
            row.addWidget(widget)
        row.addStretch(1)

    @property
    def dated(self) -> bool:
        return not self.first.isHidden()

    def set_dated(self, dated: bool) -> None:
        """Show or hide the dates."""
        self.unit.setFixedWidth(_NARROW if dated else EDITOR_WIDTH)
        for widget in (self.first, self.last, self.remove):
            widget.setVisible(dated)

    @property
    def range(self) -> UnitRange:
        """Raises InputError for a text that is no date."""
        unit = self.unit.currentData() or ""
        if not self.dated:
            return UnitRange(unit=unit)
        return UnitRange(unit=unit, first=_date(self.first.text()), last=_date(self.last.text()))

    def show_range(self, item: UnitRange) -> None:
        if item.unit and self.unit.findData(item.unit) < 0:
            self.unit.addItem(item.unit, item.unit)
        self.unit.setCurrentIndex(self.unit.findData(item.unit) if item.unit else -1)
        self.first.setText(str(item.first or ""))
        self.last.setText(str(item.last or ""))


class UnitRows(QWidget):
    """Emits `changed` whenever a unit or a date is another; `problem` tells what does not fit."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = ""
        self.rows: list[_Row] = []
        self.reason = ElidedLabel(look="muted", parent=self)
        self.reason.setWordWrap(True)
        self.add = QPushButton(_tr("+ Other unit for other dates"), self)
        self.add.setProperty("look", "flat")
        self.add.setToolTip(_tr("For feeds that changed their unit: a unit for each range of dates"))
        self.add.clicked.connect(self._on_add)
        self._error = label(look="error", parent=self)
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        top = in_row(None, self._column, (self.reason, 1), spacing=10)
        in_column(self, top, self._error, (self.add, 0, Qt.AlignmentFlag.AlignLeft), spacing=2)
        self.show_units((UnitRange(unit=""),))

    @property
    def unit(self) -> QComboBox:
        """The first row's list."""
        return self.rows[0].unit

    @property
    def units(self) -> tuple[UnitRange, ...]:
        """The ranges; empty while one of them does not fit."""
        try:
            return self._read()
        except InputError:
            return ()

    @property
    def problem(self) -> str:
        """What does not fit, and how to mend it; empty while all does."""
        return self._problem

    def show_units(self, units: tuple[UnitRange, ...]) -> None:
        """Show these ranges. Rows that are there stay: the name of the part and the Tab key lead to them."""
        while len(self.rows) > len(units):
            self._drop(self.rows.pop())
        while len(self.rows) < len(units):
            self._append()
        dated = len(units) > 1 or any(item.first or item.last for item in units)
        for row, item in zip(self.rows, units, strict=True):
            row.show_range(item)
            row.set_dated(dated)
        self._check()

    def say(self, text: str, *, is_open: bool) -> None:
        """Why the unit stands as it does."""
        self.reason.setText(f"! {text}" if is_open and text else text)
        look = "warning" if is_open else "muted"
        if self.reason.property("look") != look:
            set_look(self.reason, look)
        self.unit.setAccessibleDescription(text)

    def _append(self) -> _Row:
        row = _Row(self)
        row.changed.connect(self._on_changed)
        row.removed.connect(self._on_remove)
        self._column.addWidget(row)
        self.rows.append(row)
        return row

    def _drop(self, row: _Row) -> None:
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _on_add(self) -> None:
        row = self._append()
        for each in self.rows:
            each.set_dated(True)
        row.unit.setFocus()
        self._on_changed()

    def _on_remove(self, row: _Row) -> None:
        if len(self.rows) > 1:
            self.rows.remove(row)
            self._drop(row)
        if len(self.rows) == 1:
            only = self.rows[0]
            only.show_range(UnitRange(unit=only.unit.currentData() or ""))
            only.set_dated(False)
            only.unit.setFocus()
        self._on_changed()

    def _on_changed(self) -> None:
        self._check()
        self.changed.emit()

    def _read(self) -> tuple[UnitRange, ...]:
        units = tuple(row.range for row in self.rows)
        # a unit that is still open may yet fit; its dates are judged now
        require_units(
            tuple(UnitRange(unit=item.unit or _ANY_UNIT, first=item.first, last=item.last) for item in units)
        )
        return units

    def _check(self) -> None:
        self._problem = ""
        try:
            self._read()
        except InputError as error:
            self._problem = problem_line(error)
        self.reason.setVisible(not self.rows[0].dated)
        self._error.setText(self._problem)
        self._error.setVisible(bool(self._problem))


def _date_edit(parent: QWidget, hint: str, name: str) -> QLineEdit:
    edit = QLineEdit(parent, placeholderText=hint)
    edit.setAccessibleName(name)
    edit.setToolTip(in_lines(name))
    edit.setFixedWidth(_DATE_WIDTH)
    return edit


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        raise InputError(
            _tr("This is not a date."), where=_tr("Unit"), mend=_tr("write a date like 2015-12-30")
        ) from None
