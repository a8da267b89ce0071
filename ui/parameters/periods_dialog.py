"""The dialog for named parts of the day, with start and end, which must not overlap."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.errors import InputError
from core.hats.slots import Periods, clock, parse_clock, periods_of, require_periods
from ui.kit.buttons import push_button
from ui.kit.labels import label, set_look
from ui.kit.message_bar import MessageBar
from ui.layout.boxes import in_column, in_row

_WIDE, _TALL = 420, 130
_WHERE = "hats.periods"


class PeriodsDialog(QDialog):
    """Emits `chosen(periods)` where core takes them: inside of the hours, none over another."""

    chosen = Signal(object)

    def __init__(self, periods: Periods, hours: tuple[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hours = hours
        self.setWindowTitle(self.tr("Named periods"))
        self.table = QTableWidget(0, 3, self)
        self.table.setHorizontalHeaderLabels([self.tr("Name"), self.tr("From"), self.tr("To")])
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().hide()
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setAccessibleName(self.tr("Periods: name, from, to"))
        self.table.setMinimumHeight(_TALL)
        self.table.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        for one in periods:
            self._add_row(one.name, clock(one.start), clock(one.end))
        self.add = push_button(self.tr("&Add a period"), self, self._add_next)
        self.remove = push_button(self.tr("&Remove"), self, self._remove)
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        take = self.buttons.addButton(self.tr("&Use these periods"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(take, "primary")
        self.buttons.accepted.connect(self.take)
        self.buttons.rejected.connect(self.reject)
        said = self.tr(
            "Between {start} and {end}; periods must not overlap. Their names are published."
        ).format(start=hours[0], end=hours[1])
        in_column(
            self,
            label(said, "muted"),
            self.table,
            in_row(None, self.add, self.remove, 1, spacing=6),
            self.message,
            self.buttons,
            margins=None,
        )
        self.setMinimumWidth(_WIDE)
        if not periods:
            self._add_row("", *hours)

    def _add_row(self, *texts: str) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, text in enumerate(texts):
            self.table.setItem(row, column, QTableWidgetItem(text))

    def _add_next(self) -> None:
        """From where the last one ends."""
        last = self._cell(self.table.rowCount() - 1, 2) or self._hours[0]
        self._add_row("", last, self._hours[1])
        self.table.setCurrentCell(self.table.rowCount() - 1, 0)
        self.table.editItem(self.table.currentItem())

    def _remove(self) -> None:
        self.table.removeRow(self.table.currentRow())

    def _cell(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def take(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        self.message.clear()
        self.table.setCurrentCell(-1, -1)  # what is being typed counts
        rows = [[self._cell(row, column) for column in range(3)] for row in range(self.table.rowCount())]
        try:
            listed = [
                (name, parse_clock(start, where=_WHERE), parse_clock(end, where=_WHERE))
                for name, start, end in rows
                if name or start or end
            ]
            first, last = (parse_clock(text, where="hats.hours") for text in self._hours)
            periods = require_periods(periods_of(listed, where=_WHERE), first, last)
        except InputError as error:
            self.message.show_error(error)
            return
        self.chosen.emit(periods)
        self.accept()
