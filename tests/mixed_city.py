"""Records in hexagons of several sizes, and by hand the one in which each counts (method 3.2)."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import h3
import numpy as np

from core.bundle.release_result import HatRow, Release
from core.hats.joined_cells import spanned_cells
from core.hats.places import PlaceChoice
from core.hats.window import Window, build_window
from tests.builders import make_query, make_release, make_row
from tests.records import ZONE, Ping, instant

MIXED = PlaceChoice(mixed=(6, 8))
DAYS = 2
WINDOW = build_window(((dt.date(2022, 1, 3), dt.date(2022, 1, 4)),), ("09:00", "12:00"), 60)
_START = instant("2022-01-03T08:50:00+05:30")
_MINUTE, _DAY = 60_000, 86_400_000
_CROSSED = (21.1731, 72.8406)
"""In a hexagon of resolution 8 that lies in two of resolution 6."""


def drives(seed: int, *, vehicles: int = 6, each: int = 40) -> list[Ping]:
    """Vehicles that wander about where hexagons of every size meet, before and after the hours too."""
    draw = np.random.default_rng(seed)
    found = []
    for vehicle in range(vehicles):
        for day in range(DAYS):
            at = np.array(crossed()) + draw.normal(0, 0.004, 2)
            for minute in sorted(draw.choice(200, each, replace=False).tolist()):
                at = at + draw.normal(0, 0.0015, 2)
                when = _START + day * _DAY + minute * _MINUTE
                found.append(Ping(f"bus {vehicle}", when, *at.round(6).tolist(), float(draw.integers(0, 60))))
    return found


def crossed() -> tuple[float, float]:
    """The middle of a fine hexagon near Surat that two coarse ones share."""
    for cell in h3.grid_disk(h3.latlng_to_cell(*_CROSSED, 8), 12):
        if len({h3.latlng_to_cell(*corner, 6) for corner in _inside(cell)}) > 1:
            return h3.cell_to_latlng(cell)
    raise AssertionError("no hexagon is shared")


def _inside(cell: str) -> Iterable[tuple[float, float]]:
    """A little inside of each corner."""
    north, east = h3.cell_to_latlng(cell)
    return [(0.9 * lat + 0.1 * north, 0.9 * lon + 0.1 * east) for lat, lon in h3.cell_to_boundary(cell)]


class Counted(NamedTuple):
    """A record in the hexagon in which it counts."""

    cell: str
    slot: int
    vehicle: str
    day: int
    visit: bool
    """It begins one."""
    value: int


def counted_by_hand(
    pings: Sequence[Ping],
    resolutions: Sequence[int],
    chosen: Callable[[str, int, int], bool],
    window: Window = WINDOW,
    zone: str = ZONE,
) -> list[Counted]:
    """Every record of the window, in the order of vehicle, day and time; resolutions: coarsest first.

    chosen: whether a fine HAT is, by its cell, slot and number of vehicles, of each day summed up.
    """
    placed = [(ping, *_when(ping, window, zone)) for ping in sorted(pings)]
    taken: dict[int, str] = {}
    for resolution in reversed(resolutions[1:]):
        cells = {
            n: h3.latlng_to_cell(p.latitude, p.longitude, resolution) for n, (p, *_) in enumerate(placed)
        }
        seen: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for number, (ping, day, slot) in enumerate(placed):
            if number not in taken and slot in window.slots:
                seen[cells[number], slot].add((ping.vehicle, day))
        good = {(cell, slot) for (cell, slot), who in seen.items() if chosen(cell, slot, len(who))}
        for number, (_, _, slot) in enumerate(placed):
            if number not in taken and (cells[number], slot) in good:
                taken[number] = cells[number]
    found, before = [], None
    for number, (ping, day, slot) in enumerate(placed):
        cell = taken.get(number) or h3.latlng_to_cell(ping.latitude, ping.longitude, resolutions[0])
        here = (cell, slot, ping.vehicle, day)
        if slot in window.slots:
            found.append(Counted(*here, here != before, round(ping.value * 1000)))
        before = here
    return found


def _when(ping: Ping, window: Window, zone: str) -> tuple[int, int]:
    """Day of the window, and slot; -1 where it is of no date."""
    local = dt.datetime.fromtimestamp(ping.instant / 1000, zoneinfo.ZoneInfo(zone))
    day = window.dates.index(local.date()) if local.date() in window.dates else -1
    return day, window.grid.slot_of(local.hour * 60 + local.minute) if day >= 0 else -1


def shared_rows() -> tuple[HatRow, ...]:
    """Of two large hexagons in two slots, and of a small one that both share in the first of them."""
    small = h3.latlng_to_cell(*crossed(), 8)
    large = sorted(h3.int_to_str(cell) for cell in spanned_cells(h3.str_to_int(small), 6))[:2]
    at = [(cell, hour) for cell in large for hour in (9, 10)] + [(small, 9)]
    return tuple(
        make_row(cell, hour, mean=10_000 + 9_000 * place, low=0, high=60_000, bias_bound=0)
        for place, (cell, hour) in enumerate(at)
    )


def shared_release() -> Release:
    """With these rows."""
    return make_release(resolution=8, place=MIXED, queries=(make_query(rows=shared_rows()),))
