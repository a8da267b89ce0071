"""Tab *Constants*: in words the best C of Laplace and of Gaussian noise, by public counts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.accounting.epsilon_rounding import plain
from core.advice.constant_curve import ConstantOutlook
from core.city.noise_kind import NoiseKind
from ui.kit.labels import label
from ui.kit.message_bar import Message
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.language.translation import counted
from ui.layout.boxes import in_column
from ui.plots.plot_section import PlotSection
from ui.session.constant_request import constant_request, outlook_of
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.errors.constant_canvas import ConstantCanvas


def _canvas_class() -> type[ConstantCanvas]:
    from ui.errors.constant_canvas import ConstantCanvas  # brings pyqtgraph

    return ConstantCanvas


class ConstantPlotSection(QWidget):
    """Nothing here is confidential: no record has a part in it."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.outlook: ConstantOutlook | None = None
        self.canvas: ConstantCanvas | None = None
        self.plot = PlotSection(theme, _canvas_class, [self._make_canvas], parent=self)
        self.plot.wanted.connect(self._follow)
        self.plot.built.connect(self._show)
        self.plot.explained.connect(self._on_explained)
        self.plot.failed.connect(session.failed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self.title = label(look="heading", parent=self)
        self.legend = label(look="muted", parent=self)
        self.summary = label(parent=self)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        in_column(self, head, self.legend, (self.plot, 1), self.summary, margins=(12, 10, 12, 10), spacing=6)
        on_any(self.plot.refresh, session.data_changed, session.draft_changed, session.ledger_changed)

    def _make_canvas(self, canvas_class: type[ConstantCanvas]) -> ConstantCanvas:
        self.canvas = canvas_class(self)
        self.canvas.setAccessibleName(self.tr("Typical error against the constants"))
        return self.canvas

    def _follow(self) -> None:
        request = constant_request(self._session)
        if isinstance(request, Message):
            self.plot.computing.forget()
            self.plot.rest()
            self.plot.explain(request)
        elif self.plot.computing.ask(request, lambda progress: outlook_of(request, progress)):
            self._show()
        elif self.outlook is None:
            self.plot.explain(Message(what=self.tr("Computing…")))

    def _on_explained(self) -> None:
        self.outlook = None
        self.title.setText(self.tr("Error against the constants"))
        for widget in (self.legend, self.summary):
            widget.hide()

    def _on_computed(self, outlook: ConstantOutlook) -> None:
        self.outlook = outlook
        self._show()

    def _show(self) -> None:
        outlook, canvas = self.outlook, self.canvas
        if outlook is None or canvas is None or not self.plot.ready:
            return
        draft = self._session.draft
        canvas.show_outlook(outlook, draft.hats_per_vehicle, self._session.quantity.unit)
        self.title.setText(
            self.tr("Error against C at a total of {total}").format(total=plain(outlook.total))
        )
        self.legend.setText(self._legend(outlook))
        self.summary.setText(self._summary(outlook))
        canvas.setAccessibleDescription(self.summary.text())
        for widget in (self.legend, self.summary):
            widget.show()
        self.plot.show_plot()

    def _legend(self, outlook: ConstantOutlook) -> str:
        both = len(outlook.curves) > 1
        lines = (
            self.tr("Solid, dot: Laplace noise; dashed, diamond: Gaussian noise; marks: the best C")
            if both
            else self.tr("Laplace noise; the dot is the best C")
        )
        return self.tr("{lines} (from constants and public counts alone)").format(lines=lines)

    def _summary(self, outlook: ConstantOutlook) -> str:
        """The best of each noise, and from where Gaussian noise pays."""
        unit = self._session.quantity.unit
        parts = []
        for curve in outlook.curves:
            text = (
                self.tr("Gaussian: C = {hats}, {error} {unit}.")
                if curve.noise is NoiseKind.GAUSS
                else self.tr("Laplace: C = {hats}, {error} {unit}.")
            )
            best = curve.best
            parts.append(text.format(hats=best.hats_per_vehicle, error=f"{best.error_kmh:.2f}", unit=unit))
        if outlook.hats_of_one:
            visits = self.tr("Estimated hexagon slots per vehicle: {hats}.")
            parts.append(visits.format(hats=f"{outlook.hats_of_one:.3g}"))
        if outlook.gaussian_from is not None:
            parts.append(
                counted(
                    "Gaussian noise pays off from {n} hexagon slot per vehicle.",
                    "Gaussian noise pays off from {n} hexagon slots per vehicle.",
                    outlook.gaussian_from,
                )
            )
        return self.tr("Best for the median hexagon slot. {parts}").format(parts=" ".join(parts))
