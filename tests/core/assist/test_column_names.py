"""Names by which columns are known: written as names are compared, and each for one part only."""

from __future__ import annotations

import pytest

from core.assist import column_names
from core.assist.column_guesses import find_columns, guess_mapping, guess_unit, other_value, subject_of_id
from core.read.preview_rows import Preview

LISTS = {
    "vehicle": (*column_names.VEHICLE_NAMES, *column_names.UNSURE_VEHICLE_NAMES),
    "time": column_names.TIME_NAMES,
    "position": column_names.POSITION_NAMES,
    "latitude": column_names.LATITUDE_NAMES,
    "longitude": column_names.LONGITUDE_NAMES,
    "value": column_names.VALUE_NAMES,
}
CELLS = {
    "vehicle": "GJ-05-AB-1234",
    "time": "2024-03-01T09:00:00+05:30",
    "position": "[72.83, 21.17]",
    "latitude": "21.17",
    "longitude": "72.83",
    "value": "31.5",
}


def _as_compared(name: str) -> bool:
    return bool(name) and column_names.plain_name(name) == name


def test_no_name_stands_for_two_parts() -> None:
    names = [name for listed in LISTS.values() for name in listed]
    assert len(names) == len(set(names))
    assert [name for name in names if not _as_compared(name)] == []


def test_every_name_of_a_date_and_of_a_time_of_day_is_found_beside_the_other() -> None:
    for names in (column_names.DATE_NAMES, column_names.CLOCK_NAMES):
        assert len(names) == len(set(names))
        assert [name for name in names if not _as_compared(name)] == []
    pairs = [(name, "heure") for name in column_names.DATE_NAMES]
    for date, clock in [*pairs, *(("jour", name) for name in column_names.CLOCK_NAMES)]:
        # more of each kind: only the names tell which are meant
        preview = Preview(
            columns=("begun", date, clock, "due"), rows=(("2023-01-01", "2024-03-01", "09:00", "10:00"),)
        )
        found = find_columns(preview)
        assert (found["date"].column, found["time"].column) == (date, clock)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("num_véhicule", "vehicle"),
        ("Fahrzeugkennzeichen", "vehicle"),
        ("vahan number", "vehicle"),
        ("gaadi_no", "vehicle"),
        ("ts", "time"),
        ("akshans", "latitude"),
        ("rapidez_kmh", "value"),
        ("GPS-Geschwindigkeit", "value"),
        ("vl_velocidade", "value"),
        ("समय", "time"),
        ("तारीख़", "time"),
        ("समय (time)", "time"),
        ("वाहन", "vehicle"),
        ("वाहन संख्या", "vehicle"),
        ("गाड़ी नंबर", "vehicle"),
        ("अक्षांश", "latitude"),
        ("देशांतर", "longitude"),
        ("गति", "value"),
        ("रफ़्तार", "value"),
        ("गति (किमी/घंटा)", "value"),
        ("વાહન નંબર", "vehicle"),
        ("ઝડપ (કિમી/કલાક)", "value"),
        ("Araç No", "vehicle"),
        ("Hız", "value"),
        ("Гос. номер", "vehicle"),
        ("Скорость, км/ч", "value"),
        ("车牌号", "vehicle"),
        ("緯度", "latitude"),
        ("خط الطول", "longitude"),
        ("Longitude (deg)", "longitude"),
        ("fixTime", "time"),
        ("GPS Time (UTC)", "time"),
        ("speedMilesPerHour", "value"),
    ],
)
def test_names_as_strangers_wrote_them(name: str, part: str) -> None:
    preview = Preview(columns=("other", name), rows=(("-", CELLS[part]),) * 5)
    assert find_columns(preview)[part].reason == f"named {name}"


@pytest.mark.parametrize("part", LISTS)
def test_every_name_is_found(part: str) -> None:
    """Beside columns for the rest, so that nothing is looked for by what cells hold."""
    without = {part, "position", *(("latitude", "longitude") if part == "position" else ())}
    beside = {other: names[0] for other, names in LISTS.items() if other not in without}
    cells = tuple(map(CELLS.__getitem__, [*beside, part]))
    for name in LISTS[part]:
        found = find_columns(Preview(columns=(*beside.values(), name), rows=(cells,)))[part]
        assert found is not None, name
        assert found.column == name


