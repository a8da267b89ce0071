"""ui.map.layer_values: all slots at once, and of each the same as the map paints."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.bundle.release_result import Release
from core.hats.slots import SlotGrid
from tests.builders import CELLS, make_city_query, make_open_row, make_release, make_rows
from tests.ui.small_city import edit, planned_session
from tests.ui.taxi_story import user_session
from ui.map.layer_values import layer_values
from ui.map.layers import MapState, layers, paint
from ui.session.session import Session
from ui.web_map.painting import OUTSIDE_FILL


def state_of(session: Session, release: Release | None) -> tuple[MapState, SlotGrid, range]:
    assert session.overview is not None
    assert session.contributions is not None
    grid, slots = session.contributions.window.grid, session.contributions.window.slots
    pinned = session.pins.pinned.forecast if session.pins.pinned is not None else None
    state = MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=release,
        slot=slots.start,
        slot_text=grid.text(slots.start),
        pinned=pinned,
    )
    return state, grid, slots


def painted_alike(session: Session, release: Release | None) -> set[str]:
    """Hold every layer and slot against its painting; which layers there were."""
    state, grid, slots = state_of(session, release)
    held = set()
    for layer in layers():
        told = dict(layer_values(layer, state, grid).hats)
        for slot in slots:
            here = dataclasses.replace(state, slot=slot, slot_text=grid.text(slot))
            own = {cell: fill for (cell, at), fill in told.items() if at == slot}
            assert own == dict(paint(layer, here).fills), (layer.key, slot)
        if layer.available(state):
            assert told
            held.add(layer.key)
        else:
            assert not told
    return held


def test_every_layer_in_relation_values(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    qtbot.waitUntil(lambda: not session.planning.smoothing and not session.busy)
    session.pins.pin()
    edit(qtbot, session, threshold=1)
    qtbot.waitUntil(lambda: not session.planning.smoothing and not session.busy)
    rows = (*make_city_query().rows, dataclasses.replace(make_open_row(CELLS[0], 11)))
    query = dataclasses.replace(make_city_query(), rows=rows)
    assert painted_alike(session, make_release(queries=(query,))) == {layer.key for layer in layers()}


def test_every_layer_in_relation_user(qtbot: QtBot, tmp_path: Path) -> None:
    held = painted_alike(user_session(qtbot, tmp_path), None)
    assert held == {"vehicles", "selected", "typical-error"}


def test_medians_of_a_release_are_those_of_its_numbers(qtbot: QtBot, tmp_path: Path) -> None:
    state, grid, _ = state_of(planned_session(qtbot, tmp_path), make_release())
    mean = next(layer for layer in layers() if layer.key == "released-mean")
    nine, ten, eleven = layer_values(mean, state, grid).figures(range(9, 12))
    first, second, third, _ = (row.first for row in make_rows())
    assert first is not None
    assert second is not None
    assert third is not None
    assert (nine.median, nine.numbers, nine.suppressed) == ((first.value + third.value) / 2000, 2, 0)
    assert (ten.median, ten.numbers, ten.suppressed) == (second.value / 1000, 1, 1)
    assert (eleven.median, eleven.numbers, eleven.suppressed) == (None, 0, 0)


def test_a_number_outside_its_classes_is_no_crash(qtbot: QtBot, tmp_path: Path) -> None:
    odd = make_release()
    rows = tuple(
        dataclasses.replace(row, estimates=tuple(dataclasses.replace(e, value=-5) for e in row.estimates))
        for row in odd.queries[0].rows
    )
    odd = dataclasses.replace(odd, queries=(dataclasses.replace(odd.queries[0], rows=rows),))
    state, grid, _ = state_of(planned_session(qtbot, tmp_path), odd)
    mean = next(layer for layer in layers() if layer.key == "released-mean")
    assert OUTSIDE_FILL in dict(layer_values(mean, state, grid).hats).values()
