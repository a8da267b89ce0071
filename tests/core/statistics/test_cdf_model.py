"""core.statistics.cdf_model: bias of shares by the public model, against sums and draws."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

from core.mechanisms.public_model import (
    ALIKE_DROPPED,
    HAT_MEAN,
    HAT_MEAN_SPREAD,
    RECORD_SPREAD,
    VEHICLE_SPREAD,
)
from core.privacy import Unit
from core.statistics.base import HatCounts
from core.statistics.cdf_model import no_share_bias, share_bias
from core.statistics.cdf_weights import RECORDS, weigh

SPREAD = float(np.hypot(RECORD_SPREAD, VEHICLE_SPREAD))
SHARES = np.array([0.0, 0.01, 0.25, 0.5, 0.8, 1.0])


def counts_of(sizes: list[int], upper_bound: int = 65_000) -> HatCounts:
    return HatCounts(
        users=np.array(sizes),
        records=sum(sizes),
        pairs=len(sizes),
        largest_pairs=1,
        days=1,
        upper_bound=upper_bound,
        unit=Unit.VEHICLE,
    )


CAPPED = counts_of([40, 12, 9, 5, 2, 1])


def test_without_a_cap_there_is_no_bias() -> None:
    bias = share_bias(CAPPED, weigh(CAPPED, RECORDS, 40, Decimal(1)))
    assert bias.deviation(SHARES).tolist() == pytest.approx([0.0] * SHARES.size, abs=1e-9)
    assert no_share_bias(CAPPED).deviation(SHARES).tolist() == [0.0] * SHARES.size


def test_the_deviation_is_the_sum_of_its_parts() -> None:
    bias = share_bias(CAPPED, weigh(CAPPED, RECORDS, 9, Decimal(1)))
    sizes = [40, 12, 9, 5, 2, 1]
    retained = [min(size, 9) for size in sizes]
    scatter = shift = moved = 0.0
    for size, most in zip(sizes, retained, strict=True):
        v, w = most / sum(retained), size / sum(sizes)
        scatter += (v - w) ** 2 / size + v**2 * (1 / most - 1 / size)
        shift += VEHICLE_SPREAD**2 * (v - w) ** 2
        moved += abs(v - w) / 2
    shift += (ALIKE_DROPPED * moved) ** 2
    for share, found in zip(SHARES.tolist(), bias.deviation(SHARES).tolist(), strict=True):
        density = 0.0 if share in (0.0, 1.0) else stats.norm.pdf(stats.norm.ppf(share)) / SPREAD
        assert found == pytest.approx(np.sqrt(scatter * share * (1 - share) + shift * density**2), rel=0.02)


@pytest.mark.parametrize("noise", [0.001, 0.05, 0.4, 30.0])
def test_the_typical_error_is_that_of_shares_that_are_cut(noise: float) -> None:
    edges = np.arange(5_000, 66_000, 5_000)
    told = no_share_bias(CAPPED).typical_error(edges, np.full(edges.size, noise))
    shares = stats.norm.cdf((edges / 1_000 - HAT_MEAN) / np.hypot(SPREAD, HAT_MEAN_SPREAD))
    drawn = shares + noise * np.random.default_rng(1).standard_normal((20_000, 1))
    assert told == pytest.approx(np.abs(np.clip(drawn, 0, 1) - shares).mean(), rel=0.03)


def test_edges_are_judged_by_their_part_of_the_range() -> None:
    """Twice the upper bound and twice the edges: the same shares."""
    noise = np.full(3, 0.1)
    small, large = no_share_bias(CAPPED), no_share_bias(counts_of([3, 2], 130_000))
    edges = np.array([10_000, 20_000, 30_000])
    assert small.typical_error(edges, noise) == pytest.approx(large.typical_error(2 * edges, noise))
