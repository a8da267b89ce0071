"""From checked blocks of rows to a contribution table; two rows of one cell, slot, vehicle and date."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions.file_columns import Block, Rows
from core.contributions.file_facts import TableFacts
from core.contributions.order import order_of
from core.contributions.table import Contributions, changes
from core.contributions.values import run_values
from core.errors import InputError
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.window import Window
from core.records.id_folds import OtherTexts, other_texts, vehicle_id


class TableBuild:
    """Takes the blocks of all parts in turn, then gives the table. Holds about 20 bytes a row, 4 a value."""

    def __init__(
        self, window: Window, facts: TableFacts, *, folded: bool = False, listed: tuple[str, ...] = ()
    ) -> None:
        """facts: of any part; dates and vehicles are not taken from them. folded: as of `vehicle_id`; listed:
        ids of places that a file names."""
        self._listed = listed
        self._window, self._facts, self._folded = window, facts, folded
        self._day = {date: number for number, date in enumerate(window.dates)}
        self._cells: dict[int | str, int] = {}
        self._vehicles: dict[str, int] = {}
        self._others: set[str] = set()
        self._other_texts: set[tuple[str, str]] = set()
        self._columns: dict[str, list[NDArray[Any]]] = {
            name: [] for name in ("cell", "slot", "vehicle", "day", "counts", "visits", "values")
        }
        self._rows = 0
        self._sources: list[tuple[int, Rows, NDArray[np.int64] | None]] = []
        """First row of each block here, where it was in its file, and which of its rows were retained."""

    def add_others(self, names: tuple[str, ...]) -> None:
        """Vehicles of the data set that a part names without a row."""
        self._others.update(names)

    def add_texts(self, texts: OtherTexts) -> None:
        """What a part says of how its ids were read."""
        self._other_texts.update((name, text) for name, found in texts.items() for text in found)

    def add(self, block: Block, rows: Rows, dates: tuple[dt.date, ...]) -> None:
        """Rows of a part that was made for these dates; those of no date of the window are left out."""
        days = np.array([self._day.get(date, -1) for date in dates], np.int16)[block.day]
        retained: NDArray[np.int64] | None = None
        values = block.values
        if days.size and days.min() < 0:
            retained = np.flatnonzero(days >= 0)
            values = values[np.repeat(days >= 0, block.counts)]
        pick: Any = slice(None) if retained is None else retained
        cells, place = np.unique(block.cell[pick], return_inverse=True)
        names = cells.tolist() if block.places is None else [block.places[cell] for cell in cells.tolist()]
        codes = [self._cells.setdefault(name, len(self._cells)) for name in names]
        vehicle = block.vehicle[pick]
        seen = np.unique(vehicle) if retained is not None else np.arange(len(block.names))
        known = np.zeros(len(block.names), np.int32)
        for number in seen.tolist():
            known[number] = self._vehicles.setdefault(block.names[number], len(self._vehicles))
        self._sources.append((self._rows, rows, retained))
        self._rows += days[pick].size
        for name, column in (
            ("cell", np.array(codes, np.int32)[place]),
            ("slot", block.slot[pick]),
            ("vehicle", known[vehicle]),
            ("day", days[pick]),
            ("counts", block.counts[pick].astype(np.int32)),
            ("values", values),
        ):
            self._columns[name].append(column)
        if block.visits is not None:
            self._columns["visits"].append(block.visits[pick])

    @property
    def empty(self) -> bool:
        return not self._rows

    def table(self) -> Contributions:
        """The rows of all blocks, sorted. Raises InputError when two are of one place, vehicle and day.

        Rows of ids that are one only by its fold are one row: their values in the order of what was written,
        and the sum of their visits.
        """
        as_written = self._vehicles.keys() | self._others
        ids = {text: vehicle_id(text, folded=self._folded) for text in as_written}
        texts, vehicles = sorted(self._vehicles), tuple(sorted(set(ids.values())))
        number = {name: place for place, name in enumerate(vehicles)}
        cells, rank, places = self._places()
        cell = self._ranked("cell", rank)
        place = {text: rank for rank, text in enumerate(texts)}
        written = self._ranked("vehicle", np.array([place[text] for text in self._vehicles], np.int64))
        vehicle = np.array([number[ids[text]] for text in texts], np.int32)[written]
        slot, day = self._joined("slot", np.int16), self._joined("day", np.int16)
        order = order_of(cell, slot, vehicle, day, written)
        cell, slot, vehicle, day = cell[order], slot[order], vehicle[order], day[order]
        self._require_distinct(changes(cell, slot, vehicle, day, written[order]), order)
        row = np.flatnonzero(changes(cell, slot, vehicle, day))
        del written
        cell, slot, vehicle, day = cell[row], slot[row], vehicle[row], day[row]
        new_hat = changes(cell, slot)
        hat = np.cumsum(new_hat, dtype=np.int32)
        hat -= 1
        hat_cell, slot = cells[cell[new_hat]], slot[new_hat]
        del cell, new_hat
        counts = self._joined("counts", np.int32)
        first = np.zeros(counts.size, np.int64)
        np.cumsum(counts[:-1], out=first[1:])
        visits: NDArray[np.int32] | None = None
        if self._columns["visits"]:
            visits = np.add.reduceat(self._joined("visits", np.int32)[order], row, dtype=np.int32)
        values = run_values(self._joined("values", np.int32), first[order], counts[order])
        if self._facts.choice.mixed:
            # by where they stand in the file their order would depend on it, once they are put together
            values = run_values(values[:], values.before[:-1], counts[order])
        facts = self._facts
        texts_of = {(vehicle_id(name, folded=self._folded), text) for name, text in self._other_texts}
        return Contributions(
            window=self._window,
            resolution=facts.resolution,
            zone=facts.zone,
            upper_bound=facts.upper_bound,
            vehicles=vehicles,
            cell=hat_cell,
            slot=slot,
            hat=hat,
            vehicle=vehicle,
            day=day,
            start=np.append(values.before[row], len(values)),
            values=values,
            measured=facts.measured,
            derived=facts.derived,
            other_texts=other_texts(texts_of | set(zip(ids.values(), ids, strict=True))),
            derived_by_day=facts.derived_by_day,
            filters=facts.filters,
            choice=facts.choice,
            places=places,
            limits_known=facts.physical is not None,
            visits=visits,
        )

    def _places(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], PlaceIds]:
        """The numbers of all places, sorted; of each, as they came, its place there; the ids."""
        choice = self._facts.choice
        if choice.mixed:
            places = choice.joined(tuple(sorted(map(str, self._cells))))
        elif choice.hexagons:
            cells = np.array(sorted(self._cells), np.uint64)
            return cells, np.searchsorted(cells, np.array(list(self._cells), np.uint64)), HEXAGONS
        else:
            places = choice.listed(self._listed).with_more(tuple(sorted(map(str, self._cells))))
        rank = np.array([places.numbers[str(name)] for name in self._cells], np.int64)
        return np.arange(len(places.ids), dtype=np.uint64), rank, places

    def _joined(self, name: str, kind: type[np.integer[Any]]) -> NDArray[Any]:
        """A column of all blocks, which are let go."""
        blocks = self._columns[name]
        whole = np.concatenate(blocks) if blocks else np.zeros(0, kind)
        blocks.clear()
        return whole

    def _ranked(self, name: str, rank: NDArray[np.int64]) -> NDArray[np.int32]:
        """A column of codes in the order of their coming, as places in the sorted list."""
        codes = self._joined(name, np.int32)
        return rank.astype(np.int32)[codes] if codes.size else codes

    def _require_distinct(self, new: NDArray[np.bool_], order: NDArray[np.int64]) -> None:
        if new.all():
            return
        again = int(np.argmax(~new))
        places = [self._place(int(row)) for row in (order[again - 1], order[again])]
        one, other = places
        apart = one.rpartition(",")[0] != other.rpartition(",")[0]
        raise InputError(
            "Two rows have the same cell, slot, vehicle and date (ids are trimmed and case-folded).",
            where=f"{one} and {other}" if apart else other,
            mend="group the records by cell, slot, folded vehicle and date; each row lies in one part alone",
        )

    def _place(self, row: int) -> str:
        """File and row of a row of the table before it was sorted."""
        first, rows, retained = self._sources[
            int(np.searchsorted([first for first, _, _ in self._sources], row, side="right")) - 1
        ]
        place = row - first
        return rows.place(place if retained is None else int(retained[place]))
