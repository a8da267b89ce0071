from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import floor_epsilon
from core.accounting.ledger import Ledger
from core.advice.adviser import JOINT_FROM, advise
from core.advice.forecast import (
    Forecast,
    needs_smoothing,
    overview_of,
    with_smoothing,
)
from core.advice.smoothed import expected_error
from core.city.city_pairs import city_pairs
from core.contributions import EVALUATION_TIE_KEY, Contributions, HatUsers, contributions_of
from core.planning.query_plan import query_errors, seen_errors, smoothed_errors
from core.privacy import Unit
from core.release.prepare_publish import prepare
from core.spec import ReleaseSpec, load_spec
from core.store.load_records import load_records
from tests.city import BY_ORDER, BY_REGION, POPULATION, write_city, write_records
from tests.forecasts import forecast_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def table(spec: ReleaseSpec) -> Contributions:
    loaded = load_records(spec.data.paths(), spec.data.rules)
    return contributions_of(loaded.records, spec.resolution, spec.window)


def test_equal_vehicles_stand_in_the_order_of_the_population(tmp_path: Path) -> None:
    """The mean of the whole city shares tokens out in that order, and what a visit costs follows."""
    spec = load_spec(write_city(tmp_path, edit=BY_ORDER))
    ledger, contributions = Ledger.open(tmp_path / "ledger.sqlite"), table(spec)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10))
    planned = shown(contributions, unit=Unit.VEHICLE, spec=spec, tie_key=ledger.tie_key(POPULATION))
    assert planned.charge == prepare(spec, ledger).review.charge
    keys = (bytes([number]) * 32 for number in range(4))
    others = [shown(contributions, unit=Unit.VEHICLE, spec=spec, tie_key=key).charge for key in keys]
    assert len({charge.per_vehicle_hat_day for charge in others if charge is not None}) > 1


def shown(
    contributions: Contributions,
    *,
    unit: Unit | None,
    threshold: int = 2,
    spec: ReleaseSpec | None = None,
    tie_key: bytes = EVALUATION_TIE_KEY,
) -> Forecast:
    queries = (mean_query(budget=Budget(total=Decimal(6))),) if spec is None else spec.queries
    return forecast_of(contributions, *queries, threshold=threshold, unit=unit, tie_key=tie_key)


def test_the_preview_is_what_a_release_would_cost(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10))
    assert shown(table(spec), unit=Unit.VEHICLE).charge == prepare(spec, ledger).review.charge


def test_without_a_unit_there_is_a_selection_but_no_cost(tmp_path: Path) -> None:
    result = shown(table(load_spec(write_city(tmp_path))), unit=None)
    assert result.selection is not None
    assert result.plan is None
    assert result.advice is None
    assert result.problem is None


def test_a_choice_that_fits_nothing_is_a_problem_not_an_exception(tmp_path: Path) -> None:
    result = shown(table(load_spec(write_city(tmp_path))), unit=Unit.VEHICLE, threshold=900)
    assert result.selection is None
    assert result.problem is not None
    assert result.problem.mend


