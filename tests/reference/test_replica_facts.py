"""The replica against every fact that the papers publish of their HAT (P1 Sec. IV-B, P3 Sec. IV-B, IV-C)."""

from __future__ import annotations

import pytest

from core.evaluate.replica import REPLICAS
from core.evaluate.true_statistics import true_mean, true_variance
from core.grouping.bestfit import bestfit
from core.grouping.m_ub import median_rule, sqrt_rule
from core.grouping.wraparound import wraparound


@pytest.mark.parametrize("key", REPLICAS)
def test_all_published_facts(key: str) -> None:
    hat = REPLICAS[key].make(0)
    m_ub = sqrt_rule(hat.counts, 1.0)
    facts = {
        "L": hat.counts.size,
        "m*": int(hat.counts.max()),
        "m_*": int(hat.counts.min()),
        "sum m": int(hat.counts.sum()),
        "median": median_rule(hat.counts, 1.0),
        "U": hat.upper_bound / 1000,
        "K": wraparound(hat.counts, m_ub).arrays,
        "Kbar": bestfit(hat.counts, m_ub).arrays,
    }
    assert facts == {
        "L": 217,
        "m*": 417,
        "m_*": 1,
        "sum m": 17166,
        "median": 46,
        "U": 65,
        "K": 160,
        "Kbar": 164,
    }
    assert round(true_mean(hat), 5) == 20.66769
    assert true_variance(hat) == pytest.approx(115.135, abs=0.001)
