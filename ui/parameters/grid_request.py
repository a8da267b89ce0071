"""What the list of grids is asked of: the loaded records and what of the draft it follows from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.advice.city_advice import CityAdvice, advise_city
from core.contributions import Contributions, contributions_of
from core.draft.draft import Draft, QueryDraft
from core.draft.draft_reading import place_choice_of, window_for
from core.geodata.zones_source import PublicZones
from core.hats.places import HEXAGON_CHOICE
from core.hats.window import Window
from core.privacy import Confidential
from core.progress import Progress
from core.quantity import Quantity
from core.records.records import Records
from core.release.contributions_source import with_middles
from core.release.former_spreads import FormerSpreads
from ui.kit.message_bar import Message
from ui.session.guards.plots import COMPARED_GRIDS
from ui.session.guards.reasons import first_reason, nothing_loaded
from ui.session.planning import selection_request
from ui.session.session import Session

_ASKED = ("date_ranges", "rule", "threshold", "cells_file", "minimum_vehicles", "relation", "unit", "groups")
_PLACES = ("place_column", "zones_source", "day_kinds", "filters")
"""What the draft has of them stays while it takes hexagons from the list."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GridRequest(Confidential):
    """Everything that the list follows from."""

    records: Records
    own: Contributions | None
    """The session's own: of one grid nothing needs to be counted anew."""
    draft: Draft
    query: QueryDraft
    quantity: Quantity
    zones: PublicZones | None
    """Of the places, where they are zones."""
    folder: Path
    """Of the data: where the draft's file of cells is looked for."""
    delta: Decimal
    tie_key: bytes
    """Of the plan that stands beside the list."""
    former: FormerSpreads


def grid_request(session: Session) -> GridRequest | Message:
    """What to compare for the session as it stands, or why there is nothing to compare."""
    if reason := first_reason(session, COMPARED_GRIDS):
        return reason
    loaded, source, query = session.loaded, session.source, session.draft.compared
    if loaded is None or source is None or query is None:
        return nothing_loaded()
    return GridRequest(
        records=loaded.records,
        own=session.contributions if session.fits else None,
        draft=session.draft,
        query=query,
        quantity=session.quantity,
        zones=session.zones,
        folder=source.files[0].parent,
        delta=session.ledger.delta,
        tie_key=session.planning.tie_key,
        former=session.planning.former,
    )


def question_of_list(session: Session) -> Mapping[str, Any]:
    """What a list stays true for, whichever of its rows the draft takes."""
    draft, query = session.draft, session.draft.compared
    asked: dict[str, Any] = {name: getattr(draft, name) for name in (*_ASKED, *_PLACES)}
    if query is not None:
        asked |= {name: getattr(query, name) for name in ("statistic", "mechanism", "parameters", "budget")}
    return asked | {
        "delta": session.ledger.delta,
        "tie_key": session.planning.tie_key,
        "former": session.planning.former,
        "source": session.source,
    }


def compare_grids(request: GridRequest, progress: Progress) -> CityAdvice:
    """The list, in a worker thread.

    Raises InputError for a query that has no total to share out, and Cancelled when it was stopped.
    """
    last = (0.0, "")

    def noted(done: float, text: str = "") -> None:
        nonlocal last
        last = (done, text)
        progress(done, text)

    def counting(done: float, text: str = "") -> None:  # noqa: ARG001
        progress(*last)  # the list tells how far it is; here it may only be stopped

    draft, own, places = request.draft, request.own, place_choice_of(request.draft, request.zones)
    selected = selection_request(draft, request.folder, request.zones)

    def tables(resolution: int, window: Window) -> Contributions:
        alike = own is not None and not own.choice.mixed
        if own is not None and alike and (own.resolution, own.window) == (resolution, window):
            return own
        choice = HEXAGON_CHOICE if resolution else places
        listed = () if resolution else selected.ids
        table = contributions_of(request.records, resolution, window, counting, choice=choice, listed=listed)
        return table if resolution else with_middles(table, request.zones)

    assert draft.unit is not None
    return advise_city(
        tables,
        draft.resolution if places.hexagons else 0,
        own.window if own is not None else window_for(draft),
        selected,
        request.former.given_to(request.query.asked_of(request.quantity)),
        unit=draft.unit,
        minimum_vehicles=draft.minimum_vehicles,
        delta=request.delta,
        tie_key=request.tie_key,
        progress=noted,
    )
