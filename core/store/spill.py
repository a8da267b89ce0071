"""Records set aside by local day while files are read, in memory and beyond that in one file.

Columns of int32: vehicle (code in order of appearance), time (ms since the UTC midnight of the local
day's date: it may be negative or beyond 24 hours), latitude, longitude, value, and labels. Rows are gathered
into slabs of `slab_rows`, each ordered by day (rows of one day as they came) and written in one piece,
so neither the number of days nor that of batches decides how many pieces or open files there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.clean.drop_and_clamp import CleanBatch
from core.records.zones import DAY_MS

WIDTH = 5
"""Columns of a record set aside, without labels: vehicle, time, latitude, longitude, value."""
SLAB_ROWS = 1 << 20
_ITEM = 4


class Spill:
    """Takes batches, then gives back whole days. `open_file` is called when memory no longer suffices."""

    def __init__(
        self, open_file: Callable[[], BinaryIO], *, labels: Sequence[str] = (), slab_rows: int = SLAB_ROWS
    ) -> None:
        """labels: public names of the label columns that batches have."""
        self._open_file = open_file
        self._file: BinaryIO | None = None
        self._slab_rows = slab_rows
        self._texts: dict[str, dict[str, int]] = {name: {} for name in labels}
        self._ranks: list[NDArray[np.int32]] = []
        """Of each label column, after `finish`: code in order of appearance -> place in `label_texts`."""
        self._width = WIDTH + len(self._texts)
        self._slab = np.empty((self._width, slab_rows), np.int32)
        self._day = np.empty(slab_rows, np.int32)
        self._filled = 0
        self._slabs = 0
        self._codes: dict[str, int] = {}
        self._pieces: dict[int, list[tuple[int, int, int]]] = defaultdict(list)

    @property
    def names(self) -> tuple[str, ...]:
        """Ids of vehicles with records, as read, in order of appearance; the first column indexes them."""
        return tuple(self._codes)

    @property
    def label_texts(self) -> dict[str, tuple[str, ...]]:
        """The texts of each label column, sorted: what is read indexes these. Complete after `finish`."""
        return {name: tuple(sorted(texts)) for name, texts in self._texts.items()}

    @property
    def written(self) -> bool:
        """Whether records lie in the file, not only in memory."""
        return self._file is not None

    @property
    def days(self) -> dict[int, int]:
        """Local day -> its records, in order of days; complete after `finish`."""
        return {
            day: sum(stop - start for _, start, stop in self._pieces[day]) for day in sorted(self._pieces)
        }

    def add(self, batch: CleanBatch, day: NDArray[np.int32]) -> None:
        """Set a batch aside; day: shape (retained,), its local days."""
        size = batch.vehicle.size
        time = (batch.instant - day.astype(np.int64) * DAY_MS).astype(np.int32)
        labels = (
            _codes(batch.labels[name].texts, batch.labels[name].code, self._texts[name])
            for name in self._texts
        )
        vehicle = _codes(batch.names, batch.vehicle, self._codes)
        columns = (vehicle, time, batch.latitude, batch.longitude, batch.value, *labels)
        done = 0
        while done < size:
            step = min(size - done, self._slab_rows - self._filled)
            here, there = slice(done, done + step), slice(self._filled, self._filled + step)
            for number, column in enumerate(columns):
                self._slab[number, there] = column[here]
            self._day[there] = day[here]
            self._filled += step
            done += step
            if self._filled == self._slab_rows:
                self._order()
                self._write()

    def finish(self) -> None:
        """Nothing more will come: the rows of the last slab stay in memory."""
        self._slab = self._slab[:, : self._filled].copy()
        self._order()
        for texts in self._texts.values():
            place = {text: rank for rank, text in enumerate(sorted(texts))}
            self._ranks.append(np.array([place[text] for text in texts], np.int32))

    def read(self, days: Sequence[int]) -> NDArray[np.int32]:
        """The records of these days, shape (5 and labels, n), day after day, each as its records came."""
        pieces = [piece for day in days for piece in self._pieces[day]]
        columns = np.empty((self._width, sum(stop - start for _, start, stop in pieces)), np.int32)
        at = 0
        for slab, start, stop in pieces:
            self._read_piece(slab, start, columns[:, at : at + stop - start])
            at += stop - start
        return columns

    def pieces(self, day: int) -> Iterator[NDArray[np.int32]]:
        """The records of a day, piece after piece of at most a slab each, shape (5 and labels, n)."""
        for slab, start, stop in self._pieces[day]:
            columns = np.empty((self._width, stop - start), np.int32)
            self._read_piece(slab, start, columns)
            yield columns

    def close(self) -> None:
        """Close the file; who made it removes it."""
        if self._file is not None:
            self._file.close()

    def _order(self) -> None:
        """Order the slab by day, keeping the order of rows within a day, and note where each day lies."""
        day = self._day[: self._filled]
        if not day.size:
            return
        if (day[1:] < day[:-1]).any():
            # small integers are sorted in time proportional to their number
            order = np.argsort((day - day.min()).astype(np.uint16), kind="stable")
            day = day[order]
            for column in self._slab:
                column[: self._filled] = column[order]
        starts = np.flatnonzero(np.concatenate(([True], day[1:] != day[:-1])))
        stops = np.append(starts[1:], day.size)
        for value, start, stop in zip(day[starts].tolist(), starts.tolist(), stops.tolist(), strict=True):
            self._pieces[value].append((self._slabs, start, stop))

    def _write(self) -> None:
        if self._file is None:
            self._file = self._open_file()
        rest = self._slab.data.cast("B")
        while rest:  # the system may take a part only, and says nothing then
            rest = rest[self._file.write(rest) :]
        self._slabs += 1
        self._filled = 0

    def _read_piece(self, slab: int, start: int, columns: NDArray[np.int32]) -> None:
        if slab == self._slabs:
            columns[:] = self._slab[:, start : start + columns.shape[1]]
        else:
            self._read(slab, start, columns)
        for number, ranks in enumerate(self._ranks, WIDTH):
            columns[number] = ranks[columns[number]]

    def _read(self, slab: int, start: int, columns: NDArray[np.int32]) -> None:
        assert self._file is not None
        for number in range(self._width):
            self._file.seek(((slab * self._width + number) * self._slab_rows + start) * _ITEM)
            wanted = memoryview(columns[number]).cast("B")
            if self._file.readinto(wanted) != len(wanted):  # type: ignore[attr-defined]
                raise OSError("the working file is shorter than what was written to it")


def _codes(
    texts: Sequence[str], column: NDArray[np.signedinteger[Any]], known: dict[str, int]
) -> NDArray[np.int32]:
    """A column of places in `texts` as codes in order of appearance; a text without a row gets none."""
    code = np.full(len(texts), -1, np.int32)
    for index in np.flatnonzero(np.bincount(column, minlength=len(texts))).tolist():
        code[index] = known.setdefault(texts[index], len(known))
    coded: NDArray[np.int32] = code[column]
    return coded
