"""core.planning.city_accuracy: the total that is found reaches the error, and the one below does not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.accounting.epsilon_rounding import plain
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, JointCity, plan_city
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.mechanisms.tokens import EXACT, SPLIT, TokensParams
from core.planning.city_accuracy import CityOutline, ErrorGoal, outline_city, totals_for_error
from core.planning.smallest_budget import AMOUNTS
from core.progress import Cancelled
from tests.count_tables import large_city, pairs_of
from tests.strategies import CELLS, U

PAIRS = large_city(40, 60, 900)
PLACES = CityPlaces(
    cells=np.array([CELLS[number % len(CELLS)] for number in range(PAIRS.hats)], np.uint64).astype(np.int64),
    hours=np.arange(PAIRS.hats) % 24 + 0.5,
    ids=tuple(map(str, range(PAIRS.hats))),
)
DELTA = Decimal("1e-6")


def total_for_error(asked: CityOutline, wanted: float, goal: ErrorGoal, **more: Any) -> Decimal:
    return totals_for_error(asked, wanted, goal, **more).total


def outline(mode: str = EXACT, noise: str = "auto", delta: Decimal = DELTA) -> CityOutline:
    return outline_city(JointCity(PAIRS, PLACES, U, TokensParams(mode=mode, noise=noise)), delta)


def one_giant(seed: int) -> CityPairs:
    """Forty vehicles in thirty HATs, one of which holds five thousand visits of one of them."""
    rng = np.random.default_rng(seed)
    counts = (rng.random((40, 30)) < 0.3) * rng.integers(1, 30, (40, 30))
    counts[0] = rng.integers(20, 60, 30)
    counts[0, 3], counts[5:12, 3] = 5000, 1
    return pairs_of(counts)


@pytest.mark.parametrize("goal", list(ErrorGoal))
@pytest.mark.parametrize("smoothed", [False, True])
@pytest.mark.parametrize("noise", ["laplace", "auto"])
def test_the_total_is_the_first_that_is_enough(goal: ErrorGoal, noise: str, *, smoothed: bool) -> None:
    asked = outline(noise=noise)
    found = total_for_error(asked, 2.0, goal, smoothed=smoothed)
    below = AMOUNTS[AMOUNTS.index(found) - 1]
    assert asked.error(found, goal, smoothed=smoothed)[0] <= 2.0
    assert asked.error(below, goal, smoothed=smoothed)[0] > 2.0


def test_other_weights_take_less_and_the_worst_hat_more() -> None:
    exact = total_for_error(outline(), 2.0, ErrorGoal.MEDIAN, smoothed=False)
    assert total_for_error(outline(SPLIT), 2.0, ErrorGoal.MEDIAN, smoothed=False) < exact
    assert total_for_error(outline(), 2.0, ErrorGoal.WORST, smoothed=False) > exact
    assert total_for_error(outline(), 2.0, ErrorGoal.MEDIAN, smoothed=True) <= exact


@pytest.mark.parametrize(("seed", "wanted"), [(1, 2.0), (5, 1.0), (5, 2.5), (8, 2.0)])
@pytest.mark.parametrize("goal", list(ErrorGoal))
def test_a_plan_keeps_to_it_and_at_little_less_one_does_not(
    goal: ErrorGoal, seed: int, wanted: float
) -> None:
    """A giant in one HAT: weights for a small total leave it out, and more budget with them helps nobody."""
    params, pairs = TokensParams(noise="laplace"), one_giant(seed)
    places = PLACES.only(np.arange(PAIRS.hats) < pairs.hats)
    joint, told = JointCity(pairs, places, U, params), set[str]()
    asked = outline_city(joint, Decimal(0))
    found = total_for_error(asked, wanted, goal, smoothed=False, progress=lambda _, text="": told.add(text))
    assert f"Probably epsilon {plain(found)}; checking with a whole plan" in told
    budget = CityBudget(epsilon=found, delta=Decimal(0))
    plan = plan_city(joint, np.arange(pairs.hats), budget)
    assert goal.of(plan.typical_error) <= wanted
    below = [amount for amount in AMOUNTS if found / Decimal("1.12") <= amount < found]
    errors = [asked.as_planned(amount).error(amount, goal, smoothed=False)[0] for amount in below]
    errors.append(asked.as_planned(found).error(below[-1], goal, smoothed=False)[0])
    assert max(errors) > wanted


@pytest.mark.parametrize("wanted", [12.0, 16.0, 20.0])
def test_the_choice_of_noise_costs_no_more_than_the_noise_that_costs_less(wanted: float) -> None:
    """With true weights Gaussian noise is the better one; with others it took a third more than Laplace's."""
    either, laplace = (
        total_for_error(outline(SPLIT, noise=noise), wanted, ErrorGoal.MEDIAN, smoothed=False)
        for noise in ("auto", "laplace")
    )
    assert either <= laplace
    budget = CityBudget(epsilon=either, delta=DELTA)
    joint = JointCity(PAIRS, PLACES, U, TokensParams(noise="auto"))
    plan = plan_city(joint, np.arange(PAIRS.hats), budget)
    assert np.median(plan.typical_error) <= wanted


def test_noise_is_the_better_one_and_gaussian_only_with_a_delta() -> None:
    both, total = outline(), Decimal(100)
    errors = {
        noise: both.only(noise).error(total, ErrorGoal.MEDIAN, smoothed=False)[0] for noise in NoiseKind
    }
    assert both.error(total, ErrorGoal.MEDIAN, smoothed=False)[1] is min(errors, key=errors.__getitem__)
    assert [one.noise for one in outline(delta=Decimal(0)).sketches] == [NoiseKind.LAPLACE]


def test_an_error_out_of_reach_is_refused_and_a_stop_is_taken() -> None:
    with pytest.raises(InputError, match="No budget brings the typical error of the worst hexagon slot"):
        total_for_error(outline(), 1e-6, ErrorGoal.WORST, smoothed=False)

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        total_for_error(outline(), 2.0, ErrorGoal.MEDIAN, smoothed=True, progress=stop)
