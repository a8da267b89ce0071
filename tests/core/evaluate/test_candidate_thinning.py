"""Few candidates stand for many: the sums of smooth functions stay what they are."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluate.candidate_thinning import run_rule, thin


@pytest.mark.parametrize("stage", [0, 1, 2])
@pytest.mark.parametrize("length", [1, 2, 5, 6, 7, 8, 11, 39, 40, 41, 100, 821, 4_001])
def test_shares_are_positive_and_exact_for_low_polynomials(length: int, stage: int) -> None:
    places, shares = run_rule(length, stage)
    assert np.all(np.diff(places) > 0)
    assert places[0] >= 0
    assert places[-1] < length
    assert np.all(shares > 0)
    everywhere = np.linspace(-1, 1, length) if length > 1 else np.zeros(1)
    for power in range(places.size):
        assert shares @ everywhere[places] ** power == pytest.approx((everywhere**power).mean(), abs=1e-12)


def test_two_selections_share_few_points() -> None:
    first, second = (set(run_rule(821, stage)[0].tolist()) for stage in (0, 1))
    assert len(first & second) <= 1


def test_few_candidates_are_all_kept() -> None:
    law = np.array([0.25, 0.25, 0.5])
    index, weight = thin(np.array([1, 1, 2]), law, 0)
    assert index.tolist() == [0, 1, 2]
    assert weight.tolist() == law.tolist()


def test_runs_keep_their_probability() -> None:
    scores = np.repeat([3, 7, 7, 2, 5], [120, 4, 30, 1, 300])
    law = np.exp(scores / 4.0)
    law /= law.sum()
    index, weight = thin(scores, law, 0)
    assert index.size < 60
    for score in (3, 7, 2, 5):
        assert weight[scores[index] == score].sum() == pytest.approx(law[scores == score].sum())
    smooth = np.sin(np.arange(scores.size) / 100.0)
    assert weight @ smooth[index] == pytest.approx(law @ smooth, abs=1e-4)
