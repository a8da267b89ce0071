"""However the same records are written, and whatever the blocks: the same contributions come out."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.mapping import ColumnMapping, ReadingRules
from core.contributions import contributions_of
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.read.file_format import FileFormat
from core.read.readers import csv_files, json_files
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    MAPPING,
    POINT_MAPPING,
    UPPER_BOUND,
    ZONE,
    Ping,
    as_itms,
    as_rows,
    assert_same,
    instant,
    make_records,
    parquet_columns,
)
from tests.workbooks import xlsx

START = instant("2022-01-01T10:00:00")
NAMES = st.text("ABé7 ,;\"'\t|\n{}[]:", min_size=1, max_size=8).map(lambda text: f"v{text}v")
PINGS = st.lists(
    st.builds(
        Ping,
        vehicle=NAMES,
        instant=st.integers(0, 7200).map(lambda second: START + 1000 * second),
        latitude=st.integers(211000, 212000).map(lambda n: n / 10_000),
        longitude=st.integers(728000, 729000).map(lambda n: n / 10_000),
        value=st.one_of(st.integers(0, 80), st.integers(0, 800).map(lambda n: n / 10)),
    ),
    min_size=1,
    max_size=12,
)
BLOCKS = st.sampled_from([1 << 9, 1 << 11, 1 << 21])


def _check(
    pings: list[Ping], data: bytes, name: str, file_format: FileFormat, mapping: ColumnMapping, folder: Path
) -> None:
    path = folder / name
    if name.endswith(".gz"):
        data = gzip.compress(data)
    path.write_bytes(data)
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name.removesuffix(".zip"), data)
    rules = ReadingRules(mapping=mapping, zone=ZONE, upper_bound=UPPER_BOUND, format=file_format)
    loaded = load_records([path], rules)
    assert loaded.report.dropped == {}
    expected = make_records(pings)
    assert_same(loaded.records, expected)
    window = build_window(date_ranges_of(expected), ("00:00", "24:00"), 60)
    assert_same(contributions_of(loaded.records, 7, window), contributions_of(expected, 7, window))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@given(
    pings=PINGS,
    delimiter=st.sampled_from(",;\t|:^"),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be"]),
    compression=st.sampled_from(["", ".gz", ".zip"]),
    last=st.booleans(),
    block=BLOCKS,
)
def test_csv(
    folder: Path,
    pings: list[Ping],
    delimiter: str,
    quoting: Any,
    end: str,
    encoding: str,
    compression: str,
    last: bool,
    block: int,
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow(COLUMNS)
    writer.writerows(list(row.values()) for row in as_rows(pings))
    whole = text.getvalue() if last else text.getvalue().removesuffix(end)
    named = encoding if encoding in ("cp1252", "utf-16-be") else ""
    file_format = FileFormat(encoding=named, delimiter=delimiter)
    with mock.patch.object(csv_files, "_BLOCK", max(block, 1 << 11)):
        _check(pings, whole.encode(encoding), "a.csv" + compression, file_format, MAPPING, folder)


@given(
    pings=PINGS,
    shape=st.sampled_from(["array", "lines", "objects", "wrapped", "deep", "features", "flat"]),
    layout=st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}]),
    extra=st.sampled_from([None, "},{", [{"a": 1}, {"a": [2]}], {"x": "]}"}]),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    compression=st.sampled_from(["", ".gz", ".zip"]),
    block=BLOCKS,
)
def test_json(
    folder: Path,
    pings: list[Ping],
    shape: str,
    layout: dict[str, Any],
    extra: Any,
    end: str,
    encoding: str,
    compression: str,
    block: int,
) -> None:
    mapping, name = POINT_MAPPING, "a.json"
    if len(pings) == 1 and shape in ("lines", "objects"):
        extra = None  # a single object with objects inside is taken for what holds the records
    items: list[dict[str, Any]] = [{**item, "extra": extra} for item in as_itms(pings)]
    if shape == "flat":
        items, mapping = as_rows(pings), MAPPING
    if shape == "features":
        items = [{"type": "Feature", "geometry": item.pop("location"), "properties": item} for item in items]
        mapping = ColumnMapping(
            vehicle="properties.license_plate",
            time="properties.observationDateTime",
            position="geometry.coordinates",
            value="properties.speed",
        )
    if shape == "lines":
        plain = {key: value for key, value in layout.items() if key != "indent"}
        text, name = end.join(json.dumps(item, **plain) for item in items), "a.jsonl"
    elif shape == "objects":
        text = end.join(json.dumps(item, indent=2) for item in items)
    else:
        whole: Any = {
            "wrapped": {"count": [1], "rows": items, "links": [{"a": 1}, {"a": 2}], "next": None},
            "deep": {"data": {"note": "[{", "rows": items}},
            "features": {"type": "FeatureCollection", "features": items},
        }.get(shape, items)
        text = json.dumps(whole, **layout).replace("\n", end)
    with mock.patch.object(json_files, "_BLOCK", block):
        _check(pings, text.encode(encoding), name + compression, FileFormat(), mapping, folder)


@given(pings=PINGS, compression=st.sampled_from(["", ".gz", ".zip"]))
def test_parquet_and_workbooks(folder: Path, pings: list[Ping], compression: str) -> None:
    buffer = io.BytesIO()
    pq.write_table(pa.table(parquet_columns(pings)), buffer)
    _check(pings, buffer.getvalue(), "a.parquet" + compression, FileFormat(), MAPPING, folder)
    plain = [ping._replace(vehicle=ping.vehicle.replace("\n", " ")) for ping in pings]
    sheet = xlsx({"data": [[*COLUMNS], *(list(row.values()) for row in as_rows(plain))]})
    _check(plain, sheet, "a.xlsx" + compression, FileFormat(), MAPPING, folder)
