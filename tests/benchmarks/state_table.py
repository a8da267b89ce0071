"""A made-up state's contribution table, partitioned by date: written as an engine writes it, not by Hexveil.

126 by 50 hexagons, 24 hours (151,200 hexagon slots), fleets that start from a few towns and drive on from
hexagon to hexagon.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import h3
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.contributions.file_facts import TABLE_SCHEMA, VISITS, TableFacts
from core.hats.window import build_window

RESOLUTION, SLOTS, UPPER = 7, 24, 100_000
LONG, WIDE = 126, 50
FIRST = dt.date(2022, 1, 3)
ZONE = "Asia/Kolkata"
_MIDDLE = 22.5, 72.5
_TOWNS = 12
_ACTIVE = 0.7
"""Of the vehicles, on a day."""
_STEPS = 5
"""Hexagons that a vehicle enters in an hour, the same one twice at times."""
_RECORDS = 6.0
"""Of a vehicle in a hexagon and an hour, on average."""
_PARTS = 2
"""Files of a date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    rows: int
    values: int
    vehicles: int
    bytes: int


def write_state(folder: Path, *, vehicles: int, days: int, seed: int = 20) -> Written:
    """Write the table of so many vehicles and days; the same for the same seed."""
    random = np.random.default_rng(seed)
    cells = state_cells()
    towns = random.integers(0, (LONG, WIDE), (_TOWNS, 2))
    homes = towns[random.choice(_TOWNS, vehicles, p=_shares())] + random.normal(0, 6, (vehicles, 2)).astype(
        int
    )
    far = random.random(vehicles) < 0.3
    homes[far] = random.integers(0, (LONG, WIDE), (int(far.sum()), 2))
    names = pa.array([f"vehicle-{number:06d}" for number in range(vehicles)])
    rows = values = 0
    for day in range(days):
        date = FIRST + dt.timedelta(days=day)
        columns = _day(random, homes, cells)
        inside = folder / f"date={date}"
        inside.mkdir(parents=True)
        schema = TABLE_SCHEMA.append(VISITS).with_metadata(_facts(date).to_metadata())
        edges = np.linspace(0, columns[0].size, _PARTS + 1).astype(int).tolist()
        for part in range(_PARTS):
            block = _batch(random, columns, slice(edges[part], edges[part + 1]), names, date, schema)
            values += len(block.column("values").flatten())
            pq.write_table(
                pa.Table.from_batches([block]), inside / f"part-{part}.parquet", compression="zstd"
            )
        rows += columns[0].size
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    return Written(rows=rows, values=values, vehicles=vehicles, bytes=size)


def state_cells() -> NDArray[np.uint64]:
    """Shape (LONG, WIDE): hexagons that lie together."""
    middle = h3.latlng_to_cell(*_MIDDLE, RESOLUTION)
    i, j = h3.cell_to_local_ij(middle, middle)
    found = [
        [
            h3.str_to_int(h3.local_ij_to_cell(middle, i + row - LONG // 2, j + column - WIDE // 2))
            for column in range(WIDE)
        ]
        for row in range(LONG)
    ]
    return np.array(found, np.uint64)


def _shares() -> NDArray[np.float64]:
    """Towns by size."""
    sizes = 1.0 / np.arange(1, _TOWNS + 1)
    return sizes / sizes.sum()


def _day(
    random: np.random.Generator, homes: NDArray[np.int64], cells: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Cell, slot and vehicle of each row of a day, sorted by vehicle, slot and cell."""
    active = np.flatnonzero(random.random(len(homes)) < _ACTIVE)
    hours = random.integers(2, 11, active.size)
    begin = np.minimum(random.integers(0, SLOTS, active.size), SLOTS - hours)
    vehicle = np.repeat(active, hours)
    slot = np.repeat(begin, hours) + np.arange(vehicle.size) - np.repeat(np.cumsum(hours) - hours, hours)
    drift = random.integers(-1, 2, (vehicle.size, _STEPS, 2)).cumsum(axis=1)
    there = homes[vehicle] + random.integers(-4, 5, (vehicle.size, 2))
    place = np.clip(there[:, None, :] + drift, 0, (LONG - 1, WIDE - 1))
    cell = place[..., 0] * WIDE + place[..., 1]
    key = (np.repeat(vehicle, _STEPS) * SLOTS + np.repeat(slot, _STEPS)) * cells.size + cell.ravel()
    key = np.unique(key)
    return cells.ravel()[key % cells.size], key // cells.size % SLOTS, key // cells.size // SLOTS


def _batch(
    random: np.random.Generator,
    columns: tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]],
    part: slice,
    names: pa.Array,
    date: dt.date,
    schema: pa.Schema,
) -> pa.RecordBatch:
    cell, slot, vehicle = (column[part] for column in columns)
    counts = np.minimum(random.geometric(1 / _RECORDS, cell.size), 60)
    usual = 20_000 + (cell % 97).astype(np.int64) * 300 + (vehicle % 31) * 400 - np.abs(slot - 18) * 500
    values = np.clip(np.repeat(usual, counts) + random.normal(0, 9_000, counts.sum()), 0, UPPER).astype(
        np.int32
    )
    begin = np.cumsum(counts) - counts
    offsets = np.append(begin, values.size).astype(np.int32)
    return pa.record_batch(
        [
            pa.array(cell),
            pa.array((slot * 60).astype(np.int16)),
            names.take(pa.array(vehicle)),
            pa.repeat(pa.scalar(date, pa.date32()), cell.size),
            pa.array(counts),
            pa.array(np.add.reduceat(values, begin, dtype=np.int64)),
            pa.ListArray.from_arrays(pa.array(offsets), pa.array(values), type=schema.field("values").type),
            pa.array(np.ones(cell.size, np.int32)),
        ],
        schema=schema,
    )


def _facts(date: dt.date) -> TableFacts:
    return TableFacts(
        window=build_window(((date, date),), ("00:00", "24:00"), 60),
        resolution=RESOLUTION,
        zone=ZONE,
        upper_bound=UPPER,
        physical=(0, 200_000),
        derived=False,
        other_vehicles=(),
    )
