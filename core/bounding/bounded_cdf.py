"""Distributions of relation `user` by a noisy tree: levels, bins, m_ub, thresholds (method 12.7)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import RHO_STEP
from core.arrays import Floats, Ints
from core.bounding.bounding import RetainedRows, first_values
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.column_sums import column_sums
from core.bounding.constants import BoundingConstants
from core.bounding.entry_bound import EntryBound, entry_bound, noisy_vector, vector_scale
from core.city.noise_kind import NoiseKind
from core.contributions import Contributions
from core.contributions.table import changes
from core.counted import count_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.noise.source import NoiseSource
from core.statistics.cdf import MOST_BINS
from core.statistics.cdf_band import BAND
from core.statistics.cdf_consistency import LeastSquares, least_squares, to_curve
from core.statistics.cdf_design import choose_tree
from core.statistics.cdf_model import ShareBias, model_shares
from core.statistics.cdf_tree import LevelTree
from core.statistics.cdf_weights import UNIT, USER, bin_edges
from core.texts import text_of

_MILLION = 10**6
"""Shares of a distribution of relation `user` are published in millionths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedCdfPlan:
    """All that a draw goes by: public constants, a tree, and a budget."""

    candidates: CandidateHats
    bound: EntryBound
    edges: Ints
    """Shape (N,): right edges of the bins, thousandths."""
    retained: int
    """The most records of one unit in a HAT that count."""
    alike: bool
    """Whether units count alike, or records do."""
    noise: NoiseKind
    budgets: tuple[Decimal, ...]
    """Of the root and each level below it, top first; together what one unit spends."""
    estimator: LeastSquares
    threshold: int
    """The noisy total that publishes a HAT, in whole contributions of a unit."""
    upper_bound: int
    """U in thousandths."""

    @property
    def spend(self) -> Decimal:
        """Of one unit, for the whole query: pure epsilon, or rho."""
        return sum(self.budgets, Decimal(0))

    @property
    def contribution(self) -> int:
        """The most weight of one unit in a HAT: it is in one node of each level, wherever its bins are."""
        return UNIT if self.alike else self.retained * UNIT

    @property
    def sensitivity(self) -> int:
        """Of one level of all candidates together."""
        return self.bound.sensitivity(self.contribution, self.noise)

    @property
    def root_variance(self) -> float:
        """Of the noise on a HAT's root."""
        return _variance(self.noise, self.sensitivity, self.budgets[0])

    @property
    def total_variance(self) -> float:
        """Of the least-squares total, from root and levels."""
        return 1.0 / (1.0 / self.root_variance + 1.0 / self.estimator.total_variance)

    @property
    def slopes(self) -> Floats:
        """Shape (N,): by how much least squares move what the first bins hold, for each unit of the total."""
        tree = self.estimator.tree
        return self.estimator.prefix_sums([np.zeros(nodes, np.int64) for nodes in tree.nodes], 1)

    def typical_error(self, weight: float) -> float:
        """Mean over the edges of the expected |noise| of shares, where a HAT holds so much weight in all."""
        upper_kmh = self.upper_bound / THOUSAND
        cut = ShareBias(upper_kmh=upper_kmh, scatter=0.0, typical_shift=0.0, interval_shift=0.0)
        return cut.typical_error(self.edges[:-1], self._deviation(self.model_shares, weight)[:-1])

    @property
    def model_shares(self) -> Floats:
        """Shape (N,): what the public model has at or below each edge."""
        return model_shares(self.edges, self.upper_bound / THOUSAND)

    def half_widths(self, weight: float) -> Floats:
        """Shape (N,): how far the band reaches from the model's shares, where a HAT holds so much weight."""
        return BAND * self._deviation(self.model_shares, weight)

    def _deviation(self, shares: Floats, weight: float) -> Floats:
        variance = self.estimator.prefix_variances() + (self.slopes - shares) ** 2 * self.total_variance
        return np.asarray(np.sqrt(variance) / max(weight, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedCurves:
    """What the noise gave for every candidate HAT; only of published ones may any of it be stated."""

    published: NDArray[np.bool_]
    """Shape (G,)."""
    total: Ints
    """Shape (G,): noisy weight in thousandths of a record, or of a unit where these count alike."""
    share: Ints
    """Shape (G, N): millionths of the total at or below each edge."""
    unclamped: Ints
    low: Ints
    high: Ints
    informative: NDArray[np.bool_]
    """Shape (G, N): False where the interval is [0, 1], as the total may be none."""


def plan_bounded_cdf(
    constants: BoundingConstants,
    noise: NoiseKind,
    spend: Decimal,
    threshold: int,
    *,
    bins: int,
    tree: str | LevelTree,
    weights: str,
    m_ub: int,
) -> BoundedCdfPlan:
    """From constants alone.

    tree: one of `KINDS`, or what was chosen; m_ub: typed, of one unit in a HAT; where units count alike all
    records do. Raises InputError for another number of bins, a cap or a threshold below 1, or too small a
    budget.
    """
    if not 2 <= bins <= min(MOST_BINS, constants.upper_bound):
        raise InputError(
            "A distribution of {counted_bins} cannot be released.",
            counted_bins=count_of(bins, "bin"),
            where="query.parameters, bins",
            mend=text_of(
                "write an integer from 2 to {most_bins}", most_bins=min(MOST_BINS, constants.upper_bound)
            ),
        )
    if threshold < 1:
        raise InputError(
            "Without a threshold, distributions that are only noise would be published.",
            where="selection.threshold",
            mend="write a whole number from 1 on",
        )
    if weights != USER and m_ub < 1:
        raise InputError(
            "Where every record counts alike, a public number must limit the records of one vehicle in "
            "a hexagon slot.",
            where="query.parameters, m_ub",
            mend='write for instance m_ub = 10, or weights = "user", where every vehicle counts alike',
        )
    chosen = choose_tree(tree, bins) if isinstance(tree, str) else tree
    alike, bound = weights == USER, entry_bound(constants, by_day=False)
    budgets = _equal_parts(spend, chosen.height + 1, noise)
    sensitivity = bound.sensitivity(UNIT if alike else m_ub * UNIT, noise)
    return BoundedCdfPlan(
        candidates=candidate_hats(constants),
        bound=bound,
        edges=bin_edges(bins, constants.upper_bound),
        retained=UNIT if alike else m_ub,
        alike=alike,
        noise=noise,
        budgets=budgets,
        estimator=least_squares(chosen, tuple(_variance(noise, sensitivity, one) for one in budgets[1:])),
        threshold=threshold,
        upper_bound=constants.upper_bound,
    )


def draw_bounded_cdf(
    plan: BoundedCdfPlan, contributions: Contributions, rows: RetainedRows, noise: NoiseSource
) -> BoundedCurves:
    """One vector a level, of all candidates; rows: bounded (`bounded_rows`), of these contributions."""
    hats = len(plan.candidates)
    drawn = [
        noisy_vector(noise, plan.noise, level.reshape(-1), plan.sensitivity, budget).reshape(hats, -1)
        for level, budget in zip(exact_levels(plan, contributions, rows), plan.budgets, strict=True)
    ]
    root, below = drawn[0][:, 0].astype(np.float64), drawn[1:]
    estimator = plan.estimator
    share_of_root = plan.total_variance / plan.root_variance
    total = share_of_root * root + (1.0 - share_of_root) * estimator.total_below(below)
    sums = estimator.prefix_sums(below, 0) + plan.slopes * total[:, None]
    sums[:, -1] = total
    safe = np.where(total > 0.0, total, 1.0)
    curve = np.array([to_curve(row, 1) for row in sums / safe[:, None]])
    share = np.rint(curve * _MILLION).astype(np.int64)
    low, high, known = _fieller(plan, sums, total)
    return BoundedCurves(
        published=total >= plan.threshold * plan.contribution,
        total=np.rint(total * (THOUSAND / UNIT)).astype(np.int64),
        share=share,
        unclamped=np.rint(sums / safe[:, None] * _MILLION).astype(np.int64),
        low=np.minimum(low, share),
        high=np.maximum(high, share),
        informative=known,
    )


def exact_levels(plan: BoundedCdfPlan, contributions: Contributions, rows: RetainedRows) -> list[Ints]:
    """Weight of each node, (G, nodes) for the root and every level below it. Confidential."""
    leaves = _weigh(plan, contributions, rows)
    tree = plan.estimator.tree
    levels = [np.add.reduceat(leaves, np.arange(0, tree.bins, span), axis=1) for span in tree.spans]
    return [leaves.sum(axis=1, keepdims=True), *levels]


def _weigh(plan: BoundedCdfPlan, contributions: Contributions, rows: RetainedRows) -> Ints:
    """Weight of the records that count in each bin, shape (G, N)."""
    hats, bins = len(plan.candidates), plan.edges.size
    first = np.flatnonzero(changes(rows.column, rows.unit))
    if not first.size:
        return np.zeros((hats, bins), np.int64)
    # rows of a unit in a HAT are neighbours in the table, so that its values are too
    begin = contributions.start[rows.row[first]]
    records = np.add.reduceat(contributions.counts[rows.row], first)
    retained = np.minimum(records, plan.retained)
    weight = UNIT // retained if plan.alike else np.full_like(retained, UNIT)
    values = first_values(contributions, rows.column[first], begin, records, retained)
    places = np.searchsorted(plan.edges, values, side="left").clip(0, bins - 1)
    places += np.repeat(rows.column[first], retained) * bins
    return column_sums(places, np.repeat(weight, retained), hats * bins).reshape(hats, bins)


def _fieller(plan: BoundedCdfPlan, sums: Floats, total: Floats) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Both ends in millionths, and where they tell anything: every p that the noisy numbers do not refute.

    `S - p T` of the first bins' sum and the total has variance `v + (slope - p)^2 V`: v for a known total, V
    of the total. It lies within 2.16 deviations where `a p^2 - 2 b p + c <= 0`; that is an interval if a > 0.
    """
    slopes, variance = plan.slopes, plan.estimator.prefix_variances()
    square = BAND**2 * plan.total_variance
    a = (total**2 - square)[:, None]
    b = sums * total[:, None] - square * slopes
    c = sums**2 - BAND**2 * variance - square * slopes**2
    known = np.broadcast_to((a > 0.0) & (total > 0.0)[:, None], sums.shape).copy()
    divisor = np.where(known, a, 1.0)
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    low, high = np.floor((b - root) / divisor * _MILLION), np.ceil((b + root) / divisor * _MILLION)
    known &= (high >= 0) & (low <= _MILLION)
    low, high = (
        np.where(known, end.clip(0, _MILLION), far).astype(np.int64)
        for end, far in ((low, 0), (high, _MILLION))
    )
    known[:, -1], low[:, -1], high[:, -1] = True, _MILLION, _MILLION
    return low, high, known


def _variance(noise: NoiseKind, sensitivity: int, spend: Decimal) -> float:
    scale = vector_scale(noise, sensitivity, spend)
    return scale**2 if noise.squared else 2.0 * scale**2


def _equal_parts(spend: Decimal, parts: int, noise: NoiseKind) -> tuple[Decimal, ...]:
    """Whole steps of a budget, what is left over to the first; together exactly `spend`. InputError."""
    unit = RHO_STEP if noise.squared else EPSILON_STEP
    each = int(spend / unit) // parts * unit
    if each <= 0:
        raise InputError(
            "A budget of {spend} cannot be divided over {counted_levels} of a tree.",
            spend=plain(spend),
            counted_levels=count_of(parts, "level"),
            where="query.parameters, tree",
            mend='write a larger budget, or tree = "flat"',
        )
    return (spend - each * (parts - 1), *[each] * (parts - 1))
