"""Charts of one grid: vehicles per HAT, HATs per vehicle, records by hour; mean, quartiles, retained."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from core.planning.hours_of_day import HOURS_A_DAY, HoursOfDay
from core.planning.resolution_table import Histogram, ResolutionRow
from ui.distributions.histogram_texts import Axes, Mark
from ui.distributions.resolution_model import grid_text
from ui.distributions.resolution_rows import RowKey
from ui.kit.labels import label
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.language.counted_words import (
    counted_hat_days,
    counted_hats,
    counted_records,
    counted_vehicle_days,
    counted_vehicles,
)
from ui.language.translation import counted, percent, rounded_to, whole

if TYPE_CHECKING:
    from ui.distributions.histogram_canvas import HistogramCanvas
    from ui.distributions.hours_canvas import HoursCanvas

_LEAST_HEIGHT = 126
_CHART = 2
"""The row of the charts, below headings and figures."""
_HOUR = 60
_BEFORE_FIGURE: Final = re.compile(r"(?<=[^\W\d]) (?=\d)")


class GridCharts(QWidget):
    """Headings and figures immediately; the charts are made and placed when pyqtgraph is imported."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.vehicles: HistogramCanvas | None = None
        self.hats: HistogramCanvas | None = None
        self.hours: HoursCanvas | None = None
        self._row: ResolutionRow | None = None
        self._hours: HoursOfDay | None = None
        self._why_no_hours = ""
        self.figures: list[QLabel] = []
        # rows of a grid: where figures take a line more, the charts still begin at one height
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setRowStretch(_CHART, 1)
        self.counted = ListBox(self)
        self.counted.addItems(self._countable())
        self.counted.setAccessibleName(self.tr("What is counted by hour of day"))
        self.counted.currentIndexChanged.connect(self._draw_hours)
        for column, title in enumerate(
            (
                self.tr("Vehicles per hexagon slot and day"),
                self.tr("Hexagon slots per vehicle and day"),
                self.tr("Hours of the day"),
            )
        ):
            self._grid.setColumnStretch(column, 1)
            self._grid.addWidget(label(title, "heading", self), 0, column, Qt.AlignmentFlag.AlignTop)
            figures = label(look="muted", parent=self)
            # confidential figures are not for the clipboard
            figures.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            # a wider column would set the charts apart
            figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            self.figures.append(figures)
            self._grid.addWidget(figures, 1, column, Qt.AlignmentFlag.AlignTop)

    def _countable(self) -> list[str]:
        return [self.tr("records"), self.tr("vehicles"), self.tr("hexagon slots")]

    def make_vehicles(self, canvas_class: type[HistogramCanvas]) -> HistogramCanvas:
        """The left chart, of a class that is imported late."""
        self.vehicles = canvas_class(
            Axes(
                across=lambda: self.tr("Vehicles"),
                up=lambda: self.tr("Slot-days"),
                value=_vehicles,
                items=counted_hat_days,
            ),
            self,
        )
        self.vehicles.setAccessibleName(self.tr("Histogram of vehicles per hexagon slot and day"))
        return self.vehicles

    def make_hats(self, canvas_class: type[HistogramCanvas]) -> HistogramCanvas:
        """The middle chart."""
        self.hats = canvas_class(
            Axes(
                across=lambda: self.tr("Hexagon slots"),
                up=lambda: self.tr("Vehicle-days"),
                value=_hats,
                items=counted_vehicle_days,
            ),
            self,
        )
        self.hats.setAccessibleName(self.tr("Histogram of hexagon slots per vehicle and day"))
        return self.hats

    def make_hours(self, _: type[HistogramCanvas]) -> HoursCanvas:
        """The right chart."""
        from ui.distributions.hours_canvas import HoursCanvas  # pyqtgraph is there by now

        self.hours = HoursCanvas(self.tr("Hour of the day"), self)
        self.hours.setAccessibleName(self.tr("Hours of the day"))
        return self.hours

    def place(self, canvas: QWidget) -> None:
        """Put a chart below its heading, and draw it."""
        canvas.setMinimumHeight(_LEAST_HEIGHT)
        charts: tuple[QWidget | None, ...] = (self.vehicles, self.hats, self.hours)
        column = charts.index(canvas)
        self._grid.addWidget(canvas, _CHART, column)
        if canvas is self.hours:
            self._draw_hours()
        else:
            self._draw_histogram(column)

    def show_row(self, row: ResolutionRow) -> None:
        """Show the histograms of this grid."""
        if row is not self._row:  # a refresh that changes nothing costs nothing
            self._row = row
            for number, name in enumerate(self._countable()):
                self.counted.setItemText(number, name)
            self._draw_row()
            self._draw_hours()

    def show_hours(self, hours: HoursOfDay | None) -> None:
        """Show the hours of the day; None while they are not known."""
        if hours is not self._hours or self._why_no_hours:
            self._hours, self._why_no_hours = hours, ""
            self._draw_hours()

    def explain_hours(self, why: str) -> None:
        """Say why the hours of the day cannot be known, in the place of the chart."""
        self._hours, self._why_no_hours = None, why
        self._draw_hours()

    def _draw_row(self) -> None:
        for column in range(2):
            self._draw_histogram(column)

    def _draw_histogram(self, column: int) -> None:
        """The left chart or the middle one, with its figures."""
        row = self._row
        if row is None:
            return
        most = Mark(
            value=row.k_day, name=self.tr("K_day {value}").format(value=whole(row.k_day)), strong=True
        )
        canvas, histogram, items, others = (
            (self.vehicles, row.vehicles_per_hat_day, counted_hat_days, ()),
            (self.hats, row.hats_per_vehicle_day, counted_vehicle_days, (most,)),
        )[column]
        text = self._figures(histogram, items)
        self.figures[column].setText(_unbroken(text))
        text += "\n" + self.tr("std. deviation {deviation}").format(
            deviation=rounded_to(histogram.deviation, 3)
        )
        self.figures[column].setToolTip(in_lines(text))
        if canvas is not None:
            canvas.show_histogram(histogram, (self._median(histogram), *others))
            canvas.setAccessibleDescription(
                self.tr("{grid}. {figures}").format(
                    grid=grid_text(RowKey(row.window, row.resolution)).capitalize(),
                    figures=text.replace("\n", ", "),
                )
            )

    def _draw_hours(self) -> None:
        row, hours = self._row, self._hours
        self.counted.setEnabled(not self._why_no_hours)
        self.counted.setToolTip(in_lines(self._why_no_hours))
        if self.hours is not None:
            self.hours.setVisible(not self._why_no_hours)
        if row is None or hours is None:
            self.figures[2].setText(self._why_no_hours or "\n\n")
            self.figures[2].setToolTip(in_lines(self._why_no_hours))
            return
        starts = np.arange(HOURS_A_DAY) * _HOUR
        inside = (starts < row.window.end) & (starts + _HOUR > row.window.start)
        text = self.tr("{retained} of {all}\n{share} retained, {start} to {end}\n{others}").format(
            retained=whole(row.records),
            all=counted_records(hours.total),
            share=percent(row.records / hours.total, 1),
            start=row.window.hours[0],
            end=row.window.hours[1],
            others=self.tr("Other hours are left out.") if hours.records[~inside].any() else "",
        )
        self.figures[2].setText(text)
        self.figures[2].setToolTip(in_lines(text.strip()))
        if self.hours is None:
            return
        of_all = (hours.records.astype(float), hours.vehicles, hours.hats.astype(float))
        titles = (self.tr("Records"), self.tr("Vehicles a day"), self.tr("Hexagon slots"))
        number = self.counted.currentIndex()
        self.hours.show_hours(of_all[number], inside, titles[number], self._readouts(hours))
        self.hours.setAccessibleDescription(text.strip().replace("\n", ", "))

    def _readouts(self, hours: HoursOfDay) -> list[str]:
        words = self.tr("{hour}:00: {records}, {vehicles:.1f} vehicles a day, {hats}")
        columns = zip(hours.records.tolist(), hours.vehicles.tolist(), hours.hats.tolist(), strict=True)
        return [
            words.format(
                hour=f"{hour:02d}",
                records=counted_records(records),
                vehicles=vehicles,
                hats=counted_hats(hats),
            )
            for hour, (records, vehicles, hats) in enumerate(columns)
        ]

    def _median(self, histogram: Histogram) -> Mark:
        return Mark(
            value=histogram.median, name=self.tr("median {value}").format(value=whole(histogram.median))
        )

    def _figures(self, histogram: Histogram, items: Callable[[int], str]) -> str:
        return self.tr("{items}\nmean {mean}, min {least}, max {most}\nquartiles {quartiles}").format(
            items=items(histogram.total),
            mean=rounded_to(histogram.mean, 3),
            least=whole(histogram.minimum),
            quartiles=", ".join(whole(histogram.quartile(number)) for number in (1, 2, 3)),
            most=whole(histogram.maximum),
        )


def _unbroken(figures: str) -> str:
    """Lines end before a word, never between it and its figure."""
    return _BEFORE_FIGURE.sub("\N{NO-BREAK SPACE}", figures)


def _vehicles(first: int, last: int) -> str:
    """The vehicles that a bar stands for."""
    if first == last:
        return counted_vehicles(first)
    return counted("{first}–{n} vehicle", "{first}–{n} vehicles", last, first=whole(first))


def _hats(first: int, last: int) -> str:
    """The HATs that a bar stands for."""
    return (
        counted_hats(first)
        if first == last
        else counted("{first}–{n} hexagon slot", "{first}–{n} hexagon slots", last, first=whole(first))
    )
