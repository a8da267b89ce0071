"""core.planning.from_constants: candidates, whoever was there."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.planning.from_constants import FromConstants
from core.planning.user_query import plan_user_query
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.draws import draw_user_query
from tests.fakes import RecordingNoise
from tests.queries import mean_query


@pytest.fixture
def plan() -> FromConstants:
    made = plan_user_query(mean_query("bounded-mean", budget=Budget(total=Decimal(6))), constants_of(), 1)
    assert isinstance(made, FromConstants)
    return made


def test_it_says_the_constants_that_it_follows_from(plan: FromConstants) -> None:
    facts = plan.bounding
    assert (facts.hats_per_vehicle, facts.candidate_hats) == (2, len(plan.hats))
    assert (plan.division, plan.gaussian, plan.half_widths) == ("joint", False, None)
    assert plan.errors_known_of == facts.errors_known_of != ""
    assert plan.of_a_usual_hat
    assert plan.noise_follows_draw


def test_what_a_unit_may_spend_is_the_total(plan: FromConstants) -> None:
    assert sum(one.epsilon for one in plan.allowances) == 6
    assert max(plan.region_epsilons) <= 6


def test_only_what_the_noise_publishes_is_smoothed(plan: FromConstants) -> None:
    table = table_of(random_stays(1))
    drawn = draw_user_query(plan, table, KEY, pairs_of(table), RecordingNoise())
    smoothed = plan.smoothed_hats(drawn)
    assert [hat in smoothed for hat in plan.hats] == [bool(row) for row in drawn.rows]
    assert plan.smoothed_hats(None) == plan.published
    assert plan.expected_band is None
