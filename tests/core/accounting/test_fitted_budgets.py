"""core.accounting.fitted_budgets: what fits is as much as the limits leave, and never more."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.accounting.fitted_budgets import at_whole_total, scaled_budget, share_that_fits
from core.accounting.ledger_fold import fold
from core.accounting.ledger_report import PopulationSummary, summarise_populations
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.zcdp import rho_of
from core.privacy import Charge, Unit
from tests.core.accounting.ledger_cases import DAY, NEXT, charge_of, reserved_of, start_of


def spent(*, per_vehicle: str, per_vehicle_day: str = "100") -> PopulationSummary:
    """2 of epsilon on one day are gone."""
    events = [
        *start_of("a", per_vehicle=per_vehicle, per_vehicle_day=per_vehicle_day),
        reserved_of(1, charge_of({DAY: "2"}), population="a"),
    ]
    return summarise_populations(fold(events))[0]


@pytest.mark.parametrize(
    ("per_vehicle", "per_day", "share"),
    [("10", "100", "1"), ("5", "100", "0.75"), ("2", "100", "0"), ("1", "100", "0"), ("100", "4", "0.5")],
)
def test_the_tightest_limit_decides(per_vehicle: str, per_day: str, share: str) -> None:
    population = spent(per_vehicle=per_vehicle, per_vehicle_day=per_day)
    charge = charge_of({DAY: "4"})
    fits = share_that_fits(population, charge)
    assert fits == Decimal(share)
    if fits:
        smaller = charge_of({DAY: str(Decimal(4) * fits)})
        assert not population.exceeds_limit(smaller)
        assert not population.exceeds_limit_per_day(smaller)


def test_another_day_has_all_of_its_limit() -> None:
    assert share_that_fits(spent(per_vehicle="100", per_vehicle_day="4"), charge_of({NEXT: "4"})) == 1


def test_gaussian_noise_without_a_delta_fits_in_no_share() -> None:
    population = dataclasses.replace(spent(per_vehicle="5"), loss=PrivacyLoss(rho=Decimal("0.1")))
    assert share_that_fits(population, charge_of({DAY: "4"})) is None


DELTA = Decimal("1e-6")


def test_a_plan_that_leaves_some_of_its_total_counts_as_if_it_left_none() -> None:
    charge = charge_of({DAY: "2.5", NEXT: "1"}, rho={DAY: "0.01"})
    total = Budget(total=Decimal(7))
    whole = at_whole_total(charge, total, Unit.VEHICLE, DELTA)
    assert whole.per_vehicle == 7
    assert whole.per_date == {DAY: 5, NEXT: 2}
    assert whole.rho.per_vehicle == rho_of(Decimal(7), DELTA)
    for other in (Budget(per_hat=Decimal(7)), Budget(noise_scale=Decimal(7)), Budget(total=Decimal("0.01"))):
        assert at_whole_total(charge, other, Unit.VEHICLE, DELTA) == charge


def gaussian(total: Decimal) -> Charge:
    """All of a total's rho on one day."""
    return charge_of({DAY: "0"}, rho={DAY: str(rho_of(total, DELTA))})


def with_delta(*, per_vehicle: str, per_vehicle_day: str, pure: str, rho: str) -> PopulationSummary:
    events = [
        *start_of("a", per_vehicle=per_vehicle, per_vehicle_day=per_vehicle_day, delta=str(DELTA)),
        reserved_of(1, charge_of({NEXT: pure}, rho={NEXT: rho}), population="a"),
    ]
    return summarise_populations(fold(events))[0]


@pytest.mark.parametrize("limit", ["6", "9.5", "14"])
@pytest.mark.parametrize("spent", [("0", "0"), ("2", "0"), ("0", "0.05"), ("1", "0.1")])
@pytest.mark.parametrize("per_day", ["4", "100"])
def test_as_much_gaussian_noise_as_fits_and_no_more(limit: str, spent: tuple[str, str], per_day: str) -> None:
    population = with_delta(per_vehicle=limit, per_vehicle_day=per_day, pure=spent[0], rho=spent[1])
    total = Decimal(30)
    share = share_that_fits(population, gaussian(total), [total])
    assert share is not None
    assert 0 < share < 1

    def fits(part: Decimal) -> bool:
        charge = gaussian(part)
        return not (population.exceeds_limit(charge) or population.exceeds_limit_per_day(charge))

    budget = scaled_budget(Budget(total=total), share)
    assert budget is not None
    assert budget.total is not None
    assert fits(budget.total)
    assert not fits(total * (share + Decimal("0.0002")))


def test_pure_noise_beside_what_gaussian_noise_spent_has_a_share() -> None:
    population = with_delta(per_vehicle="8", per_vehicle_day="100", pure="0", rho="0.1")
    charge = charge_of({DAY: "10"})
    share = share_that_fits(population, charge)
    assert share is not None
    assert not population.exceeds_limit(charge_of({DAY: 10 * share}))
    assert population.exceeds_limit(charge_of({DAY: 10 * (share + Decimal("0.0002"))}))


def test_a_share_that_buys_no_gaussian_noise_is_none() -> None:
    population = with_delta(per_vehicle="6", per_vehicle_day="100", pure="5.9", rho="0")
    assert share_that_fits(population, gaussian(Decimal(30)), [Decimal(30)]) is None


def test_a_share_of_a_budget_is_rounded_down() -> None:
    third = Decimal(1) / 3
    assert scaled_budget(Budget(total=Decimal(10), divide="optimal"), third) == Budget(
        total=Decimal("3.333333"), divide="optimal"
    )
    assert scaled_budget(Budget(per_hat=Decimal(1)), third) == Budget(per_hat=Decimal("0.333333"))
    assert scaled_budget(Budget(noise_scale=Decimal(1)), Decimal("0.3")) == Budget(
        noise_scale=Decimal("3.334")
    )
    for budget in (Budget(total=Decimal(10)), Budget(noise_scale=Decimal(1))):
        assert scaled_budget(budget, Decimal(0)) is None
