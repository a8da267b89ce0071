"""Guessing the mapping from names and contents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.assist import column_guesses
from core.assist.column_guesses import find_columns, guess_mapping, guess_unit, unread_position, unread_time
from core.clean.mapping import DerivedSpeed, UnitRange
from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError
from core.read.file_format import FileFormat
from core.read.preview_rows import Preview
from core.read.reader_registry import reader_for
from tests.records import SECRET, assert_tells

CELLS = {
    "license_plate": "GJ05BX1234",
    "observationDateTime": "2022-01-01T10:10:35+05:30",
    "location.coordinates": "[72.83, 21.19]",
    "speed": "30",
    "latitude": "21.19",
    "longitude": "72.83",
}


def _preview(*names: str, **changes: str) -> Preview:
    cells = CELLS | changes
    row = tuple(cells.get(name, "x") for name in names)
    return Preview(columns=names, rows=(row,) * 10)


def test_itms_is_recognised() -> None:
    guess = guess_mapping(
        _preview("trip_delay", "license_plate", "speed", "observationDateTime", "location.coordinates"),
        where="a",
    )
    assert guess.mapping.columns == ("license_plate", "observationDateTime", "location.coordinates", "speed")
    assert guess.mapping.units[0].unit == "km/h"
    assert set(guess.reasons) == {
        *("vehicle", "time", "time_format", "position", "value", "unit", "decimal", "date_order")
    }
    assert guess.reasons["time_format"] == ("Read as ISO 8601, like 2023-01-02T03:04:05+05:30")


def test_two_columns_are_recognised_and_both_named() -> None:
    guess = guess_mapping(
        _preview("license_plate", "observationDateTime", "latitude", "longitude", "speed"), where="a"
    )
    assert guess.mapping.position_columns == ("latitude", "longitude")
    assert guess.reasons["position"] == "named latitude, longitude"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("speed", "km/h"),
        ("Speed (km/h)", "km/h"),
        ("speed_kph", "km/h"),
        ("speed_mps", "m/s"),
        ("SpeedMPH", "mph"),
        ("speed_kmph", "km/h"),
        ("gps speed (m/s)", "m/s"),
        ("properties.velocity_mph", "mph"),
    ],
)
def test_the_unit_follows_the_name(name: str, unit: str) -> None:
    preview = _preview("license_plate", "observationDateTime", "location.coordinates", name, **{name: "3.5"})
    guess = guess_mapping(preview, where="a")
    assert guess.mapping.value == name
    assert guess.mapping.units[0].unit == unit


@pytest.mark.parametrize(
    ("time", "places", "speed"),
    [
        ("timestamp", ("position.latitude", "position.longitude"), "position.speed"),
        ("properties.time", ("location.lat", "location.lon"), "properties.speed"),
        ("properties.gps_time", ("geometry.coordinates",), "properties.Speed"),
    ],
)
def test_nested_names_are_known_by_their_last_part(time: str, places: tuple[str, ...], speed: str) -> None:
    cells = dict(zip(places, ("21.19", "72.83") if len(places) == 2 else ("[72.83, 21.19]",), strict=True))
    names = ("properties.type", "properties.vehicle", time, *places, speed)
    preview = _preview(*names, **{time: "1641030035", speed: "3.5"}, **cells)
    mapping = guess_mapping(preview, where="a").mapping
    assert mapping.columns == ("properties.vehicle", time, *places, speed)


def test_a_whole_name_goes_before_a_last_part() -> None:
    preview = _preview(
        "lead.plate",
        "vehicle.id",
        "trip.time",
        "timestamp",
        "location.coordinates",
        "limit.speed",
        "speed",
        **{"trip.time": "1641030035", "timestamp": "1641030036", "limit.speed": "50"},
    )
    assert guess_mapping(preview, where="a").mapping.columns == (
        "vehicle.id", "timestamp", "location.coordinates", "speed",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("names", "unit"),
    [
        (("vehicle.id", "timestamp", "position.latitude", "position.longitude", "position.speed"), "m/s"),
        (
            (
                "v.vehicle.id",
                "v.timestamp",
                "v.position.latitude",
                "v.position.longitude",
                "v.position.speed",
            ),
            "m/s",
        ),
        (("vehicle", "timestamp", "position.latitude", "position.longitude", "position.speed"), "km/h"),
    ],
)
def test_gtfs_realtime_gives_metres_a_second(names: tuple[str, ...], unit: str) -> None:
    cells = dict(zip(names, ("7", "1641030035", "21.19", "72.83", "3.5"), strict=True))
    guess = guess_mapping(_preview(*names, **cells), where="a")
    assert guess.mapping.columns == names
    assert guess.mapping.units[0].unit == unit
    assert ("GTFS" in guess.reasons["unit"]) == (unit == "m/s")


@pytest.mark.parametrize(
    ("part", "column"),
    [
        ("vehicle", "license_plate"),
        ("time", "observationDateTime"),
        ("position", "location.coordinates"),
    ],
)
def test_a_part_without_a_column_is_named_and_no_cell_is_quoted(part: str, column: str) -> None:
    names = ["license_plate", "observationDateTime", "location.coordinates", "speed"]
    names[names.index(column)] = "remark"
    with pytest.raises(InputError, match=f"No column looks like the {part}") as caught:
        guess_mapping(_preview(*names, remark=SECRET), where="a.csv")
    assert_tells(caught.value)
    assert "remark" in caught.value.where


@pytest.mark.parametrize("around", ["device_id", "id"])
def test_what_stands_around_the_records_or_at_both_ends_of_a_trip_is_named(
    around: str, tmp_path: Path
) -> None:
    """MDS 1 keeps a trip's vehicle outside of its route, Samsara's too; taxi commissions publish trips."""
    point = {"when": 1741071600000, "lat": 59.9, "lon": 10.7}
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"trips": [{around: "7", "route": {"points": [point] * 3}}] * 2}))
    preview = reader_for(path).preview(path)
    assert preview.around == (around,)
    with pytest.raises(InputError, match=f"inside another object, whose {around} is not read") as caught:
        guess_mapping(preview, where="a.json")
    assert f"write {around} into each" in caught.value.mend
    with pytest.raises(InputError, match=r"begins \(start_lat\) and one where it ends \(end_lat\)"):
        guess_mapping(_preview("license_plate", "time", "start_lat", "end_lat", "speed"), where="a")


def test_contents_must_fit_the_name() -> None:
    preview = _preview("license_plate", "observationDateTime", "latitude", "longitude", "speed", speed="fast")
    guess = guess_mapping(preview, where="a")
    assert guess.mapping.value == ""
    assert guess.mapping.derived == DerivedSpeed()
    assert guess.reasons["value"].startswith("no column looks like a speed")
    assert guess.reasons["unit"] == "a derived speed is in km/h"


def test_positions_and_times_are_known_by_contents_alone() -> None:
    preview = _preview(
        "license_plate", "when", "where", "speed", when="2022-01-01 10:10:35", where="POINT (72.8 21.2)"
    )
    guess = guess_mapping(preview, where="a")
    assert (guess.mapping.time, guess.mapping.position) == ("when", "where")
    assert guess.reasons["time"] == "looks like times"
    assert guess.reasons["position"] == "looks like positions"


def test_contents_that_fit_several_columns_decide_nothing() -> None:
    when = "2022-01-01 10:10:35"
    preview = _preview("license_plate", "when", "then", "location.coordinates", "speed", when=when, then=when)
    with pytest.raises(InputError, match="time"):
        guess_mapping(preview, where="a")


def test_a_long_number_is_no_time_unless_its_column_says_so() -> None:
    preview = _preview("license_plate", "phone", "location.coordinates", "speed", phone="1641030035")
    with pytest.raises(InputError, match="time"):
        guess_mapping(preview, where="a")
    named = _preview("license_plate", "timestamp", "location.coordinates", "speed", timestamp="1641030035")
    assert guess_mapping(named, where="a").reasons["time_format"].startswith("Read as seconds since 1970")


def test_times_of_every_form_are_found() -> None:
    for cell in (cell for form in TIME_FORMATS for cell, _ in form.examples):
        numbers = not set(cell) - set("0123456789.E")
        name = "timestamp" if numbers else "when"
        guess = find_columns(_preview("license_plate", name, "location.coordinates", "speed", **{name: cell}))
        assert guess["time"].column == name, cell


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("31/12/2023 10u15", '"99/99/9999 99a99" is not read: it matches no known form of times'),
        ("2023-12-31", '"9999-99-99" is not read: a date without a time of day'),
        ("31-12-23 10:15", '"99-99-99 99:99" is not read: a year of two digits'),
        (SECRET + " 7", "is not read: it matches no known form of times"),
    ],
)
def test_a_column_named_like_a_time_that_is_none_is_shown_with_its_shape(cell: str, told: str) -> None:
    preview = _preview("license_plate", "time", "location.coordinates", "speed", time=cell)
    with pytest.raises(InputError, match="The column time is named like a time, but ") as caught:
        guess_mapping(preview, where="a.csv")
    assert_tells(caught.value)
    assert told in str(caught.value)
    assert cell not in str(caught.value)
    assert "docs/file-formats.md" in caught.value.mend
    assert unread_time(_preview("license_plate", "time", time="")) == ""
    assert unread_time(_preview("license_plate", "time", time="2023-12-31 10:15")) == ""


@pytest.mark.parametrize(
    ("clocks", "found"),
    [
        (("28800", "28863", "90000"), True),
        (("93015", "93045", "94000"), False),
        (("24:33:00", "23:10:00"), True),
    ],
)
def test_numbers_beside_a_date_are_seconds_unless_they_may_be_clocks(
    clocks: tuple[str, ...], found: bool
) -> None:
    columns = ("bus", "OPD_DATE", "ACT_TIME", "lat", "lon", "speed")
    rows = tuple(("7", "2025-03-04", clock, "59.9", "10.7", "3") for clock in clocks)
    assert ("date" in find_columns(Preview(columns=columns, rows=rows))) == found


@pytest.mark.parametrize("suffix", ["$date", "_seconds", "N", "integerValue"])
def test_what_a_database_calls_the_type_of_a_value_is_no_part_of_its_name(suffix: str) -> None:
    name = f"ts.{suffix}"
    preview = _preview("license_plate", name, "location.coordinates", "speed", **{name: "1641030035"})
    assert find_columns(preview)["time"].column == name


def test_decimal_mark_and_date_order_come_with_the_mapping() -> None:
    preview = _preview(
        "license_plate",
        "time",
        "latitude",
        "longitude",
        "speed",
        time="31/12/2022 10:00:00",
        latitude="21,19",
        longitude="72,83",
    )
    guess = guess_mapping(preview, where="a")
    assert guess.file_format == FileFormat(decimal=",", date_order="dmy")
    assert guess.reasons["decimal"] == '",": commas and no point in latitude, longitude'
    assert guess.reasons["date_order"] == "dmy: 10 dates can only be day first"


@pytest.mark.parametrize(
    ("cells", "key"),
    [
        ({"speed": "1,234", "latitude": "21", "longitude": "72"}, "decimal"),
        ({"time": "03/04/2022 10:00"}, "date_order"),
    ],
)
def test_what_may_be_read_in_two_ways_is_asked_for(cells: dict[str, str], key: str) -> None:
    cells = {"time": "2022-01-01 10:00:00"} | cells
    preview = _preview("license_plate", "time", "latitude", "longitude", "speed", **cells)
    with pytest.raises(InputError, match="is not clear") as caught:
        guess_mapping(preview, where="a.csv")
    assert_tells(caught.value)
    assert f"{key} = " in caught.value.mend


def test_a_few_bad_cells_do_not_spoil_a_guess() -> None:
    good = _preview("license_plate", "observationDateTime", "location.coordinates", "speed")
    rows = (("", "noon", "", "fast"), *good.rows, *good.rows)
    assert guess_mapping(Preview(columns=good.columns, rows=rows), where="a").mapping.value == "speed"


def test_empty_columns_are_not_guessed() -> None:
    preview = _preview("license_plate", "vehicle_id", "observationDateTime", "location.coordinates", "speed")
    emptied = Preview(columns=preview.columns, rows=tuple(("", *row[1:]) for row in preview.rows))
    assert guess_mapping(emptied, where="a").mapping.vehicle == "vehicle_id"


@pytest.mark.parametrize(
    "names",
    [
        ("Placa do veículo", "Data/Hora", "Latitude", "Longitude", "Velocidade (km/h)"),
        ("VEIC", "DTHR", "LAT", "LON", "VELOCIDADE"),
        ("ID_Veículo", "data_hora", "lat", "long", "velocidade"),
        ("Matrícula", "Fecha y hora", "Latitud", "Longitud", "Velocidad"),
        ("id vehículo", "fecha_hora", "latitud", "longitud", "velocidad_kmh"),
        ("Véhicule", "Horodatage", "latitude", "longitude", "Vitesse (m/s)"),
        ("Immatriculation", "date heure", "Lat", "Lon", "vitesse"),
        ("N° parc", "Horodatage", "Coord Y", "Coord X", "Vitesse (km/h)"),
        ("Numéro de parc", "Date/Heure", "lat", "lon", "Vitesse"),
        ("Nº de frota", "Data/Hora", "Latitude", "Longitude", "Velocidade"),
        ("Nº coche", "Fecha/Hora", "Latitud", "Longitud", "Velocidad"),
        ("Fahrzeug-Nr.", "Zeitstempel", "Breitengrad", "Längengrad", "Geschwindigkeit"),
        ("Kennzeichen", "Datum/Uhrzeit", "Breite", "Länge", "Geschwindigkeit (km/h)"),
        ("Kennzeichen", "Fahrtzeit", "Geogr. Breite", "Geogr. Länge", "Geschw. (km/h)"),
        ("Vehicle", "Időpont", "lat", "lon", "Sebesség [km/h]"),
        ("gaadi_number", "dinank samay", "akshansh", "deshantar", "gati"),
        ("Vahan ID", "samay", "Akshaansh", "Rekhansh", "raftaar_kmph"),
    ],
)
def test_headers_of_other_languages_are_known(names: tuple[str, ...]) -> None:
    cells = ("GJ05", "2022-01-01 10:10:35", "21.19", "72.83", "30")
    preview = Preview(columns=("observação", *names), rows=(("x", *cells),) * 10)
    parts = ("vehicle", "time", "latitude", "longitude", "value")
    found = {part: item.column for part, item in find_columns(preview).items()}
    assert found == dict(zip(parts, names, strict=True))


@pytest.mark.parametrize("name", ["Speed limit (km/h)", "Wind (m/s)", "vmax km/h", "delay_ms", "km/h driven"])
def test_not_every_unit_of_speed_tells_how_fast_a_vehicle_went(name: str) -> None:
    assert "value" not in find_columns(_preview("license_plate", name, **{name: "30"}))


def test_two_columns_in_a_unit_of_speed_are_left_to_the_analyst() -> None:
    cells = {"v1 (km/h)": "30", "v2 (km/h)": "31"}
    assert "value" not in find_columns(_preview("license_plate", *cells, **cells))


@pytest.mark.parametrize(
    ("x", "y", "latitude"),
    [("72.83", "21.19", "Y"), ("-97,7", "30,2", "Y"), ("30.2", "-97.7", "X"), ("7.1", "51.2", "Y")],
)
def test_plain_axes_are_told_apart_by_their_ranges(x: str, y: str, latitude: str) -> None:
    found = find_columns(_preview("license_plate", "X", "Y", X=x, Y=y))
    assert found["latitude"].column == latitude
    assert {found["latitude"].column, found["longitude"].column} == {"X", "Y"}
    assert ("within 90 degrees, and Y is not" in found["latitude"].reason) == (latitude == "X")


def test_axes_that_are_no_degrees_are_not_taken_and_the_reason_is_told() -> None:
    preview = _preview("license_plate", "observationDateTime", "speed", "X", "Y", X="581234.5", Y="2343210.1")
    assert not {"latitude", "longitude"} & find_columns(preview).keys()
    assert unread_position(preview).startswith("X and Y contain numbers beyond 180, which are not degrees")
    with pytest.raises(InputError, match="national grid") as caught:
        guess_mapping(preview, where="a.csv")
    assert "581234" not in str(caught.value)
    assert unread_position(_preview("license_plate", "latitude", "longitude")) == ""
    assert unread_position(_preview("license_plate", "X")) == ""


@pytest.mark.parametrize(
    ("lacking", "mend"),
    [
        ({"license_plate": "trip"}, 'or "file:name" if each file is named after its vehicle'),
        ({"observationDateTime": "time"}, 'with date = "file:name" if each file is named after its day'),
    ],
)
def test_what_only_the_name_of_the_file_tells_is_pointed_to(lacking: dict[str, str], mend: str) -> None:
    names = ("license_plate", "observationDateTime", "latitude", "longitude", "speed")
    preview = _preview(*(lacking.get(name, name) for name in names), time="10:10:35")
    with pytest.raises(InputError) as caught:
        guess_mapping(preview, where="a.csv")
    assert mend in caught.value.mend


@pytest.mark.parametrize("within", ["payload.", "a.b."])
def test_an_envelope_tells_neither_the_vehicle_nor_its_time(within: str) -> None:
    """Records counted when the gateway sent them, and as its own."""
    cells = {
        "deviceId": "gateway 1",
        "timestamp": "2022-01-01T10:47:35Z",
        f"{within}plate": "GJ05BX1234",
        f"{within}time": "2022-01-01T10:10:35Z",
        f"{within}pos.lat": "21.19",
        f"{within}pos.lon": "72.83",
    }
    found = find_columns(Preview(columns=tuple(cells), rows=(tuple(cells.values()),) * 10))
    assert [found[part].column for part in ("vehicle", "time")] == [f"{within}plate", f"{within}time"]


def test_of_very_many_columns_none_is_judged_by_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of many names took minutes, each column being parsed as a time and as a position."""
    judged: list[int] = []

    def counted(cells: list[str]) -> bool:
        judged.append(len(cells))
        return False

    monkeypatch.setattr("core.assist.column_guesses._are_positions", counted)
    monkeypatch.setattr("core.assist.column_guesses._are_written_times", counted)
    names = tuple(f"key{number}" for number in range(2_000))
    with pytest.raises(InputError, match="No column looks like") as caught:
        guess_mapping(Preview(columns=names, rows=(("1",) * len(names),)), where="a")
    assert judged == []
    assert len(str(caught.value)) < 3000
    assert "and 1900 more" in str(caught.value)


