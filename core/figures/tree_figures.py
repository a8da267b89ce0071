"""Error of a distribution by bins, branching and height, and what tree levels get of epsilon (P4).

Errors are those of the number of records up to an edge, at epsilon 1, where a user moves each level by 1:
they scale with sensitivity / epsilon (method 9.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from core.arrays import Floats
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.statistics.cdf_design import (
    BINARY,
    FLAT,
    MIXED,
    choose_tree,
    plain_error,
    tight_trees,
    tree_error,
    uniform_trees,
)
from core.statistics.cdf_tree import LevelTree, prefix_nodes

REAL_FACTOR = 16.8
"""Solves `n ln n = 3 (n - 1)`: the best branching factor of a tree, were it any real number. Source: P4."""
_MOST_BINS = 5000
_POINTS = 25
_BRANCHED = (650, 10_000)
"""Bins of the trees whose factor varies: of 0.1 km/h up to 65 km/h, and many more."""
_FACTORS = tuple(range(2, 101))
SHARED_TREES = ((9, 9, 9), (26, 5, 5), (5, 5, 26), (2, 13, 25))
"""Branching factors of three levels over 650 bins, top first."""
_ERROR = Axis(label="error of a cumulative count (root of the mean square)", key="rms_error", log=True)
_SCALE = "At epsilon 1 and sensitivity 1 of each level; levels share epsilon equally."


def tree_charts() -> tuple[Chart, Chart, Chart]:
    """They need no data: the error of the noise follows from the tree."""
    return _against_bins(), _against_branching(), _level_shares()


def _against_bins() -> Chart:
    bins = np.unique(np.rint(np.geomspace(2, _MOST_BINS, _POINTS))).astype(int).tolist()
    curves: tuple[tuple[str, str, Callable[[int], float], Stroke], ...] = (
        ("flat_plain", "flat, plain sums", _plain(FLAT), _dashed(0, "disc")),
        ("binary_plain", "binary, plain sums", _plain(BINARY), _dashed(1, "square")),
        (
            "uniform_plain",
            "best equal factors, plain sums",
            lambda n: min(map(plain_error, uniform_trees(n))),
            _dashed(2, "triangle"),
        ),
        (
            "mixed_plain",
            "best factors, plain sums",
            lambda n: min(map(plain_error, tight_trees(n))),
            _dashed(3, "diamond"),
        ),
        (
            "real_plain",
            f"factors of {REAL_FACTOR} and heights that are real numbers, plain sums",
            lambda n: real_error(n, REAL_FACTOR),
            Stroke(colour=PALETTE[7], width=1.2),
        ),
        ("flat", "flat, least squares", _released(FLAT), _solid(0, "disc")),
        ("binary", "binary, least squares", _released(BINARY), _solid(1, "square")),
        ("mixed", "best factors, least squares", _released(MIXED), _solid(3, "diamond")),
    )
    return Chart(
        name="cdf-error-bins",
        title="Error of a distribution against the number of its bins",
        note=f"As P4, and after least squares over the tree, as it is released. {_SCALE}",
        across=Axis(label="bins", key="bins", log=True),
        up=_ERROR,
        x=tuple(map(float, bins)),
        curves=tuple(
            Curve(key=key, title=title, y=tuple(math.sqrt(error(n)) for n in bins), stroke=stroke)
            for key, title, error, stroke in curves
        ),
    )


def _against_branching() -> Chart:
    curves: list[Curve] = []
    for number, bins in enumerate(_BRANCHED, start=1):
        trees = [_equal_factors(bins, factor) for factor in _FACTORS]
        curves += (
            _curve(
                f"real_{bins}",
                f"{bins:,} bins, heights that are real numbers",
                [real_error(bins, factor) for factor in _FACTORS],
                Stroke(colour=PALETTE[number], width=1.2),
            ),
            _curve(f"plain_{bins}", f"{bins:,} bins, plain sums", map(plain_error, trees), _dashed(number)),
            _curve(
                f"released_{bins}", f"{bins:,} bins, least squares", map(tree_error, trees), _solid(number)
            ),
        )
    return Chart(
        name="cdf-error-branching",
        title="Error of a distribution against the branching of its tree",
        note="As P4, equal factors: the least error of plain sums lies at the same factor, "
        f"{REAL_FACTOR}, for any number of bins. {_SCALE}",
        across=Axis(label="branching factor", key="factor", log=True),
        up=_ERROR,
        x=tuple(map(float, _FACTORS)),
        curves=tuple(curves),
    )


def _level_shares() -> Chart:
    levels = len(SHARED_TREES[0])
    curves = [
        Curve(
            key="equal",
            title="equal shares",
            y=(1.0 / levels,) * levels,
            stroke=Stroke(colour=PALETTE[7], dashed=True, width=1.2),
        )
    ]
    for number, factors in enumerate(SHARED_TREES):
        tree = LevelTree(bins=_BRANCHED[0], factors=factors)
        shares = best_shares(tree)
        saved = 1.0 - math.sqrt(shared_error(tree, shares) / plain_error(tree))
        named = ", ".join(map(str, factors))
        curves.append(
            Curve(
                key="share_" + "_".join(map(str, factors)),
                title=f"factors {named}: {100 * saved:.1f} % less error than by equal shares",
                y=tuple(shares.tolist()),
                stroke=_solid(number, ("disc", "square", "triangle", "diamond")[number]),
            )
        )
    return Chart(
        name="cdf-level-budgets",
        title=f"What each level of a tree over {_BRANCHED[0]} bins best gets of epsilon",
        note="As P4, for plain sums: shares are as the cube roots of how many nodes of a level the "
        "cumulative counts are made of. With equal factors, equal shares are all but the best.",
        across=Axis(label="level, top first", key="level", from_zero=False),
        up=Axis(label="share of epsilon", key="share"),
        x=tuple(float(level) for level in range(1, levels + 1)),
        curves=tuple(curves),
    )


def _plain(kind: str) -> Callable[[int], float]:
    """Mean squared error of plain sums, of a number of bins."""
    return lambda bins: plain_error(choose_tree(kind, bins))


def _released(kind: str) -> Callable[[int], float]:
    """The same after least squares."""
    return lambda bins: tree_error(choose_tree(kind, bins))


def real_error(bins: int, factor: float) -> float:
    """Mean squared error of plain sums for factors and heights that may be any real number. Source: P4."""
    height = math.log(bins) / math.log(factor)
    return (factor - 1.0) * height**3


def best_shares(tree: LevelTree) -> Floats:
    """What each level gets of epsilon, top first, so that the mean squared error of plain sums is least.

    It is a sum of `c_i / share_i^2` over the levels, c_i the nodes that all prefixes take of a level; as the
    sum of the shares is 1, each is as the cube root of its c_i. Source: P4.
    """
    roots = np.cbrt(np.array(prefix_nodes(tree), np.float64))
    shares: Floats = roots / roots.sum()
    return shares


def shared_error(tree: LevelTree, shares: Floats) -> float:
    """Mean squared error of plain sums at these shares of epsilon 1."""
    return float((2.0 * np.array(prefix_nodes(tree)) / shares**2).sum() / tree.bins)


def _equal_factors(bins: int, factor: int) -> LevelTree:
    """As low as it can be."""
    height = 1
    while factor**height < bins:
        height += 1
    return LevelTree(bins=bins, factors=(factor,) * height)


def _curve(key: str, title: str, squares: Sequence[float] | map[float], stroke: Stroke) -> Curve:
    return Curve(key=key, title=title, y=tuple(map(math.sqrt, squares)), stroke=stroke)


def _solid(number: int, marker: str = "") -> Stroke:
    return Stroke(colour=PALETTE[number], marker=marker)


def _dashed(number: int, marker: str = "") -> Stroke:
    return Stroke(colour=PALETTE[number], marker=marker, dashed=True, hollow=True)
