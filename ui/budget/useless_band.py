"""The warning of a distribution's band in one sentence, and of which hexagon slots it is said."""

from __future__ import annotations

from core.advice.expected_interval import useless_curves
from core.bundle.planned_bounding import bounding_of
from core.planning.query_plan import QueryPlan
from core.statistics.cdf_band import curves_told_of
from ui.language.translation import core_text, sentence


def useless_band_text(plan: QueryPlan, *, released: bool) -> str:
    """Of a plan whose band is of no use; released: it is published, and no longer to come."""
    known_of = "" if plan.bounded is None else bounding_of(plan.bounded).errors_known_of
    told = (curves_told_of(known_of), useless_curves(plan, released=released))
    return sentence(" ".join(map(core_text, told)))
