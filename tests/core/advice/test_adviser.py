"""The adviser sees counts, epsilon and U, and nothing else (method 6, *Adviser*)."""

from __future__ import annotations

import dataclasses
import inspect
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.advice.adviser import CLOSE, Advice, advise, advise_joint, advise_regions
from core.contributions import HatData, HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import all_mechanisms, mechanisms_of, require_mechanism
from core.noise.simulated import SimulatedNoise
from core.parameter_fields import build
from core.privacy import Relation
from tests.strategies import U, counts, hat_data, hat_users, values

EPSILONS = st.sampled_from(("0.001", "0.5", "1", "2", "100")).map(Decimal)
ONE = Decimal(1)


def users_of(sizes: list[int] | NDArray[np.int64]) -> HatUsers:
    return HatUsers(counts=np.array(sizes, np.int64))


def advice_for(sizes: list[int] | NDArray[np.int64], epsilon: str = "1") -> Advice:
    return advise(users_of(sizes), Decimal(epsilon), U)


@given(data=st.data(), epsilon=EPSILONS)
def test_the_advice_never_changes_with_the_values(data: st.DataObject, epsilon: Decimal) -> None:
    hat = data.draw(hat_data())
    other = dataclasses.replace(hat, values=np.array(data.draw(values(hat.values.size)), np.int32))
    assert advise(hat.public, epsilon, U) == advise(other.public, epsilon, U)


def test_it_takes_public_facts_only() -> None:
    assert list(inspect.signature(advise).parameters) == ["users", "epsilon", "upper_bound", "cache", "unit"]
    assert not {field.name for field in dataclasses.fields(HatUsers)} - {"counts", "visits", "suppressed"}


@given(users=hat_users(counts(most_users=40, most_records=60)), epsilons=st.tuples(EPSILONS, EPSILONS))
def test_a_cache_changes_no_advice(users: HatUsers, epsilons: tuple[Decimal, Decimal]) -> None:
    cache = PlanCache()
    for epsilon in (*epsilons, epsilons[0]):
        assert advise(users, epsilon, U, cache) == advise(users, epsilon, U)


@given(
    users=hat_users(counts(most_users=40, most_records=60)),
    epsilon=EPSILONS,
    upper=st.sampled_from((U, 1, 10**6)),
)
def test_it_always_advises_something_that_can_be_planned(
    users: HatUsers, epsilon: Decimal, upper: int
) -> None:
    before = users.counts.copy()
    advice = advise(users, epsilon, upper)
    assert advice == advise(users, epsilon, upper)
    assert users.counts.tolist() == before.tolist()
    mechanism = require_mechanism(advice.mechanism)
    params = build(mechanism.Params, advice.params, where="test")
    plan = mechanism.plan(users, epsilon, upper, params, PlanCache())
    assert plan.mechanism == advice.mechanism
    accuracy = mechanism.accuracy(plan, users, PlanCache())
    assert advice.typical_errors[advice.mechanism] == accuracy.typical_error, "what the mechanism itself says"
    alone = {key for key, one in all_mechanisms().items() if not one.joint}
    assert alone >= set(advice.typical_errors) >= alone - {"worst-case-bounding"}
    assert all(0 < error <= upper / 1000 for error in advice.typical_errors.values())
    least = min(advice.typical_errors.values())
    if least >= 12 * upper / U:
        least = advice.typical_errors["two-step-clipping"]
    close = [key for key, error in advice.typical_errors.items() if 1 / CLOSE <= error / least <= CLOSE]
    assert advice.mechanism in close
    assert mechanism.complexity == min(require_mechanism(key).complexity for key in close)
    assert advice.reason.startswith(mechanism.title)
    assert advice.reason.endswith(".")
    assert "\n" not in advice.reason


def test_equal_counts_need_nothing_but_the_baseline() -> None:
    """Every user weighs the same: there is nothing to cap."""
    advice = advice_for([7] * 20)
    assert advice.mechanism == "baseline"
    assert "20 users with 7 records each" in advice.reason
    assert "for 1 user with 1 record each, " in advice_for([1]).reason


def test_an_epsilon_is_written_plainly() -> None:
    assert "at epsilon 10," in advice_for([9, 4, 1], "1E+1").reason.replace(";", ",")


def test_a_constant_is_never_advised() -> None:
    """With fewer than 2 / epsilon users worst-case bounding is U / 2: an error of 13 km/h, and no news."""
    assert "worst-case-bounding" not in advice_for([1]).typical_errors
    assert "worst-case-bounding" in advice_for([1, 1]).typical_errors


@pytest.mark.parametrize("sizes", [[1], [500], [1, 1]], ids=["one-record", "one-user", "two-records"])
def test_the_smallest_hats_get_the_baseline(sizes: list[int]) -> None:
    assert advice_for(sizes).mechanism == "baseline"


@pytest.mark.parametrize(
    "sizes",
    [
        [100, 40, 20, 10, 5, 2, 1, 1],
        [400] + [40] * 300,
        np.sort(np.random.default_rng(1).geometric(0.01, 500))[::-1],
        np.sort(np.random.default_rng(1).geometric(0.001, 217))[::-1],
    ],
    ids=["small", "one-sided", "many-users", "many-records"],
)
def test_uneven_counts_get_two_step_clipping(sizes: list[int] | NDArray[np.int64]) -> None:
    advice = advice_for(sizes)
    assert advice.mechanism == "two-step-clipping"
    assert "next best" in advice.reason


