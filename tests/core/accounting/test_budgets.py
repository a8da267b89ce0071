"""A total is divided equally without ever being exceeded."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.accounting.budgets import Budget, hat_epsilon
from core.accounting.compose import charge_of, from_steps, hats_per_vehicle, to_steps
from core.contributions import Contributions
from core.errors import InputError
from core.privacy import Unit
from tests.strategies import contributions

EVERY_UNIT = pytest.mark.parametrize("unit", list(Unit))
STEP = Decimal("0.000001")


@st.composite
def publications(draw: st.DrawFn) -> tuple[Contributions, NDArray[np.bool_]]:
    """Contributions, and which HATs are published: at least one."""
    contributed = draw(contributions())
    published = draw(st.sets(st.integers(0, contributed.hats - 1), min_size=1))
    return contributed, np.isin(np.arange(contributed.hats), list(published))


@EVERY_UNIT
@settings(max_examples=50)
@given(publication=publications(), steps=st.integers(20, 10**12))
def test_equal_shares_never_exceed_the_total_and_waste_under_a_step_each(
    unit: Unit, publication: tuple[Contributions, NDArray[np.bool_]], steps: int
) -> None:
    contributed, published = publication
    total = from_steps(steps)
    share = hat_epsilon(Budget(total=total), contributed, published, unit)
    charge = charge_of(contributed, np.where(published, to_steps(share), 0), unit)
    most = hats_per_vehicle(contributed, published, unit)
    assert charge.per_vehicle <= total
    assert total - charge.per_vehicle < STEP * most


@EVERY_UNIT
@settings(max_examples=50)
@given(publication=publications(), steps=st.integers(1, 10**12))
def test_an_epsilon_per_hat_is_taken_as_it_is(
    unit: Unit, publication: tuple[Contributions, NDArray[np.bool_]], steps: int
) -> None:
    given_epsilon = from_steps(steps)
    assert hat_epsilon(Budget(per_hat=given_epsilon), *publication, unit) == given_epsilon


@given(contributed=contributions(most_vehicles=1))
def test_a_total_is_refused_when_nothing_is_left_for_each_hat(contributed: Contributions) -> None:
    published = np.ones(contributed.hats, bool)
    if contributed.hats == 1:
        assert hat_epsilon(Budget(total=STEP), contributed, published, Unit.VEHICLE) == STEP
    else:
        with pytest.raises(InputError, match="leaves nothing"):
            hat_epsilon(Budget(total=STEP), contributed, published, Unit.VEHICLE)


def test_a_budget_says_how_it_is_divided() -> None:
    assert Budget(per_hat=Decimal(1)).division == "per-hat"
    assert Budget(total=Decimal(1)).division == "equal"
