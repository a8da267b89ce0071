"""What made the smoothed numbers of a query: stored with its draws, stated in bundles (city-release 9)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from core.accounting.epsilon_rounding import plain
from core.bundle.query_facts import ErrorFigures
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, scaled
from core.quantity import SPEED, Quantity

SPREADS = ("place", "hour", "place_and_hour", "hat")
"""What the fitted spreads are of, in their order."""
_CAVEAT = (
    "an estimate under a prior: it borrows from neighbours in space and time; its interval covers {unusual} "
    "less often: use the raw interval there"
)


def unusual_hexagons(quantity: Quantity) -> str:
    """Where intervals of smoothed numbers hold less often, in the words of what is measured."""
    if quantity == SPEED:
        return "unusually fast hexagons"
    return quantity.named("hexagons of unusually high {value}")


def caveat(quantity: Quantity = SPEED) -> str:
    """What is said of a smoothed number wherever it stands."""
    return _CAVEAT.format(unusual=unusual_hexagons(quantity))


class SmoothedFacts(NamedTuple):
    """Of one query, in the value's unit."""

    spreads: tuple[Decimal, ...]
    """As `SPREADS` names them: standard deviations that were fitted to the released numbers."""
    expected_error: ErrorFigures
    """What public counts say that the smoothed numbers typically miss."""


def smoothing_to_json(facts: SmoothedFacts) -> dict[str, Any]:
    """As plain JSON values; decimals are plain text."""
    return {
        "spreads": dict(zip(SPREADS, map(plain, facts.spreads), strict=True)),
        "expected_error": {name: plain(one) for name, one in facts.expected_error._asdict().items()},
    }


def smoothing_from_json(stored: Mapping[str, Any]) -> SmoothedFacts:
    """The inverse of `smoothing_to_json`."""
    return SmoothedFacts(
        spreads=tuple(Decimal(stored["spreads"][name]) for name in SPREADS),
        expected_error=ErrorFigures(
            **{name: Decimal(amount) for name, amount in stored["expected_error"].items()}
        ),
    )


def smoothing_model(upper_bound: int, quantity: Quantity) -> dict[str, str]:
    """The public constants of the prior, in the value's unit; upper_bound: U in thousandths."""
    upper = upper_bound / THOUSAND
    mean = scaled(HAT_MEAN, upper) + quantity.lower / THOUSAND
    return {"mean": f"{mean:g}", "mean_spread": f"{scaled(HAT_MEAN_SPREAD, upper):g}"}
