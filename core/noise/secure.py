"""Real noise by OpenDP, paid by a reservation: too much asked, no sensitivity, a second draw (method 11)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray

from core.errors import InternalError
from core.noise.source import Reservation

dp.enable_features("contrib")

_MARGIN = 1.0 + 2.0**-50
"""Scales of real noise are stretched by this, so that rounding in the division never favours it."""

# Made once: each takes longer than a measurement does.
_INTEGER = dp.atom_domain(T="i64")
_INTEGERS = dp.vector_domain(_INTEGER)
_APART = dp.absolute_distance(T="i64")
_L1, _L2, _LINF = dp.l1_distance(T="i64"), dp.l2_distance(T="i64"), dp.linf_distance(T="i64")
_PURE = dp.max_divergence()


def laplace_scale(sensitivity: int, epsilon: Decimal) -> float:
    """`sensitivity / epsilon`, rounded up a little (method 11)."""
    return sensitivity / float(epsilon) * _MARGIN


def gaussian_scale(sensitivity: int, rho: Decimal) -> float:
    """`sensitivity / sqrt(2 rho)`, rounded up a little; twice, since rho goes with its square (method 11)."""
    return sensitivity / math.sqrt(2.0 * float(rho)) * _MARGIN * _MARGIN


class SecureNoise:
    """Exact discrete Laplace and Gaussian noise with the operating system's randomness.

    Each scope of the reservation may spend its allowance and no more. There is no seed.
    """

    def __init__(self, reservation: Reservation) -> None:
        """Raises LedgerError unless the reservation is durably on disk and nothing was drawn from it."""
        reservation.confirm()
        allowances = reservation.allowances
        self._left = {item.scope: item.epsilon for item in allowances}
        self._left_rho = {item.scope: item.rho for item in allowances}
        self._checked: dict[str, tuple[int, Decimal, dp.Measurement]] = {}

    def scope(self, name: str) -> ScopedNoise:
        """The noise of one scope, for instance `mean_speed 20 8742d9d69ffffff`."""
        if name not in self._left:
            raise InternalError("this scope is not part of the reservation")
        return ScopedNoise(self, name)

    def left(self, name: str) -> Decimal:
        """What epsilon a scope may still spend."""
        return self._left[name]

    def left_rho(self, name: str) -> Decimal:
        """What rho a scope may still spend."""
        return self._left_rho[name]

    def spend(self, name: str, amount: Decimal) -> None:
        """Take epsilon from a scope's allowance. Raises InternalError when it would be overspent."""
        _take(self._left, name, amount)

    def spend_rho(self, name: str, amount: Decimal) -> None:
        """Take rho from a scope's allowance. Raises InternalError when it would be overspent."""
        _take(self._left_rho, name, amount)

    def checked(
        self, kind: str, sensitivity: int, spend: Decimal, make: Callable[[], dp.Measurement]
    ) -> dp.Measurement:
        """The measurement of this kind, made where the one before was of another sensitivity or amount.

        One is drawn from only after its own privacy map has said that `sensitivity` costs `spend` at most:
        many HATs in a row ask for the same, and making and checking take longer than the draw. Raises
        InternalError otherwise.
        """
        known = self._checked.get(kind)
        if known is None or known[:2] != (sensitivity, spend):
            measurement = make()
            if Fraction(measurement.map(sensitivity)) > Fraction(spend):
                raise InternalError(f"the {kind} does not cover the sensitivity")
            self._checked[kind] = known = sensitivity, spend, measurement
        return known[2]


def _take(left: dict[str, Decimal], name: str, amount: Decimal) -> None:
    if amount <= 0 or amount > left[name]:
        raise InternalError("a mechanism asked for more noise budget than was reserved")
    left[name] -= amount


