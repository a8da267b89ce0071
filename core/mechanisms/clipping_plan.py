"""Two-step clipping, planned: every choice that follows from counts, epsilon and U alone.

Source: ours, docs/two-step-clipping.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.mechanisms.base import Plan
from core.mechanisms.water_filling import CountGroups, water_filled
from core.values import FINE, FINE_BITS, THOUSAND

CENTRE, SPREAD = "centre", "spread"
PAPERS_U = 65.0
"""U of the papers, km/h: constants of two-step-clipping 3 are given for it and scale with U."""

WEIGHT_BITS = 36
WEIGHT = 1 << WEIGHT_BITS
"""Units of one in the weights of LINEAR: fine enough for a million users, times U below 2^63."""

_CAPS = 25
_THRESHOLDS = 56
_LOWEST_THRESHOLD = 0.01
_TILT = 0.2
"""Share of a weight's misplacement that errors of all users are feared to add up in one direction."""
_WITHIN = 0.7
_SIGMA = 0.85
_SPREAD_FACTORS: Floats = np.array([0.125, 0.25, 0.5, 1.0, 2.0])
_SHARE_STEP = Decimal("1E-9")
_HALF_THOUSANDTH = 0.0005
_ERFC = np.vectorize(math.erfc, otypes=[np.float64])


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearChoice:
    """Release `sum a_l X_l`: weights under a cap."""

    weights: NDArray[np.int64]
    """Shape (L,): a_l in units of 2^-36; they sum to exactly one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepChoice:
    """Release `c + sum clip(w_l (X_l - c), +-T)`: candidates for c and s, and what each s entails."""

    centres: NDArray[np.int64]
    """Shape (32,): candidates c, thousandths of km/h."""
    reach: int
    """Deviations from a candidate are clipped here to score it, thousandths of km/h."""
    spreads: Floats
    """Shape (5,), or (1,) where s is not selected: candidates s, km/h."""
    thresholds: NDArray[np.int64]
    """T for each s, integers of 2^-30 km/h, at least 1."""
    sensitivities: NDArray[np.int64]
    """D(T) for each s, integers of 2^-30 km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingPlan(Plan):
    """What plans of both kinds say: a `LinearPlan` or a `TwoStepPlan`."""

    typical: float
    """A typical mean, km/h: the public guess that the posterior of LINEAR starts from."""
    predicted_error: float
    """Noise plus modelled bias at the public spread guess, km/h: a guess to compare plans by, no bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearPlan(ClippingPlan):
    """LINEAR with its public weights."""

    linear: LinearChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStepPlan(ClippingPlan):
    """TWO-STEP with its public candidates."""

    two_step: TwoStepChoice


def scaled(constant: float, upper_kmh: float) -> float:
    """A constant given for the papers' U, at this U; km/h."""
    return constant * upper_kmh / PAPERS_U


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


def is_linear(users: int, records: int, epsilon: Decimal) -> bool:
    """Too few users or records for private choices to pay."""
    return users * epsilon < 90 or records < 3 * users


