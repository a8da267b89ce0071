"""What smoothing did, stated in bundles: an estimate under a prior, from neighbours (city-release 9)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, NamedTuple

from core.accounting.epsilon_rounding import plain
from core.bundle.query_facts import ErrorFigures
from core.city.smoothing_model import SHARED_OF_SHARES
from core.codec import Coded
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import Slope
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, scaled
from core.quantity import SPEED, Quantity
from core.shares.share_smoothing import SHARE_SLOPE
from core.texts import text_of

SIGN = "records_per_visit_standardised"
"""Column of what is public of a mean: the logarithm of records a visit, or of a timetable's speed, less its
mean over the rows and divided by its standard deviation."""
SPREADS = ("place", "hour", "place_and_hour", "hat")
"""What the fitted spreads are of, in their order."""
_OF_GROUPS = (*SPREADS, "shared_by_groups")
"""The same where there are groups."""
_CAVEAT = (
    "an estimate under a prior: it borrows from neighbours in space and time; its interval covers 90 to 99 % "
    "of hexagon slots, {unusual} less often: use the raw interval there"
)


def unusual_hexagons(quantity: Quantity) -> str:
    """Where intervals of smoothed numbers hold less often, in the words of what is measured."""
    if quantity.is_speed:
        return "unusually fast and slow hexagons"
    return quantity.named("hexagons of unusually high or low {value}")


def unusually_high_hexagons(quantity: Quantity) -> str:
    """The half of them that the columns of bundles without a public sign name."""
    if quantity.is_speed:
        return "unusually fast hexagons"
    return quantity.named("hexagons of unusually high {value}")


def caveat(quantity: Quantity = SPEED) -> str:
    """What is said of a smoothed number wherever it stands."""
    return text_of(_CAVEAT, unusual=unusual_hexagons(quantity))


Spreads = Annotated[
    tuple[Decimal, ...],
    Coded(
        lambda spreads: dict(zip(_OF_GROUPS[: len(spreads)], map(plain, spreads), strict=True)),
        lambda stored: tuple(
            Decimal(stored[name]) for name in (_OF_GROUPS if len(stored) > len(SPREADS) else SPREADS)
        ),
    ),
]
"""One of each of `SPREADS`, stored by its name."""


class SlopeFacts(NamedTuple):
    """What a standard deviation of the public sign is thought to mean for a mean, in the value's unit."""

    mean: str
    spread: str


class SmoothedFacts(NamedTuple):
    """Of one query, in the value's unit."""

    spreads: Spreads
    """As `SPREADS` names them: standard deviations that were fitted to the released numbers."""
    expected_error: ErrorFigures
    """What public counts say that the smoothed numbers typically miss."""
    slope: SlopeFacts | None = None
    """Of the column `SIGN`; None where numbers were smoothed without one."""
    spreads_of_ranges: tuple[Spreads, ...] = ()
    """Of shares: what was fitted range by range, of which `spreads` has the medians."""


def slope_facts(slope: Slope, upper_bound: int) -> SlopeFacts:
    """upper_bound: U in thousandths."""
    upper = upper_bound / THOUSAND
    return SlopeFacts(*(f"{scaled(one, upper):g}" for one in (slope.mean, slope.spread)))


SLOPE_OF_SHARES = SlopeFacts(mean="0", spread=f"{SHARE_SLOPE:g} u")
"""Shares vary by u, `u^2 = p (1 - p)` with p the share that the model expects of a range."""


def smoothing_model(upper_bound: int, quantity: Quantity, *, of_shares: bool = False) -> dict[str, str]:
    """The public constants of the prior, in the value's unit; upper_bound: U in thousandths."""
    if of_shares:
        return {"mean": "p", "mean_spread": f"{SHARED_OF_SHARES:g} u"}
    upper = upper_bound / THOUSAND
    mean = scaled(HAT_MEAN, upper) + quantity.lower / THOUSAND
    return {"mean": f"{mean:g}", "mean_spread": f"{scaled(HAT_MEAN_SPREAD, upper):g}"}
