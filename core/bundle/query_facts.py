"""What made a query's numbers, from public counts and parameters: stored with the draws, stated in bundles.

With the epsilons of its data file a reader can work every charge and every scale out again (method 14.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from core.accounting.epsilon_rounding import PlainDecimal, plain, plain_decimal
from core.accounting.query_epsilons import QueryEpsilons
from core.codec import Coded, key
from core.parameter_fields import Value
from core.statistics.base import MadeBy

BUDGET_KEYS = ("epsilon", "total", "noise_scale")
"""What an analyst may ask for, as the spec has it."""


def _asked_from_json(stored: Mapping[str, Any]) -> tuple[str, Decimal]:
    ((name, amount),) = stored.items()
    return name, plain_decimal(amount)


Asked = Annotated[tuple[str, Decimal], Coded(lambda asked: {asked[0]: plain(asked[1])}, _asked_from_json)]
"""One of `BUDGET_KEYS`, and how much: stored as an object with that key."""


class ScaleFigures(NamedTuple):
    """A figure over the published HATs, in the unit of its measure."""

    smallest: PlainDecimal
    median: PlainDecimal
    largest: PlainDecimal


class ErrorFigures(NamedTuple):
    """The same of an error."""

    median: PlainDecimal
    largest: PlainDecimal


class CapRange(NamedTuple):
    """Whole numbers over the published HATs."""

    smallest: int
    largest: int


class SuppressedHats(NamedTuple):
    """The most HATs of one protected unit."""

    hats_before: int
    hats_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureFacts:
    """One measure of a query."""

    measure: str
    sensitivity: ScaleFigures
    noise_scale: ScaleFigures
    typical_error: ErrorFigures
    error_at_worst: ErrorFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFacts:
    """Everything public that made the numbers of one query."""

    parameters: Mapping[str, Value]
    """All that are declared, with their values."""
    asked: Asked
    """One of `BUDGET_KEYS`, and how much."""
    m_ub: CapRange | None
    """The most records of one user in each HAT; None where records are not capped."""
    dwell_correction: bool
    """The estimate makes up for vehicles that send more because they stand."""
    interval_covers: str
    suppression: SuppressedHats | None
    """None where no user was dropped."""
    day_epsilons: QueryEpsilons | None
    """Of Query 1 and 2, as TR III.E has them."""
    made_by: Mapping[str, MadeBy] = field(metadata=key("details"))
    """What the statistic tells beside."""
    measures: tuple[MeasureFacts, ...]

    def measure(self, name: str) -> MeasureFacts:
        """What is known of a measure of the query, by its name."""
        return next(one for one in self.measures if one.measure == name)
