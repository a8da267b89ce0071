"""Drawing a plan in tests: with what its kind looks at, and nothing else."""

from __future__ import annotations

from core.contributions import Contributions, PairTable, UserTable
from core.noise.source import Scopes
from core.planning.query_plan import DrawnRows, QueryPlan


def draw_query(plan: QueryPlan, users: UserTable, pairs: PairTable, noise: Scopes) -> DrawnRows:
    """Of relation `values`: it has no choice by the population's key."""
    return plan.draw(None, users, pairs, b"", noise)


def draw_user_query(
    plan: QueryPlan, contributions: Contributions, key: bytes, pairs: PairTable, noise: Scopes
) -> DrawnRows:
    """Of relation `user`: it has no exact counts of users."""
    return plan.draw(contributions, None, pairs, key, noise)
