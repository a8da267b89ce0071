"""The warning of a distribution's band in one sentence, and of which hexagon slots it is said."""

from __future__ import annotations

from core.advice.expected_interval import useless_curves
from core.planning.query_plan import QueryPlan
from core.statistics.cdf_band import described_curves
from ui.language.translation import core_text, sentence


def useless_band_text(plan: QueryPlan, *, released: bool) -> str:
    """Of a plan whose band is of no use; released: it is published, and no longer to come."""
    parts = (described_curves(plan.errors_known_of), useless_curves(plan, released=released))
    return sentence(" ".join(map(core_text, parts)))