@pytest.mark.parametrize("cell", ["MB-6049-A", "1234", "U 7"])
@pytest.mark.parametrize(
    "name", ["UNIDAD", "Económico", "Num. Económico", "No. Económico", "ID_UNIDAD", "No. Unidad"]
)
def test_a_vehicle_is_a_unit_of_its_fleet_in_mexico(name: str, cell: str) -> None:
    found = find_columns(_preview(name, "latitud", "longitud", **{name: cell}))
    assert found["vehicle"].column == name


@pytest.mark.parametrize("cell", ["km/h", "kilómetros por hora", "m/s", ""])
def test_a_unit_of_measure_is_no_vehicle(cell: str) -> None:
    assert "vehicle" not in find_columns(_preview("unidad", "latitud", "longitud", unidad=cell))
    beside = find_columns(_preview("unidad", "placa", "latitud", unidad=cell, placa="GJ-05"))
    assert beside["vehicle"].column == "placa"


def _apart(date: str, clock: str, *, names: tuple[str, str] = ("Date", "Heure"), **more: str) -> Preview:
    cells = dict(zip(names, (date, clock), strict=True)) | more
    return _preview("license_plate", *cells, "latitude", "longitude", "speed", **cells)


@pytest.mark.parametrize(
    ("date", "clock"),
    [
        ("05/10/2026", "06:12:07"),
        ("05/10/2026 00:00:00", "06:12:07"),
        ("2026-10-05T00:00:00", "6:12"),
        ("2026-10-05", "06:12:07.250+05:30"),
        ("20261005", "061207"),
        ("20261005", "06:12"),
        ("05-Oct-2026", "6:12 PM"),
        ("05/10/2026", "05:03:12 p. m."),
        ("05/10/2026 12:00:00 a. m.", "05:03:12\u202fp.\u00a0m."),
        ("05/10/2026, 12:00:00 a. m.", "05:03:12 p. m."),
        ("05/10/2026, 00:00:00", "06:12:07"),
    ],
)
def test_a_date_beside_a_time_of_day_is_a_part_of_its_own(date: str, clock: str) -> None:
    found = find_columns(_apart(date, clock))
    assert (found["date"].column, found["time"].column) == ("Date", "Heure")
    assert (found["date"].reason, found["time"].reason) == ("named Date", "named Heure")


