"""A joint query by HAT: refusals, allowances, intervals by the exact law, and what a row says."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.budgets import Budget
from core.accounting.epsilon_input import EPSILON_STEP
from core.contributions import Contributions
from core.errors import InputError
from core.mechanisms.tokens import TOKENS
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.base import Estimate
from tests.count_tables import TOWN, contributions_of, count_tables
from tests.draws import draw_query
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.neighbours import Data, all_of, data_of
from tests.queries import mean_query
from tests.strategies import U, contributions

UNITS = pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
DELTA = Decimal("1e-6")
TEN = Budget(total=Decimal(10))


def planned(
    table: Contributions,
    *,
    unit: Unit = Unit.VEHICLE,
    budget: Budget = TEN,
    delta: Decimal = DELTA,
    minimum: int = 1,
    **params: object,
) -> tuple[QueryPlan, Data]:
    data = data_of(table, unit)
    query = mean_query("tokens", budget=budget, **params)
    plan = plan_query(
        CountedCity(table, data.users, all_of(table), minimum_vehicles=minimum, delta=delta), query
    )
    return plan, data


def first_of(rows: tuple[tuple[Estimate, ...], ...]) -> list[Estimate]:
    return [row[0] for row in rows if row]


@pytest.mark.parametrize("budget", [Budget(per_hat=Decimal(1)), Budget(noise_scale=Decimal(1))])
def test_a_budget_that_is_no_total_is_refused(budget: Budget) -> None:
    with pytest.raises(InputError, match="Tokens divide one total") as caught:
        planned(contributions_of(TOWN), budget=budget)
    assert caught.value.where == "query.epsilon"
    assert "total" in caught.value.mend


def test_users_in_one_hat_each_have_nothing_to_share_out() -> None:
    with pytest.raises(InputError, match="is in one hexagon slot") as caught:
        planned(contributions_of(TOWN), unit=Unit.VEHICLE_HAT_DAY)
    assert caught.value.where == "privacy.unit"
    assert caught.value.mend


@EVERY_NOISE
@UNITS
def test_the_whole_vector_has_one_allowance(noise: str, unit: Unit) -> None:
    plan, _ = planned(contributions_of(TOWN), unit=unit, noise=noise)
    (allowance,) = plan.allowances
    assert plan.city is not None
    paid = allowance.rho if noise == "gauss" else allowance.epsilon
    assert (allowance.scope, paid) == ("mean_speed", plan.city.spend)
    assert 0 in (allowance.epsilon, allowance.rho)


@UNITS
@given(table=contributions(), minimum=st.integers(1, 3))
def test_suppressed_hats_hold_no_tokens(unit: Unit, table: Contributions, minimum: int) -> None:
    """Of a vehicle that is only where nobody else is, nothing is published and nothing charged."""
    vehicles = [len(set(table.vehicle[table.hat == hat].tolist())) for hat in range(table.hats)]
    if max(vehicles) < minimum:
        with pytest.raises(InputError, match="fewer than"):
            planned(table, unit=unit, minimum=minimum)
        return
    plan, data = planned(table, unit=unit, minimum=minimum)
    assert plan.city is not None
    published = [hat for hat, found in enumerate(vehicles) if found >= minimum]
    assert plan.city.hat_index.tolist() == published
    assert [hat.plan is not None for hat in plan.hats] == [False, *(found >= minimum for found in vehicles)]
    drawn = draw_query(plan, data.users, data.pairs, RecordingNoise())
    assert [bool(row) for row in drawn.rows] == [hat.plan is not None for hat in plan.hats]
    assert drawn.scales is not None
    assert drawn.scales.tolist() == plan.city.scale.tolist()


@given(counts=count_tables())
def test_hat_plans_say_what_the_joint_plan_says(counts: np.ndarray) -> None:
    plan, _ = planned(contributions_of(counts, days=2))
    city = plan.city
    assert city is not None
    for column, one in enumerate(plan.plans):
        assert one.lead.noise_scale == city.scale[column]
        assert one.lead.typical_error == city.typical_error[column]
        assert one.lead.error_at_worst == city.error_at_worst[column]
        assert one.lead.bias_bound == city.bias_bound[column]
        assert one.lead.interval_bias == city.bias.interval[column]
        heaviest = int(city.tokens[city.pairs.hat == column].max())
        assert one.lead.sensitivity == pytest.approx(65 * heaviest / int(city.totals[column]))
        assert EPSILON_STEP <= one.epsilon <= 10


@EVERY_NOISE
def test_the_interval_lies_about_the_unclamped_value(noise: str) -> None:
    plan, data = planned(contributions_of(TOWN), noise=noise)
    city = plan.city
    assert city is not None
    for push in (-30.0, -3.0, -0.5, 0.0, 0.5, 3.0, 30.0):
        offsets = [
            int(push * scale / city.grid.step_kmh * total)
            for scale, total in zip(city.scale, city.totals, strict=True)
        ]
        drawn = first_of(draw_query(plan, data.users, data.pairs, ScriptedNoise(*offsets)).rows)
        for column, one in enumerate(drawn):
            reach = math.ceil(city.half_width[column] * 1000 + 0.5)
            assert one.unclamped is not None
            assert one.value == min(max(one.unclamped, 0), U)
            outside = one.unclamped + reach < 0 or one.unclamped - reach > U
            assert one.informative is not outside
            ends = (0, U) if outside else (max(0, one.unclamped - reach), min(U, one.unclamped + reach))
            assert (one.low, one.high) == ends
            assert one.bias_bound == math.ceil(city.bias_bound[column] * 1000)
            assert one.modelled_bias == math.ceil(city.bias.typical[column] * 1000)
            assert one.effective_users == round(city.effective_vehicles[column] * 1000)


def test_the_laplace_interval_of_true_weights_covers_95_percent_by_the_exact_law() -> None:
    """P(|Z| <= k) = 1 - 2 a^(k + 1) / (1 + a), a = exp(-eps / (Q Y)); no bias but the grid's."""
    plan, _ = planned(contributions_of(TOWN), noise="laplace", mode="exact")
    city = plan.city
    assert city is not None
    a = math.exp(-float(city.spend) / city.sensitivity)
    for half, total in zip(city.half_width.tolist(), city.totals.tolist(), strict=True):
        reach = math.floor(half / city.grid.step_kmh * total)
        inside = 1 - 2 * a ** (reach + 1) / (1 + a)
        assert 0.95 - 1e-4 <= inside <= 0.9502