class ScopedNoise:
    """The noise source of one scope; satisfies `core.noise.source.NoiseSource` with one trial."""

    def __init__(self, noise: SecureNoise, scope: str) -> None:
        self._noise = noise
        self._scope = scope

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centre` plus one exact discrete Laplace draw; the budget is spent before anything else.

        Raises InternalError for an overspent allowance, or a sensitivity that would mean no noise.
        """
        middle, moved = _only(centre), _only(sensitivity)
        if moved < 1:
            raise InternalError("noise needs a sensitivity of at least one unit")
        self._noise.spend(self._scope, spend)
        measurement = self._noise.checked("noise", moved, spend, lambda: _laplace(moved, spend))
        return np.array([measurement(middle)], np.int64)

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """One exact discrete Laplace draw for each of `centres`, shape (n,); spent once, before all else.

        The privacy map is that of the whole vector under its L1 distance. Raises InternalError for an
        overspent allowance, or a sensitivity that would mean no noise.
        """
        if sensitivity < 1:
            raise InternalError("noise needs a sensitivity of at least one unit")
        self._noise.spend(self._scope, spend)
        measurement = self._noise.checked(
            "noise of a vector", sensitivity, spend, lambda: _laplace_vector(sensitivity, spend)
        )
        return np.array(measurement(_whole(centres)), np.int64)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """One exact discrete Gaussian draw for each of `centres`, shape (n,); spent once, before all else.

        `spend` is rho. The privacy map is that of the whole vector under its L2 distance, in zCDP. Raises
        InternalError for an overspent allowance, or a sensitivity that would mean no noise.
        """
        if sensitivity < 1:
            raise InternalError("noise needs a sensitivity of at least one unit")
        self._noise.spend_rho(self._scope, spend)
        measurement = self._noise.checked(
            "Gaussian noise of a vector", sensitivity, spend, lambda: _gaussian_vector(sensitivity, spend)
        )
        return np.array(measurement(_whole(centres)), np.int64)

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """One exact noisy-max draw (pure DP: permute-and-flip); spent before anything else.

        Raises InternalError for an overspent allowance, a sensitivity below one, or several draws.
        """
        if sensitivity < 1 or size not in (None, 1):
            raise InternalError("a release draws each selection once, for scores that a user moves")
        self._noise.spend(self._scope, spend)
        measurement = self._noise.checked(
            "selection", sensitivity, spend, lambda: _noisy_max(sensitivity, spend)
        )
        return np.array([measurement(_whole(scores))], np.int64)


def _only(value: int | NDArray[np.int64]) -> int:
    """The one number of a release's single trial."""
    return int(np.asarray(value).reshape(-1)[0])


def _whole(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """As OpenDP takes a whole vector; of a list it looks at each number in Python. No other type passes."""
    return numbers.astype(np.int64, casting="safe", copy=False)


def _laplace(sensitivity: int, epsilon: Decimal) -> dp.Measurement:
    """Of one integer, which a user moves by `sensitivity`."""
    return dp.m.make_laplace(_INTEGER, _APART, scale=laplace_scale(sensitivity, epsilon))


def _laplace_vector(sensitivity: int, epsilon: Decimal) -> dp.Measurement:
    """Of a vector of integers, which a user moves by `sensitivity` in all (L1)."""
    return dp.m.make_laplace(_INTEGERS, _L1, scale=laplace_scale(sensitivity, epsilon))


def _gaussian_vector(sensitivity: int, rho: Decimal) -> dp.Measurement:
    """Of a vector of integers, which a user moves by `sensitivity` (L2); zCDP."""
    return dp.m.make_gaussian(
        _INTEGERS, _L2, scale=gaussian_scale(sensitivity, rho), MO="ZeroConcentratedDivergence"
    )


def _noisy_max(sensitivity: int, epsilon: Decimal) -> dp.Measurement:
    """A choice by scores each of which a user moves by `sensitivity` at most."""
    return dp.m.make_noisy_max(_INTEGERS, _LINF, _PURE, scale=laplace_scale(2 * sensitivity, epsilon))
