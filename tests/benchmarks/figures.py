"""The papers' figures: mean absolute error against epsilon, as PNG in build/figures (`make figures`).

Replica (P1 Fig. 1, P3 Fig. 1, 2), sample scaling (P3 Fig. 3) and user scaling (P3 Fig. 4), BestFit,
with ours beside them. Made-up data only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyqtgraph as pg
from pyqtgraph.exporters import ImageExporter
from PySide6.QtWidgets import QApplication

from core.contributions import HatData
from core.evaluate.compared_curves import all_series, epsilon_points
from core.evaluate.evaluation import evaluate
from core.evaluate.replica import REPLICAS, replica
from core.evaluate.scaling import sample_scaled, user_scaled
from core.grouping.groupings import BESTFIT, WRAPAROUND

FOLDER = Path("build/figures")
EPSILONS = epsilon_points("0.5:2:16", where="figures")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
SYMBOLS = "ostdx+p"
WIDTH, HEIGHT = 1000, 700


def curves(hat: HatData, grouping: str) -> dict[str, list[float]]:
    """Mechanism title -> errors at `EPSILONS`, km/h, with one grouping."""
    series = [one for one in all_series() if one.grouping in (None, grouping)]
    rows = iter(evaluate(hat, series, EPSILONS, source="", exact=False).rows)
    return {one.mechanism.title: [next(rows).mae for _ in EPSILONS] for one in series}


def draw(title: str, found: dict[str, list[float]], target: Path) -> None:
    """One figure: epsilon linear, error logarithmic."""
    plot = pg.PlotWidget(title=title, background="w")
    plot.resize(WIDTH, HEIGHT)
    plot.setLogMode(x=False, y=True)
    plot.setLabel("bottom", "epsilon")
    plot.setLabel("left", "mean absolute error (km/h)")
    for side in ("bottom", "left"):
        axis = plot.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setPen("k")
        axis.setTextPen("k")
    plot.showGrid(x=True, y=True, alpha=0.2)
    plot.addLegend(offset=(-20, 20), labelTextColor="k")
    eps = [float(point) for point in EPSILONS]
    for (name, errors), colour, symbol in zip(found.items(), COLOURS, SYMBOLS, strict=False):
        plot.plot(
            eps,
            errors,
            pen=pg.mkPen(colour, width=2),
            symbol=symbol,
            symbolSize=8,
            symbolBrush=colour,
            symbolPen=colour,
            name=name,
        )
    plot.show()
    QApplication.processEvents()
    exporter = ImageExporter(plot.plotItem)
    exporter.parameters()["width"] = WIDTH
    exporter.export(str(target))
    plot.close()


def main() -> None:
    application = QApplication.instance() or QApplication(sys.argv)
    FOLDER.mkdir(parents=True, exist_ok=True)
    hat = replica()
    effects = REPLICAS["replica-effects"].make(0)
    figures = {
        "replica-bestfit": ("Replica of the papers' HAT, BestFit", hat, BESTFIT),
        "replica-wraparound": ("Replica of the papers' HAT, WrapAround", hat, WRAPAROUND),
        "replica-effects": ("Replica with effects between vehicles, BestFit", effects, BESTFIT),
        "sample-scaling": ("Sample scaling, lambda = 10, BestFit", sample_scaled(hat, 1), BESTFIT),
        "user-scaling": ("User scaling, lambda = 10, BestFit", user_scaled(hat, 1), BESTFIT),
    }
    for name, (title, data, grouping) in figures.items():
        target = FOLDER / f"{name}.png"
        draw(title, curves(data, grouping), target)
        print(target)
    assert application is not None


if __name__ == "__main__":
    main()
