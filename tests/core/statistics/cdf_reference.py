"""Dense and literal forms of what the CDF computes quickly: independent references for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatPairs
from core.privacy import Unit
from core.statistics.base import HatCounts, HatPlan, HatRecords, Question
from core.statistics.cdf import STATISTIC, CdfParams
from core.statistics.cdf_tree import LevelTree
from tests.strategies import U


def design_matrix(tree: LevelTree) -> NDArray[np.float64]:
    """Shape (all nodes, N): which bins each node holds, level by level, bin by bin."""
    rows = []
    for level, span in enumerate(tree.spans):
        for node in range(tree.nodes[level]):
            rows.append([float(bin_ // span == node) for bin_ in range(tree.bins)])
    return np.array(rows)


def dense_prefixes(tree: LevelTree, variances: Sequence[float]) -> tuple[NDArray[np.float64], ...]:
    """Matrix and offset of the weighted least squares prefixes with known total, and their covariance.

    Bins are parametrised by all but the last, which is the total less the others; the prefix sums are
    `matrix @ noisy + offset * total`.
    """
    nodes = design_matrix(tree)
    precision = np.repeat(1.0 / np.array(variances), tree.nodes)
    free = nodes[:, :-1] - nodes[:, -1:]
    gram = np.linalg.inv(free.T @ (precision[:, None] * free))
    solve = gram @ (free.T * precision)
    prefix = np.tril(np.ones((tree.bins - 1, tree.bins - 1)))
    matrix = prefix @ solve
    return matrix, -matrix @ nodes[:, -1], prefix @ gram @ prefix.T


@st.composite
def trees(draw: st.DrawFn, most_bins: int = 40) -> LevelTree:
    """Trees of one to four levels, often with a ragged end."""
    factors = tuple(draw(st.lists(st.integers(2, 5), min_size=1, max_size=4)))
    reach = int(np.prod(factors))
    return LevelTree(bins=draw(st.integers(2, min(reach, most_bins))), factors=factors)


NO_PAIRS = HatPairs(
    vehicle=np.zeros(0, np.int32),
    counts=np.zeros(0, np.int64),
    sums=np.zeros(0, np.int64),
    maxima=np.zeros(0, np.int64),
)


def counts_of(
    sizes: NDArray[np.int64] | list[int], *, records: int | None = None, upper_bound: int = U
) -> HatCounts:
    """Public counts of a HAT; `records` of the suppressed users too."""
    users = np.array(sizes, np.int64)
    return HatCounts(
        users=users,
        records=int(users.sum()) if records is None else records,
        pairs=users.size,
        largest_pairs=1,
        days=1,
        upper_bound=upper_bound,
        unit=Unit.VEHICLE,
    )


def records_of(hat: HatData) -> HatRecords:
    return HatRecords(users=hat, pairs=NO_PAIRS)


def plan_for(counts: HatCounts, epsilon: str = "1", **params: Any) -> HatPlan:
    return STATISTIC.plan(counts, Decimal(epsilon), question(**params))


def question(**params: Any) -> Question:
    return Question(statistic=STATISTIC, params=CdfParams(**params))
