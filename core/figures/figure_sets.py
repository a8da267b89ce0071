"""Which figures there are, of made-up or of loaded data, and the titles of confidential ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.charts.chart import Chart
from core.contributions import Contributions, HatData, UserTable
from core.figures.city_map import CityMap
from core.figures.error_figures import (
    AS_IN_PAPERS,
    GROUPING_TITLES,
    ErrorFigure,
    ErrorOptions,
    error_chart,
    event_figure,
    of_grouping,
    reduced,
    replica_figures,
)
from core.figures.figure_folder import Figure
from core.figures.histogram_figures import histogram_charts
from core.figures.m_ub_figures import m_ub_charts, made_up_m_ub_charts
from core.figures.sample_figures import sample_figures
from core.figures.selection_maps import selection_maps
from core.figures.suppression_figures import heavy_hitter_chart, suppression_chart
from core.figures.tree_figures import tree_charts
from core.grouping.suppression_field import SUPPRESS_USERS
from core.planning.resolution_table import ResolutionRow
from core.planning.user_suppression import occupancy_of, pairs_of_users, published_hats, rule_if_asked
from core.planning.values_query import distinct_vehicles
from core.privacy import Confidential
from core.progress import Progress, part, rising, silent
from core.selection.base import Selection, SelectionRequest
from core.statistics.base import AnyQuestion, Question
from core.statistics.mean_variance import STATISTIC as MEAN_VARIANCE
from core.statistics.mean_variance import MeanVarianceParams

_Figure = TypeVar("_Figure", Chart, CityMap)
_CONFIDENTIAL = "CONFIDENTIAL: true counts of loaded records."
_TRUE_ERRORS = "CONFIDENTIAL: errors against the true mean of loaded records."


def made_up_figures(progress: Progress = silent, options: ErrorOptions = AS_IN_PAPERS) -> tuple[Figure, ...]:
    """What the papers show, on made-up data: nobody's records, free to be passed on."""
    figures = replica_figures(options)
    parts = len(figures) + 2
    charts = [
        error_chart(figure, part(progress, number / parts, (number + 1) / parts), options)
        for number, figure in enumerate(figures)
    ]
    heavy = heavy_hitter_chart(part(progress, len(figures) / parts, (len(figures) + 1) / parts))
    city = sample_figures(rising(part(progress, (len(figures) + 1) / parts, 1.0)))
    return (*charts, *made_up_m_ub_charts(), *tree_charts(), heavy, *city)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoadedCity(Confidential):
    """What figures of loaded data are drawn from."""

    contributions: Contributions
    users: UserTable
    selection: Selection
    selected_by: SelectionRequest
    minimum_vehicles: int
    question: AnyQuestion
    """Whose method can suppress users."""
    rows: tuple[ResolutionRow, ...]
    """Of the resolutions to compare."""
    over: str
    """Which dates, hours and slots, in words."""

    @property
    def middle_hat(self) -> int:
        """Of the HATs to be published, the one with the median number of vehicles (the lower of two)."""
        vehicles = distinct_vehicles(self.contributions)
        published = published_hats(self.selection.index, vehicles, self.minimum_vehicles)
        ordered = sorted(
            (int(vehicles[index]), index) for index, retained in enumerate(published.tolist()) if retained
        )
        return ordered[(len(ordered) - 1) // 2][1]


def question_to_suppress(questions: Sequence[AnyQuestion]) -> AnyQuestion:
    """The first whose method can suppress users; without any, mean and variance, as in P4."""
    able = (question for question in questions if hasattr(question.params, SUPPRESS_USERS))
    return next(able, Question(statistic=MEAN_VARIANCE, params=MeanVarianceParams()))


def count_figures(city: LoadedCity, progress: Progress = silent) -> tuple[Figure, ...]:
    """Of counts alone, public in relation `values` where a release says so, and confidential until then.

    Raises InputError for unit `vehicle-hat-day`, whose users have nothing to leave.
    """
    users, contributions = city.users, city.contributions
    rule = rule_if_asked(city.question, users.upper_bound)
    assert rule is not None
    published = published_hats(city.selection.index, distinct_vehicles(contributions), city.minimum_vehicles)
    counts = pairs_of_users(contributions, users) if rule.of_pairs else None
    occupancy, _ = occupancy_of(users, published, counts)
    suppression = suppression_chart(
        occupancy,
        rule,
        name="suppression",
        title=f"Suppression on {int(published.sum()):,} hexagon slots of the loaded data",
        note=f"As P4's first experiment: {city.question.title}, m_UB {rule.m_ub}, unit {users.unit}. "
        + city.over,
        progress=progress,
    )
    index = city.middle_hat
    m_ub = m_ub_charts(users.hat_counts(index), "", f"users of hexagon slot {contributions.hat_text(index)}")
    histograms = [chart for row in city.rows for chart in histogram_charts(row, city.over)]
    maps = selection_maps(contributions, city.selection, city.selected_by, city.over)
    charts = (_marked(chart, _CONFIDENTIAL) for chart in (suppression, *m_ub, *histograms))
    return (*charts, *(_marked(city_map, _CONFIDENTIAL) for city_map in maps))


def true_error_charts(
    hat: HatData, name: str, progress: Progress = silent, options: ErrorOptions = AS_IN_PAPERS
) -> tuple[Chart, ...]:
    """Errors of mechanisms on the true values of one HAT; name: its id text."""
    of_groupings = (
        ErrorFigure(
            name=f"true-errors-{grouping}",
            title=f"Hexagon slot {name}, {title}",
            note="As P1 Fig. 1 and P3 Fig. 2, on loaded records.",
            make=lambda _: hat,
            series=of_grouping(grouping),
        )
        for grouping, title in GROUPING_TITLES.items()
    )
    of_events = event_figure(
        "true-errors-event-level",
        f"One record or one vehicle: hexagon slot {name}, BestFit",
        "",
        lambda _: hat,
    )
    figures = reduced((*of_groupings, of_events), options)
    once = dataclasses.replace(options, draws=1)
    return tuple(
        _marked(
            error_chart(figure, part(progress, number / len(figures), (number + 1) / len(figures)), once),
            _TRUE_ERRORS,
        )
        for number, figure in enumerate(figures)
    )


def _marked(figure: _Figure, why: str) -> _Figure:
    """A confidential figure says so in its picture and in its name."""
    return dataclasses.replace(figure, name=f"confidential-{figure.name}", note=f"{why} {figure.note}")
