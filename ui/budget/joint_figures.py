"""Below the errors of a query that is planned as one: noise, certificate, vehicles that count, bias."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.city.noise_kind import NoiseKind
from core.planning.city_figures import CityFigures
from core.planning.query_plan import QueryPlan
from core.statistics.error_figures import figure
from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.language.translation import counted, percent
from ui.session.query_texts import with_unit

_TOP = Qt.AlignmentFlag.AlignTop


class JointFigures(QWidget):
    """Four lines, all from public counts; hidden where a query is planned HAT by HAT."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captions: dict[QLabel, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self.noise = self._row(
            grid, self.tr("Noise"), self.tr("What is added to the sum of each hexagon slot.")
        )
        self.shares = self._row(grid, *self._division())
        self.vehicles = self._row(
            grid,
            self.tr("Vehicles"),
            self.tr(
                "Effective vehicles: as many of equal weight would make the median hexagon slot as exact as "
                "all that are in it. Some weigh more than others."
            ),
        )
        self.bias = self._row(
            grid,
            self.tr("Bias"),
            self.tr(
                "Bias, an error in one direction: numbers lie too high or too low by so much where vehicles "
                "weigh other than their records. A public model expects it; your records are not looked at."
            ),
        )
        self.hide()

    def _row(self, grid: QGridLayout, name: str, help_text: str) -> QLabel:
        row = grid.rowCount()
        caption, figures = label(look="muted", parent=self), label(parent=self)
        caption.setWordWrap(False)
        self._captions[figures] = caption
        self._call(figures, name, help_text)
        grid.addWidget(caption, row, 0, _TOP)
        grid.addWidget(figures, row, 1, _TOP)
        return figures

    def _call(self, figures: QLabel, name: str, help_text: str) -> None:
        caption = self._captions[figures]
        caption.setText(name)
        figures.setAccessibleName(name)
        for widget in (caption, figures):
            widget.setToolTip(in_lines(help_text))

    def _division(self) -> tuple[str, str]:
        """Name and help of how good the shares of a budget are that is shared out freely."""
        return self.tr("Division"), self.tr(
            "How the total is divided over vehicles and hexagon slots. No other division has less noise "
            "by more than this, where vehicles weigh as their records do."
        )

    def _regions(self) -> tuple[str, str]:
        return self.tr("Regions"), self.tr("Hexagons and hours that are published as one number together.")

    def show_plan(self, plan: QueryPlan | None) -> None:
        """The figures of a plan; nothing where there is none, or where HATs are planned one by one."""
        figures = None if plan is None else plan.figures
        self.setVisible(figures is not None)
        if plan is None or figures is None:
            return
        measure = plan.query.question.statistic.measures[0]
        self.noise.setText(self._noise_of(figures))
        self._call(self.shares, *(self._division() if figures.gap is not None else self._regions()))
        self.shares.setText(self._shares_of(figures))
        effective = (
            self.tr("as exact as {count} equal ones (median region)")
            if figures.regions
            else self.tr("as exact as {count} equal ones (median hexagon slot)")
        )
        self.vehicles.setText(effective.format(count=f"{figures.effective_vehicles:.1f}"))
        modelled = (
            self.tr("about {bias} too high or low (median region)")
            if figures.regions
            else self.tr("about {bias} too high or low (median hexagon slot)")
        )
        bias = with_unit(figure(figures.modelled_bias, measure), measure.unit)
        self.bias.setText(modelled.format(bias=bias))

    def _shares_of(self, figures: CityFigures) -> str:
        """Of a budget that is shared out freely, or of records that regions hold."""
        if figures.gap is None:
            return counted(
                "{n} region holds {share} of the records",
                "{n} regions hold {share} of the records",
                figures.regions,
                share=percent(figures.record_share),
            )
        return self.tr("at most {gap} worse than the best one").format(gap=percent(figures.gap, 1))

    def _noise_of(self, figures: CityFigures) -> str:
        if figures.noise is NoiseKind.GAUSS:
            return (
                self.tr("Gaussian, twice: a first look, then a closer one")
                if figures.looks_twice
                else (self.tr("Gaussian"))
            )
        return self.tr("Laplace") if figures.delta_allowed else self.tr("Laplace (Gaussian needs a delta)")
