"""What a draft over given contributions would give, with most choices made."""

from __future__ import annotations

from decimal import Decimal

from core.advice.forecast import Forecast, forecast, overview_of
from core.contributions import EVALUATION_TIE_KEY, Contributions
from core.planning.query_plan import Query
from core.privacy import Unit
from core.selection.base import SelectionRequest


def forecast_of(
    contributions: Contributions,
    *queries: Query,
    threshold: int = 2,
    minimum_vehicles: int = 2,
    unit: Unit | None = Unit.VEHICLE,
    delta: Decimal = Decimal(0),
    tie_key: bytes = EVALUATION_TIE_KEY,
) -> Forecast:
    """HATs with `threshold` vehicles a day are selected."""
    return forecast(
        contributions,
        overview_of(contributions),
        SelectionRequest(rule="hat", threshold=threshold),
        minimum_vehicles=minimum_vehicles,
        unit=unit,
        queries=lambda: queries,
        delta=delta,
        tie_key=tie_key,
    )
