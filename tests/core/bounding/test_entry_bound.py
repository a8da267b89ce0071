"""Sensitivities against a search over all that one unit can be."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal

import numpy as np
import pytest

from core.bounding.entry_bound import (
    EntryBound,
    entry_bound,
    entry_unit,
    halves,
    noisy_vector,
    reach_975,
    vector_scale,
)
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.noise.secure import gaussian_scale, laplace_scale
from core.privacy import Unit
from tests.bounding import constants_of
from tests.fakes import RecordingNoise, secure_noise
from tests.records import assert_tells

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))


@NOISES
@pytest.mark.parametrize(("hats", "each", "largest"), [(1, 1, 1), (2, 1, 3), (3, 2, 1), (2, 3, 2)])
def test_the_largest_vector_of_a_unit_is_found(noise: NoiseKind, hats: int, each: int, largest: int) -> None:
    """Each HAT holds up to `each` entries, each entry up to `largest` either way."""
    one_hat = range(-each * largest, each * largest + 1)
    norms = [
        math.sqrt(sum(number**2 for number in vector)) if noise.squared else sum(map(abs, vector))
        for vector in itertools.product(one_hat, repeat=hats)
    ]
    claimed = EntryBound(hats=hats, each=each).sensitivity(largest, noise)
    assert claimed - 1 < max(norms) <= claimed
    if not noise.squared:
        assert claimed == max(norms)


def test_days_count_where_they_are_entries_of_their_own() -> None:
    vehicle, day = constants_of(Unit.VEHICLE), constants_of(Unit.VEHICLE_DAY)
    assert entry_bound(vehicle, by_day=False).entries == 2
    assert entry_bound(vehicle, by_day=True).entries == 4
    assert entry_bound(day, by_day=True).entries == 2


@pytest.mark.parametrize("spend", ["1", "0.000003", "12.345679", "0.000002"])
def test_halves_add_up_and_are_whole_steps(spend: str) -> None:
    for noise, unit in ((NoiseKind.LAPLACE, Decimal("1e-6")), (NoiseKind.GAUSS, Decimal("1e-12"))):
        first, second = halves(Decimal(spend), noise)
        assert first + second == Decimal(spend)
        assert 0 <= first - second <= unit
        assert second % unit == 0


def test_what_has_no_halves_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        halves(Decimal("0.000001"), NoiseKind.LAPLACE)
    assert_tells(caught.value)


@NOISES
def test_the_vector_is_bought_at_once_and_its_scale_is_the_source_s(noise: NoiseKind) -> None:
    centres, recorded = np.arange(5), RecordingNoise()
    assert noisy_vector(recorded, noise, centres, 7, Decimal("0.5")).tolist() == [0, 1, 2, 3, 4]
    (asked,) = recorded.gaussians if noise.squared else recorded.vectors
    assert (asked.centres, asked.sensitivity, asked.spend) == ((0, 1, 2, 3, 4), 7, Decimal("0.5"))
    real = (gaussian_scale if noise.squared else laplace_scale)(7, Decimal("0.5"))
    assert vector_scale(noise, 7, Decimal("0.5")) == pytest.approx(real, rel=1e-12)


@NOISES
def test_noise_stays_within_reach_as_often_as_is_said(noise: NoiseKind) -> None:
    """The real source, 40,000 numbers."""
    source = secure_noise(Decimal(1), Decimal(1))
    drawn = noisy_vector(source, noise, np.zeros(40_000, np.int64), 1_000, Decimal(1))
    inside = np.abs(drawn) <= reach_975(noise, vector_scale(noise, 1_000, Decimal(1)))
    assert inside.mean() == pytest.approx(0.975, abs=0.004)


@NOISES
@pytest.mark.parametrize("numbers", [1, 3])
def test_an_entry_may_add_to_several_numbers(noise: NoiseKind, numbers: int) -> None:
    """Two HATs, two entries in each, all at their largest."""
    vector = [2 * 5] * (2 * numbers)
    norm = math.sqrt(sum(one**2 for one in vector)) if noise.squared else sum(vector)
    claimed = EntryBound(hats=2, each=2).sensitivity(5, noise, numbers)
    assert claimed - 1 < norm <= claimed


def test_roots_are_rounded_in_small_units() -> None:
    assert entry_unit(NoiseKind.LAPLACE) == 1
    unit = entry_unit(NoiseKind.GAUSS)
    assert EntryBound(hats=3).sensitivity(unit, NoiseKind.GAUSS) / unit == pytest.approx(3**0.5, rel=1e-6)
