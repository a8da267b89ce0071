"""Charges equal literal sums over vehicles, for every unit (P3 Thm II.3)."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.compose import (
    add_charges,
    charge_of,
    days_squared,
    from_micro_epsilon,
    hats_per_vehicle,
    rho_charge_of,
    to_micro_epsilon,
)
from core.accounting.zcdp import RHO_STEP
from core.contributions import Contributions
from core.errors import InternalError
from core.privacy import Charge, RhoCharge, Unit
from tests.strategies import contributions, presence
from tests.units import EVERY_UNIT

ONE = Decimal("0.000001")


def literal_charge(contributed: Contributions, epsilons: list[Decimal], unit: Unit) -> Charge:
    """The definition, in loops: which HATs does each vehicle occupy, on which days?"""
    rows = list(
        zip(*(c.tolist() for c in (contributed.hat, contributed.vehicle, contributed.day)), strict=True)
    )
    of_vehicle: dict[int, Decimal] = defaultdict(Decimal)
    of_vehicle_day: dict[tuple[int, int], Decimal] = defaultdict(Decimal)
    for hat, vehicle, day in rows:
        of_vehicle_day[vehicle, day] += epsilons[hat]
    places = {(hat, vehicle) for hat, vehicle, _ in rows}
    for hat, vehicle in places if unit is Unit.VEHICLE else [row[:2] for row in rows]:
        of_vehicle[vehicle] += epsilons[hat]
    per_date: dict[dt.date, Decimal] = {}
    for (_, day), amount in of_vehicle_day.items():
        date = contributed.window.dates[day]
        per_date[date] = max(amount, per_date.get(date, Decimal(0)))
    return Charge(
        per_vehicle_hat_day=max(epsilons[hat] for hat, _, _ in rows),
        per_vehicle_day=max(of_vehicle_day.values()),
        per_vehicle=max(of_vehicle.values()),
        per_date={date: amount for date, amount in sorted(per_date.items()) if amount},
    )


@EVERY_UNIT
@given(data=st.data())
def test_charges_are_the_literal_sums(unit: Unit, data: st.DataObject) -> None:
    contributed = data.draw(contributions())
    some = st.just(0) | st.integers(0, 10_000_000)
    steps = data.draw(st.lists(some, min_size=contributed.hats, max_size=contributed.hats))
    found = charge_of(contributed, np.array(steps, np.int64), unit)
    assert found == literal_charge(contributed, [from_micro_epsilon(one) for one in steps], unit)


@EVERY_UNIT
@given(contributed=contributions())
def test_charges_of_smaller_things_are_never_larger(unit: Unit, contributed: Contributions) -> None:
    charge = charge_of(contributed, np.arange(1, contributed.hats + 1), unit)
    assert charge.per_vehicle_hat_day <= charge.per_vehicle_day <= charge.per_vehicle
    assert max(charge.per_date.values()) == charge.per_vehicle_day
    assert charge.per_vehicle <= sum(charge.per_date.values()) or unit is not Unit.VEHICLE


def test_a_vehicle_pays_only_for_the_hats_it_occupies() -> None:
    """Theorem II.3 by hand: HATs cost 1, 2 and 4; vehicles occupy {0, 1}, {1, 2} and {2}."""
    contributed = presence((0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0), (2, 2, 0))
    charge = charge_of(contributed, np.array([1, 2, 4]), Unit.VEHICLE)
    assert charge.per_vehicle == 6 * ONE
    assert charge.per_vehicle < 7 * ONE  # basic composition, Theorem II.2


def test_two_days_in_one_hat_cost_a_vehicle_once_but_its_days_twice() -> None:
    contributed = presence((0, 0, 0), (0, 0, 1))
    steps = np.array([5])
    assert charge_of(contributed, steps, Unit.VEHICLE).per_vehicle == 5 * ONE
    for unit in (Unit.VEHICLE_DAY, Unit.VEHICLE_HAT_DAY):
        charge = charge_of(contributed, steps, unit)
        assert (charge.per_vehicle, charge.per_vehicle_day) == (10 * ONE, 5 * ONE)


def test_each_date_has_its_own_maximum_and_free_dates_are_absent() -> None:
    """Day 0: vehicle 0 in HATs 0 and 1; day 1: vehicle 1 in HAT 1; day 2: only a suppressed HAT."""
    contributed = presence((0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 1, 2), days=4)
    charge = charge_of(contributed, np.array([3, 4, 0]), Unit.VEHICLE_DAY)
    dates = contributed.window.dates
    assert charge.per_date == {dates[0]: 7 * ONE, dates[1]: 4 * ONE}
    assert charge.per_vehicle_day == 7 * ONE


@EVERY_UNIT
def test_nothing_released_costs_nothing(unit: Unit) -> None:
    charge = charge_of(presence((0, 0, 0), (1, 1, 1)), np.zeros(2, np.int64), unit)
    zero = Decimal(0)
    assert charge == Charge(per_vehicle_hat_day=zero, per_vehicle_day=zero, per_vehicle=zero, per_date={})


@EVERY_UNIT
@given(data=st.data())
def test_users_of_one_vehicle_are_counted_over_published_hats(unit: Unit, data: st.DataObject) -> None:
    contributed = data.draw(contributions())
    published = np.array(
        data.draw(st.lists(st.booleans(), min_size=contributed.hats, max_size=contributed.hats))
    )
    charge = literal_charge(contributed, [Decimal(int(one)) for one in published], unit)
    assert hats_per_vehicle(contributed, published, unit) == charge.per_vehicle


def test_queries_add_up_by_unit_and_by_date() -> None:
    first, second = dt.date(2022, 1, 1), dt.date(2022, 1, 2)

    def charge(scale: int, *dates: dt.date) -> Charge:
        return Charge(
            per_vehicle_hat_day=Decimal(scale),
            per_vehicle_day=Decimal(2 * scale),
            per_vehicle=Decimal(3 * scale),
            per_date=dict.fromkeys(dates, Decimal(2 * scale)),
        )

    added = add_charges([charge(1, second), charge(10, first, second)])
    assert (added.per_vehicle_hat_day, added.per_vehicle_day, added.per_vehicle) == (11, 22, 33)
    assert list(added.per_date.items()) == [(first, Decimal(20)), (second, Decimal(22))]


def test_rho_adds_up_beside_epsilon() -> None:
    first, second = dt.date(2022, 1, 1), dt.date(2022, 1, 2)

    def charge(rho: str, date: dt.date) -> Charge:
        amount = Decimal(rho)
        part = RhoCharge(
            per_vehicle_hat_day=amount,
            per_vehicle_day=amount,
            per_vehicle=2 * amount,
            per_date={date: amount},
        )
        return Charge(
            per_vehicle_hat_day=Decimal(1),
            per_vehicle_day=Decimal(1),
            per_vehicle=Decimal(1),
            per_date={date: Decimal(1)},
            rho=part,
        )

    tiny = Decimal("1e-12")
    added = add_charges([charge("0.3", second), charge("1e-12", second), charge("0.5", first)])
    assert added.per_date == {first: Decimal(1), second: Decimal(2)}
    assert added.rho == RhoCharge(
        per_vehicle_hat_day=Decimal("0.8") + tiny,
        per_vehicle_day=Decimal("0.8") + tiny,
        per_vehicle=2 * (Decimal("0.8") + tiny),
        per_date={first: Decimal("0.5"), second: Decimal("0.3") + tiny},
    )
    assert not add_charges([]).rho


@given(steps=st.integers(0, 10**12))
def test_steps_and_decimals_are_inverse(steps: int) -> None:
    assert to_micro_epsilon(from_micro_epsilon(steps)) == steps


@pytest.mark.parametrize("finer", ["0.0000001", "1.0000005", "0.1234567"])
def test_an_epsilon_finer_than_a_step_is_never_rounded_into_a_charge(finer: str) -> None:
    with pytest.raises(InternalError, match="finer"):
        to_micro_epsilon(Decimal(finer))


def test_rho_of_a_vehicle_grows_with_the_square_of_its_days_in_a_hat() -> None:
    """HATs cost 1 and 10; vehicle 0 is in the first on two days and in the second on one, vehicle 1 once."""
    contributed, step = presence((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 1)), RHO_STEP
    by_vehicle, by_day = (
        rho_charge_of(contributed, np.array([1, 10]), unit) for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY)
    )
    assert by_vehicle.rho.per_vehicle == 11 * step
    assert by_day.rho.per_vehicle == 14 * step
    assert days_squared(contributed, Unit.VEHICLE).tolist() == [1, 1, 1]
    assert days_squared(contributed, Unit.VEHICLE_DAY).tolist() == [4, 1, 1]
    for charge in (by_vehicle, by_day):
        assert (charge.per_vehicle, charge.per_vehicle_day, charge.per_date) == (0, 0, {})
        assert charge.rho.per_vehicle_hat_day == 10 * step
        assert charge.rho.per_vehicle_day == 11 * step
        assert list(charge.rho.per_date.values()) == [step, 11 * step]
