"""The law of permute-and-flip against its own algorithm, enumerated."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.noise import selection_law as module
from core.noise.selection_law import selection_law

TINY = 1e-12


def enumerated(scores: list[int], sensitivity: int, epsilon: float) -> list[float]:
    """Every order of the candidates: the first that its coin accepts; the highest score always does."""
    coins = [math.exp(epsilon * (score - max(scores)) / (2 * sensitivity)) for score in scores]
    law = [0.0] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        reached = 1.0
        for candidate in order:
            law[candidate] += reached * coins[candidate]
            reached *= 1 - coins[candidate]
    return [chance / math.factorial(len(scores)) for chance in law]


@given(
    scores=st.lists(st.integers(-30, 5), min_size=1, max_size=6),
    sensitivity=st.sampled_from((1, 2, 10)),
    epsilon=st.sampled_from((0.001, 0.25, 1.0, 4.0, 100.0)),
)
def test_it_is_the_enumerated_algorithm(scores: list[int], sensitivity: int, epsilon: float) -> None:
    law = selection_law(np.array(scores), sensitivity, epsilon)
    assert law == pytest.approx(enumerated(scores, sensitivity, epsilon), abs=TINY)


def test_two_candidates_by_hand() -> None:
    """method 6.6: the lower of two, one sensitivity apart at eps 1, has e^-1/2 / 2; exponential: 0.378."""
    law = selection_law(np.array([0, -1]), 1, 1.0)
    assert law == pytest.approx([1 - math.exp(-0.5) / 2, math.exp(-0.5) / 2], abs=TINY)


@pytest.mark.parametrize("epsilon", [0.001, 0.25, 1.0, 100.0])
@pytest.mark.parametrize("candidates", [1, 66, 1_301, 13_001])
def test_it_sums_to_one_for_long_lists(candidates: int, epsilon: float) -> None:
    """Before it is normalised: the quadrature itself is exact."""
    scores = -np.abs(np.arange(candidates) - candidates // 3)
    levels, counts = np.unique(scores, return_counts=True)
    flips = np.exp(epsilon * levels / 2.0)
    retained = flips > module._NEGLIGIBLE
    assert (module._integrate(flips[retained], counts[retained]) * counts[retained]).sum() == pytest.approx(
        1.0, abs=1e-9
    )
    law = selection_law(scores, 1, epsilon)
    assert law.sum() == pytest.approx(1.0, abs=1e-12)
    assert law.min() >= 0
    assert np.argmax(law) == candidates // 3


def test_all_different_scores_of_a_long_list_sum_to_one() -> None:
    scores = -np.arange(13_001)
    assert selection_law(scores, 1, 0.001).sum() == pytest.approx(1.0, abs=1e-12)


def test_equal_scores_have_equal_chances_and_cost_no_more() -> None:
    law = selection_law(np.array([0, -3, 0, -3, -3]), 2, 1.0)
    assert law[0] == law[2]
    assert law[1] == law[3] == law[4]
    assert selection_law(np.zeros(100_000, np.int64), 1, 1.0) == pytest.approx(1e-5, rel=1e-9)


def test_only_differences_of_scores_count() -> None:
    scores = np.array([5, 0, -7])
    assert selection_law(scores, 3, 0.5).tolist() == selection_law(scores - 1_000_000, 3, 0.5).tolist()


@pytest.mark.parametrize("size", [1, 2, 300])
def test_scores_far_apart_have_the_law_of_those_close_together(size: int) -> None:
    scores = np.random.default_rng(size).integers(-40, 40, size)
    close, far = selection_law(scores, 3, 0.5), selection_law(scores * 10**9, 3 * 10**9, 0.5)
    assert close == pytest.approx(far, rel=1e-12)
    assert close.argmax() == scores.argmax()


def test_scores_in_doubled_units_have_the_same_law() -> None:
    scores = np.array([5, 0, -7])
    assert selection_law(scores, 3, 0.5) == pytest.approx(selection_law(2 * scores, 6, 0.5), rel=1e-12)
