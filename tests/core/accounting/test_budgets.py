"""A total is divided equally without ever being exceeded."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.accounting.budgets import DIVISIONS, OPTIMAL_DIVISION, Budget, hat_micro_epsilons, hat_pico_rhos
from core.accounting.compose import charge_of, from_micro_epsilon, hats_per_vehicle, rho_charge_of
from core.contributions import Contributions
from core.errors import InputError, InternalError
from core.privacy import Unit
from tests.strategies import contributions, presence
from tests.units import EVERY_UNIT

STEP = Decimal("0.000001")


@st.composite
def publications(draw: st.DrawFn) -> tuple[Contributions, NDArray[np.bool_]]:
    """Contributions, and which HATs are published: at least one."""
    contributed = draw(contributions())
    published = draw(st.sets(st.integers(0, contributed.hats - 1), min_size=1))
    return contributed, np.isin(np.arange(contributed.hats), list(published))


@EVERY_UNIT
@given(publication=publications(), steps=st.integers(20, 10**12))
def test_equal_shares_never_exceed_the_total_and_waste_under_a_step_each(
    unit: Unit, publication: tuple[Contributions, NDArray[np.bool_]], steps: int
) -> None:
    contributed, published = publication
    total = from_micro_epsilon(steps)
    shares = hat_micro_epsilons(Budget(total=total), contributed, published, unit)
    assert len(set(shares[published].tolist())) == 1
    charge = charge_of(contributed, shares, unit)
    most = hats_per_vehicle(contributed, published, unit)
    assert charge.per_vehicle <= total
    assert total - charge.per_vehicle < STEP * most


@EVERY_UNIT
@given(publication=publications(), steps=st.integers(1, 10**12))
def test_an_epsilon_per_hat_is_taken_as_it_is(
    unit: Unit, publication: tuple[Contributions, NDArray[np.bool_]], steps: int
) -> None:
    given_epsilon = from_micro_epsilon(steps)
    contributed, published = publication
    shares = hat_micro_epsilons(Budget(per_hat=given_epsilon), contributed, published, unit)
    assert shares.tolist() == np.where(published, steps, 0).tolist()


@given(contributed=contributions(most_vehicles=1))
def test_a_total_is_refused_when_nothing_is_left_for_each_hat(contributed: Contributions) -> None:
    published = np.ones(contributed.hats, bool)
    if contributed.hats == 1:
        assert hat_micro_epsilons(Budget(total=STEP), contributed, published, Unit.VEHICLE).tolist() == [1]
    else:
        with pytest.raises(InputError, match="leaves nothing"):
            hat_micro_epsilons(Budget(total=STEP), contributed, published, Unit.VEHICLE)


def test_a_budget_says_how_it_is_divided() -> None:
    assert Budget(per_hat=Decimal(1)).division == "per-hat"
    assert Budget(total=Decimal(1)).division == "equal"


@EVERY_UNIT
@given(publication=publications(), data=st.data())
def test_the_optimal_division_gives_the_smallest_noise_that_the_total_allows(
    unit: Unit, publication: tuple[Contributions, NDArray[np.bool_]], data: st.DataObject
) -> None:
    """Every HAT has the same noise c / eps, and one vehicle is charged the whole total but for rounding."""
    contributed, published = publication
    size = contributed.hats
    scales = np.array(data.draw(st.lists(st.floats(0.01, 65), min_size=size, max_size=size)))
    total = Decimal(10)
    shares = hat_micro_epsilons(
        Budget(total=total, divide=OPTIMAL_DIVISION), contributed, published, unit, scales=scales
    )
    charge = charge_of(contributed, shares, unit)
    most = hats_per_vehicle(contributed, published, unit)
    assert (shares > 0).tolist() == published.tolist()
    assert charge.per_vehicle <= total
    assert total - charge.per_vehicle < STEP * (most + 1)
    noise = scales[published] / shares[published]
    assert noise.max() <= noise.min() * (1 + 1 / shares[published].min() * 2)
    equal = hat_micro_epsilons(Budget(total=total), contributed, published, unit)
    assert noise.max() <= (scales[published] / equal[published]).max() * (1 + 1e-3)


def test_rows_of_suppressed_users_are_not_charged_and_leave_more_for_the_others() -> None:
    contributed = presence((0, 0, 0), (1, 0, 0), (1, 1, 0))
    published, everyone = np.ones(2, bool), np.ones(3, bool)
    budget = Budget(total=Decimal(6))
    assert (
        hat_micro_epsilons(budget, contributed, published, Unit.VEHICLE, retained=everyone).tolist()
        == [3 * 10**6] * 2
    )
    without = np.array([True, False, True])
    assert (
        hat_micro_epsilons(budget, contributed, published, Unit.VEHICLE, retained=without).tolist()
        == [6 * 10**6] * 2
    )
    charge = charge_of(contributed, np.array([1, 2]), Unit.VEHICLE, without)
    assert charge.per_vehicle == 2 * STEP


@pytest.mark.parametrize(
    "budget",
    [Budget(), Budget(noise_scale=Decimal(1)), Budget(total=Decimal(1), divide=OPTIMAL_DIVISION)],
    ids=["no amount", "noise scale", "optimal"],
)
def test_what_cannot_be_divided_is_a_fault_of_the_program(budget: Budget) -> None:
    with pytest.raises(InternalError, match="budget"):
        hat_micro_epsilons(budget, presence((0, 0, 0)), np.ones(1, bool), Unit.VEHICLE)


@EVERY_UNIT
@pytest.mark.parametrize("divide", DIVISIONS)
@given(publication=publications(), data=st.data())
def test_shares_of_rho_use_the_total_up_and_never_exceed_it(
    unit: Unit, divide: str, publication: tuple[Contributions, NDArray[np.bool_]], data: st.DataObject
) -> None:
    contributed, published = publication
    drawn = data.draw(st.lists(st.integers(1, 9), min_size=published.size, max_size=published.size))
    scales, rho = np.array(drawn, np.float64), Decimal("0.123456789012")
    budget = Budget(total=Decimal(5), divide=divide)
    steps = hat_pico_rhos(budget, rho, contributed, published, unit, scales=scales)
    assert not steps[~published].any()
    spent = rho_charge_of(contributed, steps, unit).rho.per_vehicle
    assert rho * Decimal("0.999999") < spent <= rho
    weights = scales**2 if divide == OPTIMAL_DIVISION else np.ones(scales.size)
    ratios = (steps / weights)[published]
    assert ratios == pytest.approx(ratios[0], rel=1e-6)


def test_rho_is_refused_where_nothing_is_left_or_asked_for() -> None:
    contributed, all_hats = presence((0, 0, 0), (1, 0, 0)), np.ones(2, bool)
    with pytest.raises(InputError, match="leaves nothing"):
        hat_pico_rhos(Budget(total=STEP), Decimal("1e-12"), contributed, all_hats, Unit.VEHICLE)
    for budget in (Budget(per_hat=STEP), Budget(total=STEP, divide=OPTIMAL_DIVISION)):
        with pytest.raises(InternalError):
            hat_pico_rhos(budget, Decimal(1), contributed, all_hats, Unit.VEHICLE)


@pytest.mark.parametrize("kind", ["per_hat", "total", "noise_scale"])
def test_another_amount_of_the_same_kind(kind: str) -> None:
    budget = Budget(**{kind: Decimal(3)})
    assert budget.amount == Decimal(3)
    assert budget.of_amount(Decimal(7)) == Budget(**{kind: Decimal(7)})


def test_a_budget_of_nothing_has_no_amount() -> None:
    with pytest.raises(InternalError):
        _ = Budget().amount
