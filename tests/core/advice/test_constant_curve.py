"""Curves of typical errors over C: what a choice brings, and which one is best."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from core.advice.constant_curve import cheapest_choice, constant_outlook
from core.bounding.candidates import candidate_hats
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.planning.constant_choice import (
    USUAL_HATS,
    PublicCity,
    best_constant,
    choice_for_error,
    constants_to_try,
    typical_bounded_error,
)
from tests.bounding import constants_of

CONSTANTS = constants_of()
HATS = len(candidate_hats(CONSTANTS))
DELTA, TOTAL = Decimal("1e-6"), Decimal(10)
BUSY = PublicCounts(units=np.full(HATS, 300), records=np.full(HATS, 4), fleet=900)


def test_a_curve_holds_the_errors_of_its_constants_and_the_best() -> None:
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=DELTA), TOTAL, chosen=7)
    assert [curve.noise for curve in outlook.curves] == [NoiseKind.LAPLACE, NoiseKind.GAUSS]
    for curve in outlook.curves:
        hats = [one.hats_per_vehicle for one in curve.choices]
        assert hats == sorted(set(hats))
        assert 7 in hats
        own = curve.at(7)
        assert own is not None
        seven = constants_of(hats_per_vehicle=7)
        assert own.error_kmh == typical_bounded_error(
            PublicCity(BUSY, seven, delta=DELTA), curve.noise, TOTAL
        )
        best = best_constant(PublicCity(BUSY, CONSTANTS, delta=DELTA), curve.noise, TOTAL)
        assert curve.best.error_kmh <= best.error_kmh
    assert outlook.best.error_kmh == min(curve.best.error_kmh for curve in outlook.curves)
    assert outlook.hats_of_one == pytest.approx(HATS * 300 / 900)


def test_the_hats_that_a_vehicle_is_expected_to_visit_are_tried_too() -> None:
    """As many as are named nowhere: 300 of 900 vehicles in each of 18 HATs."""
    (expected,) = {math.ceil(BUSY.hats_of_one)} - set(USUAL_HATS)
    assert constants_to_try(PublicCity(BUSY, CONSTANTS), (1, 0, 9999)) == [1, expected, HATS]
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=DELTA), TOTAL)
    assert outlook.choice(expected, AUTO) is not None


def test_more_hats_than_there_are_bound_no_less() -> None:
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=Decimal(0)), TOTAL, chosen=10**6)
    assert outlook.choice(10**6, AUTO) == outlook.curves[0].choices[-1]


def test_without_a_delta_there_is_no_gaussian_noise() -> None:
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=Decimal(0)), TOTAL)
    assert [curve.noise for curve in outlook.curves] == [NoiseKind.LAPLACE]
    assert outlook.gaussian_from is None
    assert outlook.choice(5, GAUSS) is None
    assert outlook.smaller_noise(10**5) is NoiseKind.LAPLACE


def test_the_noise_that_is_asked_for_counts_and_else_the_better_one() -> None:
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=DELTA), TOTAL, chosen=5)
    laplace, gauss = outlook.choice(5, LAPLACE), outlook.choice(5, GAUSS)
    assert laplace is not None
    assert gauss is not None
    assert laplace.noise is NoiseKind.LAPLACE
    assert gauss.noise is NoiseKind.GAUSS
    assert outlook.choice(5, AUTO) == min((laplace, gauss), key=lambda one: one.error_kmh)
    assert outlook.choice(9999, AUTO) is not None
    assert outlook.choice(11, AUTO) is None


def test_gaussian_noise_is_the_smaller_one_from_there_on() -> None:
    outlook = constant_outlook(PublicCity(BUSY, CONSTANTS, delta=DELTA), TOTAL)
    assert outlook.gaussian_from == 12
    assert outlook.smaller_noise(11) is NoiseKind.LAPLACE
    assert outlook.smaller_noise(12) is NoiseKind.GAUSS


def test_the_cheapest_choice_is_that_of_the_better_noise() -> None:
    noises = (NoiseKind.LAPLACE, NoiseKind.GAUSS)
    found = cheapest_choice(PublicCity(BUSY, CONSTANTS, delta=DELTA), noises, 3.0)
    tried = constants_to_try(PublicCity(BUSY, CONSTANTS))
    each = [
        choice_for_error(PublicCity(BUSY, CONSTANTS, delta=DELTA), noise, 3.0, tried=tried)
        for noise in noises
    ]
    assert found.total == min(one.total for one in each)
    assert found.error_kmh <= 3.0


def test_an_error_that_nothing_reaches_is_refused() -> None:
    with pytest.raises(InputError):
        cheapest_choice(PublicCity(BUSY, CONSTANTS, delta=Decimal(0)), (NoiseKind.LAPLACE,), 1e-9)


def test_nobody_expected_anywhere_is_refused() -> None:
    nobody = PublicCounts(units=np.zeros(HATS, np.int64), records=np.ones(HATS, np.int64), fleet=5)
    with pytest.raises(InputError, match="No vehicle is expected"):
        constant_outlook(PublicCity(nobody, CONSTANTS, delta=DELTA), TOTAL)
