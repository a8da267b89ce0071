"""True mean and variance, whatever the order in which values are stored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from core.contributions import HatData
from core.evaluate.true_statistics import true_mean, true_variance
from core.fixed_point import THOUSAND
from tests.strategies import hat_data


@given(hat=hat_data())
def test_mean_and_variance_of_all_values(hat: HatData) -> None:
    assert true_mean(hat) == pytest.approx(hat.values.mean() / THOUSAND)
    assert true_variance(hat) == pytest.approx((hat.values / THOUSAND).var(), abs=1e-9)


def test_values_of_others_do_not_count() -> None:
    """A HAT's slice may hold gaps between its users."""
    hat = HatData(
        counts=np.array([2, 1]),
        starts=np.array([3, 0]),
        values=np.array([9_000, 64_000, 64_000, 3_000, 3_000], np.int32),
        upper_bound=65_000,
    )
    assert true_mean(hat) == 5.0
    assert true_variance(hat) == pytest.approx(8.0)