@pytest.mark.parametrize("date", ["05/10/2026", "05/10/2026 00:00:00", "05/10/2026, 12:00:00 a. m."])
def test_without_names_the_one_column_of_each_kind_is_taken(date: str) -> None:
    found = find_columns(_apart(date, "06:12:07", names=("quand", "h")))
    assert (found["date"].column, found["date"].reason) == ("quand", "looks like dates")
    assert (found["time"].column, found["time"].reason) == ("h", "looks like times of day")
    several = _apart("05/10/2026", "06:12:07", names=("quand", "h"), due="06:15:00")
    assert not {"date", "time"} & find_columns(several).keys()


def test_a_whole_time_is_taken_before_a_pair() -> None:
    named = _apart("05/10/2026", "06:12:07", timestamp="2026-10-05 06:12:09")
    assert find_columns(named)["time"].column == "timestamp"
    unnamed = _apart("05/10/2026", "06:12:07", names=("quand", "h"), seen="2026-10-05 06:12:09")
    for preview in (named, unnamed):
        assert "date" not in find_columns(preview)
    assert find_columns(unnamed)["time"].column == "seen"


def test_midnights_are_times_where_no_time_of_day_stands_beside_them() -> None:
    found = find_columns(_preview("license_plate", "Date", Date="2026-10-05 00:00:00"))
    assert found["time"].column == "Date"
    assert "date" not in found


