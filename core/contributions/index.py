"""From records to a window's contribution table; too many HATs for its groups, no records (method 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.contributions.group_labels import with_known_labels
from core.contributions.runs import Runs, runs_of
from core.contributions.table import Contributions, changes
from core.contributions.values import run_values
from core.errors import InputError
from core.hats.larger_rows import larger_rows
from core.hats.place_codes import place_codes
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window
from core.progress import Progress, part, silent
from core.records.records import Records
from core.texts import text_of

_MOST_IN_GROUPS = 200_000


def contributions_of(
    records: Records,
    resolution: int,
    window: Window,
    progress: Progress = silent,
    *,
    empty_allowed: bool = False,
    choice: PlaceChoice = HEXAGON_CHOICE,
    listed: tuple[str, ...] = (),
) -> Contributions:
    """Index the records and group those of the window by (HAT, vehicle, day).

    The values stay in the records' column. empty_allowed: where it is private whether anybody was there.
    choice: what places are, at the resolution hexagons; listed: ids of other places that a file names.
    Raises InputError when the window holds no record otherwise, and what `progress` raises.
    """
    if not empty_allowed:
        window = with_known_labels(window, records)
    codes, places = place_codes(records, resolution, choice, listed, part(progress, 0.0, 0.6))
    found = runs_of(records, codes, window, part(progress, 0.6, 0.9))
    if not found.first.size and not empty_allowed:
        raise empty_window(window)
    progress(0.9, "Sorting contributions")
    runs = found.sorted()
    values = run_values(records.value, runs.first, runs.length)
    new_hat = changes(runs.code, runs.slot)
    row = np.flatnonzero(new_hat | changes(runs.vehicle, runs.day))
    hat = np.flatnonzero(new_hat)
    if not empty_allowed:
        require_few_in_groups(hat.size, window, choice)
    progress(1.0, "Contributions ready")
    return Contributions(
        window=window,
        resolution=resolution if choice.hexagons else 0,
        choice=choice,
        places=places,
        zone=records.zone,
        upper_bound=records.upper_bound,
        vehicles=records.vehicles,
        cell=codes.cells[runs.code[hat]],
        slot=runs.slot[hat],
        # converted first: a sum that converts keeps Python's lock for 100 ms
        hat=np.cumsum(new_hat[row].astype(np.int32), dtype=np.int32) - 1,
        vehicle=runs.vehicle[row].astype(np.int32),
        day=runs.day[row],
        start=np.append(values.before[row], len(values)),
        values=values,
        derived=records.derived,
        other_texts=records.other_texts,
        derived_by_day=records.derived,
        visits=_visits(runs, row) if records.tell_dwell else None,
    )


def require_few_in_groups(hats: int, window: Window, choice: PlaceChoice) -> None:
    """Raise InputError where groups make more HATs than a release can have."""
    if window.groups and hats > _MOST_IN_GROUPS:
        raise InputError(
            "The groups make {hats} hexagon slots, more than {most}.",
            hats=f"{hats:,}",
            most=f"{_MOST_IN_GROUPS:,}",
            where="hats.group",
            mend=text_of("choose {larger}", larger=larger_rows(choice.place_kind, window)),
        )


def empty_window(window: Window) -> InputError:
    """What to say where the window holds no record."""
    return InputError(
        "The window contains no record.",
        where=f"{window.dates[0]} to {window.dates[-1]}, {window.hours[0]} to {window.hours[1]}",
        mend="compare the dates, the hours and the zone with what was read (`inspect`)",
    )


def _visits(runs: Runs, row: NDArray[np.int64]) -> NDArray[np.int32]:
    """Arrivals of each row, by its first run: its runs, but for the few that a block cut off others."""
    visits = np.diff(row, append=runs.first.size).astype(np.int32)
    goes_on = np.searchsorted(row, np.flatnonzero(~runs.arrives), side="right") - 1
    np.subtract.at(visits, goes_on, 1)
    return visits
