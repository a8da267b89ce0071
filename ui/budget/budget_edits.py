"""Changes of a query's budget as undo steps, from whichever place they come."""

from __future__ import annotations

import dataclasses

from core.accounting.budgets import Budget
from core.planning.constant_choice import ConstantChoice
from core.privacy import Relation
from ui.language.translation import translator
from ui.session.query_texts import statistic_title
from ui.session.session import Session

_tr = translator("BudgetEdits")


def total_alone(session: Session, number: int) -> bool:
    """Of a joint mechanism, and in relation user, a query has a total, and nothing else to choose."""
    return session.draft.queries[number].joint or session.draft.relation is Relation.USER


def edit_budget(session: Session, number: int, budget: Budget, text: str, *, dragging: bool = False) -> None:
    """One undo step. Steps of several queries have different names: drags of two are never joined."""
    if len(session.draft.queries) > 1:
        text = _tr("{what} of {statistic}").format(
            what=text, statistic=statistic_title(session.draft.queries[number], session.quantity)
        )
    session.set_budget(text, budget, number=number, dragging=dragging)


def take_constants(session: Session, number: int, choice: ConstantChoice, text: str) -> None:
    """Total and C belong together: one undo step."""
    queries = list(session.draft.queries)
    queries[number] = dataclasses.replace(queries[number], budget=Budget(total=choice.total))
    session.edit(text, queries=tuple(queries), hats_per_vehicle=choice.hats_per_vehicle)
