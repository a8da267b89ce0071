"""Errors of mechanisms on true values: a confidential table, and its JSON (method 15)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.mechanisms.tokens import LAPLACE
from core.privacy import Confidential


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorRow(Confidential):
    """One mechanism, grouping and epsilon. Errors, bias and scales are in km/h."""

    mechanism: str
    grouping: str | None
    eps: Decimal
    m_ub: int | None
    arrays: int | None
    sensitivity: float
    """Of the released mean; where an interval is selected, its mean over the trials."""
    noise_scale: float
    """Of the final noise; where an interval is selected, its mean over the trials."""
    bias: float
    """Signed mean of (estimate - f) without the final noise."""
    mae: float
    """Mean absolute error over the trials."""
    mae_exact: float | None
    """Its expectation, where it can be computed and was asked for."""
    trials: int
    standard_error: float
    """Of `mae`."""
    noise: str = LAPLACE
    """Gaussian noise is that of one HAT of several that share a total of their epsilons."""
    event_level: bool = False
    """Of neighbours that differ in one record."""

    def to_json(self) -> dict[str, Any]:
        """The keys of method 15; `noise` where it is not Laplace's, `neighbours` where one record differs."""
        noise = {} if self.noise == LAPLACE else {"noise": self.noise}
        neighbours = {"neighbours": "event"} if self.event_level else {}
        return {
            "mechanism": self.mechanism,
            "grouping": self.grouping,
            "eps": float(self.eps),
            "m_ub": self.m_ub,
            "arrays": self.arrays,
            "sensitivity": self.sensitivity,
            "noise_scale": self.noise_scale,
            "bias": self.bias,
            "mae": self.mae,
            "mae_exact": self.mae_exact,
            "trials": self.trials,
            **noise,
            **neighbours,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorTable(Confidential):
    """All rows of one evaluation, series after series, epsilons increasing."""

    source: str
    """What was evaluated: the key of a replica, or a text for loaded data."""
    rows: tuple[ErrorRow, ...]

    def to_json(self) -> dict[str, Any]:
        return {"results": [row.to_json() for row in self.rows]}
