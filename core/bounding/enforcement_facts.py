"""Caps and prices of plan and enforce: public numbers that all noise scales of it follow from (method 12.5).

They are made of public counts alone. Told as they were used, they spare a reader these counts and the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcementFacts:
    """One cap and one price of each region, or of each candidate: 0 where that is not listed; as the rows."""

    caps: tuple[int, ...]
    """The most records of one unit that count."""
    prices: tuple[int, ...]
    """Of one record, in 2^-20 of a token."""
    load: int
    """How many budgets the records of the busiest public unit cost: from 1 on."""


def enforcement_to_json(facts: EnforcementFacts) -> dict[str, Any]:
    """As plain JSON values; the numbers of all candidates as one text, separated by blanks."""
    return {
        "record_caps": " ".join(map(str, facts.caps)),
        "record_prices": " ".join(map(str, facts.prices)),
        "load": facts.load,
    }


def enforcement_from_json(stored: Mapping[str, Any]) -> EnforcementFacts:
    """The inverse of `enforcement_to_json`. Raises ValueError for what are no numbers."""
    return EnforcementFacts(
        caps=tuple(map(int, stored["record_caps"].split())),
        prices=tuple(map(int, stored["record_prices"].split())),
        load=int(stored["load"]),
    )
