"""Figures of a whole city that is made up: the bundled synthetic sample, nobody's records."""

from __future__ import annotations

from core.charts.chart import Chart
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.figures.city_map import CityMap
from core.figures.city_totals import city_totals_chart
from core.figures.selection_maps import selection_maps
from core.figures.window_words import window_words
from core.progress import Progress, part, silent
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.spec import load_spec
from core.store.load_records import load_records
from core.system.paths import resources

_REPORT_RESOLUTION = 7
_REPORT_RULE = SelectionRequest(rule="every-slot", threshold=10)
"""Those of TR II.B and III.C."""


def sample_figures(progress: Progress = silent) -> tuple[CityMap, CityMap, Chart]:
    """The report's maps by the report's rule, and totals with the HATs of the sample's spec.

    Raises what `progress` raises.
    """
    spec = load_spec(resources() / "sample" / "sample.toml")
    records = load_records(spec.data.paths(), spec.data.rules, part(progress, 0.0, 0.2)).records
    table = contributions_of(records, spec.resolution, spec.window)
    totals = city_totals_chart(
        table,
        users_of(table, spec.unit, EVALUATION_TIE_KEY),
        select(table, spec.selection),
        spec.minimum_vehicles,
        part(progress, 0.2, 1.0),
    )
    grid = contributions_of(records, _REPORT_RESOLUTION, spec.window)
    over = f"The bundled synthetic sample, {window_words(spec.window)}"
    return (*selection_maps(grid, select(grid, _REPORT_RULE), _REPORT_RULE, over), totals)