@pytest.mark.parametrize(("date", "clock"), [("05-10-26", "06:12"), ("05/10/2026", "49:12"), ("", "06:12")])
def test_what_is_no_time_together_is_no_pair(date: str, clock: str) -> None:
    assert not {"date", "time"} & find_columns(_apart(date, clock)).keys()


def test_a_pair_comes_with_order_and_reason_as_one_column_does() -> None:
    guess = guess_mapping(_apart("14/10/2026", "06:12:07"), where="a")
    assert (guess.mapping.date, guess.mapping.time) == ("Date", "Heure")
    assert guess.file_format.date_order == "dmy"
    assert guess.reasons["date"] == "named Date"
    assert guess.reasons["time_format"].startswith("Read as day first")
    with pytest.raises(InputError, match="order of day and month is not clear"):
        guess_mapping(_apart("05/10/2026", "06:12:07"), where="a")


def test_a_tenth_of_words_for_missing_hides_no_column() -> None:
    rows = [
        ("B1", f"2022-01-01T10:00:{at:02d}Z", "21.1", "72.8", "NULL" if at % 10 == 0 else "31")
        for at in range(40)
    ]
    preview = Preview(
        columns=("vehicle_id", "timestamp", "latitude", "longitude", "speed_kmh"), rows=tuple(rows)
    )
    assert find_columns(preview)["value"].column == "speed_kmh"


