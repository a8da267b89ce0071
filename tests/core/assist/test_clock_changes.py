"""core.assist.clock_changes: what a change of the clocks makes doubtful, against the standard library."""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from pathlib import Path

import numpy as np
import pytest

from core.assist.clock_changes import gap_and_overlap, moved_and_repeated
from tests.records import instant


def _wall(text: str) -> int:
    return int(dt.datetime.fromisoformat(text + "+00:00").timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", "2023-03-26"),
        ("Europe/Berlin", "2023-10-29"),
        ("America/Chicago", "2016-11-06"),
        ("Australia/Lord_Howe", "2023-10-01"),
        ("Asia/Kolkata", "2023-10-29"),
    ],
)
def test_counts_are_those_of_the_standard_library(zone: str, day: str) -> None:
    times = [f"{day}T{hour:02d}:{minute:02d}:00" for hour in range(24) for minute in (0, 10, 30, 50)]
    place = zoneinfo.ZoneInfo(zone)
    skipped = twice = 0
    for text in times:
        first, second = (
            dt.datetime.fromisoformat(text).replace(tzinfo=place, fold=fold).utcoffset() for fold in (0, 1)
        )
        assert first is not None
        assert second is not None
        skipped += first < second
        twice += first > second
    instants = np.array([_wall(text) for text in times], np.int64)
    assert gap_and_overlap(instants, np.ones(len(times), bool), zone) == (skipped, twice)


def test_times_with_an_offset_do_not_count() -> None:
    instants = np.array([_wall("2023-03-26T02:30:00")] * 2, np.int64)
    assert gap_and_overlap(instants, np.array([False, True]), "Europe/Berlin") == (1, 0)


def test_a_second_that_is_the_edge_of_a_change_lies_on_its_side() -> None:
    spring = [_wall(f"2023-03-26T{time}") for time in ("01:59:59", "02:00:00", "02:59:59", "03:00:00")]
    autumn = [_wall(f"2023-10-29T{time}") for time in ("01:59:59", "02:00:00", "02:59:59", "03:00:00")]
    both = np.array(autumn + spring, np.int64)
    assert gap_and_overlap(both, np.ones(8, bool), "Europe/Berlin") == (2, 2)


def test_no_time_has_no_doubt() -> None:
    assert gap_and_overlap(np.zeros(0, np.int64), np.zeros(0, bool), "Europe/Berlin") == (0, 0)


def test_zones_are_those_that_ship_and_not_the_machines() -> None:
    """Arrow has none of its own on Windows, and asks the system's, which may have others or none."""
    root = Path(__file__).resolve().parents[3]
    asked = [
        path.relative_to(root).as_posix()
        for path in (root / "core").rglob("*.py")
        if re.search(r"assume_timezone|local_timestamp|pa\.timestamp\([^)]*tz=", path.read_text("utf-8"))
    ]
    assert asked == []


def test_records_that_were_moved_or_may_be_there_twice_are_counted() -> None:
    spring, autumn = instant("2025-03-30T01:00:00Z"), instant("2025-10-26T00:30:00Z")
    instants = np.array([spring - 1, spring, spring, autumn - 3_600_000, autumn, autumn + 3_600_000])
    assert moved_and_repeated(instants, "Europe/Oslo") == (2, 2)
    assert moved_and_repeated(instants, "Asia/Kolkata") == moved_and_repeated(instants[:0], "UTC") == (0, 0)
