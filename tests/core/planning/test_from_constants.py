"""core.planning.from_constants: candidates, whoever was there."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.bounding.counts_file import CountedHat
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


def test_the_sign_of_its_means_is_of_public_counts_and_of_no_record() -> None:
    constants = constants_of()
    counted = tuple(
        CountedHat(cell=cell, minute=constants.window.start, vehicles=2, records=number + 1)
        for number, cell in enumerate(sorted(constants.cells))
    )
    budget = Budget(total=Decimal(60))
    query = mean_query("plan-and-enforce", budget=budget, fleet=9, vehicles=5, records=2)
    assert plan_user_query(query, constants, 1).smoothed_sign(None) is None, "typed numbers tell nothing"
    made = plan_user_query(dataclasses.replace(query, public_counts=counted), constants, 1)
    found = made.smoothed_sign(None)
    assert found is not None
    assert sorted(found.amounts.tolist()) == list(range(1, len(counted) + 1))
    for seed in (1, 2):
        table = table_of(random_stays(seed))
        drawn = draw_user_query(made, table, KEY, pairs_of(table), RecordingNoise())
        by_cell = {one.cell: one.records for one in counted}
        shown = made.smoothed_sign(drawn)
        assert shown is not None
        assert shown.amounts.tolist() == [by_cell[hat.cell] for hat in made.smoothed_hats(drawn)]
