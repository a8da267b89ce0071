"""Rows that will be empty are foretold from public counts, as draws by these counts have them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.foretold_rows import ForetoldRows, foretold_rows
from core.bounding.entry_bound import reach_975
from core.bounding.plan_and_enforce import EnforcedPlan
from core.bounding.public_counts import PublicCounts
from core.mechanisms.base import AnyMechanism
from core.mechanisms.bounded_mean import MECHANISM as BOUNDED
from core.mechanisms.bounded_mean import BoundedMeanParams
from core.mechanisms.enforced_mean import MECHANISM as ENFORCED
from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.planning.bounded_query import BoundedPlan, plan_bounded_query
from core.statistics.mean import MeanQuestion
from core.statistics.registry import require_statistic
from tests.bounding import constants_of


def planned(mechanism: AnyMechanism, params: Any, total: int) -> BoundedPlan:
    question = MeanQuestion(statistic=require_statistic("mean"), mechanism=mechanism, params=params)
    return plan_bounded_query(
        constants_of(), 3, Budget(total=Decimal(total)), question, Decimal("1e-6"), counted=()
    )


@pytest.mark.parametrize("noise", ["laplace", "gauss"])
@pytest.mark.parametrize("total", [3, 30])
def test_a_plan_foretells_what_draws_by_its_counts_have(noise: str, total: int) -> None:
    bounded = planned(ENFORCED, EnforcedMeanParams(fleet=30, vehicles=5, records=2, noise=noise), total)
    plan = bounded.plan
    assert isinstance(plan, EnforcedPlan)
    rng = np.random.default_rng(3)
    draws = (4_000, plan.prices.size)
    drawn = rng.normal(size=draws) if plan.noise.squared else rng.laplace(size=draws)
    weights = plan.expected + drawn * plan.weight_scale
    published = weights >= bounded.threshold * plan.record_tokens
    known = weights > reach_975(plan.noise, plan.weight_scale)
    told = foretold_rows(bounded)
    assert told is not None
    assert told.rows == plan.prices.size
    assert told.suppressed == pytest.approx((~published).sum(axis=1).mean(), abs=0.6)
    assert told.uninformative == pytest.approx((published & ~known).sum(axis=1).mean(), abs=0.6)


def test_constants_foretell_nothing_until_somebody_says_how_many_there_are() -> None:
    bounded = planned(BOUNDED, BoundedMeanParams(noise="laplace"), 12)
    assert foretold_rows(bounded) is None
    size = len(bounded.candidates)
    nobody, many = (
        foretold_rows(bounded, PublicCounts(units=np.full(size, units), records=np.ones(size, int), fleet=0))
        for units in (0, 5_000)
    )
    assert nobody is not None
    assert nobody.empty > 0.5
    assert many == ForetoldRows(rows=size, suppressed=0, uninformative=0)


def test_the_sentence_says_both() -> None:
    told = ForetoldRows(rows=640, suppressed=500, uninformative=44)
    assert told.empty == 0.85
    assert told.sentence == (
        "by the public counts about 500 of 640 rows will be suppressed, and 44 more will carry no information"
    )
