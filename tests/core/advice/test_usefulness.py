"""core.advice.usefulness: one word for what numbers are good for."""

from __future__ import annotations

import pytest

from core.advice.usefulness import Usefulness, good_error, usefulness
from core.quantity import SPEED
from core.statistics.registry import require_statistic


@pytest.mark.parametrize(
    ("error", "empty", "word"),
    [
        (2.0, 0.0, Usefulness.GOOD),
        (2.01, 0.0, Usefulness.ROUGH),
        (6.99, 0.49, Usefulness.ROUGH),
        (7.0, 0.0, Usefulness.NO_USE),
        (1.0, 0.5, Usefulness.NO_USE),
    ],
)
def test_the_word_for_an_error(error: float, empty: float, word: Usefulness) -> None:
    assert usefulness(error, good=2.0, constant=7.0, empty=empty) is word


def test_without_a_constant_nothing_is_good_or_useless() -> None:
    assert usefulness(1e-9, good=None, constant=None) is Usefulness.ROUGH
    assert usefulness(1e9, good=None, constant=None) is Usefulness.ROUGH


def test_what_is_good_scales_with_the_bound_and_is_five_points_of_a_share() -> None:
    (mean,) = require_statistic("mean").of(SPEED).measures[:1]
    assert good_error(mean, mean.constant_error(65_000)) == pytest.approx(2.0)
    assert good_error(mean, mean.constant_error(130_000)) == pytest.approx(4.0)
    assert good_error(mean, None) is None
    (share,) = require_statistic("cdf").of(SPEED).measures[:1]
    assert good_error(share, share.constant_error(65_000)) == 0.05
