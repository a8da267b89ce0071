"""Ids under which several vehicles may stand."""

from __future__ import annotations

import pytest

from core.assist import leaping_ids as leaps
from core.assist.leaping_ids import leaping_ids
from tests.records import Ping, instant, make_records


@pytest.mark.parametrize("rows", [1, 7, 1 << 20])
def test_an_id_at_two_places_counts_and_one_stray_position_does_not(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaps, "_BLOCK_ROWS", rows)
    start = instant("2022-01-03T10:00:00")
    pings = [
        Ping(vehicle, start + second * 1000, 21.17 + 0.05 * away, 72.83, 30.0)
        for second in range(0, 300, 10)
        for vehicle, away in (("0", second % 20 == 0), ("stray", second == 100), ("slow", 0))
    ]
    pings.append(Ping("twice", start, 21.17, 72.83, 30.0))
    pings.append(Ping("twice", start + 500, 21.2, 72.83, 30.0))
    assert leaping_ids(make_records(pings)) == 2
