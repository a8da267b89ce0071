"""Which days of the window count: all, weekdays, weekends, a file, or dates as they were chosen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from core.hats.day_kinds import EVERY_DAY, DayTest, day_test, ranges_of_kind
from core.hats.groups import WEEKDAY, WEEKEND
from core.hats.window import DateRange
from core.progress import Progress
from ui.kit.stage import Stage

_FILE = "file"
"""The entry that asks for a file; the file itself is stored apart."""
_AS_CHOSEN = "chosen"
"""The entry of dates that are of no kind; listed only while it holds."""


class KindOfDay(QComboBox):
    """Emits `chosen` once a kind holds, `refused(error)` for a file that is no list of dates."""

    chosen = Signal()
    refused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tests = {kind: day_test(kind, Path()) for kind in (EVERY_DAY, WEEKDAY, WEEKEND)}
        self._kind = self._before = EVERY_DAY
        self._file = Path()
        self._dates: tuple[DateRange, ...] = ()
        """As they were chosen, where they are of no kind."""
        self._asking = self.tr("Days of a file…")
        for text, kind in (
            (self.tr("All days"), EVERY_DAY),
            (self.tr("Monday to Friday"), WEEKDAY),
            (self.tr("Saturday and Sunday"), WEEKEND),
            (self._asking, _FILE),
        ):
            self.addItem(text, kind)
        self.activated.connect(self._choose)
        self.job = Stage(self, self._on_read, failed=self._on_failed)

    @property
    def kinds(self) -> Mapping[str, DayTest]:
        """What dates may be known by: first the kind that is shown."""
        shown = {self._kind: self._tests[self._kind]} if self._kind in self._tests else {}
        return shown | self._tests

    def retained(self, ranges: tuple[DateRange, ...]) -> tuple[DateRange, ...]:
        """The dates of the ranges that are of the kind; empty where none is."""
        if self._kind == EVERY_DAY:
            return ranges
        return ranges_of_kind(ranges, self._tests.get(self._kind, self._is_chosen))

    def goes_beyond(self, first: dt.date, last: dt.date) -> bool:
        """Dates as they were chosen say nothing of those before and after them."""
        return self._kind == _AS_CHOSEN and (first < self._dates[0][0] or last > self._dates[-1][1])

    def show_kind(self, kind: str) -> None:
        """The dates are of one of the `kinds`."""
        self.job.drop()
        self._dates = ()
        self._hold(kind)
        self._before = kind

    def show_dates(self, ranges: tuple[DateRange, ...]) -> None:
        """The dates are of no kind: they are as they were chosen."""
        self.job.drop()
        self._dates = ranges
        self._hold(_AS_CHOSEN)
        self._before = _AS_CHOSEN

    def forget_dates(self) -> None:
        """There are no dates: those that were chosen limit no others."""
        if self._kind == _AS_CHOSEN:
            self.show_kind(EVERY_DAY)

    def go_back(self) -> None:
        """A listener that hears of a chosen kind may find that it cannot be."""
        self._hold(self._before)

    def _is_chosen(self, date: dt.date) -> bool:
        return any(first <= date <= last for first, last in self._dates)

    def _take(self, kind: str) -> None:
        self._hold(kind)
        self.chosen.emit()
        self._before = self._kind

    def _hold(self, kind: str) -> None:
        self._kind = kind
        named = self.tr("Days of {name}").format(name=self._file.name) if kind == _FILE else self._asking
        self.setItemText(self.findData(_FILE), named)
        listed = self.findData(_AS_CHOSEN)
        if kind == _AS_CHOSEN and listed < 0:
            self.insertItem(0, self.tr("As chosen"), _AS_CHOSEN)
        self.setCurrentIndex(self.findData(kind))
        if kind != _AS_CHOSEN and listed >= 0:
            self.removeItem(listed)

    def _choose(self) -> None:
        kind = self.currentData()
        if kind != _FILE:
            self.job.drop()  # a file that is still read would come back over this choice
            self._take(kind)
            return
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Days that count"), "", self.tr("Lists of dates (*.txt *.csv);;All files (*)")
        )
        if path:
            self.take_file(Path(path))
        else:
            self.setCurrentIndex(self.findData(self._kind))

    def take_file(self, path: Path) -> None:
        """Keep the days that a file lists."""
        self.job.start(partial(_read_days, path), what=self.tr("Reading the days…"))

    def _on_read(self, read: tuple[Path, DayTest]) -> None:
        self._file, self._tests[_FILE] = read
        self._take(_FILE)

    def _on_failed(self, error: object) -> None:
        self.setCurrentIndex(self.findData(self._kind))
        self.refused.emit(error)


def _read_days(path: Path, _: Progress) -> tuple[Path, DayTest]:
    return path, day_test(path.name, path.parent)
