"""Error of a distribution by its tree: nodes counted one by one, shares by search, P4's own numbers."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from core.charts.chart import Chart
from core.figures.tree_figures import REAL_FACTOR, SHARED_TREES, tree_charts

BINS, BRANCHING, LEVELS = tree_charts()


def curve(chart: Chart, key: str) -> np.ndarray:
    return np.array(next(one.y for one in chart.curves if one.key == key))


def nodes_taken(bins: int, factors: tuple[int, ...]) -> list[int]:
    """Nodes of each level, top first, that the prefixes of 0 to N - 1 bins are made of, one by one."""
    taken = [0] * len(factors)
    for prefix in range(bins):
        rest = prefix
        for level in reversed(range(len(factors))):
            rest, digit = divmod(rest, factors[level])
            taken[level] += digit
    return taken


def error(bins: int, factors: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Root of the mean square: each node has noise of variance 2 / share^2."""
    taken = nodes_taken(bins, factors)
    return math.sqrt(sum(2 * c / s**2 for c, s in zip(taken, shares, strict=True)) / bins)


def test_the_best_real_factor_is_p4s_for_any_number_of_bins() -> None:
    low, high = 2.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if middle * math.log(middle) > 3 * (middle - 1) else (middle, high)
    assert pytest.approx(low, abs=0.05) == REAL_FACTOR
    for bins in (650, 10_000):
        assert BRANCHING.x[int(curve(BRANCHING, f"real_{bins}").argmin())] == 17


@pytest.mark.parametrize(("bins", "factor"), [(650, 2), (650, 26), (10_000, 10), (10_000, 22)])
def test_plain_sums_are_those_of_nodes_counted_one_by_one(bins: int, factor: int) -> None:
    height = next(h for h in itertools.count(1) if factor**h >= bins)
    found = curve(BRANCHING, f"plain_{bins}")[BRANCHING.x.index(factor)]
    assert found == pytest.approx(error(bins, (factor,) * height, (1 / height,) * height))


def test_against_bins_the_flat_histogram_wins_at_few_and_trees_at_many() -> None:
    """Of a flat histogram in closed form: N - 1 without, (N^2 - 1) / (3 N) with least squares."""
    n = np.array(BINS.x)
    assert curve(BINS, "flat_plain") == pytest.approx(np.sqrt(n - 1))
    assert curve(BINS, "flat") == pytest.approx(np.sqrt((n**2 - 1) / (3 * n)))
    best, flat, binary = (curve(BINS, key) for key in ("mixed", "flat", "binary"))
    assert np.all(best <= np.minimum(flat, binary) * (1 + 1e-9))
    assert np.all(best[n < 30] == flat[n < 30])
    assert best[-1] < 0.6 * binary[-1] < binary[-1] < flat[-1]
    assert np.all(curve(BINS, "mixed_plain") <= curve(BINS, "uniform_plain"))
    assert np.all(best < curve(BINS, "mixed_plain"))


@pytest.mark.parametrize("factors", SHARED_TREES)
def test_no_other_shares_of_a_hundredth_have_less_error(factors: tuple[int, ...]) -> None:
    shares = curve(LEVELS, "share_" + "_".join(map(str, factors)))
    assert shares.sum() == pytest.approx(1)
    tried = ((a / 100, b / 100, (100 - a - b) / 100) for a in range(5, 90) for b in range(5, 95 - a))
    taken = nodes_taken(650, factors)
    least = min(tried, key=lambda parts: sum(c / s**2 for c, s in zip(taken, parts, strict=True)))
    assert shares == pytest.approx(least, abs=0.01)
    found = next(one.title for one in LEVELS.curves if one.key == "share_" + "_".join(map(str, factors)))
    saved = 1 - error(650, factors, tuple(shares)) / error(650, factors, (1 / 3,) * 3)
    assert f"{100 * saved:.1f} % less" in found
