"""How many HATs are selected, counted in one way wherever it is told."""

from __future__ import annotations

from core.selection.base import Selection


def selected_counts(selection: Selection) -> tuple[int, int]:
    """HATs with records, and those without any, which are published as suppressed."""
    recorded = int((selection.index >= 0).sum())
    return recorded, len(selection) - recorded
