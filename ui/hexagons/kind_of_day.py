"""Which days of the window count: all, weekdays, weekends, or those of a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from core.hats.day_kinds import EVERY_DAY, WEEKDAY, WEEKEND, DayTest, day_test, ranges_of_kind
from core.hats.window import DateRange
from core.progress import Progress
from ui.kit.jobs import LatestJob

_FILE = "file"
"""The entry that asks for a file; the file itself is kept apart."""


class KindOfDay(QComboBox):
    """Emits `chosen` once a kind holds, `refused(error)` for a file that is no list of dates."""

    chosen = Signal()
    refused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keep: DayTest = day_test(EVERY_DAY, Path())
        self._kind = EVERY_DAY
        self._asking = self.tr("Days of a file…")
        for text, kind in (
            (self.tr("All days"), EVERY_DAY),
            (self.tr("Monday to Friday"), WEEKDAY),
            (self.tr("Saturday and Sunday"), WEEKEND),
            (self._asking, _FILE),
        ):
            self.addItem(text, kind)
        self.activated.connect(self._choose)
        self.job = LatestJob(parent=self)
        self.job.succeeded.connect(self._on_read)
        self.job.failed.connect(self._on_failed)

    def kept(self, ranges: tuple[DateRange, ...]) -> tuple[DateRange, ...]:
        """The dates of the ranges that are of the kind; empty where none is."""
        return ranges if self._kind == EVERY_DAY else ranges_of_kind(ranges, self._keep)

    def show_every_day(self) -> None:
        """The dates are chosen otherwise: no kind is shown for them."""
        self.job.drop()
        self._hold(EVERY_DAY, day_test(EVERY_DAY, Path()))

    def _hold(self, kind: str, keep: DayTest) -> None:
        self._kind, self._keep = kind, keep
        if kind != _FILE:
            self.setItemText(self.findData(_FILE), self._asking)
        self.setCurrentIndex(self.findData(kind))

    @Slot()
    def _choose(self) -> None:
        kind = self.currentData()
        if kind != _FILE:
            self._hold(kind, day_test(kind, Path()))
            self.setToolTip("")
            self.chosen.emit()
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

    @Slot(object)
    def _on_read(self, read: tuple[Path, DayTest]) -> None:
        path, keep = read
        self._hold(_FILE, keep)
        self.setItemText(self.findData(_FILE), self.tr("Days of {name}").format(name=path.name))
        self.setToolTip(str(path))
        self.chosen.emit()

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self.setCurrentIndex(self.findData(self._kind))
        self.refused.emit(error)


def _read_days(path: Path, _: Progress) -> tuple[Path, DayTest]:
    return path, day_test(path.name, path.parent)
