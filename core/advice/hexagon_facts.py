"""What is known of one hexagon before its release, slot by slot. Confidential, as its counts are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.advice.forecast import Forecast, HatOverview
from core.planning.query_plan import hats_with_errors
from core.privacy import Confidential


class HatState(StrEnum):
    """What a release would do with a HAT."""

    PUBLISHED = "published"
    SUPPRESSED = "suppressed"
    """Selected, with too few vehicles."""
    NOBODY = "nobody"
    """Selected, without records: suppressed as well."""
    UNSELECTED = "unselected"
    ABSENT = "absent"
    """Without records, and not selected."""
    UNKNOWN = "unknown"
    """Nothing is selected yet."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SlotFacts(Confidential):
    """One slot of the hexagon."""

    slot: int
    vehicles: int
    """Distinct ones over the window; 0 without records."""
    vehicle_days: int
    error: float | None
    """Typical error in the unit of the leading measure; None where nothing would be published."""
    state: HatState


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HexagonFacts(Confidential):
    """One hexagon."""

    cell: str
    slots: tuple[SlotFacts, ...]
    errors_are_public: bool
    """They follow from constants, not from records: relation `user`."""

    def of(self, slot: int) -> SlotFacts:
        """The facts of a slot of the window."""
        return next(one for one in self.slots if one.slot == slot)


def hexagon_facts(
    overview: HatOverview, shown: Forecast | None, cell: str, window_slots: range
) -> HexagonFacts:
    """Of a hexagon that the map shows; shown: None before anything is planned."""
    counts = {
        int(overview.slots[row]): (int(overview.vehicles[row]), int(overview.vehicle_days[row]))
        for row, own in enumerate(overview.cells)
        if own == cell
    }
    states, errors = _planned(shown, cell)
    known = shown is not None and shown.selection is not None
    slots = []
    for slot in window_slots:
        vehicles, days = counts.get(slot, (0, 0))
        other = HatState.UNSELECTED if vehicles else HatState.ABSENT
        slots.append(
            SlotFacts(
                slot=slot,
                vehicles=vehicles,
                vehicle_days=days,
                error=errors.get(slot),
                state=states.get(slot, other) if known else HatState.UNKNOWN,
            )
        )
    presence = shown is not None and shown.protects_presence
    return HexagonFacts(cell=cell, slots=tuple(slots), errors_are_public=presence)


def _planned(shown: Forecast | None, cell: str) -> tuple[dict[int, HatState], dict[int, float]]:
    """Of each selected slot of the hexagon: what would be done with it, and the typical error."""
    states: dict[int, HatState] = {}
    errors: dict[int, float] = {}
    if shown is None or shown.selection is None:
        return states, errors
    selection = shown.selection
    for own, slot, index in zip(
        selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist(), strict=True
    ):
        if shown.overview.places.id_text(own) == cell:  # without a plan nobody knows yet who is suppressed
            empty = index < 0 and not shown.protects_presence
            states[slot] = HatState.NOBODY if empty else HatState.PUBLISHED
    for hat, error in hats_with_errors(shown.plan) if shown.plan is not None else ():
        if hat.cell_text != cell:
            continue
        if error is not None:
            errors[hat.slot] = error
            states[hat.slot] = HatState.PUBLISHED
        elif states.get(hat.slot) is not HatState.NOBODY:
            states[hat.slot] = HatState.SUPPRESSED
    return states, errors
