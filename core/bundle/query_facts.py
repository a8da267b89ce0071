"""What made a query's numbers, from public counts and parameters: stored with the draws, stated in bundles.

With the epsilons of its data file a reader can work every charge and every scale out again (method 14.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from core.accounting.epsilon_rounding import plain
from core.accounting.query_epsilons import QueryEpsilons
from core.parameter_fields import Value
from core.statistics.base import MadeBy

BUDGET_KEYS = ("epsilon", "total", "noise_scale")
"""What an analyst may ask for, as the spec has it."""


class ScaleFigures(NamedTuple):
    """A figure over the published HATs, in the unit of its measure."""

    smallest: Decimal
    median: Decimal
    largest: Decimal


class ErrorFigures(NamedTuple):
    """The same of an error."""

    median: Decimal
    largest: Decimal


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
    asked: tuple[str, Decimal]
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
    made_by: Mapping[str, MadeBy]
    """What the statistic tells beside."""
    measures: tuple[MeasureFacts, ...]

    def measure(self, name: str) -> MeasureFacts:
        """What is known of a measure of the query, by its name."""
        return next(one for one in self.measures if one.measure == name)


def facts_to_json(facts: QueryFacts) -> dict[str, Any]:
    """As plain JSON values, for the ledger and for `privacy.json`; decimals are plain text."""
    key, amount = facts.asked
    return {
        "parameters": {name: _listed(value) for name, value in facts.parameters.items()},
        "asked": {key: plain(amount)},
        "m_ub": facts.m_ub and facts.m_ub._asdict(),
        "dwell_correction": facts.dwell_correction,
        "interval_covers": facts.interval_covers,
        "suppression": facts.suppression and facts.suppression._asdict(),
        "day_epsilons": facts.day_epsilons and _days_to_json(facts.day_epsilons),
        "details": {name: _listed(value) for name, value in facts.made_by.items()},
        "measures": [_measure_to_json(one) for one in facts.measures],
    }


def facts_from_json(stored: Mapping[str, Any]) -> QueryFacts:
    """The inverse of `facts_to_json`."""
    ((key, amount),) = stored["asked"].items()
    return QueryFacts(
        parameters={name: _tupled(value) for name, value in stored["parameters"].items()},
        asked=(key, Decimal(amount)),
        m_ub=stored["m_ub"] and CapRange(**stored["m_ub"]),
        dwell_correction=stored["dwell_correction"],
        interval_covers=stored["interval_covers"],
        suppression=stored["suppression"] and SuppressedHats(**stored["suppression"]),
        day_epsilons=stored["day_epsilons"] and _days_from_json(stored["day_epsilons"]),
        made_by={name: _tupled(value) for name, value in stored["details"].items()},
        measures=tuple(_measure_from_json(one) for one in stored["measures"]),
    )


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _days_to_json(found: QueryEpsilons) -> dict[str, Any]:
    """With the names of TR III.E."""
    return {
        "epsilon_per_hat_day": plain(found.per_hat_day),
        "k_day": found.hats_per_day,
        "epsilon_per_day_of_k_day_hats": plain(found.per_day_bound),
        "epsilon_per_day_of_visited_hats": plain(found.per_day),
        "epsilon_per_vehicle": plain(found.per_vehicle),
    }


def _days_from_json(stored: Mapping[str, Any]) -> QueryEpsilons:
    return QueryEpsilons(
        per_hat_day=Decimal(stored["epsilon_per_hat_day"]),
        hats_per_day=stored["k_day"],
        per_day_bound=Decimal(stored["epsilon_per_day_of_k_day_hats"]),
        per_day=Decimal(stored["epsilon_per_day_of_visited_hats"]),
        per_vehicle=Decimal(stored["epsilon_per_vehicle"]),
    )


def _measure_to_json(facts: MeasureFacts) -> dict[str, Any]:
    return {
        "measure": facts.measure,
        "sensitivity": figures_to_json(facts.sensitivity),
        "noise_scale": figures_to_json(facts.noise_scale),
        "typical_error": figures_to_json(facts.typical_error),
        "error_at_worst": figures_to_json(facts.error_at_worst),
    }


def figures_to_json(figures: ScaleFigures | ErrorFigures) -> dict[str, str]:
    return {name: plain(amount) for name, amount in figures._asdict().items()}


def _measure_from_json(stored: Mapping[str, Any]) -> MeasureFacts:
    return MeasureFacts(
        measure=stored["measure"],
        sensitivity=ScaleFigures(**_figures(stored["sensitivity"])),
        noise_scale=ScaleFigures(**_figures(stored["noise_scale"])),
        typical_error=ErrorFigures(**_figures(stored["typical_error"])),
        error_at_worst=ErrorFigures(**_figures(stored["error_at_worst"])),
    )


def _figures(stored: Mapping[str, str]) -> dict[str, Decimal]:
    return {name: Decimal(amount) for name, amount in stored.items()}
