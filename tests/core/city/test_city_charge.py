"""Charges of a joint release, vehicle by vehicle and date by date from the token table itself."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.exact_loss import BY_PROFILE, stated_epsilon
from core.accounting.zcdp import RHO_STEP
from core.city.city_charge import amount_of, city_charge, hat_epsilons
from core.city.city_pairs import city_pairs
from core.city.city_plan import CityPlan
from core.contributions import Contributions, users_of
from core.mechanisms.tokens import TOKENS
from core.privacy import NO_RHO, Unit
from tests.count_tables import TOWN, pairs_of, plan_of
from tests.neighbours import KEY
from tests.strategies import contributions

EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
DELTA = Decimal("1e-6")


def planned(table: Contributions, noise: str) -> CityPlan:
    pairs = city_pairs(users_of(table, Unit.VEHICLE, KEY), np.ones(table.hats, bool))
    return plan_of(pairs, noise=noise, mode="exact")


def exactly(plan: CityPlan, loss: int) -> Decimal:
    """Of so many tokens, or squares of them; rounded up by fractions alone."""
    squared = plan.noise.squared
    share = Fraction(plan.spend) * loss / (TOKENS**2 if squared else TOKENS)
    step = RHO_STEP if squared else EPSILON_STEP
    with localcontext(prec=60):
        return Decimal(-((-share / Fraction(step)).__floor__())) * step


@EVERY_NOISE
@given(table=contributions())
def test_each_charge_is_the_most_of_any_vehicle(noise: str, table: Contributions) -> None:
    plan = planned(table, noise)
    loss = {
        (hat, code): token**2 if plan.noise.squared else token
        for hat, code, token in zip(
            plan.pairs.hat.tolist(), plan.pairs.code.tolist(), plan.tokens.tolist(), strict=True
        )
    }
    vehicles: defaultdict[int, int] = defaultdict(int)
    for (_, code), amount in loss.items():
        vehicles[code] += amount
    days: defaultdict[tuple[int, int], int] = defaultdict(int)
    for hat, code, day in zip(table.hat.tolist(), table.vehicle.tolist(), table.day.tolist(), strict=True):
        days[code, day] += loss[hat, code]
    charge = city_charge(plan, table)
    told = charge.rho if plan.noise.squared else charge
    assert told.per_vehicle == exactly(plan, max(vehicles.values())) <= plan.spend
    assert told.per_vehicle_day == exactly(plan, max(days.values()))
    assert told.per_vehicle_hat_day == exactly(plan, max(loss.values()))
    dates: dict[dt.date, Decimal] = {}
    for (_, day), amount in days.items():
        date = table.window.dates[day]
        dates[date] = max(dates.get(date, Decimal(0)), exactly(plan, amount))
    assert told.per_date == {date: amount for date, amount in dates.items() if amount}
    assert told.per_vehicle_hat_day <= told.per_vehicle_day <= told.per_vehicle
    if plan.noise.squared:
        assert (charge.per_vehicle, charge.per_vehicle_day, charge.per_date) == (0, 0, {})
    else:
        assert charge.rho == NO_RHO


@EVERY_NOISE
def test_the_busiest_vehicle_is_charged_nearly_all(noise: str) -> None:
    plan = plan_of(pairs_of(TOWN), noise=noise, mode="exact")
    tokens = plan.tokens.astype(object)
    losses = tokens**2 if plan.noise.squared else tokens
    most = max(int(losses[plan.pairs.vehicle == vehicle].sum()) for vehicle in range(plan.pairs.vehicles))
    assert Decimal("0.999") * plan.spend < amount_of(plan, most) <= plan.spend


@EVERY_NOISE
@given(loss=st.integers(0, TOKENS))
def test_amounts_are_rounded_up_and_all_tokens_are_all_of_the_budget(noise: str, loss: int) -> None:
    plan = plan_of(pairs_of([[1]]), noise=noise, mode="exact")
    limit = TOKENS**2 if plan.noise.squared else TOKENS
    step = RHO_STEP if plan.noise.squared else EPSILON_STEP
    assert amount_of(plan, loss) == exactly(plan, loss)
    assert amount_of(plan, limit) == plan.spend.quantize(step, rounding=ROUND_CEILING)
    assert amount_of(plan, 0) == 0
    assert amount_of(plan, 1) > 0


@EVERY_NOISE
def test_a_hat_tells_what_it_costs_alone(noise: str) -> None:
    plan = plan_of(pairs_of(TOWN), noise=noise, mode="exact")
    for hat, told in enumerate(hat_epsilons(plan)):
        token = int(plan.tokens[plan.pairs.hat == hat].max())
        amount = exactly(plan, token**2 if plan.noise.squared else token)
        wanted = stated_epsilon(Decimal(0), amount, DELTA, BY_PROFILE) if plan.noise.squared else amount
        assert told == wanted <= 10
    assert 0 < plan.lattice_error < 1e-12 if plan.noise.squared else plan.lattice_error == 0
