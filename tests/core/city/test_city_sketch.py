"""core.city.city_sketch: what an outline tells is what the plan of that total tells."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, JointCity, plan_city
from core.city.city_sketch import CitySketch, sketch_exact
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.mechanisms.tokens import EXACT, SPLIT, TokensParams
from tests.count_tables import TOWN, pairs_of
from tests.strategies import CELLS, U

PAIRS = pairs_of(TOWN)
PLACES = CityPlaces(
    cells=np.array([CELLS[0]] * PAIRS.hats, np.uint64).astype(np.int64),
    hours=np.arange(PAIRS.hats) + 0.5,
    ids=tuple(map(str, range(PAIRS.hats))),
)
DELTA = Decimal("1e-6")
TOTALS = (Decimal(12), Decimal(40))


def outline(noise: NoiseKind) -> CitySketch:
    return sketch_exact(JointCity(PAIRS, PLACES, U, TokensParams(mode=EXACT)), noise, DELTA)


@pytest.mark.parametrize("noise", list(NoiseKind))
@pytest.mark.parametrize("total", TOTALS)
def test_one_outline_of_true_weights_tells_every_total(noise: NoiseKind, total: Decimal) -> None:
    told = outline(noise)
    params = TokensParams(mode=EXACT, noise=noise.value)
    plan = plan_city(
        JointCity(PAIRS, PLACES, U, params), np.arange(PAIRS.hats), CityBudget(epsilon=total, delta=DELTA)
    )
    np.testing.assert_allclose(told.scale(total), plan.scale, rtol=1e-4)
    np.testing.assert_allclose(told.typical_error(total), plan.typical_error, rtol=1e-3)
    assert told.facts(total).gaussian is noise.squared
    np.testing.assert_allclose(told.facts(total).noise_variance, noise.variance(plan.scale), rtol=1e-3)


@pytest.mark.parametrize("noise", list(NoiseKind))
def test_other_weights_are_those_of_the_plan(noise: NoiseKind) -> None:
    total, params = TOTALS[0], TokensParams(mode=SPLIT, noise=noise.value)
    told = dataclasses.replace(outline(noise), params=params).with_weights_for(total)
    plan = plan_city(
        JointCity(PAIRS, PLACES, U, params), np.arange(PAIRS.hats), CityBudget(epsilon=total, delta=DELTA)
    )
    np.testing.assert_allclose(told.typical_error(total), plan.typical_error, rtol=1e-2)
    np.testing.assert_allclose(told.weights, plan.weights, atol=2e-2)
    assert told.lean == plan.lean
    assert told.typical_error(total).mean() <= outline(noise).typical_error(total).mean()


def test_a_total_that_buys_no_gaussian_noise_is_refused() -> None:
    with pytest.raises(InputError, match="buys no Gaussian noise"):
        outline(NoiseKind.GAUSS).scale(Decimal("0.01"))


def test_smoothing_is_told_of_groups_and_of_the_last_release() -> None:
    groups, former = np.arange(PAIRS.hats) % 2, (1.0, 2.0, 3.0, 4.0, 5.0)
    places = dataclasses.replace(PLACES, group=groups, former_spreads=former)
    facts = dataclasses.replace(outline(NoiseKind.GAUSS), places=places).facts(TOTALS[0])
    assert facts.group is groups
    assert facts.former_spreads == former == places.only(groups == 0).former_spreads
    assert places.facts(np.ones(PAIRS.hats), np.ones(PAIRS.hats), 65.0).former_spreads == ()
