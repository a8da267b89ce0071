"""Tiny cities of HATs with a few vehicles, for what is checked against a search by hand."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property

import h3
import numpy as np

from core.arrays import Ints
from core.city.city_pairs import CityPairs
from core.city.region_boxes import Boxes, box_grid, boxes_of
from core.hats.window import Window, build_window

AUSTIN = (30.27, -97.74)
_DAY = dt.date(2015, 9, 6)


@dataclass(frozen=True)
class TinyCity:
    """HATs, and who gave how many records to each."""

    window: Window
    cells: list[int]
    """Of each HAT."""
    slots: list[int]
    """Of each HAT, counted from the window's first."""
    pairs: CityPairs
    boxes: Boxes

    @cached_property
    def records(self) -> dict[tuple[int, int], dict[int, int]]:
        """(cell, slot) -> vehicle -> records."""
        table: dict[tuple[int, int], dict[int, int]] = {}
        for hat, vehicle, records in zip(
            self.pairs.hat.tolist(), self.pairs.vehicle.tolist(), self.pairs.records.tolist(), strict=True
        ):
            table.setdefault((self.cells[hat], self.slots[hat]), {})[vehicle] = records
        return table


def tiny_window(hours: tuple[str, str] = ("00:00", "24:00"), minutes: int = 60) -> Window:
    """One day."""
    return build_window(((_DAY, _DAY),), hours, minutes)


def tiny_city(
    seed: int,
    *,
    hats: int = 30,
    vehicles: int = 6,
    resolution: int = 9,
    rings: int = 12,
    window: Window | None = None,
) -> TinyCity:
    """HATs at random around one place, in hexagons that lie some together and some apart."""
    rng, window = np.random.default_rng(seed), window or tiny_window()
    around = sorted(h3.grid_disk(h3.latlng_to_cell(*AUSTIN, resolution), rings))
    centres = [around[at] for at in rng.choice(len(around), 3)]
    near = sorted({cell for centre in centres for cell in h3.grid_disk(centre, 1)})
    places = {
        (near[cell], slot)
        for cell, slot in zip(
            rng.integers(len(near), size=hats), rng.integers(len(window.slots), size=hats), strict=True
        )
    }
    chosen = sorted((h3.str_to_int(cell), int(slot)) for cell, slot in places)
    rows = [
        (hat, vehicle, int(rng.integers(1, 60)))
        for hat in range(len(chosen))
        for vehicle in np.flatnonzero(rng.random(vehicles) < 0.6).tolist() or [0]
    ]
    hat, vehicle, records = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    _, vehicle = np.unique(vehicle, return_inverse=True)
    pairs = CityPairs(
        hat=hat.astype(np.int32),
        vehicle=vehicle.astype(np.int32),
        code=vehicle.astype(np.int32),
        records=records,
    )
    cells: Ints = np.array([cell for cell, _ in chosen])
    slots: Ints = np.array([slot for _, slot in chosen])
    grid = box_grid(cells.astype(np.uint64), window)
    return TinyCity(
        window=window,
        cells=cells.tolist(),
        slots=slots.tolist(),
        pairs=pairs,
        boxes=boxes_of(grid, pairs, cells.astype(np.uint64), slots),
    )
