"""Caps and prices of plan and enforce: public numbers that all noise scales of it follow from (method 12.5).

They are made of public counts alone. Stated as used, they spare a reader these counts and the solver.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from core.codec import Coded, key

Joined = Annotated[
    tuple[int, ...],
    Coded(lambda numbers: " ".join(map(str, numbers)), lambda text: tuple(map(int, text.split()))),
]
"""The numbers of all candidates as one text, separated by blanks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcementFacts:
    """One cap and one price of each region, or of each candidate: 0 where that is not listed; as the rows."""

    caps: Joined = field(metadata=key("record_caps"))
    """The most records of one unit that count."""
    prices: Joined = field(metadata=key("record_prices"))
    """Of one record, in 2^-20 of a token."""
    load: int
    """How many budgets the records of the busiest public unit cost: from 1 on."""
    expected: Joined = field(default=(), metadata=key("expected_tokens"))
    """What the public counts come to; empty in draws and bundles from before it was stated."""
