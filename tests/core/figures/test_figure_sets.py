"""Which figures there are; those of loaded data say in name and picture that they are confidential."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.charts.chart import Chart
from core.contributions import EVALUATION_TIE_KEY, users_of
from core.errors import InputError
from core.figures import figure_sets
from core.figures.error_figures import ErrorOptions
from core.figures.figure_sets import (
    LoadedCity,
    count_figures,
    made_up_figures,
    question_to_suppress,
    true_error_charts,
)
from core.planning.resolution_table import resolution_row
from core.planning.user_suppression import rule_if_asked
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.statistics.base import Question
from core.statistics.registry import all_statistics
from tests.city_figure import DrawnSample
from tests.neighbours import all_of
from tests.queries import mean_query
from tests.strategies import U, hat_of, presence

CITY = presence(
    *(
        (hat, vehicle, day)
        for hat in range(4)
        for vehicle in range(9)
        for day in range(2)
        if vehicle % 4 <= hat
    )
)


def loaded(unit: Unit = Unit.VEHICLE) -> LoadedCity:
    return LoadedCity(
        contributions=CITY,
        users=users_of(CITY, unit, EVALUATION_TIE_KEY),
        selection=all_of(CITY),
        selected_by=SelectionRequest(rule="hat", threshold=1),
        minimum_vehicles=1,
        question=question_to_suppress([]),
        rows=(resolution_row(CITY),),
        over="Two days.",
    )


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch, drawn_sample: DrawnSample) -> None:
    """A hundred trials, and a figure that is there already."""
    monkeypatch.setattr(figure_sets, "sample_figures", drawn_sample.redraw)
    evaluate = figure_sets.error_chart.__globals__["evaluate"]
    monkeypatch.setitem(
        figure_sets.error_chart.__globals__,
        "evaluate",
        lambda *given, **named: evaluate(*given, **(named | {"trials": 100})),
    )


@pytest.mark.usefixtures("_quick")
def test_made_up_figures_are_free_and_have_names_of_their_own() -> None:
    heard: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert text
        heard.append(done)

    charts = made_up_figures(note, ErrorOptions(draws=1, epsilons=(Decimal(1),)))
    names = [chart.name for chart in charts]
    assert len(set(names)) == len(names) == 21
    assert heard == sorted(heard)
    for chart in charts:
        assert not chart.name.startswith("confidential")
        assert "CONFIDENTIAL" not in chart.note


def test_counts_of_loaded_data_are_marked() -> None:
    charts = count_figures(loaded())
    assert [chart.name for chart in charts] == [
        "confidential-suppression",
        "confidential-m-ub",
        "confidential-worst-error",
        "confidential-gain",
        "confidential-vehicles-per-hat-day-r7",
        "confidential-hats-per-vehicle-day-r7",
        "confidential-hexagons-with-records",
        "confidential-hexagons-selected",
    ]
    for chart in charts:
        assert chart.note.startswith("CONFIDENTIAL")
    suppression = charts[0]
    assert isinstance(suppression, Chart)
    before = next(curve for curve in suppression.curves if curve.key == "total_before")
    assert np.array(before.y) == pytest.approx(4 * np.array(suppression.x))


@pytest.mark.usefixtures("_quick")
def test_true_errors_are_marked() -> None:
    hat = hat_of([3, 2, 1], [10_000] * 6, U)
    charts = true_error_charts(hat, "09 8742d9d69ffffff")
    assert [chart.name for chart in charts] == [
        "confidential-true-errors-bestfit",
        "confidential-true-errors-wraparound",
        "confidential-true-errors-event-level",
    ]
    for chart in charts:
        assert "true mean" in chart.note
        assert "09 8742d9d69ffffff" in chart.title


def test_the_middle_hat_is_the_one_with_the_median_number_of_vehicles() -> None:
    vehicles = [len(set(CITY.vehicle[CITY.hat == hat].tolist())) for hat in range(4)]
    assert loaded().middle_hat == sorted(range(4), key=lambda hat: (vehicles[hat], hat))[1]


def test_users_of_one_hat_each_have_nothing_to_suppress() -> None:
    with pytest.raises(InputError, match="nothing to suppress"):
        count_figures(loaded(Unit.VEHICLE_HAT_DAY))


def test_the_question_is_the_first_that_can_suppress() -> None:
    cdf = all_statistics()["cdf"]
    unable = [mean_query("levy").question, Question(statistic=cdf, params=cdf.Params())]
    able = mean_query("baseline").question
    assert question_to_suppress([*unable, able]) is able
    fallback = question_to_suppress(unable)
    assert fallback.statistic.key == "mean_variance"
    assert rule_if_asked(fallback, U) is not None
