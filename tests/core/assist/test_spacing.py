"""core.assist.spacing: pings at a rate and events are told apart, by made-up and by real records."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.spacing import FEWEST, spacing_in, spacing_of
from core.assist.suggested_choices import suggest_choices
from core.clean.mapping import EVENTS, REGULAR
from core.read.file_format import AS_FOUND, FileFormat
from core.read.reader_registry import reader_for

START = dt.datetime(2022, 1, 3, 6, 0, tzinfo=dt.UTC)


def _rows(tracks: list[np.ndarray]) -> tuple[list[str], list[str]]:
    """Ids and times of vehicles, from the seconds between their records; in the order of time."""
    found = sorted(
        (START + dt.timedelta(seconds=float(second)), f"bus {bus}")
        for bus, gaps in enumerate(tracks)
        for second in np.cumsum(gaps)
    )
    return [name for _, name in found], [time.isoformat() for time, _ in found]


@given(
    seed=st.integers(0, 2**32 - 1),
    buses=st.integers(1, 40),
    rate=st.sampled_from((1, 5, 10, 30, 60, 120, 600)),
    jitter=st.floats(0.0, 0.05),
    lost=st.floats(0.0, 0.4),
)
def test_a_rate_with_jitter_pauses_and_lost_records_is_regular(
    seed: int, buses: int, rate: int, jitter: float, lost: float
) -> None:
    rng = np.random.default_rng(seed)
    tracks = []
    for _ in range(buses):
        gaps = rate * (1.0 + rng.uniform(-jitter, jitter, 200 // buses + 40))
        gaps[rng.random(gaps.size) < 0.05] += rng.uniform(600, 30_000)
        times = np.cumsum(gaps)[rng.random(gaps.size) >= lost]
        tracks.append(np.diff(times, prepend=0.0))
    assert spacing_of(*_rows(tracks), AS_FOUND).choice == REGULAR


@given(seed=st.integers(0, 2**32 - 1), buses=st.integers(20, 60), minutes=st.booleans())
def test_trips_of_any_length_are_events(seed: int, buses: int, minutes: bool) -> None:
    """Starts and ends: trips of some minutes, pauses of up to hours; times cut to minutes or not."""
    rng = np.random.default_rng(seed)
    tracks = []
    for _ in range(buses):
        gaps = np.empty(12)
        gaps[::2] = rng.lognormal(np.log(5400), 1.0, 6)
        gaps[1::2] = rng.lognormal(np.log(840), 0.6, 6)
        tracks.append(np.diff(np.cumsum(gaps) // 60 * 60 if minutes else np.cumsum(gaps), prepend=0.0))
    assert spacing_of(*_rows(tracks), AS_FOUND).choice == EVENTS


@pytest.mark.parametrize("gaps", [0, FEWEST - 1, FEWEST])
def test_few_gaps_tell_nothing(gaps: int) -> None:
    found = spacing_of(*_rows([np.full(gaps + 1, 10.0)]), AS_FOUND)
    assert (found.choice is None) == (gaps < FEWEST)
    assert found.reason


def test_repeats_empty_cells_and_what_is_no_time_do_not_count() -> None:
    names, times = _rows([np.full(FEWEST + 1, 10.0)])
    found = spacing_of([*names, *names, "", "bus 0"], [*times, *times, times[0], "soon"], AS_FOUND)
    assert found == spacing_of(names, times, AS_FOUND)
    assert found.reason == "first rows: mostly every 10 s"


def test_a_file_in_order_of_time_is_read_further_than_its_preview(tmp_path: Path) -> None:
    """Of a large fleet the first rows hold one record a vehicle."""
    rng = np.random.default_rng(1)
    path = tmp_path / "fleet.csv"
    names, times = _rows([np.append(rng.uniform(0, 3_600), rng.lognormal(7, 1.5, 4)) for _ in range(900)])
    rows = "".join(f"{name},{time},21.17,72.83,20\n" for name, time in zip(names, times, strict=True))
    path.write_text("vehicle,time,lat,lon,speed\n" + rows, encoding="utf-8")
    assert suggest_choices(reader_for(path).preview(path)).reasons["pings"].startswith("too few")
    assert spacing_in(path, "vehicle", "time", AS_FOUND).choice == EVENTS


def test_columns_that_are_no_ids_or_no_times_tell_nothing(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text('[{"id": [1, 2], "at": "x"}, {"id": [3], "at": "y"}]', encoding="utf-8")
    found = spacing_in(path, "id", "at", AS_FOUND)
    assert found.choice is None


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("austin-buses/*2015-*.csv.gz", REGULAR),
        ("austin-buses/*2016-11-2*.csv.gz", REGULAR),
        ("india-iudx/*.json.gz", REGULAR),
        ("bangkok-taxis/*.csv.gz", EVENTS),
    ],
)
def test_real_feeds(pattern: str, kind: str, shared_data: Path) -> None:
    files = sorted(shared_data.glob(pattern))
    assert files
    for path in files:
        choices = suggest_choices(reader_for(path).preview(path)).choices
        assert choices.pings == kind, path.name
        assert spacing_in(path, choices.vehicle, choices.time, choices.file_format).choice == kind, path.name


def test_dates_in_a_column_of_their_own_count_as_those_of_one(tmp_path: Path) -> None:
    path = tmp_path / "apart.csv"
    rows = [f"bus;05/10/2026;10:{row // 6:02}:{row % 6 * 10:02}" for row in range(FEWEST + 1)]
    path.write_text("\n".join(["id;day;at", *rows]) + "\n", encoding="utf-8")
    assert spacing_in(path, "id", "at", FileFormat(date_order="dmy")).choice is None
    found = spacing_in(path, "id", "at", FileFormat(date_order="dmy"), date="day")
    assert (found.choice, found.reason) == (REGULAR, "first rows: mostly every 10 s")
