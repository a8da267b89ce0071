"""A set of parameters that is kept, to hold others against it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from core.advice.forecast import Forecast
from core.draft.draft import Draft
from core.hats.slots import SlotGrid


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSet:
    """The draft as it was, what was planned for it, and the delta of the population that would pay."""

    draft: Draft
    forecast: Forecast
    delta: Decimal
    grid: SlotGrid
    """Of its slots: those of another length have other times under the same numbers."""
