"""Constants chosen from public counts: which C, which total, which noise."""

from __future__ import annotations

import inspect
from decimal import Decimal

import numpy as np
import pytest

from core.bounding.bounded_mean import plan_bounded_mean
from core.bounding.candidates import candidate_hats
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.planning import constant_choice
from core.planning.city_accuracy import ErrorGoal
from core.planning.constant_choice import (
    PublicCity,
    best_constant,
    choice_for_error,
    gaussian_pays_from,
    spend_of,
    typical_bounded_error,
)
from tests.bounding import constants_of
from tests.records import assert_tells

CONSTANTS = constants_of()
HATS = len(candidate_hats(CONSTANTS))
DELTA = Decimal("1e-6")
BUSY = PublicCounts(units=np.full(HATS, 300), records=np.full(HATS, 4), fleet=900)
"""Each visits six HATs."""
TRIED = (1, 2, 4, 6, 12)
NOISES = pytest.mark.parametrize("noise", list(NoiseKind))


@NOISES
@pytest.mark.parametrize("total", ["2", "30"])
def test_the_best_constant_is_the_best_of_those_that_are_tried(noise: NoiseKind, total: str) -> None:
    found = best_constant(PublicCity(BUSY, CONSTANTS, delta=DELTA), noise, Decimal(total), tried=TRIED)
    errors = {
        hats: typical_bounded_error(
            PublicCity(BUSY, constants_of(hats_per_vehicle=hats), delta=DELTA), noise, Decimal(total)
        )
        for hats in TRIED
    }
    assert found.hats_per_vehicle in TRIED
    assert found.error_kmh == min(errors.values()) == errors[found.hats_per_vehicle]


@NOISES
def test_with_ample_budgets_nothing_is_left_out(noise: NoiseKind) -> None:
    """Noise is next to nothing, and what is left out is not; six HATs hold all, twelve only add noise."""
    found = best_constant(PublicCity(BUSY, CONSTANTS, delta=DELTA), noise, Decimal(5000), tried=TRIED)
    assert found.hats_per_vehicle == 6


def test_hats_that_would_be_empty_are_missed_by_the_middle() -> None:
    """Twenty vehicles with all of eighteen HATs: one of each leaves a third of the HATs without any."""
    public = PublicCounts(units=np.full(HATS, 20), records=np.ones(HATS, np.int64), fleet=20)
    one = typical_bounded_error(
        PublicCity(public, constants_of(hats_per_vehicle=1), delta=DELTA), NoiseKind.LAPLACE, Decimal(10**6)
    )
    everything = typical_bounded_error(
        PublicCity(public, constants_of(hats_per_vehicle=HATS), delta=DELTA),
        NoiseKind.LAPLACE,
        Decimal(10**6),
    )
    assert everything < 0.01
    # a third of 12.9 km/h, and for the rest E|N| of a spread of root(25 + 324) by one vehicle of twenty
    empty = np.exp(-20 / HATS)
    assert one == pytest.approx(
        empty * 12.9 + (1 - empty) * np.sqrt(349 * 2 / np.pi) * np.sqrt(0.85), rel=0.05
    )


@NOISES
@pytest.mark.parametrize("wanted", [1.0, 6.0])
def test_the_total_is_the_smallest_that_is_enough(noise: NoiseKind, wanted: float) -> None:
    found = choice_for_error(PublicCity(BUSY, CONSTANTS, delta=DELTA), noise, wanted, tried=TRIED)
    assert found.error_kmh <= wanted
    less = best_constant(
        PublicCity(BUSY, CONSTANTS, delta=DELTA), noise, found.total * Decimal("0.9"), tried=TRIED
    )
    assert less.error_kmh > wanted


def test_the_worst_hat_needs_more() -> None:
    units = np.full(HATS, 300)
    units[0] = 20
    public = PublicCounts(units=units, records=np.full(HATS, 4), fleet=900)
    median, worst = (
        choice_for_error(PublicCity(public, CONSTANTS, goal=goal), NoiseKind.LAPLACE, 3.0, tried=TRIED).total
        for goal in (ErrorGoal.MEDIAN, ErrorGoal.WORST)
    )
    assert worst > median


