"""Labels come with their records, whatever these are read from, and who has none is dropped and counted."""

from __future__ import annotations

import dataclasses
import pickle
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from core.clean.clean_rows import clean_rows
from core.clean.ingest_report import unused_share
from core.clean.mapping import DerivedSpeed, ReadingRules
from core.engines.pieces import pieces_of, read_rows, unsorted_of
from core.geodata.zone_layer import read_zones
from core.geodata.zones_source import ZonesSource
from core.records.labels import LABEL_OF_ZONE, code_type
from core.records.records import Records
from core.store.load_records import load_records
from core.store.record_cache import RecordCache
from core.store.sort_days import sort_block
from core.store.store_build import build_store
from tests.geojson import box, feature, polygon, write_geojson
from tests.records import rules

HINDI = "क्‍ष मार्ग"  # with a joiner, which shapes the letters beside it
TEXTS = (
    "7",
    " 12 A ",
    "<b>&amp;\"'</b>",
    HINDI,
    "",
    "NULL",
    "a\tb",
    "x" * 80,
    "y" * 81,
    "\u202e17",
    "1\x1f2",
)
KEPT = sorted(("7", "12 A", "<b>&amp;\"'</b>", HINDI, "x" * 80))


def labelled_rules(*names: str, **changes: object) -> ReadingRules:
    usual = rules()
    columns = (("direction", "dir"), ("route", "route_id"))
    mapping = dataclasses.replace(usual.mapping, public_columns=columns, **changes)
    return dataclasses.replace(usual, mapping=mapping, labels=names)


LABELLED = labelled_rules("direction", "route")


def _rows() -> list[dict[str, object]]:
    """Records of two days; of some there are repeats that differ in nothing but their labels."""
    draw = random.Random(5)
    rows = []
    for number in range(400):
        row = {
            "license_plate": f"bus {draw.randrange(5)}",
            "observationDateTime": f"2022-01-0{draw.randrange(1, 3)}T{draw.randrange(8, 20):02}:00:00+05:30",
            "latitude": 21.1 + draw.randrange(2) / 100,
            "longitude": 72.8,
            "speed": float(draw.randrange(2)),
            "dir": draw.choice(("UP", "DN")),
            "route_id": TEXTS[number % len(TEXTS)],
        }
        rows.append(row)
    return rows


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    pa.parquet.write_table(pa.Table.from_pylist(rows), path)
    return path


def _plain(records: Records) -> list[tuple[object, ...]]:
    columns = [[column.texts[code] for code in column.code.tolist()] for column in records.labels.values()]
    numbers = (records.vehicle, records.second, records.latitude, records.value)
    return list(zip(*(column.tolist() for column in numbers), *columns, strict=True))


def test_the_records_and_their_labels_do_not_depend_on_the_order_of_rows_and_files(tmp_path: Path) -> None:
    rows = _rows()
    whole = load_records([_write(tmp_path / "a.parquet", rows)], LABELLED)
    assert list(whole.records.labels) == ["direction", "route"]
    assert set(whole.records.labels["route"].texts) <= set(KEPT)
    dropped = sum(row["route_id"].strip() not in KEPT for row in rows)
    assert whole.report.dropped == {"no_route": dropped}
    assert whole.report.repeats > 50
    first: dict[tuple[object, ...], tuple[object, ...]] = {}
    for row in rows:  # of the records of one vehicle and instant the smallest stays, its labels come last
        if (route := row["route_id"].strip()) in KEPT:
            key = row["license_plate"], row["observationDateTime"]
            rest = row["latitude"], row["speed"], row["dir"], route
            first[key] = min(first.get(key, rest), rest)
    assert sorted(found[-2:] for found in _plain(whole.records)) == sorted(
        rest[-2:] for rest in first.values()
    )
    random.Random(6).shuffle(rows)
    files = [_write(tmp_path / "b.parquet", rows[:150]), _write(tmp_path / "c.parquet", rows[150:])]
    assert _plain(load_records(files, LABELLED).records) == _plain(whole.records)
    cache = RecordCache(tmp_path / "cache")
    for _ in range(2):  # made, then opened
        cached = load_records(files, LABELLED, cache=cache)
        assert _plain(cached.records) == _plain(whole.records)
        assert cached.records.labels["route"].code.dtype == np.int16
    without = load_records(files, labelled_rules(), cache=cache)  # another entry of the cache
    assert (without.records.labels, without.report.dropped) == ({}, {})


