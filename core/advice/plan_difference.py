"""Two plans of the same window side by side: whose numbers are more exact, HAT by HAT (method 10.1)."""

from __future__ import annotations

from dataclasses import dataclass

from core.planning.query_plan import QueryPlan, hats_with_errors


@dataclass(frozen=True, slots=True, kw_only=True)
class HatDifference:
    """One HAT under two plans; None where that plan does not publish it."""

    cell: str
    slot: int
    first: float | None
    """What its number typically misses under the first plan, in the unit of its leading measure."""
    second: float | None

    @property
    def gain(self) -> float | None:
        """How much less the second plan misses; None where only one of the two publishes it."""
        if self.first is None or self.second is None:
            return None
        return self.first - self.second


def comparable(first: QueryPlan, second: QueryPlan) -> bool:
    """Both state the same measure in the same unit, so that errors may be subtracted."""
    mine, theirs = (plan.query.question.statistic.measures[0] for plan in (first, second))
    return (mine.name, mine.unit) == (theirs.name, theirs.unit)


def plan_differences(first: QueryPlan, second: QueryPlan) -> tuple[HatDifference, ...]:
    """Every HAT that either plan publishes, those of the first in its order, then the others."""
    errors = [
        {(hat.cell_text, hat.slot): error for hat, error in hats_with_errors(plan) if error is not None}
        for plan in (first, second)
    ]
    return tuple(
        HatDifference(cell=cell, slot=slot, first=errors[0].get(hat), second=errors[1].get(hat))
        for hat in dict.fromkeys((*errors[0], *errors[1]))
        for cell, slot in [hat]
    )