def test_values_change_nothing_that_a_preview_shows(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    before = shown(table(spec), unit=Unit.VEHICLE)
    write_records(tmp_path / "records.csv", bump=9.0)
    after = shown(table(spec), unit=Unit.VEHICLE)
    assert before.plan is not None
    assert after.plan is not None
    assert [plan.measures for plan in before.plan.plans] == [plan.measures for plan in after.plan.plans]
    assert query_errors(before.plan.plans) == query_errors(after.plan.plans)
    assert before.plan.charge == after.plan.charge
    assert before.advice is not None
    assert before.advice == after.advice


def test_advice_is_for_the_published_hat_with_the_median_number_of_records(tmp_path: Path) -> None:
    result = shown(table(load_spec(write_city(tmp_path))), unit=Unit.VEHICLE)
    assert result.plan is not None
    assert result.users is not None
    hats = [
        HatUsers(counts=result.users.hat_counts(hat.index), visits=result.users.hat_visits(hat.index))
        for hat in result.plan.published
    ]
    assert all(users.visits is not None for users in hats), "records with times tell visits"
    totals = sorted(users.records for users in hats)
    (median, *_) = [users for users in hats if users.records == totals[(len(totals) - 1) // 2]]
    assert result.advice == advise(median, result.plan.plans[0].epsilon, result.users.upper_bound)


def test_the_overview_counts_every_record_once(tmp_path: Path) -> None:
    contributions = table(load_spec(write_city(tmp_path)))
    overview = overview_of(contributions)
    assert int(overview.records.sum()) == len(contributions.values)
    assert (overview.vehicles <= overview.vehicle_days).all()


def joint(contributions: Contributions, **params: object) -> Forecast:
    queries = mean_query("tokens", **params), mean_query(query_id="other")
    return forecast_of(contributions, *queries, delta=Decimal("0.000001"))


def test_what_smoothing_leaves_is_added_to_plans_that_are_smoothed(tmp_path: Path) -> None:
    contributions = table(load_spec(write_city(tmp_path)))
    known = joint(contributions)
    assert needs_smoothing(known)
    assert [smoothed_errors(plan) for plan in known.plans] == [None, None]
    added = with_smoothing(known)
    assert not needs_smoothing(added)
    first, other = added.plans
    assert other is known.plans[1]
    assert first.smoothed_errors is not None
    assert first.smoothed_errors == tuple(expected_error(first).tolist())
    assert len(first.smoothed_errors) == len(first.published)
    spread = smoothed_errors(first)
    assert spread is not None
    assert 0 < spread.median <= spread.largest == max(first.smoothed_errors)
    assert with_smoothing(added).plans[0] is first


def test_few_hats_are_advised_by_what_readers_see(tmp_path: Path) -> None:
    """Another mechanism was recommended although the smoothed numbers of the one that is chosen miss less."""
    known = joint(table(load_spec(write_city(tmp_path))))
    smoothed = with_smoothing(known)
    assert known.plan is not None
    assert smoothed.plan is not None
    assert known.alone is not None
    assert len(known.plan.published) <= JOINT_FROM
    raw, seen = (seen_errors(one.plan).median for one in (known, smoothed) if one.plan)
    assert seen < raw
    for rival, before, after in (
        (2 * raw, "tokens", "tokens"),
        ((raw + seen) / 2, "levy", "tokens"),
        (seen / 2, "levy", "levy"),
    ):
        alone = dataclasses.replace(known.alone, mechanism="levy", typical_errors={"levy": rival})
        for one, chosen, error in ((known, before, raw), (smoothed, after, seen)):
            advice = dataclasses.replace(one, alone=alone).advice
            assert advice is not None
            assert advice.mechanism == chosen
            assert advice.typical_errors.get("tokens") == (error if chosen == "tokens" else None)


def test_without_smoothing_there_is_nothing_to_add(tmp_path: Path) -> None:
    known = joint(table(load_spec(write_city(tmp_path))), smooth=False)
    assert not needs_smoothing(known)
    assert with_smoothing(known).plans[0].smoothed_errors is None


def test_the_delta_decides_whether_noise_may_be_gaussian(tmp_path: Path) -> None:
    contributions = table(load_spec(write_city(tmp_path)))
    city = joint(contributions, noise="gauss").plans[0].city
    assert city is not None
    assert city.noise.squared
    assert joint(contributions, noise="gauss").problem is None


def test_the_advice_agrees_with_the_selection_where_some_of_it_is_suppressed() -> None:
    busy = [3] * 25 + [2] * 4
    rows = [(place, vehicle, 0) for place, vehicles in enumerate(busy) for vehicle in range(vehicles)]
    cells = sorted(map(h3.str_to_int, h3.grid_disk(h3.int_to_str(CELLS[0]), 3)))[: len(busy)]
    contributions = one_record_each(rows, cells, days=1)
    result = forecast_of(contributions, mean_query("tokens"), minimum_vehicles=3)
    assert result.selection is not None
    assert len(result.selection) == 29
    assert result.advice is not None
    assert "25 hexagon slots are released" in result.advice.reason
    assert "4 of 29 selected hexagon slots" in result.advice.reason


def test_by_region_too_a_vehicles_total_is_shared_over_its_hexagon_slots_that_are_compared(
    tmp_path: Path,
) -> None:
    spec = load_spec(write_city(tmp_path, edit=BY_REGION))
    contributions = table(spec)
    (query,) = spec.queries
    result = forecast_of(contributions, query, threshold=1)
    assert result.plan is not None
    assert result.users is not None
    assert result.advice is not None
    assert result.plan.city is not None
    published = np.zeros(contributions.hats, np.bool_)
    published[[hat.index for hat in result.plan.published]] = True
    most = int(np.bincount(city_pairs(result.users, published).vehicle).max())
    assert most > int(np.bincount(result.plan.city.pairs.vehicle).max()), "a vehicle is in fewer regions"
    hats = [
        HatUsers(counts=result.users.hat_counts(hat.index), visits=result.users.hat_visits(hat.index))
        for hat in result.plan.published
    ]
    median = sorted(hats, key=lambda one: one.records)[(len(hats) - 1) // 2]
    alone = advise(median, floor_epsilon(Decimal(12) / most), result.users.upper_bound)
    assert result.advice.typical_errors == alone.typical_errors
