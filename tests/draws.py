"""Drawing a plan in tests: with what its kind looks at, and nothing else."""

from __future__ import annotations

import pytest

from core.accounting.exact_loss import lattice_error
from core.contributions import Contributions, PairTable, UserTable
from core.noise.source import Scopes
from core.planning.query_plan import DrawnRows, QueryPlan
from tests.fakes import RecordingNoise


def draw_query(plan: QueryPlan, users: UserTable, pairs: PairTable, noise: Scopes) -> DrawnRows:
    """Of relation `values`: it has no choice by the population's key."""
    return _draw(plan, None, users, pairs, b"", noise)


def draw_user_query(
    plan: QueryPlan, contributions: Contributions, key: bytes, pairs: PairTable, noise: Scopes
) -> DrawnRows:
    """Of relation `user`: it has no exact counts of users."""
    return _draw(plan, contributions, None, pairs, key, noise)


def _draw(
    plan: QueryPlan,
    contributions: Contributions | None,
    users: UserTable | None,
    pairs: PairTable,
    key: bytes,
    noise: Scopes,
) -> DrawnRows:
    """Where noise is recorded, what is asked for has the H that was planned before any draw (method 13.8)."""
    recorded = noise if isinstance(noise, RecordingNoise) else RecordingNoise()
    before = len(recorded.gaussians)
    rows = plan.draw(contributions, users, pairs, key, noise)
    if recorded is noise:
        asked = recorded.gaussians[before:]
        drawn = sum(lattice_error(one.sensitivity, one.spend, len(one.centres)) for one in asked)
        assert plan.lattice_error == pytest.approx(drawn, rel=1e-9, abs=0)
    return rows
