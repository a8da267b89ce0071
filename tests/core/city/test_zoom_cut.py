"""What cutting does to a second look, against draws of the model it is worked out from (city-release 8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.city.zoom_cut import Cut, cut_of

DRAWS = 200_000


def pairs_of(records: list[list[int]]) -> CityPairs:
    """Records of the vehicles of each HAT."""
    sizes = [len(one) for one in records]
    return CityPairs(
        hat=np.repeat(np.arange(len(records)), sizes).astype(np.int32),
        vehicle=np.concatenate([np.arange(size) for size in sizes]).astype(np.int32),
        code=np.concatenate([np.arange(size) for size in sizes]).astype(np.int32),
        records=np.concatenate(records),
    )


def cut(
    pairs: CityPairs, low: float, high: float, middle: float, deviation: float, upper: float = 65.0
) -> Cut:
    def everywhere(number: float) -> Floats:
        return np.full(pairs.hats, number)

    ends, first = (everywhere(low), everywhere(high)), (everywhere(middle), everywhere(deviation))
    return cut_of(pairs, pairs.shares, ends, first, upper)


@pytest.mark.parametrize(
    ("low", "high", "middle", "deviation"), [(13.0, 37.0, 25.0, 3.0), (0.0, 18.0, 6.0, 2.0), (40, 65, 55, 5)]
)
def test_it_is_what_draws_of_the_model_show(low: float, high: float, middle: float, deviation: float) -> None:
    pairs = pairs_of([[1, 4, 20, 3, 2, 2, 1, 9]])
    told = cut(pairs, low, high, middle, deviation)
    rng = np.random.default_rng(5)
    spread = np.sqrt(25 + 324 / pairs.records)
    means = rng.normal(middle, deviation, (DRAWS, 1)) + rng.normal(0, 1, (DRAWS, spread.size)) * spread
    means = np.clip(means, 0.0, 65.0)  # no vehicle's mean lies beyond
    lost = (np.clip(means, low, high) - means) @ pairs.shares
    true = means @ pairs.shares
    slope, _ = np.polyfit(true, lost, 1)
    assert lost.mean() == pytest.approx(told.shift[0], abs=0.02)
    assert -slope == pytest.approx(told.slope[0], rel=0.1)
    assert lost.std() == pytest.approx(told.unshifted[0], rel=0.1)
    corrected = told.corrected(true + lost)
    assert (corrected - true).mean() == pytest.approx(0.0, abs=0.05)
    error = corrected - true
    assert abs(np.polyfit(true - middle, error, 1)[0]) < 0.03, "no pull towards the middle is left"
    assert error.std() == pytest.approx(told.rest[0] / told.rest_share[0], rel=0.3)


@given(st.integers(0, 1 << 32), st.floats(0.05, 30.0))
def test_the_parts_are_sound_whatever_the_ranges(seed: int, deviation: float) -> None:
    rng = np.random.default_rng(seed)
    pairs = pairs_of([rng.integers(1, 30, rng.integers(1, 6)).tolist() for _ in range(5)])
    middle = rng.uniform(0.0, 65.0, 5)
    reach = rng.uniform(0.1, 40.0, 5)
    low, high = np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 65.0)
    told = cut_of(pairs, pairs.shares, (low, high), (middle, np.full(5, deviation)), 65.0)
    assert ((told.slope >= 0.0) & (told.slope < 1.0)).all()
    assert (told.rest >= 0.0).all()
    assert (told.unshifted >= told.rest).all()
    values = rng.uniform(0.0, 65.0, (500, pairs.hat.size))
    ends = low[pairs.hat], high[pairs.hat]
    values[0], values[1] = 0.0, 65.0
    moved = [pairs.by_hat(pairs.shares * (np.clip(one, *ends) - one)) - told.shift for one in values]
    assert np.abs(moved).max(axis=0) == pytest.approx(told.at_worst), "attained at 0 or at U, never passed"


def test_nothing_is_cut_where_the_range_is_all_there_is() -> None:
    told = cut(pairs_of([[1, 2], [7]]), 0.0, 65.0, 22.0, 50.0)
    for part in (told.shift, told.slope, told.rest, told.unshifted, told.at_worst):
        assert (part == 0.0).all()
    assert told.corrected(np.array([3.0, 70.0])) == pytest.approx([3.0, 70.0])


def test_it_scales_with_the_range_of_the_value() -> None:
    pairs = pairs_of([[1, 5, 2], [3]])
    here, there = cut(pairs, 10.0, 34.0, 22.0, 4.0), cut(pairs, 20.0, 68.0, 44.0, 8.0, upper=130.0)
    assert there.slope == pytest.approx(here.slope)
    assert there.rest == pytest.approx(2.0 * here.rest)
    assert there.unshifted == pytest.approx(2.0 * here.unshifted)
    assert there.shift == pytest.approx(2.0 * here.shift)
