"""Reading into a spill: zones that all rows decide together, and what becomes of the rows."""

from __future__ import annotations

import io
import itertools
from functools import partial
from pathlib import Path

import pytest

from core.clean.mapping import ReadingRules
from core.errors import InputError
from core.progress import silent
from core.read.file_stamps import stamps_of
from core.store import read_files as reading
from core.store.read_files import Pace, Tally, read_into
from core.store.spill import SLAB_ROWS, Spill
from tests.records import Ping, as_rows, assert_tells, csv_text, instant, rules, sample_pings, write_csv

NOW = instant("2026-01-01T00:00:00")
WINTER, SUMMER = "2022-01-01T23:30:00", "2022-07-01T23:30:00"


def spilled(
    path: Path, given: ReadingRules, now_ms: int = NOW, slab_rows: int = SLAB_ROWS, **sizes: int
) -> tuple[Spill, str, Tally]:
    """All usable records of a file, by local day of the zone."""
    made = partial(Spill, io.BytesIO, slab_rows=slab_rows)
    return read_into(made, stamps_of([path]), given, now_ms, silent, **sizes)


def _rows(*times: str) -> str:
    pings = [Ping("bus", 0, 41.8, -87.6, 30.0)] * len(times)
    rows = [row | {"observationDateTime": time} for row, time in zip(as_rows(pings), times, strict=True)]
    return csv_text(rows)


@pytest.mark.parametrize("piece_rows", [1, 2, 100])
@pytest.mark.parametrize(
    ("offsets", "zone"),
    [
        (("-06:00", "-05:00"), "America/Chicago"),
        (("+00:00", "+01:00"), "Europe/London"),
        (("+01:00", "+02:00"), "Europe/Berlin"),
        (("-06:00", "-06:00"), "America/Regina"),
        (("-07:00", "-07:00"), "America/Phoenix"),
    ],
)
def test_all_rows_decide_the_zone_whichever_comes_first(
    tmp_path: Path, offsets: tuple[str, str], zone: str, piece_rows: int
) -> None:
    times = [f"{WINTER}{offsets[0]}", f"{SUMMER}{offsets[1]}"]
    days = None
    for order in (times, times[::-1]):
        path = tmp_path / "a.csv"
        path.write_text(_rows(*order))
        spill, found, tally = spilled(path, rules(zone=None), piece_rows=piece_rows, slab_rows=2)
        # several zones may fit; what they share is the clock at these moments
        named, _, _ = spilled(path, rules(zone=zone))
        assert spill.days == named.days
        assert days in (None, found)
        days = found
        assert tally.rows == 2


@pytest.mark.parametrize("piece_rows", [1, 2, 100])
def test_what_lies_between_the_first_and_the_last_time_decides_too(tmp_path: Path, piece_rows: int) -> None:
    """+01:00 in both winters alone would suggest Berlin, which has another offset in summer."""
    times = [f"{WINTER}+01:00", f"{SUMMER}+01:00", "2022-12-01T23:30:00+01:00"]
    found = set()
    for order in itertools.permutations(times):
        path = tmp_path / "a.csv"
        path.write_text(_rows(*order))
        found.add(spilled(path, rules(zone=None), piece_rows=piece_rows)[1])
    assert found == {"Africa/Algiers"}


def test_a_wrong_first_guess_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text(_rows(f"{WINTER}-06:00", f"{SUMMER}-06:00"))
    tried: list[str] = []
    fill = reading._fill

    def note(spill, stamps, rules, zone, *rest):  # type: ignore[no-untyped-def]
        tried.append(zone)
        return fill(spill, stamps, rules, zone, *rest)

    monkeypatch.setattr(reading, "_fill", note)
    _, zone, tally = spilled(path, rules(zone=None), piece_rows=1)
    assert tried == ["America/Chicago", zone]
    assert zone != "America/Chicago"
    assert tally.rows == 2


@pytest.mark.parametrize("times", [(WINTER,), (f"{WINTER}+05:30", SUMMER), (SUMMER, f"{WINTER}+05:30")])
def test_one_time_without_offset_needs_a_named_zone(tmp_path: Path, times: tuple[str, ...]) -> None:
    path = tmp_path / "a.csv"
    path.write_text(_rows(*times))
    with pytest.raises(InputError, match="zone must be named") as caught:
        spilled(path, rules(zone=None), piece_rows=1)
    assert_tells(caught.value)


def test_rows_are_counted_once_whatever_the_pieces(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [*sample_pings(), sample_pings()[0]._replace(value=-1.0)])
    with path.open("a") as file:
        file.write("a row,too short\n")
    tallies = [spilled(path, rules(), piece_rows=size)[2] for size in (1, 4, 1000)]
    assert tallies[0] == tallies[1] == tallies[2]
    assert tallies[0].rows == len(sample_pings()) + 2
    assert +tallies[0].dropped == {"value_limit": 1, "unparsable": 1}


def test_the_next_record_of_the_future_is_remembered(tmp_path: Path) -> None:
    pings = sample_pings()
    path = write_csv(tmp_path / "a.csv", pings)
    times = sorted(ping.instant for ping in pings)
    tally = spilled(path, rules(), times[3], piece_rows=2)[2]
    assert tally.valid_until_ms == min(time for time in times if time > times[3])
    assert spilled(path, rules())[2].valid_until_ms is None


def test_rows_come_first_then_rate_and_time_left() -> None:
    seconds = iter([100.0, 100.1, 102.0, 110.0])
    pace = Pace(lambda: next(seconds))
    assert pace.text("x.csv", 9_999, 0.01) == "Reading x.csv: 9,999 rows"
    assert pace.text("x.csv", 3_190_001, 0.5) == "Reading x.csv: 3.2 M rows, 1.6 M rows/s, about 2 s left"
    assert pace.text("y.csv", 0, 1.0) == "Reading y.csv: 3.2 M rows, 320 k rows/s, about 0 s left"


def test_long_waits_are_told_in_minutes_and_none_before_anything_is_read() -> None:
    seconds = iter([0.0, 60.0, 120.0])
    pace = Pace(lambda: next(seconds))
    assert pace.text("x.csv", 0, 0.0) == "Reading x.csv: 0 rows"
    assert pace.text("x.csv", 120_000, 0.1) == "Reading x.csv: 120 k rows, 1,000 rows/s, about 18 min left"
