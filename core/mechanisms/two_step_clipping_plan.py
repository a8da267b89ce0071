"""Two-step clipping planned: units of its weights, scales of its noise, what dwell time leans.

Source: ours, docs/two-step-clipping.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatUsers
from core.fixed_point import FINE, FINE_BITS, THOUSAND
from core.mechanisms.base import Plan
from core.mechanisms.clipping_threshold import CLIP_PARTS, best_thresholds, largest_move, threshold_moves
from core.mechanisms.public_model import (
    DWELL,
    LEAN,
    LEAN_CORRECTED,
    RECORD_SPREAD,
    VEHICLE_SPREAD,
    scaled,
)
from core.mechanisms.water_filling import CountGroups, water_filled
from core.noise.laplace_normal import half_width_95, mean_absolute

CENTRE, SPREAD = "centre", "spread"
MOST_FOR_CHOICES = 2.9
"""Sensitivity / epsilon times so much is the most that a scale of TWO-STEP may be: from `L eps = 90` on the
centre takes at most 40/90 of epsilon and the spread a fifth."""
WEIGHT_BITS = 36
WEIGHT = 1 << WEIGHT_BITS
"""Units of one in the weights of LINEAR: fine enough for a million users, times U below 2^63."""

_CAPS = 25
LEAST_CORRECTION = 0.8
"""LINEAR divides by no less than this to undo what dwell time leans."""
_LOOSE, _UNSURE = 2.0, 0.3
"""An interval of TWO-STEP allows for twice the modelled bias, and for a part of the noise beside."""
SPREAD_FACTORS: Floats = np.array([0.125, 0.25, 0.5, 1.0, 2.0])
_GUESS = SPREAD_FACTORS == 1.0
"""Which of them is the public guess."""
_ROOT_HALF_PI = math.sqrt(math.pi / 2.0)
_SHARE_STEP = Decimal("1E-9")
GRID = Decimal("1.01")
"""Plans are made for its powers: one grid for every epsilon."""
_LEAST_USERS, _LEAST_RECORDS = 90, 3
"""TWO-STEP asks for so many users times epsilon, and records a user."""
_HALF_THOUSANDTH = 0.0005
_IN_CACHE = 1 << 14
"""Numbers that planning two-step clipping works on together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepChoice:
    """Release `c + sum clip(w_l (X_l + shift - c), +-T)`: candidates for c and s, and what each s entails."""

    centres: Ints
    """Shape (32,): candidates c, thousandths of km/h."""
    dwell: Floats | None
    """Shape (L,): `h_l` minus its mean over records; None where nothing is corrected."""
    reach: int
    """Deviations from a candidate are clipped here to score it, thousandths of km/h."""
    spreads: Floats
    """Shape (5,), or (1,) where s is not selected: candidates s, km/h."""
    thresholds: Ints
    """T for each s, integers of 2^-30 km/h, at least 1."""
    sensitivities: Ints
    """D(T) for each s, integers of 2^-30 km/h."""
    biases: Floats
    """Modelled bias B for each s with its T, km/h."""
    guess: int
    """Which of `spreads` is the public guess sp."""

    def shifts(self, centre: int | Ints) -> Ints | int:
        """What stands on `X_l` for a candidate c, shape (L,), thousandths of km/h: `k c (h_l - hbar)`.

        Public, and rounded here once. centre: or several candidates, shape (.., 1), for (.., L).
        """
        if self.dwell is None:
            return 0
        return np.rint(DWELL * centre * self.dwell).astype(np.int64)

    def few_centres(self, width: int) -> Iterator[Ints]:
        """All candidates, as many at a time as stay in the cache where each takes `width` numbers."""
        few = max(1, _IN_CACHE // width)
        for first in range(0, self.centres.size, few):
            yield self.centres[first : first + few]

    def typical_error(self, noise_epsilon: Decimal) -> float:
        """The mean over the candidates of the spread, each as likely, km/h."""
        return float(sizes_of(self.sensitivities / (FINE * float(noise_epsilon)), self.biases).mean())

    def half_width(self, spread: int, noise_epsilon: Decimal) -> float:
        """Of the 95 % interval with a selected s, km/h (method 10.4)."""
        scale = float(self.sensitivities[spread]) / FINE / float(noise_epsilon)
        return half_width_95(scale, _LOOSE * float(self.biases[spread]) + _UNSURE * scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearPlan(Plan):
    """LINEAR: release `sum a_l X_l / q` with public weights under a cap."""

    weights: Ints
    """Shape (L,): a_l in units of 2^-36; they sum to exactly one."""
    lean: float
    """What misplaced dwell time is thought to lean by, km/h at U = 65: less where q makes up for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepPlan(Plan):
    """TWO-STEP with its public candidates."""

    two_step: TwoStepChoice


def spread_guess(
    groups: CountGroups, upper_kmh: float, *, vehicle_spread: float, record_spread: float
) -> float:
    """`sp = sqrt(4*^2 + 20*^2 L / sum m)` to two significant digits, km/h.

    How far means of users are thought to lie from each other: between vehicles, and because each
    mean is one of few records.
    """
    per_user = int(groups.users.sum()) / int((groups.counts * groups.users).sum())
    guess = math.hypot(vehicle_spread, record_spread * math.sqrt(per_user))
    return float(f"{scaled(guess, upper_kmh):.1e}")


def sizes_of(scales: Floats, biases: Floats) -> Floats:
    """`E|Lap(b) + N(0, B)|` one by one."""
    pairs = zip(scales.ravel().tolist(), biases.ravel().tolist(), strict=True)
    return np.array([mean_absolute(*pair) for pair in pairs]).reshape(scales.shape)


def powers_to(epsilon: Decimal, users: int, records: int) -> range:
    """All k with `90 / L <= 1.01^k <= epsilon`: one grid of what TWO-STEP is planned for, for every epsilon.

    None where there are too few users or records for private choices to pay.
    """
    if users * epsilon < _LEAST_USERS or records < _LEAST_RECORDS * users:
        return range(0)
    first, last = (math.floor(math.log(end) / math.log(GRID)) for end in (_LEAST_USERS / users, epsilon))
    while users * GRID**first < _LEAST_USERS:
        first += 1
    while GRID**last > epsilon:
        last -= 1
    return range(first, last + 1)


def two_step_budgets(users: int, planned: Decimal, epsilon: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """eps1 for the centre, eps_s for the spread (or 0), eps3 for the noise; together exactly epsilon.

    planned: the epsilon that decides on the first two, at most epsilon. They are rounded down to 1e-9, so
    that the last is exact and never the smaller for it.
    """
    first = max(Decimal(40) / users, planned / 10)
    wanted = Decimal(24) / users
    second = max(wanted, planned / 20) if wanted <= planned / 5 else Decimal(0)
    first, second = (share.quantize(_SHARE_STEP, rounding=ROUND_DOWN) for share in (first, second))
    return first, second, epsilon - first - second


def best_power(
    groups: CountGroups, powers: range, epsilon: Decimal, upper_kmh: float, biases: Floats
) -> tuple[float, Decimal]:
    """The least typical error of TWO-STEP, km/h, and the epsilon it is planned for, where epsilon is charged.

    powers: of the grid, at least one; ties go to the smallest. biases: `threshold_bias` for each candidate of
    the spread, shape (5, 56).
    """
    planned = [GRID**step for step in powers]
    users = int(groups.users.sum())
    budgets = np.array([two_step_budgets(users, one, epsilon) for one in planned], np.float64)
    own = budgets[:, 2] - (float(epsilon) - np.array(planned, np.float64))
    moved = threshold_moves(groups, upper_kmh)
    best = best_thresholds(groups, own, upper_kmh, biases)
    scales, lost = moved[best] / budgets[:, 2], _ROOT_HALF_PI * np.take_along_axis(biases, best, axis=1)
    typical = sizes_of(scales, lost)
    errors = np.where(budgets[:, 1] > 0.0, typical.mean(axis=0), typical[_GUESS][0])
    step = int(np.argmin(errors))
    return float(errors[step]), planned[step]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearOptions:
    """LINEAR for each of 25 caps, smallest first: what does not depend on epsilon."""

    weights: Floats
    """Shape (25, D): weights of each group."""
    largest: Floats
    """Shape (25,): the largest weight, over what the release is divided by."""
    bias: Floats
    """Shape (25,): modelled, sd in km/h."""

    def best(self, epsilon: Decimal, upper_kmh: float) -> tuple[float, Floats]:
        """The least typical error, km/h, and its weights of groups, shape (D,); ties: the smallest cap."""
        errors = sizes_of(upper_kmh / float(epsilon) * self.largest, self.bias)
        cap = int(np.argmin(errors))
        weights: Floats = self.weights[cap]
        return float(errors[cap]), weights


def linear_options(groups: CountGroups, dwell: Floats | None, upper_kmh: float) -> LinearOptions:
    """The caps go from equal weights to the shares of the records; dwell: of every user, shape (L,)."""
    users = int(groups.users.sum())
    caps = np.geomspace(1.0 / users, max(1.0001 / users, float(groups.shares[0])), _CAPS)
    weights = water_filled(groups, caps)
    moved = weights - groups.shares
    bias = moved**2 @ (groups.users * (VEHICLE_SPREAD**2 + RECORD_SPREAD**2 / groups.counts))
    correction = np.ones(_CAPS)
    if dwell is not None:
        first = np.cumsum(groups.users) - groups.users
        away = moved @ np.add.reduceat(dwell, first)
        correction = 1.0 - DWELL * away
        bias += (np.where(correction < LEAST_CORRECTION, LEAN, LEAN_CORRECTED) * away) ** 2
    return LinearOptions(
        weights=weights,
        largest=weights.max(axis=1) / np.maximum(LEAST_CORRECTION, correction),
        bias=scaled(1.0, upper_kmh) * np.sqrt(bias),
    )


def dwell_correction(users: HatUsers, weights: Ints) -> tuple[float, float]:
    """q, which LINEAR divides by, and what is then thought to lean, km/h at U = 65.

    Weights that leave out dwell time `z = sum (a_l - w_l) h_l` lean by the share `k z` of the mean.
    """
    dwell = users.dwell
    if dwell is None:
        return 1.0, LEAN_CORRECTED
    wanted = 1.0 - DWELL * float((weights / WEIGHT - users.shares) @ dwell)
    return max(LEAST_CORRECTION, wanted), LEAN if wanted < LEAST_CORRECTION else LEAN_CORRECTED


def whole_weights(groups: CountGroups, weights: Floats) -> Ints:
    """Weights of groups as integers of 2^-36 for each user, shape (L,), that sum to exactly one.

    Their running sum is rounded, so that each is less than one unit off and the total stays.
    """
    running = np.cumsum(np.repeat(weights, groups.users))
    edges: Ints = np.rint(running / running[-1] * WEIGHT).astype(np.int64)
    edges[1:] -= edges[:-1].copy()
    return edges


def linear_terms(weights: Ints, means: Ints) -> Ints:
    """`a_l X_l` in integers of 2^-30 km/h, each rounded to the nearest; means in thousandths, shape (L,).

    Weights are at most 1, means below 2^31: the product may leave 63 bits, and is formed in two parts.
    """
    shift = WEIGHT_BITS - FINE_BITS
    unit = THOUSAND << shift
    whole, rest = np.divmod((weights >> shift) * means, THOUSAND)
    rest = (rest << shift) + (weights & ((1 << shift) - 1)) * means
    terms: Ints = whole + (rest + unit // 2) // unit
    return terms


def plan_two_step(
    groups: CountGroups,
    dwell: Floats | None,
    budgets: tuple[Decimal, Decimal, Decimal],
    upper_bound: int,
    guess: float,
    biases: Floats,
) -> TwoStepChoice:
    """Candidates and thresholds.

    budgets: as they are planned; guess: sp, km/h; biases: `threshold_bias` for each candidate of the spread,
    shape (5, 56).
    """
    upper_kmh = upper_bound / THOUSAND
    taken = np.full(SPREAD_FACTORS.size, True) if budgets[1] > 0 else _GUESS
    factors, biases = SPREAD_FACTORS[taken], biases[taken]
    best = best_thresholds(groups, np.array([float(budgets[2])]), upper_kmh, biases)
    most = largest_move(groups, upper_bound)
    thresholds = np.ceil(CLIP_PARTS[best[:, 0]] * most).astype(np.int64)
    candidates = np.rint(scaled(1.0, upper_kmh) * np.arange(1, 64, 2) * THOUSAND)
    candidates = np.minimum(candidates, upper_bound)  # true of reals: no float decides it
    return TwoStepChoice(
        centres=candidates.astype(np.int64),
        dwell=dwell,
        reach=max(1, round(scaled(3.0, upper_kmh) * THOUSAND)),
        spreads=guess * factors,
        thresholds=thresholds,
        sensitivities=np.minimum(2 * thresholds, most),
        biases=_ROOT_HALF_PI * np.take_along_axis(biases, best, axis=1)[:, 0],
        guess=int(np.flatnonzero(factors == 1.0)[0]),
    )


def linear_bias(users: HatUsers, weights: Ints, correction: float, upper_kmh: float) -> float:
    """Worst case of `sum a_l X_l / q` against `sum w_l X_l`, km/h.

    It is largest where every user whose weight rose is at U and all others at 0, or the other way round.
    Rounding: half a thousandth of users' means, half of 2^-30 km/h for each term.
    """
    rise = weights / (WEIGHT * correction) - users.shares
    lost = upper_kmh * max(float(np.maximum(rise, 0.0).sum()), float(np.maximum(-rise, 0.0).sum()))
    rounding = (mean_rounding(users.counts) + users.size / (2 * FINE)) / min(1.0, correction)
    return min(upper_kmh, lost + rounding)


def two_step_bias(users: HatUsers, choice: TwoStepChoice, upper_bound: int) -> float:
    """Worst case of `c + sum clip(r_l, +-T)`, `r_l = w_l (X_l + shift - c)`, against the true mean, km/h.

    Clipping takes `r - clip(r, +-T)` from each user, which grows with X: the worst is that all are at U or
    all at 0, for some candidate. Without shifts all of them then lie on one side of c, and the smallest T
    that may be chosen takes most; with shifts what is taken above c may make up for what is taken below,
    so that every T is tried. The shifts add up to nothing over the records but for their rounding.
    Rounding: half a thousandth of users' means and of shifts, half of 2^-30 km/h for c and for each term.
    """
    thresholds = np.unique(choice.thresholds if choice.dwell is not None else choice.thresholds.min())
    shares, worst = users.shares, 0.0
    ends = np.array([[0], [upper_bound]])
    for few in choice.few_centres(2 * users.size):
        centres = few[:, None, None]
        away = shares * ((ends - centres + choice.shifts(centres)) / THOUSAND)
        for threshold in (thresholds / FINE).tolist():
            lost = (away - np.clip(away, -threshold, threshold)).sum(axis=2)
            worst = max(worst, float(np.abs(lost).max()))
    shifted = 0.0 if choice.dwell is None else _HALF_THOUSANDTH
    rounding = mean_rounding(users.counts) + shifted + (users.size + 1) / (2 * FINE)
    return min(upper_bound / THOUSAND, worst + rounding)


def mean_rounding(counts: Ints) -> float:
    """What rounding users' means to 0.001 km/h may add; a single record is never rounded."""
    return _HALF_THOUSANDTH if counts[0] > 1 else 0.0
