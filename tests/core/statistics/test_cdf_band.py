"""The band holds for every weighted sum of Laplace variables: its proof in figures, and exact laws."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from core.noise.simulated import SimulatedNoise
from core.statistics.cdf_band import BAND, ExpectedBand, open_middle, useless_band
from core.statistics.cdf_consistency import least_squares
from core.statistics.cdf_design import KINDS, choose_tree, laplace_variance


def majorant_mean(x: float, tangent_at: float) -> float:
    """`E f(E)`: f is the tail up to where the tangent leaves it, then the tangent."""

    def tail(variance: float) -> float:
        return float(2 * norm.sf(x / math.sqrt(variance)))

    v = tangent_at * x * x / 3
    slope = float(norm.pdf(x / math.sqrt(v))) * x * v**-1.5
    gap = lambda at: tail(v) + slope * (at - v) - tail(at)  # noqa: E731
    leave = brentq(gap, 1e-9, x * x / 3)
    line = tail(v) + slope * (leave - v)
    below = quad(lambda at: tail(at) * math.exp(-at), 1e-12, leave)[0]
    grid = np.linspace(1e-6, 40, 1_000)
    assert (np.where(grid < leave, 0.0, [gap(at) for at in grid]) > -1e-12).all()
    return below + (line + slope) * math.exp(-leave)


def test_the_convex_majorant_gives_less_than_five_percent() -> None:
    assert 0.0495 < majorant_mean(BAND, 1.26) <= 0.05


def two_sided_tail(weights: list[float], x: float) -> float:
    """P(|sum of weighted unit-variance Laplace variables| > x standard deviations), by inversion."""
    share = np.array(weights) ** 2
    share = share / share.sum()
    t = (np.arange(50_000) + 0.5) * 5e-3
    phi = np.exp(-np.log1p(np.multiply.outer(t**2 / 2, share)).sum(axis=1))
    return 1 - 2 / math.pi * float((np.sin(x * t) / t * phi).sum() * 5e-3)


@pytest.mark.parametrize(
    "weights", [[1.0], [1, 1], [1, 1, 1], [1, 0.3], [5, 1, 1, 1], [1] * 30, [0.9**k for k in range(40)]]
)
def test_the_exact_tail_of_sums_is_within_five_percent(weights: list[float]) -> None:
    assert 0.025 < two_sided_tail(weights, BAND) <= 0.0498


def test_the_inversion_knows_the_laplace_tail() -> None:
    assert two_sided_tail([1.0], BAND) == pytest.approx(math.exp(-math.sqrt(2) * BAND), abs=1e-4)


@given(weights=st.lists(st.floats(0.01, 1), min_size=1, max_size=12))
def test_any_weights(weights: list[float]) -> None:
    rng = np.random.default_rng(3)
    scaled = np.array(weights) / math.sqrt(2 * sum(weight**2 for weight in weights))
    sums = rng.laplace(size=(20_000, len(weights))) @ scaled
    # five standard errors of a share of 0.05
    assert (np.abs(sums) > BAND).mean() <= 0.05 + 5 * math.sqrt(0.05 * 0.95 / 20_000)


@pytest.mark.parametrize("bins", [2, 65, 650])
@pytest.mark.parametrize("kind", KINDS)
def test_every_prefix_of_every_tree_is_covered(kind: str, bins: int) -> None:
    tree, trials, unit = choose_tree(kind, bins), 2_000, 1 << 20
    budgets = [Decimal(level + 1) / 10 for level in range(tree.height)]
    estimator = least_squares(tree, tuple(laplace_variance(float(budget)) for budget in budgets))
    noise = SimulatedNoise(11, trials)
    noisy = [
        noise.laplace_vector(np.zeros(nodes, np.int64), unit, spend=budget)
        for nodes, budget in zip(tree.nodes, budgets, strict=True)
    ]
    errors = np.abs(estimator.prefix_sums(noisy, 0)) / unit
    covered = (errors <= BAND * np.sqrt(estimator.prefix_variances())).mean(axis=0)
    # the least of many bins: five standard errors
    assert covered.min() >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / trials)
    assert covered[:-1].mean() >= 0.95
    assert covered[-1] == 1


EDGES = np.array([10.0, 20.0, 30.0, 40.0])


@pytest.mark.parametrize(
    ("low", "high", "middle", "useless"),
    [
        ([0.1, 0.4, 0.6, 1.0], [0.3, 0.6, 0.8, 1.0], (10.0, 30.0), False),
        ([0.4, 0.6, 0.9, 1.0], [0.6, 0.8, 1.0, 1.0], (0.0, 20.0), False),
        ([0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0], (0.0, 40.0), True),
        ([0.0, 0.0, 0.2, 1.0], [0.2, 0.9, 1.0, 1.0], (10.0, 40.0), True),
        ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], (30.0, 40.0), False),
        # no curve falls: at most 0.4 lie up to 30, whatever the band allows at 20
        ([0.0, 0.0, 0.2, 1.0], [0.2, 0.9, 0.4, 1.0], (30.0, 40.0), False),
        ([0.0, 0.6, 0.3, 1.0], [0.2, 0.9, 1.0, 1.0], (10.0, 20.0), False),
    ],
)
def test_a_band_that_leaves_most_of_the_range_open_is_said_to_be_useless(
    low: list[float], high: list[float], middle: tuple[float, float], useless: bool
) -> None:
    band = EDGES, np.array(low), np.array(high)
    assert open_middle(*band) == middle
    text = useless_band(*band, unit="km/h")
    assert bool(text) == useless
    if useless:
        # with vehicles alike, a share is one of vehicles: no half of the records is known
        assert "half of the distribution lies below a value that may be" in text
        assert f"anywhere from {middle[0]:g} to {middle[1]:g} km/h." in text
    shifted = useless_band(EDGES - 20.0, *band[1:], unit="s", start=-20.0)
    assert bool(shifted) == useless


@given(st.floats(0.0, 1.0))
def test_what_is_said_beforehand_is_said_of_the_band_that_comes(reach: float) -> None:
    edges, shares = np.arange(1.0, 11.0), np.linspace(0.1, 1.0, 10)
    band = ExpectedBand(edges=edges, shares=shares, half=np.full(10, reach), start=0.0, unit="km/h")
    said = useless_band(edges, band.low, band.high, unit="km/h")
    assert bool(band.useless) == bool(said)
    assert 0.0 <= band.width <= min(2.0 * reach, 1.0) + 1e-12
    assert not said or f"it reaches {100 * reach:.0f} percentage points" in band.useless
