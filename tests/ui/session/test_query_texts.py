"""ui.session.query_texts: queries in words, and the defaults of a new one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtWidgets import QApplication

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.draft.draft import Draft, QueryDraft
from core.quantity import SPEED
from core.statistics.error_figures import figure
from core.statistics.registry import all_statistics, require_statistic
from tests.ui.languages import spoken
from ui.language.translation import catalogue_of
from ui.session.query_texts import budget_text, new_query, of_quantity, open_statistics, with_unit

TEN = Decimal(10)
QUERY2 = require_statistic("query2")


def test_a_new_query_takes_the_leading_one_s_total() -> None:
    leading = QueryDraft(budget=Budget(total=Decimal(3), divide=OPTIMAL_DIVISION))
    assert new_query(Draft(queries=(leading,)), QUERY2, 65_000).budget == Budget(total=Decimal(3))
    per_hat = Draft(queries=(QueryDraft(budget=Budget(per_hat=Decimal(3))),))
    assert new_query(per_hat, QUERY2, 65_000).budget == Budget(total=TEN)


@pytest.mark.parametrize(
    ("upper_bound", "limits"),
    [
        (65_000, (40.0, 50.0, 60.0)),
        (60_001, (40.0, 50.0, 60.0)),
        (60_000, (40.0, 50.0)),
        (30_000, (15.0,)),
        (2, (0.001,)),
    ],
)
def test_limits_of_a_new_query_are_below_the_upper_bound(upper_bound: int, limits: tuple[float, ...]) -> None:
    made = new_query(Draft(), QUERY2, upper_bound)
    assert made.asked_of(SPEED).question.params.limits == limits


def test_a_new_distribution_has_few_bins_and_a_spec_without_them_keeps_its_own() -> None:
    made = new_query(Draft(), require_statistic("cdf"), 65_000)
    assert made.asked_of(SPEED).question.params.bins == 13
    assert QueryDraft(id="cdf", statistic="cdf").asked_of(SPEED).question.params.bins == 650


def test_ids_are_their_own_even_beside_a_spec_s_own_names() -> None:
    made = [new_query(Draft(), item, 65_000).id for item in open_statistics(Draft())]
    assert sorted(made) == sorted(set(all_statistics()) - {"mean"})
    other = Draft(queries=(QueryDraft(id="query1"),))
    assert new_query(other, require_statistic("query1"), 65_000).id == "query1_"
    without = Draft(queries=(QueryDraft(id="query1", statistic="query1"),))
    assert new_query(without, require_statistic("mean"), 65_000).id == "mean_speed"


def test_what_is_published_is_not_offered() -> None:
    draft = Draft(queries=(QueryDraft(), QueryDraft(id="query1", statistic="query1")))
    offered = {item.key for item in open_statistics(draft)}
    assert offered == set(all_statistics()) - {"mean", "query1"}


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (Budget(total=TEN), "epsilon 10 in all"),
        (Budget(total=TEN, divide=OPTIMAL_DIVISION), "epsilon 10 optimally"),
        (Budget(per_hat=Decimal("0.5")), "epsilon 0.5 per hexagon slot"),
        (Budget(noise_scale=Decimal(2)), "noise scale 2"),
    ],
)
def test_a_budget_in_short(budget: Budget, text: str) -> None:
    assert budget_text(budget) == text


@pytest.mark.parametrize(
    ("statistic", "value", "text"),
    [
        ("mean", 3.14159, "3.14 km/h"),
        ("mean", 0.001, "0.00 km/h"),
        ("query2", 0.031415, "0.0314 vehicles per day"),
        ("query2", 1234.5, "1234.50 vehicles per day"),
        ("cdf", 0.012345, "0.0123"),
    ],
)
def test_a_figure_is_as_fine_as_its_measure(statistic: str, value: float, text: str) -> None:
    measure = require_statistic(statistic).measures[0]
    assert with_unit(figure(value, measure), measure.unit) == text


def test_what_is_measured_is_called_so_in_the_language(qapp: QApplication) -> None:
    text = "{Value} of buses, {values} in {unit}: mean {value}"
    assert of_quantity(text, SPEED) == SPEED.named(text) == "Speed of buses, speeds in km/h: mean speed"
    with spoken(qapp, catalogue_of("hi")):
        assert of_quantity("औसत {value} ({unit})", SPEED) == "औसत गति (km/h)"
