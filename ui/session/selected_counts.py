"""How many HATs are selected, counted in one way wherever it is shown."""

from __future__ import annotations

from core.advice.forecast import Forecast
from core.planning.user_suppression import published_hats
from core.selection.base import Selection


def selected_counts(selection: Selection) -> tuple[int, int]:
    """HATs with records, and those without any, which are published as suppressed."""
    recorded = int((selection.index >= 0).sum())
    return recorded, len(selection) - recorded


def suppressed_count(shown: Forecast, minimum_vehicles: int) -> int:
    """Selected HATs with records that are published as suppressed, as fewer vehicles count there."""
    if shown.selection is None or by_region_alone(shown):
        return 0  # regions take in what is too small alone
    recorded, _ = selected_counts(shown.selection)
    by_slot = next((plan for plan in shown.plans if plan.merged is None), None)
    if by_slot is not None:
        return recorded - len(by_slot.published)
    return recorded - int(
        published_hats(shown.selection.index, shown.overview.vehicles, minimum_vehicles).sum()
    )


def by_region_alone(shown: Forecast) -> bool:
    """No query is published by hexagon slot: then which of them are selected says little of what is shown."""
    return bool(shown.plans) and all(plan.merged is not None for plan in shown.plans)


def counts_of_regions(shown: Forecast) -> tuple[int, int] | None:
    """Published regions, and the HATs in them; None where no query is published by region.

    Regions are made of the hexagons that are selected in any slot, in all of their slots.
    """
    merged = next((plan for plan in shown.plans if plan.merged is not None), None)
    return None if merged is None else (len(merged.regions), len(merged.published))
