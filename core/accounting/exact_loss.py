"""The exact formula of Gaussian noise, up to an epsilon of 600, how far floats err, the best attacker.

The running total (`zcdp`) holds whatever is decided later from earlier outputs; one release whose rho was
fixed before its first draw is a Gaussian mechanism of `mu = sqrt(2 rho)`, and has a smaller epsilon at the
same delta. Each formula is a separate claim; a statement names the one that it makes.

Source: method 13.8 (formula, lemma for discrete noise, and its proof).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import lru_cache
from statistics import NormalDist

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.zcdp import epsilon_of
from core.noise.laplace_normal import erfcx

BY_PROFILE = "gaussian-profile-1"
"""What a statement calls the exact formula."""
RUNNING = "renyi-orders-1"
"""What it calls that of the running total, by which one release was stated before, and is where the discrete
noise is too small for the lemma."""
CONVERSIONS = (BY_PROFILE, RUNNING)
MOST_LATTICE_ERROR = 5e-7
"""The largest H for which the discrete noise is as good as rounded continuous noise."""
_REACH_SQUARED = 1600.0 / 24.0
"""H of one number at a standard deviation of one: the lemma looks at 40 deviations."""
_LEMMA_COSTS = 1e-6
"""What epsilon grows by, and 1 + this what delta is divided by, for the discrete noise."""
_LARGEST = 600.0
"""Largest epsilon of the exact formula: above, floats do not reach, and the running total's is used."""
_LEAST_DELTA = Decimal("1e-30")
"""Below this delta likewise."""
_MOST_TANGENTS, _CLOSE = 64, 1e-12
_MARGIN = 1e-9
"""What the exact loss of Gaussian noise is raised by: more than floats err by, on any machine."""
_TOLERATED = Decimal("2e-6")
"""By how much a stated epsilon may lie above what is computed: it was rounded up."""
_STEP = Decimal("1e-6")
"""Figures of an attacker are rounded up to it."""
_FALSE_ALARMS = 0.01
_ROOT_2 = math.sqrt(2.0)
_NORMAL = NormalDist()
_UP = Context(prec=50, rounding=ROUND_CEILING)


def lattice_error(sensitivity: int, rho: Decimal, numbers: int) -> float:
    """H of one vector of integers: what its discrete noise differs from rounded continuous noise by.

    sensitivity: what a user moves it by (L2), rho: what it costs, numbers: how many integers it has.
    """
    return numbers * _REACH_SQUARED * 2.0 * float(rho) / float(sensitivity) ** 2


def conversion_of(error: float) -> str:
    """The formula that holds for one release; error: H of everything that it draws."""
    return BY_PROFILE if error <= MOST_LATTICE_ERROR else RUNNING


def gaussian_epsilon(mu: float, delta: float) -> float | None:
    """The smallest epsilon of the Gaussian mechanism of `mu` at `delta`; None above 600.

    The logarithm of its profile falls ever faster, so tangents from above the root stay above it: four are
    usual. Source: Balle and Wang, Improving the Gaussian mechanism for differential privacy, Theorem 8.
    """
    target = math.log(delta)
    if _log_profile(0.0, mu)[0] <= target:
        return 0.0
    if _log_profile(_LARGEST, mu)[0] > target:
        return None
    epsilon = min(mu * mu / 2.0 + mu * math.sqrt(-2.0 * target), _LARGEST)  # enough by Renyi divergences
    for _ in range(_MOST_TANGENTS):
        profile, slope = _log_profile(epsilon, mu)
        nearer = epsilon + (target - profile) / slope
        if not nearer < epsilon - _CLOSE:
            break
        epsilon = nearer
    return epsilon


def _log_profile(epsilon: float, mu: float) -> tuple[float, float]:
    """ln of `Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)` and its slope, within the floats."""
    near, far = (epsilon / mu - mu / 2.0) / _ROOT_2, (epsilon / mu + mu / 2.0) / _ROOT_2
    if near < 0.0:
        second = math.exp(-near * near) * erfcx(far)
        twice, scale = math.erfc(near) - second, 0.0
    else:
        second = erfcx(far)
        twice, scale = erfcx(near) - second, near * near
    if twice <= 0.0:
        return -math.inf, -math.inf
    return math.log(twice / 2.0) - scale, -second / twice