def speeds(name: str, *cells: str, beside: tuple[str, ...] = ()) -> Preview:
    rows = tuple(("B1", "2022-01-01T10:00:00Z", "21.1", "72.8", cell, *beside) for cell in cells)
    return Preview(columns=("vehicle_id", "timestamp", "latitude", "longitude", name, *beside), rows=rows)


@pytest.mark.parametrize(
    ("preview", "unit"),
    [
        (speeds("speed", "28.8 km/h", "3 km/h"), "km/h"),
        (speeds("speed_knots", "15", "3"), "kn"),
        (speeds("speed_cm_s", "800", "3"), "0.036 km/h"),
        (speeds("speed", "8", "3", beside=("location_ping_id",)), "m/s"),
        (speeds("spd", "8", "3", beside=("vid", "tmstmp")), "mph"),
        (speeds("spd", "8", "3", beside=("veh", "tst")), "m/s"),
    ],
)
def test_the_unit_of_a_speed_is_known_by_cells_name_and_specification(preview: Preview, unit: str) -> None:
    guess = guess_mapping(preview, where="a.csv").mapping
    assert (guess.value, guess.units) == (preview.columns[4], (UnitRange(unit=unit),))


def test_a_speed_that_is_not_read_is_named_with_its_cells() -> None:
    guess = guess_mapping(speeds("speed", "fast", "slow"), where="a.csv")
    assert guess.mapping.derived is not None
    assert guess.reasons["value"].startswith(
        "no column looks like a speed; speed is named so, but has cells like aaaa"
    )


