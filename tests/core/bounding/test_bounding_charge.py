"""Charges from constants, against the worst that removing a part of the data does."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from core.bounding.bounded_mean import SUMS, WEIGHTS, exact_vectors, plan_bounded_mean
from core.bounding.bounding_charge import bounding_charge
from core.city.noise_kind import NoiseKind
from core.privacy import Unit
from tests.bounding import UNITS, Stay, constants_of, entries_in, moved_by, neighbours, random_stays
from tests.strategies import window

SPEND = Decimal("3")


def test_charges_are_those_of_the_constants() -> None:
    vehicle = bounding_charge(constants_of(Unit.VEHICLE), NoiseKind.LAPLACE, SPEND, by_hat=True)
    assert (vehicle.per_vehicle, vehicle.per_vehicle_day, vehicle.per_vehicle_hat_day) == (3, 6, 3)
    day = bounding_charge(constants_of(Unit.VEHICLE_DAY), NoiseKind.LAPLACE, SPEND, by_hat=True)
    assert (day.per_vehicle, day.per_vehicle_day, day.per_vehicle_hat_day) == (9, 3, 3)
    assert day.per_date == dict.fromkeys(window().dates, 3)
    assert not day.rho


def test_a_window_of_one_date_has_nothing_to_replace_a_day_with() -> None:
    one = bounding_charge(
        constants_of(window=window(days=1), days_per_vehicle=1), NoiseKind.LAPLACE, SPEND, by_hat=False
    )
    assert (one.per_vehicle, one.per_vehicle_day, one.per_vehicle_hat_day) == (3, 3, 6)
    assert list(one.per_date) == [dt.date(2022, 1, 1)]


def test_rho_stands_apart_and_replacing_costs_four_times() -> None:
    found = bounding_charge(constants_of(Unit.VEHICLE), NoiseKind.GAUSS, SPEND, by_hat=True)
    assert (found.per_vehicle, found.per_vehicle_day, found.per_date) == (0, 0, {})
    assert (found.rho.per_vehicle, found.rho.per_vehicle_day, found.rho.per_vehicle_hat_day) == (3, 12, 6)
    days = bounding_charge(constants_of(Unit.VEHICLE_DAY), NoiseKind.GAUSS, SPEND, by_hat=True)
    assert (days.rho.per_vehicle, days.rho.per_vehicle_day) == (27, 3), (
        "three days in the same hexagon slots add up"
    )


# the noise varies first: what counts of a city is then worked out once for both
@pytest.mark.parametrize("noise", list(NoiseKind))
@pytest.mark.parametrize("by_day", [False, True])
@pytest.mark.parametrize("unit", UNITS)
def test_no_part_of_the_data_costs_more_than_its_charge(unit: Unit, by_day: bool, noise: NoiseKind) -> None:
    """Vehicles, their days, and their days in one HAT are taken away from random cities."""
    constants = constants_of(unit)
    plan = plan_bounded_mean(constants, noise, SPEND, 1, by_day=by_day)
    found = bounding_charge(constants, noise, SPEND, by_hat=not by_day)
    claimed = found.rho if noise.squared else found
    largest = dict.fromkeys(Unit, Decimal(0))
    for seed in range(25):
        stays = random_stays(seed, vehicles=3, visits=60)
        whole = exact_vectors(plan, entries_in(stays, constants, by_day=by_day))
        for part in Unit:
            for fewer in [*neighbours(stays, part)] if part is not Unit.VEHICLE_HAT_DAY else one_less(stays):
                other = exact_vectors(plan, entries_in(fewer, constants, by_day=by_day))
                lost = Decimal(0)
                for name in (WEIGHTS, SUMS):
                    share = (
                        moved_by(whole[name], other[name], squared=noise.squared) / plan.sensitivities[name]
                    )
                    lost += plan.spends[name] * Decimal(share) ** (2 if noise.squared else 1)
                largest[part] = max(largest[part], lost)
    for part in Unit:
        assert largest[part] <= claimed.of(part) * Decimal("1.000001"), part
    assert largest[unit] >= claimed.of(unit) * Decimal("0.98")


def one_less(stays: list[Stay]) -> list[list[Stay]]:
    return [stays[:place] + stays[place + 1 :] for place in range(len(stays))]
