"""What a draft would give over contributions, or by public choices, with most of them made."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.advice.forecast import Forecast, forecast, overview_of
from core.advice.user_forecast import PublicChoices
from core.bounding.constants import BoundingConstants
from core.contributions import EVALUATION_TIE_KEY, Contributions
from core.planning.query_plan import Query
from core.prior.public_prior import PriorReader, PublicPrior
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


def choices_of(constants: BoundingConstants, **changes: Any) -> PublicChoices:
    """The choices that these constants follow from, with nothing known beforehand and no delta."""
    fields: dict[str, Any] = {
        "unit": constants.unit,
        "hats_per_vehicle": constants.hats_per_vehicle,
        "days_per_vehicle": constants.days_per_vehicle,
        "cells": constants.cells,
        "columns": {},
        "resolution": 7,
        "window": constants.window,
        "upper_bound": constants.upper_bound,
        "derived": False,
        "threshold": 5,
        "prior": PublicPrior(),
        "reader": PriorReader(),
        "delta": Decimal(0),
    }
    return PublicChoices(**(fields | changes))
