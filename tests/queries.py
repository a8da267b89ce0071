"""Queries for tests, written as briefly as they are asked."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.mechanisms.registry import require_mechanism
from core.planning.query_plan import Query
from core.statistics.mean import MeanQuestion
from core.statistics.registry import require_statistic

TEN = Budget(total=Decimal(10))


def mean_query(
    mechanism: str = "array-averaging",
    *,
    budget: Budget = TEN,
    query_id: str = "mean_speed",
    **params: object,
) -> Query:
    """The mean of every HAT."""
    chosen = require_mechanism(mechanism)
    question = MeanQuestion(
        statistic=require_statistic("mean"), mechanism=chosen, params=chosen.Params(**params)
    )
    return Query(id=query_id, question=question, budget=budget)
