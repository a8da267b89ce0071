"""Synthetic records: exact, reproducible, shaped like a city's buses; and the bundled sample."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from core.errors import InputError
from core.progress import Cancelled
from core.synthesize.itms_tables import SHORT_COLUMNS
from core.synthesize.synthetic_records import synthesize
from core.system.paths import resources

ITMS = [
    "trip_direction",
    "last_stop_id",
    "speed",
    "trip_delay",
    "last_stop_arrival_time",
    "actual_trip_start_time",
    "observationDateTime",
    "trip_id",
    "id",
    "vehicle_label",
    "license_plate",
    "location.coordinates",
]
SAMPLE = resources() / "sample" / "surat-synthetic.parquet"
SAMPLE_RECORDS = 220_000


def _read(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    if path.suffix in (".json", ".jsonl"):
        text = path.read_text(encoding="utf-8")
        rows = (
            json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
        )
        return pd.DataFrame(
            [{"location.coordinates": json.dumps(row.pop("location")["coordinates"]), **row} for row in rows]
        )
    return pd.read_csv(path)


def _places(frame: pd.DataFrame) -> np.ndarray:
    return np.array([json.loads(text) for text in frame["location.coordinates"]])


def _times(frame: pd.DataFrame) -> pd.Series:
    return pd.to_datetime(frame["observationDateTime"], format="%Y-%m-%dT%H:%M:%S%z")


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """A full-column file that is large enough for its shares to be steady."""
    path = tmp_path_factory.mktemp("synthetic") / "city.csv"
    synthesize(path, records=60_000, seed=5)
    return _read(path)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".json", ".jsonl"])
def test_every_format_holds_exactly_the_same_records(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"city{suffix}"
    synthesize(path, records=1234, seed=1, columns="full")
    reference = tmp_path / "reference.parquet"
    synthesize(reference, records=1234, seed=1, columns="full")
    frame, expected = _read(path), _read(reference)
    assert len(frame) == 1234
    assert sorted(frame.columns) == sorted(ITMS)
    for name in ITMS:
        kind = str if expected[name].dtype.kind not in "fi" else float
        assert list(frame[name].astype(kind)) == list(expected[name].astype(kind)), name


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".json", ".jsonl"])
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path, suffix: str) -> None:
    digests = []
    for number, seed in enumerate((3, 3, 4)):
        path = tmp_path / f"{number}{suffix}"
        synthesize(path, records=500, seed=seed)
        digests.append(hashlib.sha256(path.read_bytes()).hexdigest())
    assert digests[0] == digests[1] != digests[2]


def test_json_nests_the_position_as_a_point(tmp_path: Path) -> None:
    path = tmp_path / "city.json"
    synthesize(path, records=3)
    first = json.loads(path.read_text())[0]
    assert first["location"]["type"] == "Point"
    longitude, latitude = first["location"]["coordinates"]
    assert 72 < longitude < 74
    assert 20 < latitude < 22


@pytest.mark.parametrize(
    ("suffix", "chosen", "expected"),
    [
        (".csv", None, ITMS),
        (".parquet", None, list(SHORT_COLUMNS)),
        (".csv", "short", list(SHORT_COLUMNS)),
        (".parquet", "full", ITMS),
    ],
)
def test_columns_follow_the_choice_else_the_format(tmp_path: Path, suffix, chosen, expected) -> None:
    path = tmp_path / f"city{suffix}"
    synthesize(path, records=50, columns=chosen)
    assert list(_read(path).columns) == expected


def test_records_look_like_a_citys_buses(month: pd.DataFrame) -> None:
    hour = _times(month).dt.hour
    moving = month[month.speed > 0]
    by_hour = moving.speed.groupby(hour).mean()
    assert (month.speed == 0).mean() == pytest.approx(0.45, abs=0.03)
    assert ((hour >= 9) & (hour < 21)).mean() == pytest.approx(0.90, abs=0.03)
    assert month.speed.between(0, 65).all()
    assert (month.speed.round(1) == month.speed).all()
    assert max(by_hour[9], by_hour[18]) < 0.9 * by_hour[13]
    assert month.license_plate.str.fullmatch(r"GJ05BX\d{4}").all()
    assert month.observationDateTime.str.endswith("+05:30").all()
    assert _times(month).is_monotonic_increasing


def test_no_vehicle_sends_two_records_in_one_instant(month: pd.DataFrame) -> None:
    assert not month.duplicated(["license_plate", "observationDateTime"]).any()


def test_the_city_has_the_place_and_size_of_surat(month: pd.DataFrame) -> None:
    places = _places(month)
    width, height = np.ptp(places, axis=0) * [110.6 * np.cos(np.radians(21.18)), 110.6]
    assert width == pytest.approx(26, abs=3)
    assert height == pytest.approx(28, abs=3)
    assert (places.min(axis=0) + places.max(axis=0)) / 2 == pytest.approx([72.83, 21.18], abs=0.03)


def test_a_standing_bus_stays_and_a_moving_one_moves_as_fast_as_it_says(month: pd.DataFrame) -> None:
    bus = month[month.trip_id == month.trip_id.value_counts().index[0]].reset_index()
    places = _places(bus) * [110.6 * np.cos(np.radians(21.18)), 110.6]
    step = np.hypot(*np.diff(places, axis=0).T)
    standing = (bus.speed == 0).to_numpy()[1:]
    assert standing.any()
    assert (step[standing] == 0).all()
    seconds = _times(bus).diff().dt.total_seconds().to_numpy()[1:]
    says = bus.speed.to_numpy()[1:] * seconds / 3600
    assert step[~standing].sum() == pytest.approx(says[~standing].sum(), rel=0.2)


def test_vehicles_and_days_are_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "city.parquet"
    synthesize(path, records=4000, vehicles=12, days=3)
    frame = _read(path)
    assert frame.license_plate.nunique() == 12
    assert sorted({time[:10] for time in frame.observationDateTime}) == [
        "2022-01-03",
        "2022-01-04",
        "2022-01-05",
    ]


def test_a_fleet_can_be_filled_to_its_last_record(tmp_path: Path) -> None:
    full = 41_958
    with pytest.raises(InputError, match="cannot send"):
        synthesize(tmp_path / "over.parquet", records=full + 1, vehicles=1, days=1)
    synthesize(tmp_path / "full.parquet", records=full, vehicles=1, days=1)
    counts = _read(tmp_path / "full.parquet").license_plate.value_counts()
    assert list(counts) == [full]


@pytest.mark.parametrize("name", ["city.xlsx", "city", "city.parquet.zip"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="format"):
        synthesize(tmp_path / name, records=10)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "bad",
    [{"records": 0}, {"records": 10, "vehicles": 0}, {"records": 10, "days": 0}, {"records": 9, "seed": -1}],
)
def test_impossible_numbers_are_refused(tmp_path: Path, bad: dict[str, int]) -> None:
    with pytest.raises(InputError, match="out of range"):
        synthesize(tmp_path / "city.csv", **bad)


def test_an_existing_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "city.csv"
    path.write_text("mine")
    with pytest.raises(InputError, match="exists"):
        synthesize(path, records=10)
    assert path.read_text() == "mine"


def test_a_folder_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        synthesize(tmp_path / "none" / "city.csv", records=10)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".json", ".jsonl"])
def test_cancelling_leaves_nothing_behind(tmp_path: Path, suffix: str) -> None:
    def stop(done: float, _text: str = "") -> None:
        if done > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        synthesize(tmp_path / f"city{suffix}", records=700, progress=stop)
    assert not list(tmp_path.iterdir())


def test_progress_rises_to_one(tmp_path: Path) -> None:
    seen: list[float] = []
    synthesize(tmp_path / "city.csv", records=100, progress=lambda done, _text="": seen.append(done))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_the_bundled_sample_is_small_and_worth_showing() -> None:
    table = pq.read_table(SAMPLE)
    assert SAMPLE.stat().st_size <= 3_000_000
    assert table.num_rows >= 200_000
    assert tuple(table.column_names) == SHORT_COLUMNS
    counts = table["license_plate"].value_counts().field("counts").to_numpy(zero_copy_only=False)
    assert len(counts) >= 150
    assert counts.max() / np.median(counts) > 5
    days = {str(time)[:10] for time in table["observationDateTime"].to_numpy()}
    assert len(days) == 7


@pytest.mark.audit
def test_the_bundled_sample_comes_from_one_call(tmp_path: Path) -> None:
    again = tmp_path / SAMPLE.name
    synthesize(again, records=SAMPLE_RECORDS)
    assert pq.read_table(again).equals(pq.read_table(SAMPLE))


def test_the_sample_says_what_it_is() -> None:
    text = (SAMPLE.parent / "README.md").read_text(encoding="utf-8")
    assert "synthetic" in text
    assert f"hexveil synthesize --records {SAMPLE_RECORDS} --out" in text
