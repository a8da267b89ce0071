"""The two histograms of a resolution: vehicles per HAT and day, HATs per vehicle and day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.planning.resolution_table import Histogram, ResolutionRow
from ui.distributions.histogram_texts import Axes, Mark
from ui.kit.labels import label

if TYPE_CHECKING:
    from ui.distributions.histogram_canvas import HistogramCanvas

_LEAST_HEIGHT = 150


class HistogramPair(QWidget):
    """Headings and figures at once; the charts are made and placed when pyqtgraph is imported."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.vehicles: HistogramCanvas | None = None
        self.hats: HistogramCanvas | None = None
        self._row: ResolutionRow | None = None
        self.figures: list[QLabel] = []
        self._columns: list[QVBoxLayout] = []
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        for title in (self.tr("Vehicles per HAT and day"), self.tr("HATs per vehicle and day")):
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(label(title, "heading", self))
            figures = label(look="muted", parent=self)
            # confidential figures are not for the clipboard
            figures.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            figures.setWordWrap(False)
            # a second line, or a wider column, would set the two charts apart
            figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self.figures.append(figures)
            column.addWidget(figures)
            self._columns.append(column)
            layout.addLayout(column, 1)

    def make_vehicles(self, canvas_class: type[HistogramCanvas]) -> HistogramCanvas:
        """The left chart, of a class that is imported late."""
        self.vehicles = canvas_class(
            Axes(
                across=self.tr("Vehicles in a HAT on a day"),
                up=self.tr("HAT-days"),
                value=self.tr("{value} vehicles"),
                items=self.tr("{count} HAT-days"),
            ),
            self,
        )
        self.vehicles.setAccessibleName(self.tr("Histogram of vehicles per HAT and day"))
        return self.vehicles

    def make_hats(self, canvas_class: type[HistogramCanvas]) -> HistogramCanvas:
        """The right chart."""
        self.hats = canvas_class(
            Axes(
                across=self.tr("HATs of a vehicle on a day"),
                up=self.tr("Vehicle-days"),
                value=self.tr("{value} HATs"),
                items=self.tr("{count} vehicle-days"),
            ),
            self,
        )
        self.hats.setAccessibleName(self.tr("Histogram of HATs per vehicle and day"))
        return self.hats

    def place(self, canvas: QWidget) -> None:
        """Put a chart below its heading; the second one draws both."""
        canvas.setMinimumHeight(_LEAST_HEIGHT)
        self._columns[0 if canvas is self.vehicles else 1].addWidget(canvas, 1)
        if self._row is not None and canvas is self.hats:
            self._draw(self._row)

    def show_row(self, row: ResolutionRow) -> None:
        """Show the histograms of this resolution."""
        if row is not self._row:  # a refresh that changes nothing costs nothing
            self._row = row
            self._draw(row)

    def _draw(self, row: ResolutionRow) -> None:
        vehicles, hats = row.vehicles_per_hat_day, row.hats_per_vehicle_day
        most = Mark(
            value=row.k_day, name=self.tr("K_day {value}").format(value=f"{row.k_day:,}"), strong=True
        )
        parts = (
            (self.vehicles, vehicles, self.tr("{items} HAT-days"), (self._median(vehicles),)),
            (self.hats, hats, self.tr("{items} vehicle-days"), (self._median(hats), most)),
        )
        for below, (canvas, histogram, items, marks) in zip(self.figures, parts, strict=True):
            text = self._figures(histogram, items)
            below.setText(text)
            if canvas is not None:
                canvas.show_histogram(histogram, marks)
                canvas.setAccessibleDescription(
                    self.tr("Resolution {number}. {figures}, median {median}").format(
                        number=row.resolution, figures=text, median=f"{histogram.median:,}"
                    )
                )

    def _median(self, histogram: Histogram) -> Mark:
        return Mark(
            value=histogram.median, name=self.tr("median {value}").format(value=f"{histogram.median:,}")
        )

    def _figures(self, histogram: Histogram, items: str) -> str:
        return self.tr("{items}: mean {mean:.3g}, most {most}").format(
            items=items.format(items=f"{histogram.total:,}"),
            mean=histogram.mean,
            most=f"{histogram.maximum:,}",
        )
