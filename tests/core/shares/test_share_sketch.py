"""core.shares.share_sketch: what an outline says of shares is what their plan says."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.city.city_places import CityPlaces
from core.city.city_plan import JointCity
from core.city.city_sketch import sketch_exact
from core.city.noise_kind import NoiseKind
from core.mechanisms.tokens import EXACT, SPLIT, TokensParams
from core.shares.share_plan import SharePlan
from core.shares.share_sketch import ShareSketch
from core.statistics.ranges import Ranges
from tests.count_tables import TOWN, pairs_of, plan_of
from tests.strategies import CELLS, U

PAIRS = pairs_of(TOWN)
PLACES = CityPlaces(
    cells=np.array([CELLS[0]] * PAIRS.hats, np.uint64).astype(np.int64),
    hours=np.arange(PAIRS.hats) + 0.5,
    ids=tuple(map(str, range(PAIRS.hats))),
)
DELTA, TOTAL = Decimal("1e-6"), Decimal(12)
RANGES = {
    "one": Ranges(((0, 10_000),), U),
    "disjoint": Ranges(((0, 10_000), (50_000, U)), U),
    "tiled": Ranges(((0, 10_000), (10_000, 30_000), (30_000, U)), U),
    "nested": Ranges(((0, 10_000), (0, 20_000), (0, 30_000)), U),
}


def outline(name: str, noise: NoiseKind, mode: str = EXACT) -> ShareSketch:
    city = sketch_exact(JointCity(PAIRS, PLACES, U, TokensParams(mode=mode)), noise, DELTA)
    return ShareSketch(city=city, ranges=RANGES[name])


@pytest.mark.parametrize("noise", list(NoiseKind))
@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("mode", [EXACT, SPLIT])
def test_errors_are_those_of_the_plan(name: str, noise: NoiseKind, mode: str) -> None:
    sketch = outline(name, noise, mode)
    if mode == SPLIT:
        sketch = sketch.with_weights_for(TOTAL)
    city = plan_of(PAIRS, str(TOTAL), noise=noise.value, mode=mode)
    plan = SharePlan(city=city, ranges=RANGES[name])
    assert_allclose(sketch.typical_error(TOTAL), plan.typical_error.max(axis=1), rtol=2e-2)
    assert sketch.moved_by_one == RANGES[name].distance


def test_smoothing_leaves_less_than_the_noise() -> None:
    sketch, some = outline("tiled", NoiseKind.LAPLACE), np.array([2, 0])
    smoothed = sketch.smoothed_error(TOTAL, some)
    assert np.all(smoothed < sketch.typical_error(TOTAL)[some])
    assert np.all(smoothed > 0)