def test_coordinates_behind_one_prefix_are_found() -> None:
    columns = ("vl_latitude", "vl_longitude", "vl_velocidade")
    found = find_columns(Preview(columns=columns, rows=(("21.17", "72.83", "31.5"),) * 5))
    assert {part: item.column for part, item in found.items()} == {
        "latitude": "vl_latitude",
        "longitude": "vl_longitude",
        "value": "vl_velocidade",
    }


@pytest.mark.parametrize(
    "columns",
    [
        ("vl_latitude", "gps_longitude"),  # of two places, for all that is known
        ("stop_lat", "stop_lon"),  # not where a vehicle was
        ("pos_y", "pos_x"),  # may be metres
    ],
)
def test_coordinates_that_are_not_sure_are_left_to_the_analyst(columns: tuple[str, str]) -> None:
    preview = Preview(columns=columns, rows=(("21.17", "72.83"),) * 5)
    assert not find_columns(preview).keys() & {"latitude", "longitude"}


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("गति (किमी/घंटा)", "km/h"),
        ("速度(km/h)", "km/h"),
        ("Скорость, км/ч", "km/h"),
        ("Speed (Km/Hr)", "km/h"),
        ("speedMilesPerHour", "mph"),
        ("speed_meters_per_second", "m/s"),
        ("Item.speed_kmh.N", "km/h"),  # as DynamoDB exports it
    ],
)
def test_a_unit_is_told_in_other_words_and_behind_other_letters(name: str, unit: str) -> None:
    assert guess_unit(name) == (unit, f"its name ends in a unit: {unit}")


def test_of_times_by_several_clocks_the_local_ones_count() -> None:
    """They are what a zone is named for; of one without a choice it was said that no column looks so."""
    columns = ("Date/Time (UTC)", "Date/Time (Local)")
    found = find_columns(Preview(columns=columns, rows=(("2024-03-01 09:00", "2024-03-01 03:00"),) * 5))
    assert found["time"].column == "Date/Time (Local)"


@pytest.mark.parametrize("name", ["time_utc", "UTC", "GPS Time (UTC)", "utc_time", "dateTimeUtc", "GMT"])
def test_a_name_says_that_times_are_in_utc(name: str) -> None:
    assert column_names.names_utc(name)


@pytest.mark.parametrize("name", ["time", "dutch_time", "Dutch", "local"])
def test_another_name_says_nothing_of_utc(name: str) -> None:
    assert not column_names.names_utc(name)


def test_a_file_with_headers_in_devanagari_is_mapped() -> None:
    columns = ("वाहन", "दिनांक", "समय", "अक्षांश", "देशांतर", "गति (किमी/घंटा)")
    rows = (("GJ-05-AB-1234", "2024-03-01", "09:00:10", "21.17", "72.83", "31.5"),) * 5
    mapping = guess_mapping(Preview(columns=columns, rows=rows), where="city.csv").mapping
    assert (mapping.vehicle, mapping.date, mapping.time) == ("वाहन", "दिनांक", "समय")
    assert (mapping.latitude, mapping.longitude, mapping.value) == columns[3:]
    assert [part.unit for part in mapping.units] == ["km/h"]


@pytest.mark.parametrize(
    ("subject", "value", "plain"),
    [
        ("Messstelle", "PM10 [\u00b5g/m\u00b3]", "pm10"),
        ("Estaci\u00f3n", "PM2.5 (\u03bcg/m3)", "pm25"),
        ("esta\u00e7\u00e3o", "NO2 [\u00b5g/m\u00b3]", "no2"),
    ],
)
def test_stations_of_other_languages_are_found_beside_what_they_measure(
    subject: str, value: str, plain: str
) -> None:
    names = [
        name for (key, _, _), names in column_names.OTHER_VALUES.items() if key == plain for name in names
    ]
    assert column_names.plain_name(value) in names
    preview = Preview(
        columns=(subject, "timestamp", "lat", "lon", value),
        rows=(("A 1", "2026-03-02T10:00:00+01:00", "48.2", "16.3", "31.5"),) * 5,
    )
    found = other_value(preview)
    assert found is not None
    assert (found.column, found.name) == (value, plain)
    assert subject_of_id(subject, beside_other_value=True) == "station"
