"""Runs: every record of the window once, nothing else, and each of one cell, slot and vehicle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import runs
from core.contributions.runs import Runs, runs_of
from core.hats.cell_codes import cell_codes
from core.progress import silent
from core.records.zones import local_days_and_ms
from tests.records import Ping, instant, make_records
from tests.strategies import RESOLUTION, pings, window


def _records(found: Runs) -> list[int]:
    return [
        record
        for first, length in zip(found.first.tolist(), found.length.tolist(), strict=True)
        for record in range(first, first + length)
    ]


@given(pings(max_size=60), st.sampled_from((1, 2, 5, 1 << 18)))
def test_runs_hold_the_records_of_the_window_in_order(found: list[Ping], block: int) -> None:
    records, over = make_records(found), window(days=2, hours=("08:00", "18:00"))
    codes = cell_codes(records, RESOLUTION)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_BLOCK", block)
        table = runs_of(records, codes, over, silent)
    _, local_ms = local_days_and_ms(records.instants(), records.zone)
    hours = local_ms // 3_600_000
    assert _records(table) == [row for row in range(len(records)) if 8 <= hours[row] < 18]
    assert (table.length <= block).all()
    for row in range(table.first.size):
        here = slice(int(table.first[row]), int(table.first[row] + table.length[row]))
        assert set(codes.code[here].tolist()) == {int(table.code[row])}
        assert set(records.vehicle[here].tolist()) == {int(table.vehicle[row])}
        assert set(hours[here].tolist()) == {int(table.slot[row])}
    ordered = table.sorted()
    keys = list(zip(ordered.code, ordered.slot, ordered.vehicle, ordered.first, strict=True))
    assert keys == sorted(keys)


def test_there_are_as_few_runs_as_can_be() -> None:
    start = instant("2022-01-01T10:00:00")
    places = [21.17, 21.17, 21.3, 21.17, 21.17]
    records = make_records(
        [Ping("bus", start + 60_000 * step, place, 72.83, 1.0) for step, place in enumerate(places)]
    )
    found = runs_of(records, cell_codes(records, RESOLUTION), window(), silent)
    assert found.length.tolist() == [2, 1, 2]
    assert found.first.tolist() == [0, 2, 3]
    assert np.unique(found.code).size == 2


def test_they_show_sizes_only() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T10:00:00"), 21.17, 72.83, 1.0)])
    found = runs_of(records, cell_codes(records, RESOLUTION), window(), silent)
    assert repr(found).startswith("<confidential Runs: ")
