"""The promise of a joint release, checked on whole releases: exactly, on made-up, sample and real data.

One vehicle's values change; what the noise is asked for here and there is compared by the laws of the noise.
No draws are needed, and nothing is estimated.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.budgets import Budget
from core.city import city_draw, city_plan, row_check
from core.city.city_plan import CityPlan
from core.contributions import Contributions, contributions_of
from core.mechanisms.tokens import TOKENS
from core.planning import city_query
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city
from tests.count_tables import BUSIEST, TOWN
from tests.count_tables import contributions_of as made_of
from tests.draws import draw_query
from tests.fakes import RecordingNoise, ScriptedResults
from tests.neighbours import (
    Data,
    all_of,
    assert_neighbours_covered,
    data_of,
    joint_losses,
    neighbours_of,
    with_new_values,
)
from tests.queries import mean_query
from tests.strategies import U, contributions, values

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "resources" / "sample" / "sample.toml"
UNITS = pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
EVERY_MODE = pytest.mark.parametrize("mode", ["exact", "split", "bounded"])
DELTA = Decimal("1e-6")


def planned(
    table: Contributions, total: str = "10", unit: Unit = Unit.VEHICLE, minimum: int = 1, **params: object
) -> tuple[QueryPlan, Data]:
    data = data_of(table, unit)
    query = mean_query("tokens", budget=Budget(total=Decimal(total)), **params)
    plan = plan_query(
        CountedCity(table, data.users, all_of(table), minimum_vehicles=minimum, delta=DELTA), query
    )
    return plan, data


def city_of(plan: QueryPlan) -> CityPlan:
    assert plan.city is not None
    return plan.city


def held(city: CityPlan) -> Counter[int]:
    """Vehicle of the contributions -> its tokens, or their squares; in integers of any size."""
    found: Counter[int] = Counter()
    for code, token in zip(city.pairs.code.tolist(), city.tokens.tolist(), strict=True):
        found[code] += token**2 if city.noise.squared else token
    return found


def from_nothing_to_u(table: Contributions, vehicle: int) -> tuple[Contributions, Contributions]:
    """One vehicle at 0 everywhere, and at U; the others as they are."""
    rows, size = table.vehicle == vehicle, int(table.start[-1])
    return with_new_values(table, rows, [0] * size), with_new_values(table, rows, [U] * size)


def busiest_loss(table: Contributions, plan: QueryPlan) -> tuple[Fraction, Fraction]:
    """(what the vehicle with the most tokens loses by 0 -> U in all its HATs, what each may lose)."""
    city = city_of(plan)
    vehicle, _ = max(held(city).items(), key=lambda item: item[1])
    here, there = from_nothing_to_u(table, vehicle)
    pure, rho = joint_losses(plan, data_of(here, Unit.VEHICLE), there)
    assert 0 in (pure, rho)
    return pure + rho, Fraction(city.spend)


def assert_kept_and_attained(table: Contributions, plan: QueryPlan, least: str = "0.999") -> None:
    """Rows add up to no more than Y; the busiest vehicle costs nearly all, and never more."""
    city = city_of(plan)
    assert max(held(city).values()) <= (TOKENS**2 if city.noise.squared else TOKENS)
    loss, spend = busiest_loss(table, plan)
    assert Fraction(least) * spend <= loss <= spend
    told = plan.charge.rho if city.noise.squared else plan.charge
    assert loss <= Fraction(told.per_vehicle) <= spend


@EVERY_NOISE
@EVERY_MODE
def test_the_busiest_vehicle_of_a_town_costs_the_total(noise: str, mode: str) -> None:
    table = made_of(TOWN, days=2)
    plan, _ = planned(table, noise=noise, mode=mode)
    assert_kept_and_attained(table, plan)
    if mode == "exact":
        assert max(held(city_of(plan)), key=held(city_of(plan)).__getitem__) == BUSIEST


@EVERY_NOISE
@UNITS
@given(data=st.data())
def test_nobody_moves_the_vector_further_than_it_is_charged(
    noise: str, unit: Unit, data: st.DataObject
) -> None:
    """Any values of one vehicle, one of its days, or one HAT of a day, in any city, zoomed or not."""
    table = data.draw(contributions())
    zoom = data.draw(st.booleans()) and noise == "gauss"
    row = data.draw(st.integers(0, table.hat.size - 1))
    size = table.values.size
    new = data.draw(st.sampled_from(([0] * size, [U] * size)) | values(size))
    plan, source = planned(table, "30", unit, noise=noise, mode="exact", zoom=zoom)
    assert_neighbours_covered(plan, source, neighbours_of(table, row, new, unit))


@EVERY_NOISE
@given(table=contributions(), data=st.data())
def test_each_vehicle_loses_no_more_than_its_own_tokens(
    noise: str, table: Contributions, data: st.DataObject
) -> None:
    """Not only the busiest: a vehicle with few tokens is safe with few."""
    plan, source = planned(table, noise=noise, mode="exact")
    city, vehicle = city_of(plan), int(data.draw(st.sampled_from(table.vehicle.tolist())))
    size = table.values.size
    new = data.draw(st.sampled_from(([0] * size, [U] * size)) | values(size))
    loss = sum(joint_losses(plan, source, with_new_values(table, table.vehicle == vehicle, new)))
    limit = TOKENS**2 if city.noise.squared else TOKENS
    assert loss <= Fraction(city.spend) * held(city)[vehicle] / limit


def sample() -> Contributions:
    spec = load_spec(SAMPLE)
    records = load_records(spec.data.paths(), spec.data.rules).records
    return contributions_of(records, spec.resolution, spec.window)


@EVERY_NOISE
@pytest.mark.parametrize("mode", ["exact", "split"])
def test_the_sample_keeps_the_promise(noise: str, mode: str) -> None:
    table = sample()
    plan, _ = planned(table, minimum=2, noise=noise, mode=mode)
    assert len(plan.published) > 20
    assert_kept_and_attained(table, plan, "0.999" if mode == "exact" else "0.99")


@EVERY_NOISE
def test_real_buses_keep_the_promise(noise: str, shared_data: Path, tmp_path: Path) -> None:
    """A day of Austin."""
    file = shared_data / "austin-buses" / "vehicle_positions_2015-09-06.csv.gz"
    if not file.is_file():
        pytest.skip("no such day beside the repository")
    edits = (
        ('files = ["records.csv"]', f"files = {json.dumps([str(file)])}"),
        ('zone = "Asia/Kolkata"', 'zone = "America/Chicago"'),
        ('vehicle = "vehicle"', 'vehicle = "vehicle_id"'),
        ('time = "time"', 'time = "timestamp"'),
        ('"lat"', '"latitude"'),
        ('"lon"', '"longitude"'),
        ('unit = "km/h"', 'unit = "mph"'),
        ('dates = ["2022-01-03", "2022-01-04"]', 'dates = [["2015-09-06", "2015-09-06"]]'),
    )
    spec = load_spec(write_city(tmp_path / "city", edit=edits))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    plan, _ = planned(table, minimum=2, noise=noise, mode="exact")
    assert len(plan.published) > 20
    assert_kept_and_attained(table, plan)


# Mistakes, planted one at a time: each must be found by what stands above.


def instead_of(**functions: Any) -> SimpleNamespace:
    """numpy with some functions changed, for one module."""
    return SimpleNamespace(**{**vars(np), **functions})


def loosened(*_: object, **__: object) -> None:
    """A row check that checks nothing."""


def test_tokens_rounded_up_are_caught_by_the_row_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(city_plan, "np", instead_of(floor=np.ceil))
    with pytest.raises(Exception, match="more tokens than the noise covers"):
        planned(made_of([[1] * 7]), noise="laplace", mode="exact")


@EVERY_NOISE
def test_a_removed_row_check_is_caught(noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With tokens that are too many: refused with the check, found by the promise without it."""
    right = city_plan.tokens_of
    monkeypatch.setattr(city_plan, "tokens_of", lambda *found: right(*found) * 3 // 2)
    table = made_of(TOWN)
    plan, data = planned(table, noise=noise, mode="exact")
    with pytest.raises(Exception, match="more tokens than the noise covers"):
        draw_query(plan, data.users, data.pairs, RecordingNoise())
    monkeypatch.setattr(city_draw, "require_rows_within", loosened)
    with pytest.raises(AssertionError):
        assert_kept_and_attained(table, plan)


@EVERY_NOISE
def test_halved_noise_is_caught(noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CityPlan, "sensitivity", property(lambda plan: plan.grid.largest * TOKENS // 2))
    table = made_of(TOWN)
    plan, _ = planned(table, noise=noise, mode="exact")
    loss, spend = busiest_loss(table, plan)
    assert loss > 1.9 * spend


def test_a_second_look_without_clipping_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges far from where the busiest vehicle goes: its means must be cut to them."""
    table = made_of(TOWN)
    plan, _ = planned(table, "30", noise="gauss", mode="exact", zoom=True)
    loss, spend = busiest_loss(table, plan)
    assert loss <= spend
    monkeypatch.setattr(city_draw, "np", instead_of(clip=lambda means, *_: means))
    loss, _ = busiest_loss(table, plan)
    assert loss > 1.5 * spend


def by_values(table: Contributions, plan: QueryPlan, noise: ScriptedResults) -> list[Any]:
    data = data_of(table, Unit.VEHICLE)
    return [row and row[0] for row in draw_query(plan, data.users, data.pairs, noise).rows]


@pytest.mark.parametrize(
    "mistake", ["none", "totals from values", "correction from values", "interval around the truth"]
)
def test_what_looks_at_values_again_is_caught(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same noisy sums on two cities: rows differ where anything else was asked of the values."""
    tables = [
        with_new_values(made_of(TOWN), made_of(TOWN).hat >= 0, [value] * int(np.sum(TOWN)))
        for value in (8_000, 41_000)
    ]
    plan, _ = planned(tables[0], noise="laplace")
    if mistake.endswith("from values"):
        right_sums = city_query.vehicle_sums

        def sums(users: Any, column: Any) -> Any:
            found = right_sums(users, column)
            weights = city_of(plan).pairs.by_hat(found)
            if mistake == "totals from values":
                monkeypatch.setattr(CityPlan, "totals", property(lambda _: weights.astype(np.int64) + 1))
            else:
                object.__setattr__(city_of(plan), "correction", 1.0 + weights / 1e6)
            return found

        monkeypatch.setattr(city_query, "vehicle_sums", sums)
    if mistake == "interval around the truth":
        right_draw = city_draw.draw_city

        def draw(city: CityPlan, sums: Any, *rest: Any) -> Any:
            found = right_draw(city, sums, *rest)
            truth = city.pairs.by_hat(sums) / city.pairs.by_hat(city.pairs.records)
            about_the_truth = lambda _, reach, largest: row_interval(int(truth[0]), reach, largest)  # noqa: E731
            monkeypatch.setattr(city_query, "interval_around", about_the_truth)
            return found

        monkeypatch.setattr(city_query, "draw_city", draw)
    noise = ScriptedResults([0.4, -0.3], [0.5])
    same = by_values(tables[0], plan, noise) == by_values(tables[1], plan, noise.again())
    assert same is (mistake == "none")


def row_interval(centre: int, reach: int, largest: int) -> tuple[int, int, bool]:
    return max(0, centre - reach), min(largest, centre + reach), True


def test_the_row_check_is_run_on_what_is_multiplied_with_values() -> None:
    """Both callers take the one function; neither has a copy."""
    assert city_draw.require_rows_within is city_plan.require_rows_within is row_check.require_rows_within
