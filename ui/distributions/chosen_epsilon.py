"""What a HAT gets from a query of the draft."""

from __future__ import annotations

from decimal import Decimal

from core.planning.query_plan import rising_epsilons
from ui.session.session import Session


def number_of(session: Session, statistic: str) -> int | None:
    """Which query of the draft asks for this statistic; the first of several."""
    numbers = (number for number, query in enumerate(session.draft.queries) if query.statistic == statistic)
    return next(numbers, None)


def epsilon_per_hat(session: Session, number: int) -> Decimal | None:
    """As the draft's query gives it, or the median over the plan's HATs; None where neither is known."""
    given = session.draft.queries[number].budget.per_hat
    if given is not None:
        return given
    shown = session.forecast
    # while a changed draft is being planned, the plans are still those of the one before
    if shown is None or number >= len(shown.plans):
        return None
    shares = rising_epsilons(shown.plans[number])
    return shares[(len(shares) - 1) // 2]
