"""What a mechanism may ask of randomness, and what a source of real noise must be paid with."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.privacy import Allowance


class NoiseSource(Protocol):
    """Noise for one scope (a query in one HAT). The source computes every scale itself."""

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centre` plus discrete Laplace noise of scale `sensitivity / spend`.

        centre, sensitivity: integers in one fixed-point unit, or arrays of shape (trials,) where an
        earlier selection decided them; sensitivities are at least 1. Returns shape (trials,).
        """
        ...

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centres` plus independent discrete Laplace noise of scale `sensitivity / spend` on each.

        centres: shape (n,), such as the bins of a histogram; sensitivity: the most that one user moves
        them *together*, in L1 norm, at least 1. `spend` pays for the whole vector, once. Returns shape
        (trials, n), a release's source shape (n,).
        """
        ...

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centres` plus independent discrete Gaussian noise of `sensitivity / sqrt(2 spend)` on each.

        centres: shape (n,), such as the sums of all HATs; sensitivity: the most that one user moves them
        *together*, in L2 norm, at least 1. `spend` is an amount of rho and pays for the whole vector,
        once. Returns shape (trials, n), a release's source shape (n,).
        """
        ...

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """Index of a candidate with a high score, by permute-and-flip (OpenDP's noisy max).

        scores: shape (candidates,); sensitivity: the most that one user moves a score. Returns
        shape (trials,), or (size,) for the part of the trials that an earlier selection sent here.
        """
        ...


class Scopes(Protocol):
    """Hands out the noise of each scope."""

    def scope(self, name: str) -> NoiseSource: ...


class Reservation(Protocol):
    """Budget that a ledger has durably set aside: the only thing real noise can be bought with."""

    @property
    def allowances(self) -> Sequence[Allowance]:
        """What each scope may spend."""
        ...

    def confirm(self) -> None:
        """Read the reservation back from disk; raises LedgerError unless it is reserved and undrawn."""
        ...
