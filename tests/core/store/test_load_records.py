"""From files to records: repeats, order, splitting, zones, progress."""

from __future__ import annotations

import dataclasses
import gc
import json
import os
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.contributions import contributions_of
from core.errors import InputError
from core.hats.record_dates import date_ranges_of
from core.progress import Cancelled
from core.read.file_format import FileFormat
from core.records.id_folds import id_folds
from core.store.load_records import Loaded, load_or_nothing, load_records
from core.store.record_cache import RecordCache
from core.store.store_build import build_store
from tests.records import (
    POINT_MAPPING,
    Ping,
    as_itms,
    as_rows,
    assert_same,
    assert_tells,
    csv_text,
    instant,
    make_records,
    mapping_in,
    rules,
    sample_pings,
    stop_at,
    write_csv,
    write_json,
    write_json_lines,
)
from tests.strategies import RESOLUTION, pings, window

PINGS = sample_pings()
START = instant("2022-01-01T10:00:00")


def _load(folder: Path, pings: list[Ping]) -> Loaded:
    return load_records([write_csv(folder / "a.csv", pings)], rules())


def _ping(**changes: object) -> Ping:
    return Ping(vehicle="bus", instant=START, latitude=21.1, longitude=72.8, value=30.0)._replace(**changes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), found=pings(max_size=40))
def test_order_of_rows_files_and_splitting_do_not_matter(
    folder: Path, data: st.DataObject, found: list[Ping]
) -> None:
    whole = _load(folder, found)
    parts: list[list[Ping]] = [[], [], []]
    for ping in data.draw(st.permutations(found)):
        parts[data.draw(st.integers(0, 2))].append(ping)
    files = [
        write_csv(folder / f"part {number}.csv", part, delimiter=delimiter)
        for number, (part, delimiter) in enumerate(zip(parts, ",;\t", strict=True))
        if part
    ]
    split = load_records(data.draw(st.permutations(files)), rules())
    assert_same(split.records, whole.records)
    assert split.report == whole.report
    assert_same(whole.records, make_records(found))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), found=pings(max_size=30))
def test_order_and_splitting_do_not_change_contributions(
    folder: Path, data: st.DataObject, found: list[Ping]
) -> None:
    inside = [*found, _ping(value=5.0)]
    cut = data.draw(st.integers(1, len(inside)))
    shuffled = data.draw(st.permutations(inside))
    files = [write_json(folder / "first.json", shuffled[:cut])]
    files += [write_json_lines(folder / "second.jsonl.gz", shuffled[cut:])] if shuffled[cut:] else []
    split = load_records(files[::-1], rules(POINT_MAPPING)).records
    over = window(days=2, hours=("08:00", "20:00"))
    assert_same(
        contributions_of(split, RESOLUTION, over), contributions_of(make_records(inside), RESOLUTION, over)
    )


def test_of_repeats_the_smallest_position_then_the_smallest_value_stays(tmp_path: Path) -> None:
    repeats = [
        _ping(latitude=21.2, value=1.0),
        _ping(longitude=72.9, value=2.0),
        _ping(value=40.0),
        _ping(value=30.0, vehicle=" BUS "),
        _ping(value=30.0),
        _ping(instant=START + 1, value=50.0),
    ]
    for order in (repeats, repeats[::-1]):
        loaded = _load(tmp_path, order)
        assert loaded.records.value.tolist() == [30_000, 50_000]
        assert loaded.records.latitude.tolist() == [211_000_000] * 2
        assert loaded.report.repeats == 4
        assert loaded.report.rows_used == 2


def test_repeats_are_removed_after_clamping_and_dropping(tmp_path: Path) -> None:
    loaded = _load(tmp_path, [_ping(value=250.0), _ping(value=90.0), _ping(value=80.0)])
    assert loaded.records.value.tolist() == [65_000]
    assert (loaded.report.dropped, loaded.report.clamped, loaded.report.repeats) == ({"value_limit": 1}, 2, 1)


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    spoilt = [*PINGS, PINGS[0], _ping(value=-1.0), _ping(latitude=95.0), _ping(vehicle=" ")]
    report = _load(tmp_path, spoilt).report
    assert report.rows_read == len(spoilt)
    assert report.rows_read == report.rows_used + report.repeats + sum(report.dropped.values())
    assert report.dropped == {"no_id": 1, "value_limit": 1, "position_limit": 1}


def test_a_vehicle_of_dropped_records_only_is_no_user(tmp_path: Path) -> None:
    loaded = _load(tmp_path, [*PINGS, _ping(vehicle="ghost", value=-1.0)])
    assert loaded.records.vehicles == tuple(sorted({ping.vehicle.casefold() for ping in PINGS}))
    assert loaded.report.users == 3