@pytest.mark.parametrize(
    ("names", "time"),
    [
        (("vid", "tmstmp", "lat", "lon", "spd"), "20220101 10:00"),
        (("veh", "tst", "lat", "long", "spd"), "2022-01-01T10:00:00Z"),
    ],
)
def test_columns_of_bustime_and_hfp_are_known(names: tuple[str, ...], time: str) -> None:
    preview = Preview(columns=names, rows=(("4101", time, "21.1", "72.8", "8"),) * 3)
    mapping = guess_mapping(preview, where="a.csv").mapping
    assert (mapping.vehicle, mapping.time, mapping.value) == (names[0], names[1], "spd")


def test_flat_names_of_a_feed_tell_its_unit() -> None:
    columns = ("vehicle_id", "position_latitude", "position_longitude", "position_speed")
    assert column_guesses.guess_unit("position_speed", columns) == ("m/s", "GTFS Realtime gives m/s")


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("speed_tenths_kmh", "0.1 km/h"),
        ("speed_kmh_tenths", "0.1 km/h"),
        ("Geschwindigkeit_Zehntel_km/h", "0.1 km/h"),
        ("speed_mph_x10", "0.1609344 km/h"),
    ],
)
def test_a_name_may_say_tenths_of_a_unit(name: str, unit: str) -> None:
    guess = guess_mapping(_preview(*list(CELLS)[:3], name, **{name: "305"}), where="a")
    assert (guess.mapping.value, guess.mapping.units[0].unit) == (name, unit)


