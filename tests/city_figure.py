"""The figure of a whole city under one total: drawn once for all workers of a run, for it takes seconds."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from core.charts.chart import Chart
from core.figures.city_totals import city_totals_chart
from core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCityTotals:
    """The figure, and what its progress said."""

    chart: Chart
    heard: tuple[tuple[float, str], ...]
    """How much was done, and what was being done."""

    def redraw(self, progress: Progress) -> Chart:
        """In the place of `city_totals_chart`: the same figure and the same progress, without the wait."""
        for done, text in self.heard:
            progress(done, text)
        return self.chart


def city_totals_of_run(folder: Path) -> DrawnCityTotals:
    """Whoever wants it first draws it and leaves it in `folder`; who wants it meanwhile waits."""
    retained = folder / "city-totals.pickle"
    with FileLock(retained.with_suffix(".lock")):
        if not retained.exists():
            retained.write_bytes(pickle.dumps(_drawn()))
        found: DrawnCityTotals = pickle.loads(retained.read_bytes())
    return found


def _drawn() -> DrawnCityTotals:
    heard: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        heard.append((done, text))

    return DrawnCityTotals(chart=city_totals_chart(note), heard=tuple(heard))
