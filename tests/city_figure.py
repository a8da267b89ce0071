"""The figure of a whole city under one total: drawn once in each process, for it takes seconds."""

from __future__ import annotations

from functools import cache

from core.charts.chart import Chart
from core.figures.city_totals import city_totals_chart
from core.progress import Progress


@cache
def drawn_city_totals() -> tuple[Chart, tuple[tuple[float, str], ...]]:
    """The figure, and what its progress said: how much is done, and what is being done."""
    heard: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        heard.append((done, text))

    return city_totals_chart(note), tuple(heard)


def redrawn_city_totals(progress: Progress) -> Chart:
    """In the place of `city_totals_chart`: the same figure and the same progress, without the wait."""
    chart, heard = drawn_city_totals()
    for done, text in heard:
        progress(done, text)
    return chart
