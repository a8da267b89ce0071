"""The candidate HATs that the rows of a bundle of relation `user` are of (method 12.10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Ints
from core.bounding.candidates import CandidateHats
from core.bundle.csv_columns import DataTable
from core.hats.cells import parse_cell
from core.hats.groups import as_cell
from core.hats.places import HEXAGONS
from core.hats.slots import clock, parse_clock
from core.hats.window import Window, build_window
from core.signed.bundle_names import PRIVACY
from core.signed.findings import require
from core.verify.folder import TableRow
from core.verify.statement_reader import PrivacyStatement


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedCandidates:
    """The HATs of a table, each alone in its rows, or with those of its region."""

    hats: CandidateHats
    place: Ints
    """Shape (G,): HAT -> its place among those that the table has numbers of."""

    @property
    def first(self) -> Ints:
        """Shape (places,): one HAT of each place."""
        return np.unique(self.place, return_index=True)[1]


def stated_candidates(
    rows: list[TableRow], table: DataTable, statement: PrivacyStatement
) -> StatedCandidates:
    """Every cell of the rows in every slot of the window; those of the rows where a list names HATs.

    Of regions each of its cells in its own hours.

    Raises Finding for rows without some of the slots, InputError for what is no cell or no time.
    """
    window = stated_window(statement)
    if table.by_region:
        return _of_regions(rows, window, statement.resolution)
    places = HEXAGONS
    if table.by_place:
        places = statement.place.listed(tuple(sorted({row["place_id"] for row in rows})))
        cells = list(range(len(places.ids)))
    else:
        resolutions = statement.place.resolutions(statement.resolution)
        cells = sorted({parse_cell(row["h3_cell"], *resolutions, where=PRIVACY) for row in rows})
    slots = {slot for row in rows for slot in slots_of_row(row, window)}
    require(
        statement.hats_listed or slots == set(window.slots), "the rows do not have every slot of the window"
    )
    hats = CandidateHats.every_slot(tuple(cells), window, places)
    if statement.hats_listed:
        found = {
            (places.numbers[row["place_id"]], slot) for row in rows for slot in slots_of_row(row, window)
        }
        own = zip(hats.cell.tolist(), hats.slot.tolist(), strict=True)
        hats = hats.only(np.array([hat in found for hat in own]))
    return StatedCandidates(hats=hats, place=np.arange(len(hats)))


def _of_regions(rows: list[TableRow], window: Window, resolution: int) -> StatedCandidates:
    found = []
    for number, row in enumerate(rows):
        slots = slots_of_row(row, window)
        cells = (parse_cell(text, resolution, where=PRIVACY) for text in row["h3_cells"].split(" "))
        found += [(cell, slot, number) for cell in cells for slot in slots]
    cell, slot, place = zip(*sorted(found), strict=True)
    hats = CandidateHats(window=window, cell=np.array(cell, np.uint64), slot=np.array(slot, np.int16))
    return StatedCandidates(hats=hats, place=np.array(place))


def slots_of_row(row: TableRow, window: Window) -> list[int]:
    """Those that a row is of, by its hours and labels."""
    start, end = (parse_clock(row[name], where=PRIVACY) for name in ("slot_start", "slot_end"))
    labels = {as_cell(label): label for group in window.groups for label in group.labels}
    own = [labels.get(row[group.name], "") for group in window.groups]
    return [window.grid.slot_in(slot, own) for slot in window.grid.within(start, end)]


def stated_window(statement: PrivacyStatement) -> Window:
    first, last = map(clock, statement.hours)
    return build_window(
        statement.ranges, hours=(first, last), slot_minutes=statement.slot_length, groups=statement.groups
    )