@pytest.mark.parametrize("name", ["speed_tenths", "speed_x10", "speed_dkmh"])
def test_a_speed_in_an_unknown_unit_is_named_and_not_taken(name: str) -> None:
    guess = guess_mapping(_preview(*list(CELLS)[:3], name, **{name: "305"}), where="a")
    assert guess.mapping.value == ""
    assert f"{name} is named so, but its unit is not known" in guess.reasons["value"]


def test_the_german_word_for_speed_is_no_wind() -> None:
    guess = guess_mapping(_preview(*list(CELLS)[:3], "Geschwindigkeit", Geschwindigkeit="schnell"), where="a")
    assert "Geschwindigkeit is named so, but has cells like aaaaaaa" in guess.reasons["value"]


def test_cells_that_name_a_unit_are_speeds_whatever_their_column_is_called() -> None:
    guess = guess_mapping(_preview(*list(CELLS)[:3], "v", v="9.5 m/s"), where="a")
    assert (guess.mapping.value, guess.mapping.units[0].unit) == ("v", "m/s")


@pytest.mark.parametrize(
    "names",
    [
        ("provider_id", "device_id", "timestamp", "gps.lat", "gps.lng", "gps.speed"),
        ("RecordedAtTime", "J.VehicleRef.value", "J.Latitude", "J.Longitude", "J.Velocity"),
    ],
)
def test_specifications_tell_units_in_nested_names(names: tuple[str, ...]) -> None:
    assert guess_unit(names[-1], names)[0] == "m/s"


def test_a_comma_in_days_of_a_spreadsheet_is_the_mark_of_all_numbers() -> None:
    names = ("license_plate", "observationDateTime", "latitude", "longitude", "speed")
    commas = {"latitude": "21,19", "longitude": "72,83", "observationDateTime": "44928,12783565"}
    guess = guess_mapping(_preview(*names, **commas), where="a")
    assert (guess.mapping.time, guess.file_format.decimal) == ("observationDateTime", ",")
    with pytest.raises(InputError, match="decimal mark"):
        guess_mapping(_preview(*names, observationDateTime="44928,12783565"), where="a")


def test_numbers_beside_a_date_of_digits_are_named_with_what_they_may_be() -> None:
    names = ("license_plate", "service_date", "clock", "location.coordinates", "speed")
    preview = _preview(*names, service_date="20250513", clock="28800")
    assert "time" not in find_columns(preview)
    assert "beside digits in service_date its numbers may be seconds since midnight" in unread_time(preview)
    assert "time" in find_columns(_preview(*names, service_date="20250513", clock="080000"))
