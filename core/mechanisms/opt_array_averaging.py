"""Opt-Array-Averaging: Array-Averaging with the m_UB that balances worst-case bias and noise (P2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.grouping.groupings import m_ub_field
from core.grouping.m_ub import OPTIMAL
from core.mechanisms.array_averaging import ArrayAveraging, ArrayAveragingParams


@dataclass(frozen=True, slots=True, kw_only=True)
class OptArrayAveragingParams(ArrayAveragingParams):
    """As those of Array-Averaging; one of the optimising rules chooses m_UB."""

    m_ub: str | int = m_ub_field(OPTIMAL)


class OptArrayAveraging(ArrayAveraging):
    """Minimax: it guards against the worst values, so on ordinary ones it behaves like Baseline."""

    key: ClassVar[str] = "opt-array-averaging"
    title: ClassVar[str] = "Opt-Array-Averaging"
    reference: ClassVar[str] = "P2 eq. 4, 5"
    summary: ClassVar[str] = "Records per vehicle chosen for the least worst-case error at this epsilon."
    complexity: ClassVar[int] = 2
    Params = OptArrayAveragingParams


MECHANISM = OptArrayAveraging()
