"""How many HATs are selected, counted in one way wherever it is told."""

from __future__ import annotations

from core.planning.forecast import Forecast
from core.selection.base import Selection


def selected_counts(selection: Selection) -> tuple[int, int]:
    """HATs with records, and those without any, which are published as suppressed."""
    recorded = int((selection.index >= 0).sum())
    return recorded, len(selection) - recorded


def counts_of_regions(shown: Forecast) -> tuple[int, int] | None:
    """Published regions, and the HATs in them; None where no query is published by region.

    Regions are made of the hexagons that are selected in any slot, in all of their slots.
    """
    merged = next((plan for plan in shown.plans if plan.merged is not None), None)
    return None if merged is None else (len(merged.regions), len(merged.published))
