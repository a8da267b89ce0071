"""What is doubted of records that were read."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.assist.load_doubts import doubts_of_records
from core.read.file_format import FileFormat
from core.read.path_columns import preview_with_path
from core.read.preview_rows import Preview
from core.store.load_records import load_records
from tests.records import MAPPING, as_rows, csv_text, rules, sample_pings, write_csv

NOTHING = Preview(columns=(), rows=())
ROWS = as_rows(sample_pings())


@pytest.mark.parametrize(
    ("place", "doubts"),
    [((21.17, 72.83), 0), ((-1.0, 72.83), 1), ((21.17, 0.0), 1), ((21.17, 71.0), 0), ((21.17, -179.9), 1)],
)
def test_a_position_far_from_all_others_is_doubted(
    place: tuple[float, float], doubts: int, tmp_path: Path
) -> None:
    stray = sample_pings()[0]._replace(vehicle="stray", latitude=place[0], longitude=place[1])
    path = write_csv(tmp_path / "a.csv", [*sample_pings(), stray])
    found = doubts_of_records(load_records([path], rules()), rules(), NOTHING)
    assert len(found) == doubts
    assert all(text.startswith("1 record lies more than 500 km") for text in found)


@pytest.mark.parametrize(
    ("name", "doubts"), [("n/a", 1), ("Null", 1), ("UNKNOWN", 1), ("7", 0), ("unknown bus", 0)]
)
def test_an_id_that_reads_like_a_word_for_a_missing_one_is_doubted(
    name: str, doubts: int, tmp_path: Path
) -> None:
    pings = [*sample_pings(), sample_pings()[0]._replace(vehicle=name)]
    loaded = load_records([write_csv(tmp_path / "a.csv", pings)], rules())
    found = doubts_of_records(loaded, rules(), NOTHING)
    assert [text.partition(":")[0] for text in found] == [
        "1 id reads like a word for a missing one, such as null or unknown"
    ] * doubts


@pytest.mark.parametrize(
    ("column", "zone", "offset", "doubts"),
    [
        ("gps_time_utc", "Asia/Kolkata", "", 1),
        ("gps_time_utc", "Etc/UTC", "", 0),
        ("gps_time_utc", "Asia/Kolkata", "Z", 0),
        ("gps_time", "Asia/Kolkata", "", 0),
    ],
)
def test_times_in_utc_that_count_as_local_ones_are_doubted(
    column: str, zone: str, offset: str, doubts: int, tmp_path: Path
) -> None:
    """Every hour of a release would be five and a half hours early, and nothing said so."""
    rows = [
        row | {"observationDateTime": f"2024-03-01 09:0{n % 10}:00{offset}"} for n, row in enumerate(ROWS)
    ]
    path = tmp_path / "a.csv"
    path.write_text(csv_text(rows).replace("observationDateTime", column))
    how = rules(dataclasses.replace(MAPPING, time=column), zone=zone)
    preview = preview_with_path(path, how.format)
    found = doubts_of_records(load_records([path], how), how, preview)
    assert sum("named UTC" in text for text in found) == doubts


@pytest.mark.parametrize(("side", "doubts"), [("S", 1), ("N", 0)])
def test_coordinates_that_were_chosen_without_their_side_are_doubted(
    side: str, doubts: int, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(csv_text([row | {"NS": side} for row in ROWS]))
    found = doubts_of_records(load_records([path], rules()), rules(), preview_with_path(path))
    assert sum("the letters of NS are not read" in doubt for doubt in found) == doubts


@pytest.mark.parametrize(
    ("time", "order", "doubts"),
    [("2024-04-03 09:00:00", "dmy", 1), ("2024-04-13 09:00:00", "dmy", 0), ("2024-04-03 09:00:00", "", 0)],
)
def test_dates_that_a_spreadsheet_may_have_turned_are_doubted(
    time: str, order: str, doubts: int, tmp_path: Path
) -> None:
    """Texts of 13 March stay as they are; those of the 4th become 3 April, and nothing said so."""
    rows = [row | {"observationDateTime": time} for row in ROWS[:-1]]
    text = ROWS[-1] | {"observationDateTime": "13/03/2024 09:00:00"}
    path = tmp_path / "a.csv"
    path.write_text(csv_text([*rows, text]))
    how = dataclasses.replace(rules(), format=FileFormat(date_order=order))
    found = doubts_of_records(load_records([path], how), how, preview_with_path(path))
    assert sum("exchanged day and month" in doubt for doubt in found) == doubts


def test_positions_beside_the_date_line_are_near(tmp_path: Path) -> None:
    pings = [
        ping._replace(longitude=-179.9 if number % 2 else 179.9, vehicle=f"{number}")
        for number, ping in enumerate(sample_pings())
    ]
    loaded = load_records([write_csv(tmp_path / "a.csv", pings)], dataclasses.replace(rules(), zone="UTC"))
    assert doubts_of_records(loaded, rules(), NOTHING) == []
