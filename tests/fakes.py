"""Stand-ins for randomness and for the ledger: what mechanisms ask for, and results by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.errors import LedgerError
from core.noise.secure import ScopedNoise, SecureNoise
from core.privacy import Allowance

SCOPE = "query 09 8742d9d69ffffff"


@dataclass(frozen=True)
class Recorded:
    """One request for noise."""

    centre: int
    sensitivity: int
    spend: Decimal
    scope: str = ""


@dataclass
class RecordingNoise:
    """Keeps every request and adds nothing. `scope` gives the noise of one scope, with the same list."""

    draws: list[Recorded] = field(default_factory=list)
    name: str = ""

    def laplace(self, centre: int, sensitivity: int, *, spend: Decimal) -> NDArray[np.int64]:
        self.draws.append(Recorded(centre, sensitivity, spend, self.name))
        return np.array([centre], np.int64)

    def scope(self, name: str) -> RecordingNoise:
        return RecordingNoise(self.draws, name)


class ScriptedNoise:
    """Adds the given offsets, one for each request, in the integers that noise is added to."""

    def __init__(self, *offsets: int) -> None:
        self._offsets: Iterator[int] = iter(offsets)

    def laplace(self, centre: int, sensitivity: int, *, spend: Decimal) -> NDArray[np.int64]:  # noqa: ARG002
        return np.array([centre + next(self._offsets)], np.int64)

    def scope(self, name: str) -> ScriptedNoise:  # noqa: ARG002 - every scope reads the same script
        return self


@dataclass
class FakeReservation:
    """A reservation that no ledger stands behind: only where the ledger is not the subject."""

    allowances: Sequence[Allowance]
    refusal: LedgerError | None = None
    confirmed: int = 0

    def confirm(self) -> None:
        self.confirmed += 1
        if self.refusal:
            raise self.refusal


def secure_noise(epsilon: Decimal) -> ScopedNoise:
    """Real noise of one scope that may spend `epsilon`, bought with a fake reservation."""
    return SecureNoise(FakeReservation([Allowance(scope=SCOPE, epsilon=epsilon)])).scope(SCOPE)