def stated_epsilon(pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> Decimal:
    """What one release by itself comes to at `delta`, as it is stated: rounded up to 1e-6.

    Without rho it is `pure`. Raises what `epsilon_of` does.
    """
    least = _least_epsilon(pure, rho, delta, conversion)
    if least is None:
        return epsilon_of(pure, rho, delta)
    return _UP.quantize(least + Decimal(_MARGIN), EPSILON_STEP)


def is_stated_epsilon(stated: Decimal, pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> bool:
    """Whether somebody else may have stated this epsilon: never too small, too large by rounding alone."""
    least = _least_epsilon(pure, rho, delta, conversion)
    if least is None:
        return stated == epsilon_of(pure, rho, delta)
    return 0 <= stated - least <= _TOLERATED


@lru_cache(maxsize=1 << 14)
def _least_epsilon(pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> Decimal | None:
    """The exact epsilon before it is rounded; None where another formula is asked for, or has to do."""
    if not rho or conversion != BY_PROFILE or not _LEAST_DELTA <= delta < 1:
        return None
    found = gaussian_epsilon(math.sqrt(2.0 * float(rho)), float(delta) / (1.0 + _LEMMA_COSTS))
    return None if found is None else pure + Decimal(found) + Decimal(str(_LEMMA_COSTS))


def mu_of(rho: Decimal) -> Decimal:
    """`sqrt(2 rho)`, rounded up to 1e-6: how far apart two normal laws of deviation one are to tell."""
    found = _UP.quantize(_UP.sqrt(2 * rho), _STEP)
    return found if _UP.multiply(found, found) >= 2 * rho else found + _STEP


def stated_power(pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> Decimal:
    """The most that an attacker finds who raises one false alarm in a hundred, rounded up to 1e-6.

    A probability: a guess finds 0.01.
    """
    return min(_UP.quantize(Decimal(_power(pure, rho, delta, conversion)) + _STEP, _STEP), Decimal(1))


def is_stated_power(stated: Decimal, pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> bool:
    """Whether somebody else may have stated this power."""
    return abs(stated - stated_power(pure, rho, delta, conversion)) <= _STEP


def _power(pure: Decimal, rho: Decimal, delta: Decimal, conversion: str) -> float:
    """Of the pure part `q = min(0.01 e^eps, 1 - 0.99 e^-eps)`, of both `Phi(mu + Phi^-1(q))`.

    Where the exact formula does not hold, what epsilon and delta bound.
    """
    if rho and conversion != BY_PROFILE:
        return _least_of(epsilon_of(pure, rho, delta), float(delta))
    found = _least_of(pure, 0.0)
    if not rho or found >= 1.0:
        return found
    return _NORMAL.cdf(math.sqrt(2.0 * float(rho)) + _NORMAL.inv_cdf(found))


@dataclass(frozen=True, slots=True)
class StatedLoss:
    """What one release, or a part of it, loses by itself, with the figures that are stated of it."""

    loss: PrivacyLoss
    delta: Decimal
    conversion: str

    @property
    def epsilon(self) -> Decimal:
        """At the delta, by the formula that is named; pure epsilon as it stands where there is no rho."""
        return stated_epsilon(self.loss.pure, self.loss.rho, self._delta, self.conversion)

    @property
    def charged(self) -> Decimal:
        """What it takes of a limit that nothing was taken of: by the formula of the running total."""
        return self.loss.epsilon_at(self._delta)

    @property
    def mu(self) -> Decimal | None:
        """Of its Gaussian noise; None without any, and where only the running total's formula holds."""
        return mu_of(self.loss.rho) if self.loss.rho and self.conversion == BY_PROFILE else None

    @property
    def power(self) -> Decimal:
        """What the best attacker finds at one false alarm in a hundred."""
        return stated_power(self.loss.pure, self.loss.rho, self._delta, self.conversion)

    def may_be(self, *, epsilon: Decimal, mu: Decimal | None, power: Decimal | None) -> bool:
        """Whether somebody else may have stated these figures of it; None: not stated."""
        parts = self.loss.pure, self.loss.rho, self._delta, self.conversion
        return (
            is_stated_epsilon(epsilon, *parts)
            and mu in (None, self.mu)
            and (power is None or is_stated_power(power, *parts))
        )

    @property
    def _delta(self) -> Decimal:
        return self.delta if self.loss.rho else Decimal(0)


def _least_of(epsilon: Decimal, delta: float) -> float:
    """The power that (epsilon, delta) allows, from either side of the bound."""
    factor = math.exp(min(float(epsilon), _LARGEST))
    return min(_FALSE_ALARMS * factor + delta, 1.0 - max(1.0 - _FALSE_ALARMS - delta, 0.0) / factor)