def two_step_budgets(users: int, epsilon: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """eps1 for the centre, eps_s for the spread (or 0), eps3 for the noise; together exactly epsilon.

    The first two are rounded down to 1e-9, so that the last is exact and never the smaller for it.
    """
    first = max(Decimal(40) / users, epsilon / 10)
    wanted = Decimal(24) / users
    second = max(wanted, epsilon / 20) if wanted <= epsilon / 5 else Decimal(0)
    first, second = (share.quantize(_SHARE_STEP, rounding=ROUND_DOWN) for share in (first, second))
    return first, second, epsilon - first - second


def modelled_error(groups: CountGroups, weights: Floats, within: float) -> Floats:
    """Bias of weights a in place of w, by a model, in units of `within`; weights (C, D), returns (C,).

    `sqrt((2 / pi) sum ((a - w) v)^2 + (0.2 sum |a - w| v)^2)`: users' means scatter by v, and a fifth
    of each is feared to lean the same way.
    """
    moved = weights - groups.shares
    independent = 2.0 / math.pi * (moved**2 @ groups.users)
    error: Floats = within * np.sqrt(independent + (_TILT * (np.abs(moved) @ groups.users)) ** 2)
    return error


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearOptions:
    """LINEAR for each of 25 caps, smallest first: what does not depend on epsilon."""

    weights: Floats
    """Shape (25, D): weights of each group."""
    largest: Floats
    """Shape (25,): the largest weight."""
    bias: Floats
    """Shape (25,): modelled, km/h."""

    def best(self, epsilon: float, upper_kmh: float) -> tuple[Floats, float]:
        """Weights of each group, shape (D,), for the best cap, and their predicted error in km/h.

        Minimises `U max(a) / eps` plus the modelled bias; ties go to the smallest cap.
        """
        errors = upper_kmh * self.largest / epsilon + self.bias
        best = int(np.argmin(errors))
        return self.weights[best], float(errors[best])


def linear_options(groups: CountGroups, spread: float) -> LinearOptions:
    """The caps go from equal weights to the shares of the records; spread: km/h."""
    users = int(groups.users.sum())
    caps = np.geomspace(1.0 / users, max(1.0001 / users, float(groups.shares[0])), _CAPS)
    weights = water_filled(groups, caps)
    return LinearOptions(
        weights=weights,
        largest=weights.max(axis=1),
        bias=modelled_error(groups, weights, _WITHIN * spread),
    )


def whole_weights(groups: CountGroups, weights: Floats) -> NDArray[np.int64]:
    """Weights of groups as integers of 2^-36 for each user, shape (L,), that sum to exactly one.

    Their running sum is rounded, so that each is less than one unit off and the total is kept.
    """
    running = np.cumsum(np.repeat(weights, groups.users))
    edges: NDArray[np.int64] = np.rint(running / running[-1] * WEIGHT).astype(np.int64)
    edges[1:] -= edges[:-1].copy()
    return edges


def linear_terms(weights: NDArray[np.int64], means: NDArray[np.int64]) -> NDArray[np.int64]:
    """`a_l X_l` in integers of 2^-30 km/h, each rounded to the nearest; means in thousandths, shape (L,)."""
    unit = THOUSAND << (WEIGHT_BITS - FINE_BITS)
    terms: NDArray[np.int64] = (weights * means + unit // 2) // unit
    return terms


def largest_move(groups: CountGroups, upper_bound: int) -> int:
    """The most that `w_l (X_l - c)`, rounded to integers of 2^-30 km/h, moves when X_l runs over [0, U].

    Both ends are rounded by at most a half, so that an integer move is at most `floor(U w_l) + 1`
    (two-step-clipping 4.4).
    """
    records = int((groups.counts * groups.users).sum())
    return (int(groups.counts[0]) * upper_bound << FINE_BITS) // (THOUSAND * records) + 1


def _thresholds(groups: CountGroups, upper_kmh: float) -> tuple[Floats, Floats]:
    """56 geometric T in [0.01, 1] of `U max w`: as parts of it, and in km/h."""
    parts = _LOWEST_THRESHOLD ** ((_THRESHOLDS - 1 - np.arange(_THRESHOLDS)) / (_THRESHOLDS - 1))
    return parts, parts * (upper_kmh * float(groups.shares[0]))


def threshold_bias(groups: CountGroups, upper_kmh: float, spread: float) -> Floats:
    """`sqrt((2 / pi) B2 + B1^2)` for each T, km/h; shape (56,).

    B1 and B2 are what clipping takes away, as a sum and as a sum of squares, if deviations are normal
    with sd `sigma_l = 0.85 s w_l`.
    """
    _, thresholds = _thresholds(groups, upper_kmh)
    sigma = _SIGMA * spread * groups.shares
    t = thresholds[:, None] / sigma
    q = _ERFC(t / math.sqrt(2.0)) / 2.0
    phi = np.exp(-(t**2) / 2.0) / math.sqrt(2.0 * math.pi)
    first = (2.0 * sigma * np.maximum(phi - t * q, 0.0)) @ groups.users
    second = (2.0 * sigma**2 * np.maximum((1.0 + t**2) * q - t * phi, 0.0)) @ groups.users
    bias: Floats = np.sqrt(2.0 / math.pi * second + first**2)
    return bias


def best_threshold(
    groups: CountGroups, epsilon: float, upper_kmh: float, bias: Floats
) -> tuple[float, float]:
    """T as a part of `U max w`, and its predicted error in km/h; bias: of `threshold_bias`.

    Minimises `D(T) / eps3` plus the bias, `D(T) = min(2 T, U max w)`; ties go to the smallest T.
    """
    parts, thresholds = _thresholds(groups, upper_kmh)
    noise = np.minimum(2.0 * thresholds, upper_kmh * float(groups.shares[0])) / epsilon
    errors = noise + bias
    best = int(np.argmin(errors))
    return float(parts[best]), float(errors[best])


def plan_two_step(
    groups: CountGroups,
    budgets: tuple[Decimal, Decimal, Decimal],
    upper_bound: int,
    guess: float,
    bias: Callable[[float], Floats],
) -> tuple[TwoStepChoice, float]:
    """Candidates and thresholds, and the predicted error at the spread guess, km/h.

    bias: `threshold_bias` of these groups by the spread.
    """
    upper_kmh = upper_bound / THOUSAND
    selected = budgets[1] > 0
    spreads: Floats = guess * (_SPREAD_FACTORS if selected else np.ones(1))
    noise_epsilon = float(budgets[2])
    parts = np.array(
        [best_threshold(groups, noise_epsilon, upper_kmh, bias(spread))[0] for spread in spreads.tolist()]
    )
    most = largest_move(groups, upper_bound)
    thresholds = np.ceil(parts * most).astype(np.int64)
    candidates = np.rint(scaled(1.0, upper_kmh) * np.arange(1, 64, 2) * THOUSAND)
    candidates = np.minimum(candidates, upper_bound)  # true of reals: no float decides it
    choice = TwoStepChoice(
        centres=candidates.astype(np.int64),
        reach=max(1, round(scaled(3.0, upper_kmh) * THOUSAND)),
        spreads=spreads,
        thresholds=thresholds,
        sensitivities=np.minimum(2 * thresholds, most),
    )
    return choice, best_threshold(groups, noise_epsilon, upper_kmh, bias(guess))[1]


def linear_bias(counts: NDArray[np.int64], weights: NDArray[np.int64], upper_kmh: float) -> float:
    """Worst case of `sum a_l X_l` against `sum w_l X_l`, km/h.

    Both sets of weights sum to one: it is largest where every user whose weight rose is at U and all
    others at 0. Rounded means of users add half a thousandth where a user has several records.
    """
    rise = np.maximum(weights / WEIGHT - counts / int(counts.sum()), 0.0)
    return min(upper_kmh, upper_kmh * float(rise.sum()) + mean_rounding(counts))


def two_step_bias(counts: NDArray[np.int64], choice: TwoStepChoice, upper_bound: int) -> float:
    """Worst case of `c + sum clip(w_l (X_l - c), +-T)` against `f = c + sum w_l (X_l - c)`, km/h.

    Clipping takes from user l at most `w_l |X_l - c| - T`; what it takes above and below c cancels.
    So the worst is that all lie on one side, at U or at 0, as far away as some candidate allows, with
    the smallest T that may be chosen: `sum max(0, w_l reach - T)`. Each clipped term keeps its sign
    and never grows, so that the estimate stays in [0, U] and the error is at most U in any case.
    Rounding: half a thousandth of users' means, half of 2^-30 km/h for c and for each term.
    """
    upper_kmh = upper_bound / THOUSAND
    furthest = max(int(choice.centres.max()), upper_bound - int(choice.centres.min())) / THOUSAND
    lost = np.maximum(counts / int(counts.sum()) * furthest - int(choice.thresholds.min()) / FINE, 0.0)
    rounding = mean_rounding(counts) + (counts.size + 1) / (2 * FINE)
    return min(upper_kmh, float(lost.sum()) + rounding)


def mean_rounding(counts: NDArray[np.int64]) -> float:
    """What rounding users' means to 0.001 km/h may add; a single record is never rounded."""
    return _HALF_THOUSANDTH if counts[0] > 1 else 0.0
