"""From an acceptable error to the total, with the constants as they are."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import pytest

from core.accounting.budgets import Budget
from core.advice.user_accuracy import user_total_for_error
from core.draft.draft import QueryDraft
from core.errors import InputError
from core.planning.city_accuracy import ErrorGoal
from core.planning.query_plan import Query, query_errors
from core.planning.smallest_budget import AMOUNTS
from core.planning.user_query import plan_user_query
from core.prior.public_prior import PublicPrior
from core.quantity import SPEED
from tests.bounding import constants_of
from tests.forecasts import choices_of

CONSTANTS = constants_of(days_per_vehicle=1)
CHOICES = choices_of(CONSTANTS)
TYPED = {"fleet": 60, "vehicles": 20, "records": 3}


def asked(mechanism: str, parameters: dict[str, Any]) -> Query:
    draft = QueryDraft(mechanism=mechanism, parameters=parameters, budget=Budget(total=Decimal(1)))
    return draft.asked_of(SPEED)


def error_at(query: Query, total: Decimal) -> float:
    plan = plan_user_query(dataclasses.replace(query, budget=Budget(total=total)), CONSTANTS, 5)
    return query_errors(plan.plans).typical.median


@pytest.mark.parametrize(
    "query", [asked("bounded-mean", {}), asked("plan-and-enforce", TYPED)], ids=["bounded", "enforced"]
)
def test_the_total_is_the_smallest_that_is_enough(query: Query) -> None:
    found = user_total_for_error(CHOICES, query, 4.0).total
    assert found is not None
    assert error_at(query, found) <= 4.0 < error_at(query, AMOUNTS[AMOUNTS.index(found) - 1])


def test_public_counts_make_it_cheaper_where_hats_are_busy() -> None:
    query = asked("bounded-mean", {})
    busy = PublicPrior(fleet=900, vehicles=300)
    few = user_total_for_error(CHOICES, query, 4.0).total
    many = user_total_for_error(choices_of(CONSTANTS, prior=busy), query, 4.0, goal=ErrorGoal.WORST).total
    assert few is not None
    assert many is not None
    assert many < few


def test_a_number_of_the_boundary_s_file_may_say_what_is_important() -> None:
    query = asked("plan-and-enforce", TYPED | {"importance": "people"})
    columns = {"people": dict.fromkeys(CONSTANTS.cells, 1.0)}
    alike = user_total_for_error(CHOICES, asked("plan-and-enforce", TYPED), 4.0)
    assert user_total_for_error(choices_of(CONSTANTS, columns=columns), query, 4.0) == alike


def test_an_error_that_nothing_reaches_is_refused() -> None:
    with pytest.raises(InputError):
        user_total_for_error(CHOICES, asked("bounded-mean", {}), 1e-9)


def test_an_error_of_shares_is_told_in_percentage_points() -> None:
    query = QueryDraft(statistic="cdf", parameters={"bins": 13}, budget=Budget(total=Decimal(1))).asked_of(
        SPEED
    )
    with pytest.raises(InputError, match=r"to 2e-07\."):
        user_total_for_error(CHOICES, query, 2e-9)


def test_regions_are_as_exact_as_is_promised() -> None:
    with pytest.raises(InputError) as caught:
        user_total_for_error(CHOICES, asked("plan-and-enforce", TYPED | {"regions": True}), 4.0)
    assert "promised" in caught.value.what
