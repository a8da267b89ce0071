"""A city of three hexagons and two slots, and a session that has loaded it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from core.draft.draft import DataSource
from core.hats.slots import SlotGrid
from core.privacy import Relation, Unit
from core.statistics.registry import require_statistic
from core.system.paths import find_home
from tests.records import Ping, instant, rules, write_csv
from ui.session.query_texts import new_query
from ui.session.session import Session
from ui.table.rows import ALL_NUMBERS, HatRows

PLACES = ((21.10, 72.80), (21.20, 72.80), (21.30, 72.80))
VEHICLES = (5, 3, 1)
"""Vehicles at each place, in both slots."""
TIMEOUT = 10_000
_OF_QUERY = ("statistic", "mechanism", "parameters", "budget")


def speed_of_bus(bus: int, step: int) -> float:
    return 10.0 + bus + step


def pings(speed: Callable[[int, int], float] = speed_of_bus, *, each: int | None = None) -> list[Ping]:
    """Bus b of a place gives b + 2 records in each slot, or as many as `each` bus."""
    return [
        Ping(
            f"bus{place}{bus}", instant(f"2022-01-01T{hour:02}:05:00") + 60_000 * step, *at, speed(bus, step)
        )
        for hour in (9, 10)
        for place, at in enumerate(PLACES)
        for bus in range(VEHICLES[place])
        for step in range(each or bus + 2)
    ]


def loaded_session(qtbot: QtBot, folder: Path, city: list[Ping] | None = None) -> Session:
    """Loaded; relation and unit still open."""
    folder.mkdir(exist_ok=True)
    session = Session(find_home(None))
    source = DataSource(files=(write_csv(folder / "city.csv", city or pings()),), rules=rules())
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(source)
    return session


def edit(qtbot: QtBot, session: Session, **changes: object) -> None:
    """Change the draft, or its leading query, and wait for the plan."""
    asked = {name: changes.pop(name) for name in _OF_QUERY if name in changes}
    if asked:
        leading, *others = session.draft.queries
        changes["queries"] = (dataclasses.replace(leading, **asked), *others)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.edit("change", **changes)


def add_queries(qtbot: QtBot, session: Session, *statistics: str) -> None:
    """Publish more statistics, and wait for the plan."""
    assert session.source is not None
    for key in statistics:
        added = new_query(session.draft, require_statistic(key), session.source.rules.upper_bound)
        edit(qtbot, session, queries=(*session.draft.queries, added))


def planned_session(qtbot: QtBot, folder: Path, city: list[Ping] | None = None) -> Session:
    """Relation values, unit vehicle, the two places with more than two vehicles are selected."""
    session = loaded_session(qtbot, folder, city)
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
    return session


def many_rows(count: int) -> HatRows:
    """Rows as they might come from a big city: a dozen slots of each hexagon."""
    generator = np.random.default_rng(7)
    return HatRows(
        cells=tuple(f"87{number // 12:05x}ffffffff" for number in range(count)),
        slots=np.arange(count, dtype=np.int64) % 12 + 9,
        grid=SlotGrid(60),
        status=generator.integers(1, 4, count).astype(np.int8),
        numbers={name: np.round(generator.exponential(20, count)) for name in ALL_NUMBERS},
        published=None,
    )
