"""core.planning.hats_of_one: against counting by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.accounting.epsilon_input import EPSILON_STEP
from core.mechanisms.registry import require_mechanism
from core.planning.hats_of_one import equal_share, hats_of_one, most_published_hats
from core.privacy import Unit
from tests.core.planning.test_values_query import city, planned

BASELINE = require_mechanism("baseline")


@pytest.mark.parametrize(("sizes", "most"), [((2, 2, 2), 3), ((1, 3), 2), ((4,), 1)])
def test_equal_shares_count_the_hats_of_the_vehicle_with_the_most(sizes: tuple[int, ...], most: int) -> None:
    """Vehicle 0 is in every one of them."""
    contributed = city(*sizes)
    plan, data = planned(contributed, mechanism=BASELINE)
    assert hats_of_one(plan, contributed, Unit.VEHICLE) == most
    assert most_published_hats(plan, data.users) == most


def test_a_suppressed_hat_does_not_count() -> None:
    contributed = city(1, 3, 3)
    plan, data = planned(contributed, mechanism=BASELINE, minimum_vehicles=2)
    assert hats_of_one(plan, contributed, Unit.VEHICLE) == most_published_hats(plan, data.users) == 2


@pytest.mark.parametrize("days", [1, 2, 5])
def test_days_that_are_units_of_their_own_add_as_noise_does(days: int) -> None:
    """Two HATs on d days each: Laplace goes with 2 d, Gaussian with sqrt(2) d, so they are two equal HATs."""
    contributed = city(2, 2, days=days)
    plan, _ = planned(contributed, mechanism=BASELINE, unit=Unit.VEHICLE_DAY)
    assert hats_of_one(plan, contributed, Unit.VEHICLE_DAY) == 2
    assert hats_of_one(plan, contributed, Unit.VEHICLE) == 2


def test_unequal_shares_count_for_less() -> None:
    """c = 1/3 and 1/1 of a vehicle in both: (4/3)^2 / (1 + 1/9) = 1.6."""
    contributed = city(3, 1)
    budget = Budget(total=Decimal(8), divide=OPTIMAL_DIVISION)
    plan, _ = planned(contributed, mechanism=BASELINE, budget=budget)
    assert hats_of_one(plan, contributed, Unit.VEHICLE) == pytest.approx(1.6, abs=1e-5)


def test_an_equal_share_never_exceeds_its_total() -> None:
    assert equal_share(3, Decimal(10)) == Decimal("3.333333")
    assert equal_share(10**9, Decimal(1)) == EPSILON_STEP