@EVERY_NOISE
def test_intervals_cover_the_truth_in_95_percent_of_releases(noise: str) -> None:
    """Raw, true weights: by numpy's draws of the planned scale on the exact sums; a row without
    information counts as a miss."""
    table = contributions_of(TOWN, np.random.default_rng(5).integers(0, U, np.sum(TOWN)).tolist())
    plan, data = planned(table, noise=noise, mode="exact", budget=Budget(total=Decimal(50)))
    city, rng, trials = plan.city, np.random.default_rng(6), 1_500
    assert city is not None
    source = RecordingNoise()
    draw_query(plan, data.users, data.pairs, source)
    truth = [table.values[np.repeat(table.hat, table.counts) == hat].mean() for hat in range(table.hats)]
    scale = city.sensitivity / (math.sqrt(2 * float(city.spend)) if noise == "gauss" else float(city.spend))
    covered = 0
    for _ in range(trials):
        drawn = (
            rng.normal(0, scale, city.pairs.hats)
            if noise == "gauss"
            else rng.laplace(0, scale, city.pairs.hats)
        )
        rows = draw_query(
            plan, data.users, data.pairs, ScriptedNoise(*np.rint(drawn).astype(int).tolist())
        ).rows
        for one, mean in zip(first_of(rows), truth, strict=True):
            covered += one.informative and one.low <= mean <= one.high
    total = trials * table.hats
    assert abs(covered / total - 0.95) < 4 * math.sqrt(0.95 * 0.05 / total) + 0.001


@pytest.mark.parametrize("value", [0, U, 20_000])
@pytest.mark.parametrize("total", ["0.01", "10", "10000"])
def test_equal_values_and_extreme_totals_give_possible_rows(value: int, total: str) -> None:
    table = contributions_of(TOWN, [value] * int(np.sum(TOWN)))
    plan, data = planned(table, budget=Budget(total=Decimal(total)))
    for one in first_of(draw_query(plan, data.users, data.pairs, RecordingNoise()).rows):
        assert one.value == value
        assert 0 <= one.low <= value <= one.high <= U


def test_importance_by_vehicles_gives_busy_hats_less_noise() -> None:
    counts = np.concatenate((np.eye(12, dtype=np.int64)[:, :2] * 0 + [[1, 0]] * 12, [[1, 1], [1, 1]]))
    scales = [
        np.array(
            [
                one.lead.noise_scale
                for one in planned(
                    contributions_of(counts), importance=chosen, noise="laplace", mode="exact", p=1
                )[0].plans
            ]
        )
        for chosen in ("equal", "vehicles")
    ]
    assert scales[1][0] < scales[0][0]
    assert scales[1][1] > scales[0][1]


def test_tokens_are_those_of_a_vehicle_in_either_unit() -> None:
    table = contributions_of(np.array(TOWN) * 4, days=3)
    one, other = (planned(table, unit=unit)[0].city for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY))
    assert one is not None
    assert other is not None
    assert one.tokens.tolist() == other.tokens.tolist()
    assert one.tokens.max() <= TOKENS