def test_hats_where_nobody_is_expected_do_not_count() -> None:
    units = np.where(np.arange(HATS) < 3, 300, 0)
    public = PublicCounts(units=units, records=np.full(HATS, 4), fleet=900)
    few = typical_bounded_error(PublicCity(public, CONSTANTS, delta=DELTA), NoiseKind.LAPLACE, Decimal(10))
    assert few == pytest.approx(
        typical_bounded_error(
            PublicCity(
                PublicCounts(units=np.full(HATS, 300), records=np.full(HATS, 4), fleet=2700),
                CONSTANTS,
                delta=DELTA,
            ),
            NoiseKind.LAPLACE,
            Decimal(10),
        )
    )


def test_nothing_of_a_data_set_can_be_given() -> None:
    """Public counts, constants and budgets are all that the functions take."""
    functions = ("best_constant", "choice_for_error", "typical_bounded_error", "gaussian_pays_from")
    for name in ("PublicCity", *functions):
        taken = inspect.signature(getattr(constant_choice, name)).parameters.values()
        assert not any(
            "Contributions" in str(one.annotation) or "Entries" in str(one.annotation) for one in taken
        )


@pytest.mark.parametrize("total", ["1", "4", "16", "64"])
@pytest.mark.parametrize("delta", ["1e-6", "1e-9"])
def test_gaussian_noise_pays_from_where_it_is_smaller(total: str, delta: str) -> None:
    """Just there, by the scales of bounded means: of weights, half of the budget."""
    start = gaussian_pays_from(Decimal(total), Decimal(delta))
    if start is None:
        with pytest.raises(InputError):
            spend_of(Decimal(total), NoiseKind.GAUSS, Decimal(delta))
        return

    def size(noise: NoiseKind, hats: int) -> float:
        spend = spend_of(Decimal(total), noise, Decimal(delta))
        plan = plan_bounded_mean(constants_of(hats_per_vehicle=1), noise, spend, 1)
        one = noise.mean_of_scale * plan.weight_scale
        return one * (hats**0.5 if noise.squared else hats)

    assert size(NoiseKind.GAUSS, start) < size(NoiseKind.LAPLACE, start)
    if start > 1:
        assert size(NoiseKind.GAUSS, start - 1) >= size(NoiseKind.LAPLACE, start - 1) * (1 - 1e-6)


def test_more_vectors_pay_earlier_and_small_totals_buy_no_gaussian_noise() -> None:
    one, two = (gaussian_pays_from(Decimal(4), DELTA, vectors=number) for number in (1, 2))
    assert one is not None
    assert two is not None
    assert one > two
    assert gaussian_pays_from(Decimal("0.001"), DELTA) is None


@pytest.mark.parametrize("delta", ["0", "1"])
def test_a_delta_that_allows_none_is_refused(delta: str) -> None:
    with pytest.raises(InputError) as caught:
        gaussian_pays_from(Decimal(4), Decimal(delta))
    assert_tells(caught.value)
    with pytest.raises(InputError) as caught:
        choice_for_error(PublicCity(BUSY, CONSTANTS, delta=Decimal(delta)), NoiseKind.GAUSS, 2.0)
    assert_tells(caught.value)


def test_what_cannot_be_chosen_is_refused() -> None:
    nobody = PublicCounts(units=np.zeros(HATS, np.int64), records=np.ones(HATS, np.int64), fleet=9)
    unknown = PublicCounts(units=np.full(HATS, 3), records=np.ones(HATS, np.int64), fleet=0)
    for public, wanted in ((nobody, 2.0), (unknown, 2.0), (BUSY, 1e-9)):
        with pytest.raises(InputError) as caught:
            choice_for_error(PublicCity(public, CONSTANTS), NoiseKind.LAPLACE, wanted, tried=TRIED)
        assert_tells(caught.value)