def test_one_user_with_nearly_all_records_is_capped() -> None:
    errors = advice_for([400, 3, 2, 1], "4").typical_errors
    assert advice_for([400, 3, 2, 1], "4").mechanism != "baseline"
    assert errors["two-step-clipping"] < errors["baseline"]


def test_the_reason_names_the_rival_that_is_hardly_better() -> None:
    """One more record for one of 20 users: Baseline is 0.1 % from the best, and simpler."""
    advice = advice_for([10_003] + [10_000] * 19)
    assert advice.mechanism == "baseline"
    assert "only slightly better and more complicated" in advice.reason


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
@pytest.mark.parametrize("users", [10, 60, 200])
def test_the_advice_is_good_where_speeds_are_ordinary(users: int, epsilon: str) -> None:
    """Simulated errors of the advised mechanism are at most a third above the best of all."""
    rng = np.random.default_rng(users)
    sizes = np.sort(rng.geometric(0.03, users))[::-1].astype(np.int64)
    kmh = np.repeat(rng.normal(21, 3, users), sizes) + rng.normal(0, 10, sizes.sum())
    flat = np.clip(np.rint(kmh * 1000), 0, U).astype(np.int32)
    hat = HatData(counts=sizes, starts=np.cumsum(sizes) - sizes, values=flat, upper_bound=U)
    errors = {}
    for key, mechanism in mechanisms_of(Relation.VALUES).items():
        plan = mechanism.plan(hat.public, Decimal(epsilon), U, mechanism.Params(), PlanCache())
        drawn = mechanism.run(plan, hat, SimulatedNoise(1, 1_000)).estimates
        errors[key] = float(np.abs(drawn - flat.mean()).mean())
    assert errors[advise(hat.public, Decimal(epsilon), U).mechanism] <= 1.33 * min(errors.values())


def test_many_users_are_advised() -> None:
    sizes = np.sort(np.random.default_rng(3).geometric(0.5, 500))[::-1]
    assert advise(users_of(sizes), ONE, U).mechanism in all_mechanisms()


def test_an_error_of_thousands_is_told_as_people_write_it() -> None:
    """Of delays in seconds, say: an error of 2.4e+03 s is nobody's."""
    alone = advise(users_of([14, 10, 6]), Decimal("0.001"), 2_400_000, unit="s")
    joint = advise_joint(50, alone, 1_234.5, unit="s")
    regions = advise_regions(50, 5, alone, 30.0, unit="s")
    for one in (alone, joint, regions):
        assert "e+" not in one.reason
        assert "2,400 s" in one.reason
    assert "typical error in the median hexagon slot is about 1,200 s" in joint.reason


def test_many_hats_are_advised_to_be_planned_as_one() -> None:
    alone = advice_for([7] * 20)
    before = advise_joint(48, alone, None)
    assert before.mechanism == "tokens"
    assert before.reason.startswith("Tokens: 48 hexagon slots")
    assert before.typical_errors == alone.typical_errors, "what it misses is not known before it is planned"
    planned = advise_joint(48, alone, 1.234)
    assert planned.typical_errors["tokens"] == 1.234
    assert "typical error in the median hexagon slot is about 1.2 km/h" in planned.reason
    assert "Baseline, each hexagon slot by itself" in planned.reason


@pytest.mark.parametrize("planned", [None, 1.234])
def test_what_is_selected_beside_the_released_hats_is_told_too(planned: float | None) -> None:
    alone = advice_for([7] * 20)
    told = advise_joint(284, alone, planned, suppressed=4, empty=36).reason
    assert told.startswith("Tokens: 284 hexagon slots")
    few, empty = (
        " Suppressed for too few vehicles: 4 of 288 selected hexagon slots.",
        " Also empty: 36.",
    )
    assert told.endswith(few + empty), "the words and counts of step Hexagons"
    assert advise_joint(284, alone, planned, suppressed=4).reason.endswith(few)
    only_empty = advise_joint(284, alone, planned, empty=36).reason
    assert only_empty.endswith(empty)
    for neither in ("Suppressed", "Empty"):
        assert neither not in advise_joint(284, alone, planned).reason
    assert "Suppressed" not in only_empty


def test_regions_miss_what_was_promised_and_where_that_is_much_the_advice_says_so() -> None:
    alone = advice_for([7] * 20)
    rival = alone.typical_errors[alone.mechanism]
    retained = advise_regions(60, 15, alone, rival / 2)
    assert retained.mechanism == "tokens"
    assert "60 hexagon slots" in retained.reason
    assert f"15 regions, each good to {rival / 2:g} km/h on average as promised" in retained.reason
    assert f"{rival:.2g} km/h is typical" in retained.reason
    assert "For more accuracy" not in retained.reason
    one = advise_regions(1, 1, alone, rival / 2).reason
    assert one.startswith("Tokens: 1 hexagon slot is released under one total per vehicle, in 1 region, each")
    loose = advise_regions(60, 15, alone, 2 * rival)
    assert loose.reason.endswith("promise a smaller error or leave regions out.")