def test_what_does_not_fit_into_memory_comes_back_with_its_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path / "a.parquet", _rows())
    whole = load_records([path], LABELLED)
    monkeypatch.setattr("core.store.sort_days.LARGEST_PART", 40)
    monkeypatch.setattr(
        "core.store.load_records.build_store",
        lambda *given, **named: build_store(*given, **named, slab_rows=37, piece_rows=23, block_rows=50),
    )
    assert _plain(load_records([path], LABELLED).records) == _plain(whole.records)


def test_pieces_of_an_engine_carry_the_labels_of_their_records() -> None:
    rows = pa.Table.from_pylist(_rows())
    pieces = []
    for cut in (slice(0, 7), slice(7, 300), slice(300, 400)):
        cleaned = clean_rows(rows.take(list(range(400))[cut]), LABELLED, "Asia/Kolkata", 1_700_000_000_000)
        pieces += read_rows(pieces_of(cleaned, folded=False))[0]
    names, (directions, routes), unsorted = unsorted_of(pieces[::-1])
    block = sort_block(unsorted, np.arange(len(names), dtype=np.int32))
    cleaned = clean_rows(rows, LABELLED, "Asia/Kolkata", 1_700_000_000_000)
    assert (directions, set(routes)) == (["DN", "UP"], set(cleaned.batch.labels["route"].texts) & set(KEPT))
    taken = {
        (names[v], directions[d], routes[r]) for v, d, r in zip(block.vehicle, *block.labels, strict=True)
    }
    batch = cleaned.batch
    every = zip(batch.vehicle, *(column.code for column in batch.labels.values()), strict=True)
    texts = [column.texts for column in batch.labels.values()]
    assert taken <= {(batch.names[v], texts[0][d], texts[1][r]) for v, d, r in every}
    assert sum(piece.size for piece in pieces) == batch.vehicle.size


def test_speeds_that_are_derived_keep_the_label_of_their_record(tmp_path: Path) -> None:
    rows = [
        _rows()[0]
        | {
            "license_plate": "a",
            "observationDateTime": f"2022-01-01T10:0{minute}:00+05:30",
            "latitude": 21.1 + minute / 1000,
            "route_id": str(minute),
        }
        for minute in range(4)
    ]
    how = labelled_rules("route", value="", derived=DerivedSpeed())
    found = load_records([_write(tmp_path / "a.parquet", rows)], how).records
    assert [found.labels["route"].texts[code] for code in found.labels["route"].code] == ["1", "2", "3"]


def test_a_record_has_the_label_of_the_zone_that_it_lies_in(tmp_path: Path) -> None:
    """By its position as it is stored; outside of all it is dropped and counted, whatever else there is."""
    south, north = polygon(box(72.7, 21.0, 72.9, 21.1)), polygon(box(72.7, 21.1, 72.9, 21.105))
    for name, shapes in (("a", (north, south)), ("b", (south, north))):
        zones = [feature(shape, {"ward": ward}) for shape, ward in zip(shapes, ("2", "1"), strict=True)]
        write_geojson(tmp_path / f"{name}.geojson", {"type": "FeatureCollection", "features": zones})
    rows = [row | {"latitude": row["latitude"] + 2e-8} for row in _rows()]  # beside the edge, stored on it
    path = _write(tmp_path / "a.parquet", rows)
    cache = RecordCache(tmp_path / "cache")
    for name, ward in (("a", "1"), ("b", "1"), ("a", "1")):
        source = ZonesSource(file=f"{name}.geojson", id="ward", licence="CC0-1.0")
        how = dataclasses.replace(labelled_rules(LABEL_OF_ZONE), zones=read_zones(source, tmp_path))
        found = load_records([path], how, cache=cache)
        assert found.report.dropped == {
            "position_outside_zones": sum(row["latitude"] > 21.106 for row in rows)
        }
        assert unused_share(found.report, how) == 0, "who draws zones leaves out the rest on purpose"
        assert {label for *_, label in _plain(found.records)} == {ward}
    assert len(list((tmp_path / "cache").glob("*/meta.json"))) == 2
    cleaned = clean_rows(pa.Table.from_pylist(rows), pickle.loads(pickle.dumps(how)), "Asia/Kolkata", 2**45)
    assert set(cleaned.batch.labels[LABEL_OF_ZONE].texts) == {"1", "2"}


def test_codes_are_as_narrow_as_they_can_be() -> None:
    assert (code_type(1 << 15), code_type((1 << 15) + 1)) == (np.int16, np.int32)
