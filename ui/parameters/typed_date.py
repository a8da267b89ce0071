"""A date that is typed or taken from a calendar, and begins empty: nothing suggests it."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QDate, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCalendarWidget, QLineEdit, QMenu, QToolButton, QWidget, QWidgetAction

from core.errors import InputError
from ui.layout.boxes import in_row


class _WholeLine(QLineEdit):
    """A click into it takes all of its text: what stands there is to be replaced, not to be gone on with."""

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self, self.selectAll)  # the press that follows sets the cursor


class TypedDate(QWidget):
    """Emits `changed(date)`; a text that is no date goes out as `refused(InputError)`."""

    changed = Signal(object)
    refused = Signal(object)
    mended = Signal()
    """What stands here is the date that was taken, whatever was refused before."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._date: dt.date | None = None
        self.edit = _WholeLine(self)
        self.edit.setPlaceholderText(self.tr("year-month-day"))
        self.edit.setAccessibleName(name)
        self.edit.editingFinished.connect(self._typed)
        self.calendar = QCalendarWidget(self)
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.activated.connect(self._picked)
        self.calendar.clicked.connect(self._picked)
        self._menu = QMenu(self)
        action = QWidgetAction(self._menu)
        action.setDefaultWidget(self.calendar)
        self._menu.addAction(action)
        self.open = QToolButton(self)
        self.open.setText("▾")
        self.open.setAccessibleName(self.tr("{name}: open the calendar").format(name=name))
        self.open.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.open.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.open.setMenu(self._menu)
        in_row(self, (self.edit, 1), self.open, spacing=4)
        self.setFocusProxy(self.edit)

    def show_date(self, date: dt.date | None) -> None:
        """Show a date, or none."""
        self._date = date
        self.edit.setText("" if date is None else date.isoformat())
        if date is not None:
            self.calendar.setSelectedDate(QDate(date.year, date.month, date.day))
        self.mended.emit()

    def _typed(self) -> None:
        text = self.edit.text().strip()
        if not text:
            self.show_date(self._date)
            return
        try:
            date = dt.date.fromisoformat(text)
        except ValueError:
            self.refused.emit(
                InputError(
                    self.tr("This is not a date."),
                    where=self.edit.accessibleName(),
                    mend=self.tr("type year, month and day, for instance 2026-11-02"),
                )
            )
            return
        self._take(date)

    def _picked(self, date: QDate) -> None:
        self._menu.close()
        self._take(dt.date(date.year(), date.month(), date.day()))

    def _take(self, date: dt.date) -> None:
        differs = date != self._date
        self.show_date(date)
        if differs:
            self.changed.emit(date)