@pytest.mark.parametrize("year", ["0001", "1900", "9999"])
def test_one_impossible_time_does_not_decide_the_zone(year: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(csv_text(as_rows(PINGS)).replace("2022", year, 1))
    loaded = load_records([path], rules(zone=None))
    assert loaded.records.zone == "Asia/Kolkata"
    assert loaded.report.dropped == {"time_limit": 1}


def test_the_zone_is_suggested_by_all_files_together(tmp_path: Path) -> None:
    pings = [_ping(), _ping(instant=instant("2022-07-01T10:00:00"))]
    rows = as_rows(pings)
    rows[0]["observationDateTime"] = "2022-01-01T10:00:00-06:00"
    rows[1]["observationDateTime"] = "2022-07-01T10:00:00-05:00"
    files = [tmp_path / "winter.csv", tmp_path / "summer.csv"]
    for path, row in zip(files, rows, strict=True):
        path.write_text(csv_text([row]))
    for order in (files, files[::-1]):
        assert load_records(order, rules(zone=None)).records.zone == "America/Chicago"


def test_a_named_zone_rules_over_the_offsets(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", PINGS)
    utc = load_records([path], rules(zone="UTC"))
    assert utc.records.instants().tolist() == load_records([path], rules()).records.instants().tolist()
    assert utc.report.local_hours == (4,)


def test_progress_rises_to_one_and_may_stop_the_work(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{number}.csv", PINGS) for number in range(3)]
    seen: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        seen.append((done, text))

    load_records(files, rules(), note)
    shares = [done for done, _ in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert any(text.startswith("Reading 2.csv: ") for _, text in seen)
    assert any(text.startswith("Reading 2.csv: ") for _, text in seen)

    def stop(done: float, text: str = "") -> None:
        raise Cancelled(f"{text} at {done}")

    with pytest.raises(Cancelled):
        load_records(files, rules(), stop)


def test_the_reasons_are_told_where_nothing_is_left(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [_ping(value=-1.0), _ping(latitude=95.0)])
    with pytest.raises(InputError, match=r"of 2 rows \(position_limit 1, value_limit 1\)"):
        load_records([path], rules())


def test_swapped_coordinates_fall_outside_the_earth_or_the_box(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [_ping(latitude=139.7, longitude=35.7)])
    with pytest.raises(InputError, match="position_limit 1"):
        load_records([path], rules(mapping_in("km/h")))


def test_users_are_counted_by_folded_id(tmp_path: Path) -> None:
    found = [
        _ping(vehicle=name, instant=START + step) for step, name in enumerate(["007", "7", "BUS", "bus "])
    ]
    loaded = _load(tmp_path, found)
    assert loaded.records.vehicles == ("007", "7", "bus")
    assert Counter(loaded.records.vehicle.tolist()) == {0: 1, 1: 1, 2: 2}


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", PINGS)

    def write(_: float, text: str = "") -> None:
        if text.startswith("Sorting"):
            path.write_text(path.read_text() + "\n")

    with pytest.raises(InputError, match="changed while it was read") as caught:
        load_records([path], rules(), write)
    assert_tells(caught.value)


@pytest.mark.parametrize("large", [False, True])
def test_without_a_cache_no_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    path = write_csv(tmp_path / "a.csv", PINGS)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    if large:
        monkeypatch.setattr("core.store.load_records.build_store", partial(build_store, slab_rows=4))
    loaded = load_records([path], rules())
    if os.name == "nt":
        assert_same(loaded.records, make_records(PINGS))
        del loaded
        gc.collect()
    else:
        assert not list(place.glob("*/*"))
        assert_same(loaded.records, make_records(PINGS))
        assert loaded.records.value.flags.writeable != large
    for wanted in range(1, 6):
        with pytest.raises(Cancelled):
            load_records([path], rules(), stop_at(wanted))
    assert not list(place.glob("*/*"))


def test_limits_inside_the_protected_range_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    limited = rules(mapping_in("km/h", physical_max=23_000))
    with pytest.raises(InputError, match="protected range") as refused:
        load_records([write_csv(tmp_path / "a.csv", PINGS)], limited)
    assert refused.value.where == "data.mapping.physical_max_kmh"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), found=pings(max_size=20))
def test_neighbours_within_the_protected_range_have_equal_counts(
    folder: Path, data: st.DataObject, found: list[Ping]
) -> None:
    """Whatever the values of one vehicle in [0, U] are, and wherever the limit lies above."""
    upper = rules().upper_bound
    limit = data.draw(st.integers(upper, 2 * upper), label="physical limit")
    user = data.draw(st.sampled_from(sorted({ping.vehicle for ping in found})), label="vehicle")
    other = [
        ping._replace(value=data.draw(st.integers(0, upper)) / 1000) if ping.vehicle == user else ping
        for ping in found
    ]
    within = [
        [ping._replace(value=min(max(ping.value, 0.0), upper / 1000)) for ping in side]
        for side in (found, other)
    ]
    limited = rules(mapping_in("km/h", physical_max=limit))
    loads = [load_records([write_csv(folder / "n.csv", side)], limited) for side in within]
    facts = [
        (load.report.rows_used, load.report.dropped, load.report.repeats, load.records.vehicles)
        for load in loads
    ]
    assert facts[0] == facts[1]
    assert len(loads[0].records) == len(loads[1].records)


def test_an_id_in_other_writing_is_the_same_vehicle(tmp_path: Path) -> None:
    """Also where its repeats are looked for; how it was read stays known."""
    pings = sample_pings()
    name = pings[0].vehicle
    plain = load_records([write_csv(tmp_path / "a.csv", pings)], rules())
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in name)
    written = [ping._replace(vehicle=wide) if ping.vehicle == name else ping for ping in pings]
    other = load_records([write_csv(tmp_path / "b.csv", written)], rules())
    both = load_records([tmp_path / "a.csv", tmp_path / "b.csv"], rules())
    for found in (other.records, both.records):
        assert found.vehicles == plain.records.vehicles
        assert found.value.tolist() == plain.records.value.tolist()
        assert found.other_texts == {id_folds(name).id: (wide.casefold(),)}
    assert both.report.repeats == plain.report.repeats + plain.report.rows_read
    assert plain.records.other_texts == {}


def test_nothing_usable_is_loaded_as_nothing_where_that_may_not_be_told(tmp_path: Path) -> None:
    zoned = rules(zone="Asia/Kolkata")
    path = write_csv(tmp_path / "a.csv", [_ping(value=-1.0), _ping(value=-2.0)])
    loaded = load_or_nothing([path], zoned)
    assert (len(loaded.records), loaded.records.zone, date_ranges_of(loaded.records)) == (0, zoned.zone, ())
    report = loaded.report
    assert (report.rows_read, report.rows_used, report.dropped) == (2, 0, {"value_limit": 2})
    good = write_csv(tmp_path / "b.csv", PINGS)
    assert_same(load_or_nothing([good], zoned).records, load_records([good], zoned).records)


def test_what_one_relation_loaded_is_not_opened_for_the_other(tmp_path: Path) -> None:
    """Lists that records had chosen, as an inspection reads them, were released in relation `user`."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"stops": [{"name": "x"}], "buses": as_itms(PINGS)}))
    reading, cache = rules(POINT_MAPPING, zone="Asia/Kolkata"), RecordCache(tmp_path / "cache")
    assert len(load_records([path], reading, cache=cache).records)
    alone = load_or_nothing([path], reading)
    assert len(load_or_nothing([path], reading, cache=cache).records) == len(alone.records) == 0


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json", "wide.csv"])
def test_bytes_that_are_no_text_are_one_record_s_alone_where_none_may_be_told(
    tmp_path: Path, name: str
) -> None:
    """One vehicle's id in another encoding refused the file, and so told that it was there."""
    rows = as_rows([*PINGS, PINGS[0]._replace(vehicle="b#s")])
    text = {"jsonl": "\n".join(map(json.dumps, rows)), "json": json.dumps(rows), "csv": csv_text(rows)}
    content = text[name.rpartition(".")[2]].encode().replace(b"b#s", b"b\xfcs")
    encoded = FileFormat()
    if name == "wide.csv":
        content, encoded = csv_text(rows).encode().replace(b"b#s", b"b\x81s"), FileFormat(encoding="cp1252")
    (tmp_path / name).write_bytes(content)
    reading = dataclasses.replace(rules(zone="Asia/Kolkata"), format=encoded)
    with pytest.raises(InputError, match="is not"):
        load_records([tmp_path / name], reading)
    held = load_or_nothing([tmp_path / name], reading).records
    plain = load_records([write_csv(tmp_path / "plain.csv", PINGS)], rules(zone="Asia/Kolkata")).records
    others = [vehicle for vehicle in held.vehicles if not vehicle.startswith("b\ufffd")]
    assert others == list(plain.vehicles)
    assert len(held) == len(plain) + 1
