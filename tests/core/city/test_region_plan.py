"""The promise holds in tokens, rows are checked, and a vehicle pays once for its day in a region."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.city import region_choice
from core.city.city_charge import city_charge
from core.city.city_plan import CityBudget, CityPlan
from core.city.noise_kind import NoiseKind
from core.city.region_plan import plan_regions
from core.city.region_spread import REGION_SPREADS
from core.city.smoothing_model import HatPlaces, covariance
from core.city.vehicle_sums import vehicle_sums
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.errors import InputError, InternalError
from core.mechanisms.tokens import TOKENS, TokensParams
from core.privacy import Unit
from tests.region_fleets import fleet_contributions

DELTA = Decimal("1e-6")
NOISES = [one.value for one in NoiseKind]


@pytest.fixture(scope="module")
def table() -> Contributions:
    return fleet_contributions(60, days=2)


@pytest.fixture(scope="module", params=[Unit.VEHICLE, Unit.VEHICLE_DAY], ids=str)
def users(request: pytest.FixtureRequest, table: Contributions) -> UserTable:
    return users_of(table, request.param, EVALUATION_TIE_KEY)


def planned(
    table: Contributions,
    users: UserTable,
    *,
    total: str = "40",
    noise: str = "laplace",
    promised: float = 2.0,
    minimum_vehicles: int = 2,
    **others: object,
) -> CityPlan:
    params = TokensParams(regions=True, promised_error=promised, noise=noise, **others)  # type: ignore[arg-type]
    budget = CityBudget(epsilon=Decimal(total), delta=DELTA)
    return plan_regions(table, users, np.ones(table.hats, bool), budget, params, minimum_vehicles)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("promised", [1.0, 2.0, 7.3])
def test_no_region_misses_more_than_is_promised_and_no_vehicle_pays_more_than_the_total(
    table: Contributions, users: UserTable, noise: str, promised: float
) -> None:
    plan = planned(table, users, noise=noise, promised=promised, total="200")
    retained = plan.noise.mean_of_scale * plan.scale
    assert retained.max() <= promised * (1 + 1e-12)
    assert retained.min() > promised * 0.999
    held = np.zeros(plan.pairs.vehicles, np.int64)
    np.add.at(held, plan.pairs.vehicle, plan.tokens**2 if plan.noise.squared else plan.tokens)
    assert held.max() <= (TOKENS**2 if plan.noise.squared else TOKENS)
    charge = city_charge(plan, table)
    assert (charge.rho.per_vehicle if plan.noise.squared else charge.per_vehicle) <= plan.spend


def test_lost_records_are_counted(table: Contributions, users: UserTable) -> None:
    plan = planned(table, users, total="6", promised=4.0)
    assert plan.regions is not None
    of_hat = plan.regions.of_hat
    held = int(table.records[of_hat >= 0].sum())
    assert held == plan.pairs.records.sum() < table.records.sum()
    assert plan.regions.record_share == held / table.records.sum()


def test_pairs_and_sums_are_those_of_the_merged_hats(table: Contributions, users: UserTable) -> None:
    plan = planned(table, users)
    column = plan.columns(table.hats)
    sums: dict[tuple[int, int], int] = {}
    records: dict[tuple[int, int], int] = {}
    for row in range(table.hat.size):
        key = int(column[table.hat[row]]), int(table.vehicle[row])
        values = table.values[int(table.start[row]) : int(table.start[row + 1])]
        if key[0] >= 0:
            sums[key] = sums.get(key, 0) + int(values.sum())
            records[key] = records.get(key, 0) + values.size
    pairs = plan.pairs
    keys = list(zip(pairs.hat.tolist(), pairs.code.tolist(), strict=True))
    assert dict(zip(keys, pairs.records.tolist(), strict=True)) == records
    assert dict(zip(keys, vehicle_sums(users, column).tolist(), strict=True)) == sums


def test_a_vehicle_pays_once_for_its_day_in_a_region_of_many_hats(
    table: Contributions, users: UserTable
) -> None:
    plan = planned(table, users)
    column, tokens = plan.columns(table.hats), {}
    for region, code, one in zip(
        plan.pairs.hat.tolist(), plan.pairs.code.tolist(), plan.tokens.tolist(), strict=True
    ):
        tokens[region, code] = one
    rows = {
        (int(table.vehicle[row]), int(table.day[row]), int(column[table.hat[row]]))
        for row in range(table.hat.size)
        if column[table.hat[row]] >= 0
    }
    by_day: dict[tuple[int, int], int] = {}
    for vehicle, day, region in rows:
        by_day[vehicle, day] = by_day.get((vehicle, day), 0) + tokens[region, vehicle]
    charge = city_charge(plan, table)
    most = Decimal(max(by_day.values())) * 40 / TOKENS
    assert most <= charge.per_vehicle_day <= most + Decimal("0.000001")


def test_weights_are_those_of_the_records_but_for_rounding(table: Contributions, users: UserTable) -> None:
    plan = planned(table, users)
    assert np.abs(plan.weights - plan.pairs.shares).max() < 1e-5
    assert plan.bias.at_worst.max() < 0.01


def test_spreads_are_those_of_the_prior_inside_each_region(table: Contributions, users: UserTable) -> None:
    regions = planned(table, users).regions
    assert regions is not None
    assert len(regions.spreads) == len(regions.listed)
    for number, spread in enumerate(regions.spreads.tolist()):
        hats = np.flatnonzero(regions.of_hat == number)
        grid = table.window.grid
        hours = np.array([grid.start(slot) / 60 + grid.minutes / 120 for slot in table.slot[hats].tolist()])
        law = covariance(HatPlaces.of(table.cell[hats].astype(np.int64), hours), REGION_SPREADS, shared=0.0)
        share = table.records[hats] / table.records[hats].sum()
        hidden = share @ np.diag(law) - share @ law @ share
        assert spread == pytest.approx(np.sqrt(max(hidden, 0.0)), abs=1e-4)


def test_auto_takes_the_noise_that_leaves_less_unsaid(table: Contributions, users: UserTable) -> None:
    plans = {noise: planned(table, users, noise=noise, total="400") for noise in NOISES}
    chosen = planned(table, users, noise="auto", total="400")
    shares = {noise: plan.regions.record_share for noise, plan in plans.items() if plan.regions}
    assert chosen.noise.value in NOISES
    assert chosen.regions is not None
    assert chosen.regions.record_share >= min(shares.values())
    assert chosen.tokens.tolist() == plans[chosen.noise.value].tokens.tolist()


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"promised": 0.001}, "promised_error"),
        ({"total": "0.001"}, "promised_error"),
        ({"minimum_vehicles": 1000}, "promised_error"),
        ({"noise": "gauss", "zoom": True}, "zoom"),
        ({"importance": "vehicles"}, "importance"),
        ({"mode": "bounded"}, "mode"),
    ],
)
def test_what_cannot_be_is_refused(
    table: Contributions, users: UserTable, given: dict[str, object], where: str
) -> None:
    with pytest.raises(InputError) as refusal:
        planned(table, users, **given)  # type: ignore[arg-type]
    assert where in refusal.value.where
    assert refusal.value.mend


def test_the_row_check_is_what_stands_between_a_wrong_search_and_the_noise(
    table: Contributions, users: UserTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = region_choice.search_regions

    def too_much(boxes, uneven, promise, progress):  # type: ignore[no-untyped-def]
        cheap = dataclasses.replace(promise, tokens_of_box=promise.tokens_of_box / 10)
        return everything(boxes, uneven, cheap, progress)

    monkeypatch.setattr(region_choice, "search_regions", too_much)
    with pytest.raises(InternalError, match="more tokens"):
        planned(table, users)
