"""`inspect`: what is guessed, what is usable, and what is asked for."""

from __future__ import annotations

import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.privacy import Relation
from core.spec import load_spec
from resources.verifier import hexveil_verify
from tests.city import write_city
from tests.feeds import feed
from tests.records import sample_pings


def test_inspect_reports_surat_as_it_is(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(shared_data / "india-iudx" / "suratITMS.json.gz"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["rows_used"], report["users"]) == (5000, 5000, 208)
    assert report["dropped"] == {}
    assert report["local_hours"] == [10]
    assert report["guessed"]["value"] == "named speed"
    assert report["guessed"]["decimal"] == '".": points'
    assert report["guessed"]["date_order"] == "no date needs it"


def test_inspect_derives_the_speeds_of_bengaluru(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(shared_data / "india-iudx" / "bengaluruAmb.json.gz"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["rows_used"]) == (3996, 3936)
    assert report["dropped"] == {"no_value": 60}
    assert report["mapping"]["derived_speed"] == {"max_gap_seconds": 120}
    assert report["guessed"]["unit"] == "a derived speed is in km/h"


def test_inspect_counts_a_feed_whose_times_tell_no_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pings = sample_pings()
    (tmp_path / "a.pb").write_bytes(feed(pings))
    assert main(["inspect", str(tmp_path / "a.pb"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["zone"], report["mapping"]["unit"]) == (len(pings), "UTC", "m/s")
    assert report["guessed"]["zone"] == (
        "the times do not say; the positions are near Surat: Asia/Kolkata; UTC is assumed"
    )


def test_inspect_asks_for_a_doubtful_decimal_mark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("plate;time;lat;lon;speed\nA;2022-01-01T10:00:00+05:30;21;72;1,234\n")
    assert main(["inspect", str(path)]) == 2
    told = capsys.readouterr().err
    doubt = "doubtful: a number like 1,234 in speed may be 1234 or 1.234"
    assert f"The decimal mark is not clear: {doubt}." in told
    assert 'decimal = "," or "."' in told


def test_inspect_takes_mapping_and_zone_from_a_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_city(tmp_path)
    assert main(["inspect", str(tmp_path / "records.csv"), "--spec", str(spec), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mapping"]["vehicle"] == "vehicle"


def write_rows(path: Path, head: str, *rows: str, encoding: str = "utf-8") -> Path:
    """A CSV file; `{n}` in a row is its number, from 10 to 49."""
    lines = [head, *(row.replace("{n}", str(number)) for number in range(10, 50) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path


def looked_at(path: Path, capsys: pytest.CaptureFixture[str], code: int = 0) -> tuple[dict[str, Any], str]:
    """What `inspect --json` prints, and its errors."""
    assert main(["inspect", str(path), "--json"]) == code
    out, err = capsys.readouterr()
    return json.loads(out), err


def test_all_guesses_are_shown_where_several_parts_are_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", "who,time,lat,lon,speed", "A,03/04/2019 10:{n},13.7,100.5,30")
    report, err = looked_at(path, capsys, code=2)
    assert report["confidential"] is True
    guesses = {guess["part"]: guess for guess in report["guesses"]}
    assert [part for part, guess in guesses.items() if guess["open"]] == [
        *("vehicle", "zone", "unit", "date_order")
    ]
    assert guesses["latitude"]["found"] == "lat"
    assert guesses["zone"]["reason"].startswith("times without offset; the positions are near Bangkok")
    assert report["hints"] == [
        "dates read as day first (dmy): the first unclear date is 3 April 2019; 1 date, 3 April 2019",
        "dates read as month first (mdy): the first unclear date is 4 March 2019; 1 date, 4 March 2019",
    ]
    assert "rows_read" not in report
    assert "No column looks like the vehicle. The order of day and month is not clear" in err
    assert 'write date_order = "dmy" or "mdy" in a spec file under [data.format]' in err


def test_wall_clocks_without_a_zone_are_counted_as_they_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", "plate,time,lat,lon,speed", "A,2019-04-30 10:{n}:00,13.7,100.5,30")
    report, _ = looked_at(path, capsys)
    assert (report["rows_used"], report["zone"], report["local_hours"]) == (40, "UTC", [10])
    assert main(["inspect", str(path)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("CONFIDENTIAL: ")
    assert "Asia/Bangkok; UTC is assumed" in told


@pytest.mark.parametrize(
    ("time", "place", "hint"),
    [
        (
            "2022-01-01T10:{n}:00+05:30",
            "72.83,21.17",
            "far from the zone Asia/Kolkata as they are read, near Su",
        ),
        (
            "2022-01-01 10:{n}:00",
            "72.83,21.17",
            "far from every place that is known as they are read, near Su",
        ),
        ("2022-01-01T10:{n}:00-06:00", "-97.74,30.27", "beyond the poles as they are read"),
    ],
)
def test_exchanged_coordinates_are_noticed(
    time: str, place: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", "plate,time,lat,lon,speed", f"A,{time},{place},30")
    report, _ = looked_at(path, capsys, code=2 if "poles" in hint else 0)
    (told,) = report["hints"]
    assert hint in told
    assert 'write latitude = "lon" and longitude = "lat" under [data.mapping]' in told


def test_what_is_wrong_further_down_leaves_the_guesses_in_sight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second file of a packed folder with other columns: what the first one told is told all the same."""
    first = write_rows(
        tmp_path / "a.csv", "plate,time,lat,lon,speed", "A,2022-01-01T10:{n}:00Z,21.17,72.83,30"
    )
    other = write_rows(
        tmp_path / "b.csv", "placa,hora,lat,lon,velocidade", "A,2022-01-01T10:{n}:00Z,21,72,30"
    )
    packed = tmp_path / "city.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in (first, other):
            archive.write(path, path.name)
    report, told = looked_at(packed, capsys, code=2)
    assert {part["part"] for part in report["guesses"]} >= {"vehicle", "time", "value"}
    assert "b.csv" in told


def test_the_zone_that_is_proposed_is_that_of_the_place_where_exchanged_coordinates_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they are read, Surat lies in the sea off Norway."""
    path = write_rows(tmp_path / "a.csv", "plate,time,lat,lon,speed", "A,2022-01-01 10:{n}:00,72.83,21.17,30")
    report, _ = looked_at(path, capsys)
    assert "near Surat: Asia/Kolkata" in report["guessed"]["zone"]


def test_an_older_encoding_does_not_stop_the_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_rows(
        tmp_path / "a.csv",
        "Matrícula;Fecha y hora;Latitud;Longitud;Velocidad",
        "A;31/03/2021 10:{n}:00;40,42;-3,70;20,5",
        encoding="cp1252",
    )
    report, _ = looked_at(path, capsys)
    assert report["rows_used"] == 40
    assert report["mapping"]["vehicle"] == "Matrícula"
    encoding = report["guesses"][0]
    assert (encoding["part"], encoding["open"]) == ("encoding", True)
    assert encoding["reason"].endswith("cp1252 is assumed")


def begun(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    """What is printed, and the spec that is begun."""
    spec = path.with_name("city.toml")
    assert main(["inspect", str(path), "--json", "--write-spec", str(spec), *arguments]) == 0
    return json.loads(capsys.readouterr().out), spec.read_text(encoding="utf-8")


AUSTIN = ("plate,time,lat,lon,speed", "A,2016-11-24T10:{n}:00-06:00,30.27,-97.74,30")
FILLED = {
    "release.name": '"austin-speed"',
    "release.title": '"Speeds"',
    "release.publisher": '"City"',
    "release.contact": '"open@city.example"',
    "privacy.population": '"Buses"',
    "privacy.unit": '"vehicle"',
    "privacy.confirmed": "true",
    "data.mapping.unit": '"m/s"',
    "data.zone": '"America/Chicago"',
    "data.format.decimal": '"."',
    "data.format.date_order": '""',
    "hats.dates": '["2016-11-24", "2016-11-24"]',
    "privacy.relation": '"user"',
    "privacy.hats_per_vehicle": "20",
    "selection.rule": '"cells"',
    "selection.file": '"cells.txt"',
    "query.mechanism": '"bounded-mean"',
}


def filled(text: str, blanks: list[str]) -> str:
    """The spec with its blanks filled in, one after the other."""
    lines = text.splitlines()
    waiting = [number for number, line in enumerate(lines) if "  # FILL IN" in line]
    assert len(waiting) == len(blanks)
    for number, path in zip(waiting, sorted(blanks, key=list(dict.fromkeys(blanks)).index), strict=True):
        name = path.rpartition(".")[2]
        assert lines[number].startswith(f"{name} = "), (path, lines[number])
        lines[number] = f"{name} = {FILLED[path]}"
    return "\n".join(lines)


def test_a_begun_spec_is_a_spec_once_its_blanks_are_filled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", *AUSTIN)
    report, text = begun(path, capsys, "--relation", "values")
    assert set(report["blanks"]) == {
        *("release.name", "release.title", "release.publisher", "release.contact", "data.mapping.unit"),
        *("privacy.population", "privacy.unit", "privacy.confirmed"),
    }
    spec = tmp_path / "city.toml"
    spec.write_text(filled(text, report["blanks"]), encoding="utf-8")
    read = load_spec(spec)
    assert read.data.paths() == (path,)
    assert (read.data.rules.zone, read.confirmed) == ("America/Chicago", True)
    assert [str(date) for date in read.window.dates] == ["2016-11-24"]
    assert 'mechanism = "tokens"' in text, "of a whole city, and what `plan` advises on"


@pytest.mark.parametrize("relation", [("--relation", "user"), ()])
def test_nothing_of_a_record_is_written_down_where_presence_may_be_protected(
    relation: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    texts = []
    for folder, row in ((one, AUSTIN[1]), (other, "A,31/03/2021 9:{n}:00,-22.9,-43.2,99")):
        folder.mkdir()
        texts.append(begun(write_rows(folder / "a.csv", AUSTIN[0], row), capsys, *relation))
    (report, text), (_, elsewhere) = texts
    assert {"data.zone", "hats.dates"} <= set(report["blanks"])
    assert text == elsewhere
    assert "box" not in text
    if relation:
        spec = one / "city.toml"
        (one / "cells.txt").write_text("87489e345ffffff\n")
        spec.write_text(filled(text, report["blanks"]), encoding="utf-8")
        assert load_spec(spec).relation is Relation.USER


def test_a_spec_is_begun_of_what_cannot_be_read_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", "who,time,lat,lon,speed", "A,03/04/2019 10:{n},13.7,100.5,30")
    spec = tmp_path / "city.toml"
    assert main(["inspect", str(path), "--write-spec", str(spec), "--relation", "values"]) == 2
    told = capsys.readouterr()
    assert "data.mapping.vehicle" in told.out.rpartition("Still to be filled in there: ")[2]
    assert "--write-spec" in told.err
    text = spec.read_text(encoding="utf-8")
    assert 'date_order = ""  # FILL IN' in text
    # a look by the spec counts the blanks as absent, and asks for the next one
    assert main(["inspect", str(path), "--spec", str(spec)]) == 2
    assert "data.mapping.vehicle" in capsys.readouterr().err
    for blank, value in (("vehicle", "who"), ("date_order", "dmy")):
        text = text.replace(f'\n{blank} = ""', f'\n{blank} = "{value}"')
    spec.write_text(text, encoding="utf-8")
    assert main(["inspect", str(path), "--spec", str(spec), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first_time"].startswith("2019-04-03")


def test_dates_without_offset_are_written_down_and_the_zone_they_are_near_beside_the_blank(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ("placa,data_hora,lat,lon,velocidade_kmh", "A,14/03/2025 10:{n},-25.43,-49.27,30")
    report, text = begun(write_rows(tmp_path / "a.csv", *rows), capsys, "--relation", "values")
    assert "hats.dates" not in report["blanks"]
    assert 'dates = ["2025-03-14", "2025-03-14"]' in text
    (zone,) = (line for line in text.splitlines() if line.startswith("zone ="))
    assert "FILL IN" in zone
    assert "America/Sao_Paulo" in zone
    assert "assumed" not in text  # this look did; a release by the spec assumes nothing


@pytest.mark.parametrize(
    ("relation", "hours"), [("values", '["02:00", "03:00"]'), ("user", '["09:00", "21:00"]')]
)
def test_hours_are_those_of_the_records_where_these_may_tell_them(
    relation: str, hours: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A window without any record would be refused at the release."""
    rows = ("plate,time,lat,lon,speed", "A,2022-01-01T02:{n}:00+05:30,21.17,72.83,30")
    _, text = begun(write_rows(tmp_path / "a.csv", *rows), capsys, "--relation", relation)
    assert f"hours = {hours}" in text


def test_the_report_is_told_in_words_not_in_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "a.csv", *AUSTIN)
    assert main(["inspect", str(path)]) == 0
    told = capsys.readouterr().out
    assert not set("{}[]'") & set(told.partition("rows_read")[2])
    assert "vehicle plate, time time" in told
    assert "dropped        none" in told


def test_a_file_that_is_there_stays_unless_it_may_be_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, spec = write_rows(tmp_path / "a.csv", *AUSTIN), tmp_path / "city.toml"
    spec.write_text("mine")
    assert main(["inspect", str(path), "--write-spec", str(spec)]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert spec.read_text() == "mine"
    assert main(["inspect", str(path), "--write-spec", str(spec), "--overwrite"]) == 0
    assert spec.read_text() != "mine"


@pytest.mark.parametrize(
    "options", [("--relation", "user"), ("--overwrite",), ("--spec", "s.toml", "--write-spec", "t.toml")]
)
def test_options_that_mean_nothing_so_are_refused(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(write_rows(tmp_path / "a.csv", *AUSTIN)), *options]) == 2
    assert "--write-spec" in capsys.readouterr().err


def test_only_the_data_of_a_spec_are_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, spec = write_rows(tmp_path / "a.csv", *AUSTIN), tmp_path / "city.toml"
    mapping = '[data.mapping]\nvehicle = "plate"\ntime = "time"\nlatitude = "lat"\nlongitude = "lon"\n'
    spec.write_text(f'[data]\n{mapping}value = "speed"\n[hats]\nwrong = 1\n[privacy]\nrelation = "?"\n')
    assert main(["inspect", str(path), "--spec", str(spec), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows_used"] == 40


def test_many_rows_of_no_use_are_told_with_the_column_and_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *rows = AUSTIN
    for name, speed in (("a.csv", "7.5"), ("b.csv", '"7,5"')):
        lines = [row.rsplit(",", 1)[0] + f",{speed}" for row in rows]
        write_rows(tmp_path / name, head, *lines)
    assert main(["inspect", str(tmp_path / "?.csv"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (hint,) = [hint for hint in report["hints"] if "not used" in hint]
    assert hint == (
        "50% of the rows are not used (see dropped); speed is not readable from b.csv on: cells like 9,9, "
        'where the decimal mark is "."; write decimal = ".," under [data.format] for numbers with either mark'
    )
    assert report["dropped"] == {"unparsable": report["rows_read"] // 2}
    assert main(["inspect", str(tmp_path / "a.csv"), "--json"]) == 0
    assert not any("not used" in hint for hint in json.loads(capsys.readouterr().out)["hints"])


def test_a_date_in_a_column_of_its_own_is_shown_counted_and_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A French export of vehicle positions."""
    path = write_rows(
        tmp_path / "avl.csv",
        "Date;Heure;N° parc;Latitude;Longitude;Vitesse (km/h)",
        "14/10/2026;06:{n}:07;1201;48,8566;2,3522;23,5",
        encoding="utf-8-sig",
    )
    report, text = begun(path, capsys, "--relation", "values")
    guesses = {guess["part"]: (guess["found"], guess["reason"], guess["key"]) for guess in report["guesses"]}
    assert guesses["date"] == ("Date", "named Date", "data.mapping.date")
    assert guesses["time"] == ("Heure", "named Heure", "data.mapping.time")
    assert (report["rows_used"], report["first_time"]) == (40, "2026-10-14T06:10:07+00:00")
    assert (report["mapping"]["date"], report["mapping"]["time"]) == ("Date", "Heure")
    assert 'time = "Heure"\n' in text
    assert 'date = "Date"\n' in text
    assert 'date_order = "dmy"' in text
    assert main(["inspect", str(path), "--spec", str(tmp_path / "city.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows_used"] == 40


@pytest.mark.parametrize(
    ("delimiter", "cell", "order", "told"),
    [
        (",", '"26/11/2026, 5:{n}:12 p.m."', "dmy", "Read as day first, like 31/12/2023, 9:05:30 p.m."),
        (";", "26/11/2026, 17:{n}:12", "dmy", "Read as day first, like 31/12/2023, 09:05:30"),
        ("\t", "11/26/2026, 5:{n}:12\u202fPM", "mdy", "Read as month first, like 12/31/2023, 9:05:30 PM"),
        (",", '"2026-11-26, 17:{n}:12"', "not needed", "Read as ISO 8601, like 2023-01-02, 03:04:05"),
    ],
)
def test_times_as_browsers_write_them_are_guessed_and_counted(
    delimiter: str, cell: str, order: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(
        tmp_path / "gps.csv",
        delimiter.join(("UNIDAD", "fecha", "lat", "lon", "velocidad_kmh")),
        delimiter.join(("U-1", cell, "19.432", "-99.133", "23.5")),
    )
    report, _ = looked_at(path, capsys)
    assert (report["rows_used"], report["dropped"]) == (40, {})
    assert (report["first_time"], report["last_time"]) == (
        "2026-11-26T17:10:12+00:00",
        "2026-11-26T17:49:12+00:00",
    )
    assert report["guessed"]["time_format"] == told
    guesses = {guess["part"]: guess["found"] for guess in report["guesses"]}
    assert guesses["date_order"] == order


def test_both_readings_of_dates_apart_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_rows(
        tmp_path / "avl.csv",
        "Date;Heure;bus;lat;lon;speed_kmh",
        "05/10/2026;06:{n}:07;1201;48.8566;2.3522;23.5",
    )
    report, told = looked_at(path, capsys, 2)
    assert [hint.partition(":")[0] for hint in report["hints"]] == [
        "dates read as day first (dmy)",
        "dates read as month first (mdy)",
    ]
    assert "The order of day and month is not clear" in told


def test_one_vehicle_written_in_two_ways_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "vehicle_id,timestamp,latitude,longitude,speed_kmh"
    row = "2022-01-01T10:00:{n}+05:30,21.17,72.83,30"
    path = write_rows(tmp_path / "a.csv", head, f"4101,{row}", f"4101.0,{row}", f"4102,{row}")
    found, _ = looked_at(path, capsys)
    assert (found["users"], found["ids_alike"]) == (3, 2)
    assert "vehicle_fold = true" in found["hints"][-1]


def test_what_is_doubted_or_left_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Marks of a spreadsheet, an id of several vehicles, and a few rows without a speed."""
    head = "vehicle_id,timestamp,latitude,longitude,speed_kmh"
    row = "2022-01-01T10:{n}:00+05:30,21.17,72.83,30"
    shared = [f"UNKNOWN,2022-01-01T10:{{n}}:{second}+05:30,21.{second},72.83,30" for second in (10, 20)]
    path = write_rows(tmp_path / "a.csv", head, f'"4,101",{row}', *shared, f"0012,{row}")
    with path.open("a") as stream:
        stream.write("7,2022-01-01T10:10:00+05:30,21.17,72.83,\n")
    hints = looked_at(path, capsys)[0]["hints"]
    assert [hint.split()[:3] for hint in hints] == [
        ["1", "row", "is"],
        ["1", "id", "holds"],
        ["1", "id", "reads"],
        ["1", "id", "moves"],
    ]


def test_files_that_were_passed_over_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text('{"vehicles": []}')
    path = write_rows(
        tmp_path / "b.csv",
        "vehicle_id,timestamp,latitude,longitude,speed_kmh",
        "4101,2022-01-01T10:00:{n}+05:30,21.17,72.83,30",
    )
    found, _ = looked_at(path.parent, capsys)
    assert (found["rows_used"], found["files_empty"]) == (40, 1)
    assert "1 file without a record, 0 files that" in found["hints"][-1]
    (tmp_path / "c.csv").write_text("<html>")
    _, error = looked_at(path.parent, capsys, 2)
    assert "skip_damaged = true" in error


def test_two_agencies_with_the_same_numbers_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "vehicle_id,timestamp,latitude,longitude,speed_kmh"
    row = "4101,2022-01-01T10:00:{n}+05:30,"
    path = write_rows(
        tmp_path / "a.csv", head, row + "21.17,72.83,30", row + "21.1705,72.83,30", row + "21.3,72.83,30"
    )
    found, _ = looked_at(path, capsys)
    assert (found["repeats"], found["repeats_far"]) == (80, 40)
    assert "40 repeats lie more than 200 m" in found["hints"][-1]


def test_metres_in_one_column_are_called_metres(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in GeoJSON of a national grid."""
    head = "vehicle_id,timestamp,location,speed_kmh"
    path = write_rows(tmp_path / "a.csv", head, '4101,2022-01-01T10:00:{n}+05:30,"[596276.2, 6644311.4]",30')
    found, error = looked_at(path, capsys, 2)
    (unit,) = [guess for guess in found["guesses"] if guess["part"] == "position_unit"]
    assert "may be metres" in unit["reason"]
    assert "EPSG:25832" in error


def test_agency_and_number_are_proposed_as_one_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "agency_id,vehicle_id,timestamp,latitude,longitude,speed_kmh"
    row = "4101,2022-01-01T10:00:{n}+05:30,21.17,72.83,30"
    path = write_rows(tmp_path / "a.csv", head, f"a,{row}", f"b,{row}")
    found, _ = looked_at(path, capsys)
    assert (found["users"], found["mapping"]["vehicle"]) == (2, ["agency_id", "vehicle_id"])
    assert found["guesses"][0]["found"] == "agency_id / vehicle_id"
    spec = tmp_path / "a.toml"
    assert main(["inspect", str(path), "--write-spec", str(spec)]) == 0
    assert tomllib.loads(spec.read_text("utf-8"))["data"]["mapping"]["vehicle"] == ["agency_id", "vehicle_id"]


def write_air(path: Path) -> Path:
    """Sixty made-up monitors around four places."""
    rows = [
        f"S{one},2022-01-0{day}T{hour:02d}:{minute}:00+05:30,{21.1 + one % 4 * 0.05:.2f},72.83,{one + hour}"
        for one in range(60)
        for day in (3, 4)
        for hour in (9, 10, 11)
        for minute in (10, 30, 50)
    ]
    path.write_text("\n".join(["sensor_id,timestamp,latitude,longitude,pm25", *rows]))
    return path


def test_air_sensors_are_begun_released_and_verified(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, spec = write_air(tmp_path / "air.csv"), tmp_path / "air.toml"
    assert main(["inspect", str(path), "--write-spec", str(spec), "--relation", "values"]) == 0
    begun = tomllib.loads(spec.read_text("utf-8"))
    said = [begun["privacy"][name] for name in ("subject", "subject_plural")]
    assert (said, begun["data"]["value"]["unit"]) == (["sensor", "sensors"], "\u00b5g/m\u00b3")
    filled = {
        "name": "air",
        "title": "Air",
        "publisher": "City",
        "contact": "air@city.example",
        "population": "Monitors",
        "unit": "vehicle-day",
        "lower": 0,
        "upper": 500,
        "physical_min": 0,
        "physical_max": 5000,
    }
    text = spec.read_text("utf-8").replace("confirmed = false", "confirmed = true")
    for key, value in filled.items():
        text = text.replace(f'\n{key} = ""', f"\n{key} = {json.dumps(value)}")
    spec.write_text(text, encoding="utf-8")
    assert main(["ledger", "set-limit", "Monitors", "--per-vehicle", "100"]) == 0
    assert main(["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]) == 0, capsys.readouterr()
    bundle = tmp_path / "out" / "air-1.0.0"
    key = str(home / "keys" / "release-key.pub")
    told = [str(bundle), "--public-key", key]
    assert (main(["verify", *told]), hexveil_verify.main(told)) == (0, 0)
    header = (bundle / "data" / "pm25_by_hat.csv").read_text("utf-8").partition("\n")[0].split(",")
    assert {"pm25_mean_ug_m3", "effective_sensors"} <= set(header)
    assert main(["table", str(path)]) == 2
    assert "not a speed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("head", "row", "found"),
    [
        (
            "station,timestamp,latitude,longitude,NO2 (ppb)",
            "A,{t},21.1,72.8,30",
            ("station", "NO2 (ppb)", "?"),
        ),
        ("bus,timestamp,latitude,longitude,boardings", "A,{t},21.1,72.8,3", ("bus", "boardings", "persons")),
        ("station,vehicle,time,lat,lon,speed,pm10", "A,B,{t},21.1,72.8,3,9", ("vehicle", "speed", "?")),
        ("station,timestamp,latitude,longitude", "A,{t},21.1,72.8", ("?", "?", "?")),
    ],
)
def test_values_that_are_no_speeds_are_known_by_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], head: str, row: str, found: tuple[str, ...]
) -> None:
    path = write_rows(tmp_path / "a.csv", head, row.replace("{t}", "2022-01-01T10:00:{n}+05:30"))
    main(["inspect", str(path), "--json"])
    parts = {one["part"]: one["found"] or "?" for one in json.loads(capsys.readouterr().out)["guesses"]}
    assert tuple(parts[name] for name in ("vehicle", "value", "unit")) == found


def test_ids_that_lost_their_digits_are_none_and_the_message_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "vehicle_id,timestamp,latitude,longitude,speed_kmh"
    row = "2022-01-01T10:00:{n}+05:30,21.17,72.83,30"
    some = write_rows(tmp_path / "a.csv", head, f"3.58E+14,{row}", f"4101,{row}")
    found, _ = looked_at(some, capsys)
    assert (found["users"], found["dropped"]) == (1, {"no_id": 40})
    assert "scientific notation" in found["hints"][-1]
    _, error = looked_at(write_rows(tmp_path / "b.csv", head, f"3.58E+14,{row}"), capsys, 2)
    assert "scientific notation" in error


def test_the_hour_that_clocks_show_twice_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    rows = [f"{bus},2025-10-26T02:{minute}:00,59.91,10.75,30" for bus in "AB" for minute in (10, 20, 30)]
    path.write_text("\n".join(["vehicle_id,time,lat,lon,speed_kmh", *rows]))
    assert main(["inspect", str(path), "--json"]) == 0
    hints = json.loads(capsys.readouterr().out)["hints"]
    assert hints[0].startswith("6 records lie in the hour that the clocks of Europe/Oslo showed twice")
