"""The figures of the sample city: drawn once for all workers of a run, for they take seconds."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from filelock import FileLock

from core.charts.chart import Chart
from core.figures import city_totals
from core.figures.city_map import CityMap
from core.figures.sample_figures import sample_figures
from core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSample:
    """The figures, and what their progress said."""

    figures: tuple[CityMap, CityMap, Chart]
    heard: tuple[tuple[float, str], ...]
    """How much was done, and what was being done."""

    def redraw(self, progress: Progress) -> tuple[CityMap, CityMap, Chart]:
        """In the place of `sample_figures`: the same figures and the same progress, without the wait."""
        for done, text in self.heard:
            progress(done, text)
        return self.figures


def sample_of_run(folder: Path) -> DrawnSample:
    """Whoever wants it first draws it and leaves it in `folder`; who wants it meanwhile waits."""
    retained = folder / "sample-figures.pickle"
    with FileLock(retained.with_suffix(".lock")):
        if not retained.exists():
            retained.write_bytes(pickle.dumps(_drawn()))
        found: DrawnSample = pickle.loads(retained.read_bytes())
    return found


TOTALS = tuple(map(Decimal, (1, 10, 100)))
"""Of the seven of the figure."""


def _drawn() -> DrawnSample:
    """With fewer totals and releases than are published: each takes as long as the next."""
    heard: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        heard.append((done, text))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(city_totals, "CITY_FIGURE_TOTALS", TOTALS)
        patch.setattr(city_totals, "_RELEASES", 5)
        return DrawnSample(figures=sample_figures(note), heard=tuple(heard))
