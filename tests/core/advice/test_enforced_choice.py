"""Budgets of plan and enforce, chosen from public counts."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.advice.enforced_choice import ListedCounts, enforced_choice, enforced_for_error
from core.bounding.candidates import candidate_hats
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.planning.city_accuracy import ErrorGoal
from core.planning.smallest_budget import AMOUNTS
from tests.bounding import constants_of
from tests.records import assert_tells
from tests.strategies import U

DELTA = Decimal("1e-6")
BOTH = tuple(NoiseKind)
CANDIDATES = candidate_hats(constants_of())
LISTED = ListedCounts(
    candidates=CANDIDATES,
    public=PublicCounts(
        units=np.arange(len(CANDIDATES)) * 3 + 10, records=np.full(len(CANDIDATES), 4), fleet=90
    ),
    upper_bound=U,
)


def test_the_noise_with_the_smaller_error_is_taken() -> None:
    for total in (Decimal(4), Decimal(400)):
        each = [enforced_choice(LISTED, [noise], total, delta=DELTA) for noise in BOTH]
        found = enforced_choice(LISTED, BOTH, total, delta=DELTA)
        assert found.error_kmh == min(one.error_kmh for one in each)
    worst = enforced_choice(LISTED, BOTH, total, delta=DELTA, goal=ErrorGoal.WORST)
    assert worst.error_kmh > found.error_kmh


def test_an_acceptable_error_takes_the_smallest_total() -> None:
    found = enforced_for_error(LISTED, BOTH, 3.0, delta=DELTA)
    before = AMOUNTS[AMOUNTS.index(found.total) - 1]
    assert found.error_kmh <= 3.0 < enforced_choice(LISTED, BOTH, before, delta=DELTA).error_kmh


@pytest.mark.parametrize(
    ("listed", "noises", "wanted"),
    [
        (LISTED, BOTH, 1e-9),
        (LISTED, [NoiseKind.GAUSS], 3.0),
        (
            dataclasses.replace(LISTED, public=dataclasses.replace(LISTED.public, fleet=0)),
            [NoiseKind.LAPLACE],
            3.0,
        ),
    ],
    ids=["no total", "no delta", "no fleet"],
)
def test_what_cannot_be_had_is_refused(listed: ListedCounts, noises: list[NoiseKind], wanted: float) -> None:
    with pytest.raises(InputError) as caught:
        enforced_for_error(listed, noises, wanted, delta=Decimal(0) if noises != BOTH else DELTA)
    assert_tells(caught.value)


def test_a_total_without_noise_is_refused_for_that_noise_alone() -> None:
    tiny = Decimal("0.00001")
    assert enforced_choice(LISTED, BOTH, tiny, delta=DELTA).noise is NoiseKind.LAPLACE
    with pytest.raises(InputError):
        enforced_choice(LISTED, [NoiseKind.GAUSS], tiny, delta=DELTA)
