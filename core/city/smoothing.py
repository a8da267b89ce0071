"""Smoothing of a released table: what the others say, odd variances, refused figures (city-release 9).

Post-processing: it sees released values and public noise only, so it costs no privacy. The published value
and interval come from what the *other* HATs say of a HAT, with tails that allow for hexagons unlike their
neighbours.
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass, fields, replace
from threading import Lock

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.city.cell_blocks import CellBlock, cell_blocks
from core.city.lapack import cholesky, inverse_of_triangle
from core.city.laplace_sites import laplace_sites
from core.city.smoothing_model import (
    SHARED_OF_SHARES,
    HatPlaces,
    covariance,
    fitted_hats,
    fitted_spreads,
    variance_of_each,
)
from core.city.student_posterior import StudentPosterior, student_posterior
from core.hats.places import HEXAGONS, PlaceIds
from core.mechanisms.covariate import Covariate
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, PAPERS_U, scaled
from core.progress import Progress, part, silent
from core.system.parallel import in_turn

_LEAST_VARIANCE = 1e-4
"""Least variance of what the other HATs say of a mean when a table is smoothed; (km/h)^2."""
_LEAST_SHARE_VARIANCE = 1e-6
"""Least variance of what the other HATs say of a share when a table is smoothed."""
LEAST_NOISE = 1e-12
"""Variance that smoothing gives a released value without noise; (km/h)^2."""
_MOSTLY_NOISE = 1e10
"""From this variance of noise on, smoothing would lose what its model knows in differences; (km/h)^2."""
_LARGEST = 1e100
"""Smoothing refuses what is beyond: no released value comes near; squares of smaller ones stay floats."""
_NORMAL_MEAN = math.sqrt(2.0 / math.pi)
"""E|N(0, 1)|."""
VALUE_WIDTH = 0.75
"""Width of the law whose median is a smoothed value, where intervals take 1: the variance of a Student law of
scale s is 2 s^2, and a value would follow its own noise too far.
"""
_FORETOLD_BLOCKS = 3
"""Blocks of a larger city that are solved to say what to expect of smoothing."""
_THREADS = 2
"""Blocks of a city that are smoothed together: each takes some 300 MB."""
_SOLVED = 50
"""Columns of a block's matrix that smoothing solves together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothingFacts:
    """What is known of G HATs before their values: all of it public. Arrays have shape (G,)."""

    cells: Ints
    """H3 cells as integers, or numbers of other places."""
    hours: Floats
    """Hour of the day at the middle of the HAT's slot, 0 to 24."""
    noise_variance: Floats
    """Of the noise alone; (km/h)^2."""
    bias_variance: Floats
    """Square of the modelled bias that intervals allow for, 0 in relation user; (km/h)^2."""
    gaussian: bool
    """Else the noise is Laplace's."""
    upper_kmh: float
    """U: values lie in [0, U] once their lower bound is taken off."""
    ids: tuple[str, ...]
    """The HATs' ids, all different."""
    typical_bias_variance: Floats | None = None
    """Square of the modelled bias that is expected, at most `bias_variance`; None: the same. (km/h)^2."""
    covariate: Covariate | None = None
    """What is public of their means; None: nothing."""
    places: PlaceIds = HEXAGONS
    """What `cells` number."""
    group: Ints | None = None
    """Number of each HAT's labels; None: there are no groups."""
    expected_share: float | None = None
    """Where numbers are shares of records, the one that the model expects everywhere, between 0 and 1; then
    every figure here is a share too. None: they are means.
    """
    former_spreads: tuple[float, ...] = ()
    """What an earlier release of the same city was fitted to, as `Smoothed.spreads`; empty: nothing."""

    def __post_init__(self) -> None:
        """Raises ValueError for columns of unequal length, or figures that are none."""
        columns = [self.cells, self.hours, self.noise_variance, self.bias_variance]
        columns += [self.covariate.standardised] if self.covariate is not None else []
        if {column.shape for column in columns} != {(len(self.ids),)}:
            raise ValueError("a figure for each hexagon slot is needed, in every column")
        if len(set(self.ids)) < len(self.ids):
            raise ValueError("two hexagon slots have the same id")
        if not (math.isfinite(self.upper_kmh) and self.upper_kmh > 0.0):
            raise ValueError("U must be a positive number")
        variances = np.concatenate((self.noise_variance, self.bias_variance, self.hours))
        if not np.all((variances >= 0.0) & (variances <= _LARGEST**2)):
            raise ValueError("variances and hours must be finite and not negative")

    @property
    def unit(self) -> float:
        """What one unit of the model stands for: km/h of the papers, or so much of a share."""
        if self.expected_share is None:
            return scaled(1.0, self.upper_kmh)
        spread = math.sqrt(self.expected_share * (1.0 - self.expected_share))
        return spread * SHARED_OF_SHARES / HAT_MEAN_SPREAD

    @property
    def prior_means(self) -> Floats:
        """What each HAT's true mean is thought to be before any value is seen; km/h."""
        means = np.full(len(self.ids), HAT_MEAN) if self.covariate is None else self.covariate.means
        return means * self.upper_kmh / PAPERS_U

    def only(self, some: Ints) -> SmoothingFacts:
        """Facts of some of the HATs, in that order."""
        typical = self.typical_bias_variance
        return SmoothingFacts(
            gaussian=self.gaussian,
            upper_kmh=self.upper_kmh,
            cells=self.cells[some],
            hours=self.hours[some],
            noise_variance=self.noise_variance[some],
            bias_variance=self.bias_variance[some],
            ids=tuple(self.ids[place] for place in some.tolist()),
            typical_bias_variance=None if typical is None else typical[some],
            covariate=self.covariate and self.covariate.take(some),
            places=self.places,
            group=None if self.group is None else self.group[some],
            expected_share=self.expected_share,
            former_spreads=self.former_spreads,
        )

    @property
    def hat_places(self) -> HatPlaces:
        """Where and when they are, in the model's units."""
        return HatPlaces.of(
            self.cells,
            self.hours,
            self.covariate,
            self.places,
            self.group,
            of_shares=self.expected_share is not None,
            former_spreads=np.array(self.former_spreads) / self.unit if self.former_spreads else None,
        )

    def with_values(self, values: Floats) -> SmoothingInput:
        """The released table; values: as `SmoothingInput` has them."""
        facts = {one.name: getattr(self, one.name) for one in fields(SmoothingFacts)}
        return SmoothingInput(**facts, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothingInput(SmoothingFacts):
    """A released table."""

    values: Floats
    """Shape (G,): km/h above the lower bound, not clamped."""

    def __post_init__(self) -> None:
        """Raises ValueError as for the facts, and for values that are no numbers."""
        # not `super()`: a dataclass with slots is made twice, and `super()` means the first
        SmoothingFacts.__post_init__(self)
        if self.values.shape != self.hours.shape or not np.all(np.abs(self.values) <= _LARGEST):
            raise ValueError("a finite value for each hexagon slot is needed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Smoothed:
    """Estimates under the model, in the order of the input; km/h in [0, U], shape (G,) each."""

    values: Floats
    lows: Floats
    """Ends of the interval that holds the true mean with probability 0.95 under the model, not rounded."""
    highs: Floats
    typical: Floats
    """Expected distance of the true mean from the value, under the same law."""
    spreads: Floats
    """Shape (4,): what was fitted; place, hour of the day, place and hour, HAT; km/h. With groups (5,): also
    what they share in one place and slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The input in the papers' units, and in the order of ids: results depend on no other order."""

    order: Ints
    places: HatPlaces
    variances: Floats
    unit: float
    """Km/h, or how much of a share, that a unit stands for."""
    means: Floats
    """What each number is thought to be before any is seen; shape (n,)."""
    least_variance: float
    """Of what the other HATs say."""

    @classmethod
    def of(cls, facts: SmoothingFacts) -> _Table:
        order = np.array(sorted(range(len(facts.ids)), key=facts.ids.__getitem__), np.int64)
        share, unit = facts.expected_share, facts.unit
        noise = (facts.noise_variance + facts.bias_variance)[order] / unit**2
        places = facts.only(order).hat_places
        return cls(
            order=order,
            places=places,
            variances=np.maximum(noise, LEAST_NOISE),
            unit=unit,
            means=places.means if share is None else np.full(order.size, share / unit),
            least_variance=_LEAST_VARIANCE if share is None else _LEAST_SHARE_VARIANCE / unit**2,
        )

    def residuals(self, given: SmoothingInput) -> Floats:
        return given.values[self.order] / self.unit - self.means

    def fit(self, given: SmoothingInput, progress: Progress) -> Floats:
        """The spreads, from some hundred HATs."""
        some = fitted_hats([given.ids[at] for at in self.order.tolist()], self.variances)
        residuals = self.residuals(given)[some]
        return fitted_spreads(self.places.take(some), residuals, self.variances[some], progress)

    def in_given_order(self, results: Floats) -> Floats:
        """Results in km/h, as the input is ordered."""
        placed = np.empty_like(results)
        placed[self.order] = results * self.unit
        return placed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Others:
    """A table's numbers, and what all other HATs say of each; shape (n,), in the papers' units."""

    values: Floats
    variances: Floats
    means: Floats
    deviations: Floats
    gaussian: bool

    def posterior(self, width: float) -> StudentPosterior:
        """width: of the law of what the others say, in their deviations."""
        return student_posterior(
            self.values, self.variances, self.means, width * self.deviations, gaussian=self.gaussian
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Normal:
    """Normal laws of the true means, shape (n,) each; residuals, so means are around the model's."""

    means: Floats
    variances: Floats
    left_out_means: Floats
    """Without the HAT's own value."""
    left_out_variances: Floats


def smooth(
    given: SmoothingInput, progress: Progress = silent, *, for_values: SmoothingInput | None = None
) -> Smoothed:
    """Value and 95 % interval of each HAT, from its own noisy value and all others.

    for_values: other numbers of the same HATs that the values are taken from, while spreads and intervals are
    from `given`; None: the same. Deterministic on one machine, in any order of the HATs. Raises what
    `progress` raises.

    Source: city-release 9.
    """
    table = _Table.of(given)
    spreads = table.fit(given, part(progress, 0.0, 0.2))
    between = 0.9 if for_values is None else 0.55
    others = _others(table, given, spreads, part(progress, 0.2, between))
    wide = others.posterior(1.0)
    if for_values is not None:
        others = _others(_Table.of(for_values), for_values, spreads, part(progress, between, 0.9))
    progress(0.9, "Smoothing: intervals")
    narrow = others.posterior(VALUE_WIDTH)
    lows, highs = (
        np.clip(table.in_given_order(ends), 0.0, given.upper_kmh) for ends in (wide.lows, wide.highs)
    )
    progress(1.0)
    return Smoothed(
        values=np.clip(table.in_given_order(narrow.medians), lows, highs),
        lows=lows,
        highs=highs,
        typical=table.in_given_order(narrow.errors),
        spreads=spreads * table.unit,
    )


def _others(table: _Table, given: SmoothingInput, spreads: Floats, progress: Progress) -> _Others:
    residuals = table.residuals(given)
    law = _condition(table, spreads, residuals, part(progress, 0.0, 1.0 if given.gaussian else 0.5))
    if not given.gaussian:
        seen, variances = laplace_sites(
            residuals, table.variances, law.left_out_means, law.left_out_variances
        )
        weighed = replace(table, variances=variances)
        law = _condition(weighed, spreads, seen, part(progress, 0.5, 1.0))
    return _Others(
        values=residuals + table.means,
        variances=table.variances,
        means=law.left_out_means + table.means,
        deviations=np.sqrt(law.left_out_variances),
        gaussian=given.gaussian,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What all other HATs say of each number, in the order and the unit of the input; shape (n,)."""

    means: Floats
    deviations: Floats
    spreads: Floats
    """Shape (4,), as `Smoothed` has them."""


def left_out(given: SmoothingInput, progress: Progress = silent, *, fitted: Floats | None = None) -> LeftOut:
    """The law of each number from the others alone; fitted: its spreads, None: they are fitted now.

    Raises what `progress` raises.
    """
    table = _Table.of(given)
    spreads = table.fit(given, part(progress, 0.0, 0.2)) if fitted is None else fitted / table.unit
    others = _others(table, given, spreads, part(progress, 0.2, 1.0))
    return LeftOut(
        means=table.in_given_order(others.means),
        deviations=table.in_given_order(others.deviations),
        spreads=spreads * table.unit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SumLaws:
    """Of k weighted sums of the true means, km/h; shape (k,) each."""

    values: Floats
    lows: Floats
    """Ends of 95 % intervals."""
    highs: Floats


def smoothed_sums(given: SmoothingInput, weights: Floats, fitted: Floats) -> SumLaws:
    """Sums of the true means under the model, from all numbers: as `smooth`, of sums in place of HATs.

    weights: shape (k, n), in the order of the input, each row of one sign adding up to 1 or of both to 0;
    fitted: spreads, km/h. With m and C the mean and covariance of all true means given all numbers y, a sum
    has mean a'm and variance a'Ca. What the number a'y itself does not say of it has the precision that is
    left, 1 / a'Ca - 1 / a'Va, and gets the Student law that smoothing has of the other HATs. Laplace noise
    counts by its variance: sums of it are nearly normal.

    Source: city-release 9. Some 8 n^2 bytes; n as `cell_blocks` solves together.
    """
    table = _Table.of(given)
    spreads, seen, variances = fitted / table.unit, table.residuals(given), table.variances
    sums, prior = weights[:, table.order], covariance(table.places, spreads)
    shared = sums @ prior
    most = np.einsum("ij,ij->i", shared, sums)
    prior[np.diag_indices_from(prior)] += variances
    solved = scipy.linalg.solve_triangular(
        cholesky(prior), np.vstack((shared, seen)).T, lower=True, check_finite=False
    )
    known, residuals = solved[:, :-1], solved[:, -1]
    left = np.maximum(most - (known**2).sum(axis=0), table.least_variance)
    centres, noise = sums @ table.means, (sums**2) @ variances
    means, raw = centres + known.T @ residuals, centres + sums @ seen
    others = np.minimum(1.0 / np.maximum(1.0 / left - 1.0 / noise, 1.0 / most), most)
    pull = others / noise
    means += (means - raw) * pull
    # a sum of one sign lies in [0, U], a difference of two in [-U, U]; both are put on the papers' scale
    span = np.where(sums.min(axis=1) < 0.0, 2.0, 1.0)
    start = (1.0 - span) * PAPERS_U
    wide, narrow = (
        student_posterior(
            (raw - start) / span,
            noise / span**2,
            (means - start) / span,
            width * np.sqrt(others) / span,
            gaussian=True,
        )
        for width in (1.0, VALUE_WIDTH)
    )
    values, lows, highs = (
        (one * span + start) * table.unit for one in (narrow.medians, wide.lows, wide.highs)
    )
    return SumLaws(values=np.clip(values, lows, highs), lows=lows, highs=highs)


def gaussian_posterior(given: SmoothingInput, progress: Progress = silent) -> tuple[Floats, Floats]:
    """Posterior mean, clamped to [0, U], and standard deviation of each HAT; km/h, shape (G,).

    A guess to build on, for instance of where a second look has to look. What is published is `smooth`.
    Raises what `progress` raises.
    """
    table = _Table.of(given)
    spreads = table.fit(given, part(progress, 0.0, 0.2))
    law = _condition(table, spreads, table.residuals(given), part(progress, 0.2, 1.0))
    means = np.clip(table.in_given_order(law.means + table.means), 0.0, given.upper_kmh)
    return means, table.in_given_order(np.sqrt(law.variances))


def predicted_error(facts: SmoothingFacts, progress: Progress = silent) -> Floats:
    """Expected absolute error of each HAT after smoothing, from public facts alone; km/h, shape (G,).

    The model's with its spreads where they are before any value is seen, so it can stand before a release.
    Raises what `progress` raises.
    """
    table = _Table.of(facts)
    law = _condition(table, table.places.foretold_spreads, np.zeros(len(facts.ids)), progress)
    return _left(table, law.variances, facts)


def prior_deviations(facts: SmoothingFacts) -> Floats:
    """Of each HAT's true number before any is seen, with the spreads of `predicted_error`; shape (G,)."""
    table = _Table.of(facts)
    return table.in_given_order(np.sqrt(variance_of_each(table.places, table.places.foretold_spreads)))


def foretold_error(facts: SmoothingFacts, progress: Progress = silent) -> Floats:
    """The same, of a large city from three of its blocks: other HATs lie among these as their noise does.

    The blocks are the least noisy, the middle and the noisiest one, so that few HATs lie beyond them. Raises
    what `progress` raises.
    """
    table = _Table.of(facts)
    blocks = cell_blocks(table.places)
    if len(blocks) <= _FORETOLD_BLOCKS:
        return predicted_error(facts, progress)
    rising = sorted(blocks, key=lambda block: float(np.median(table.variances[block.own])))
    some = [rising[0], rising[len(rising) // 2], rising[-1]]
    _, variances, _, _ = _condition_blocks(
        table, some, table.places.foretold_spreads, np.zeros(len(facts.ids)), progress
    )
    known = np.flatnonzero(np.isfinite(variances))
    known = known[np.argsort(table.variances[known], kind="stable")]
    return _left(table, np.interp(table.variances, table.variances[known], variances[known]), facts)


def _left(table: _Table, variances: Floats, facts: SmoothingFacts) -> Floats:
    """Expected absolute errors from the variances that smoothing leaves; km/h, shape (G,)."""
    left = table.in_given_order(np.sqrt(variances)) ** 2
    return _NORMAL_MEAN * np.sqrt(expected_square(left, facts))


def expected_square(posterior: Floats, facts: SmoothingFacts) -> Floats:
    """Expected square of what smoothing leaves, where values miss less than is allowed for; (km/h)^2, (n,).

    posterior: P, the variance that the model leaves with V = noise + bias allowed for. A value then weighs
    P / V, and adds the square of that times t, what it really misses: `P - P^2 (V - t) / V^2`.
    """
    if facts.typical_bias_variance is None:
        return posterior
    allowed = np.maximum(facts.noise_variance + facts.bias_variance, LEAST_NOISE)
    spare = facts.bias_variance - facts.typical_bias_variance
    return np.asarray(posterior - (posterior / allowed) ** 2 * spare, np.float64)


def _condition(table: _Table, spreads: Floats, residuals: Floats, progress: Progress) -> _Normal:
    """The normal laws of all HATs given the residuals, block by block, two at a time."""
    means, variances, left_out_means, left_out_variances = _condition_blocks(
        table, cell_blocks(table.places), spreads, residuals, progress
    )
    return _Normal(
        means=means,
        variances=variances,
        left_out_means=left_out_means,
        left_out_variances=left_out_variances,
    )


def _condition_blocks(
    table: _Table, blocks: list[CellBlock], spreads: Floats, residuals: Floats, progress: Progress
) -> Floats:
    """The columns of `_Normal`, shape (4, n), of the blocks' own HATs; NaN of others."""
    laws = np.full((4, residuals.size), np.nan)
    ended, one_at_a_time = 0, Lock()

    def beat(done: float, text: str = "") -> None:
        """Of one block alone as it goes, else by how many have ended."""
        with one_at_a_time:
            progress(done if len(blocks) == 1 else ended / len(blocks), text)

    def solved(block: CellBlock) -> Floats:
        return _condition_block(table, block, spreads, residuals, beat)

    with closing(in_turn(blocks, solved, threads=_THREADS, ahead=_THREADS)) as found:
        for block, law in zip(blocks, found, strict=True):
            laws[:, block.own] = law
            ended += 1
    return laws


def _condition_block(
    table: _Table, block: CellBlock, spreads: Floats, residuals: Floats, progress: Progress
) -> Floats:
    """The columns of `_Normal` of a block's own HATs, shape (4, own).

    With A = K + diag(V) and B = A^-1, a HAT's value without it has mean y - (B y) / B_gg and variance
    1 / B_gg, of which V_g is noise.
    """
    text = "Smoothing: reading the other hexagon slots"
    progress(0.0, text)
    # own HATs last: what is left out of one needs only the lower right of the inverse
    hats = np.concatenate((block.around, block.own))
    first = block.around.size
    own = slice(first, hats.size)
    places, noise, given = table.places.take(hats), table.variances[hats], residuals[hats]
    summed = covariance(places, spreads)
    summed[np.diag_indices_from(summed)] += noise
    progress(0.3, text)
    factor = cholesky(summed)
    weighted = scipy.linalg.cho_solve((factor, True), given, check_finite=False)
    progress(0.6, text)
    inverse = inverse_of_triangle(factor[own, own].copy(order="F"))
    precision = np.einsum("ij,ij->j", inverse, inverse)
    progress(0.9, text)
    values, noise = given[own], noise[own]
    means = values - noise * weighted[own]
    variances = noise - noise**2 * precision
    left_out_means = values - weighted[own] / precision
    left_out_variances = 1.0 / precision - noise
    most = variance_of_each(places, spreads)
    noisy = np.flatnonzero(noise > _MOSTLY_NOISE)
    for start in range(0, noisy.size, _SOLVED):
        some = noisy[start : start + _SOLVED]
        shared = covariance(places, spreads, rows=first + some)
        means[some] = shared @ weighted
        known = scipy.linalg.solve_triangular(factor, shared.T, lower=True, check_finite=False)
        variances[some] = most[first + some] - (known**2).sum(axis=0)
        # what is known divided by what is not: the same two laws, without a difference of large numbers
        left_out_variances[some] = variances[some] / (1.0 - variances[some] / noise[some])
        pull = left_out_variances[some] / noise[some]
        left_out_means[some] = means[some] + (means[some] - values[some]) * pull
    progress(1.0, text)
    return np.stack(
        (
            means,
            np.clip(variances, 0.0, most[own]),
            left_out_means,
            np.minimum(np.maximum(left_out_variances, table.least_variance), most[own]),
        )
    )
