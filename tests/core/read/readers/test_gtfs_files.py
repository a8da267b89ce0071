"""GTFS-realtime VehiclePositions."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from google.transit import gtfs_realtime_pb2

from core.errors import InputError
from core.read.readers.gtfs_files import FIELDS, READER
from core.store.load_records import load_records
from tests.feeds import feed
from tests.records import (
    SECRET,
    assert_same,
    assert_tells,
    make_records,
    mapping_in,
    rules,
    sample_pings,
    write_bytes,
)

PINGS = [
    ping._replace(instant=ping.instant // 1000 * 1000, value=3.6 * step)
    for step, ping in enumerate(sample_pings())
]
MAPPING = mapping_in(
    "m/s",
    vehicle="vehicle.license_plate",
    time="timestamp",
    latitude="position.latitude",
    longitude="position.longitude",
    value="position.speed",
)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_polls_are_one_data_set(suffix: str, tmp_path: Path) -> None:
    files = [write_bytes(tmp_path / f"{number}.pb{suffix}", feed(PINGS[number::3])) for number in range(3)]
    assert_same(load_records(files, rules(MAPPING)).records, make_records(PINGS))


def test_a_position_without_a_time_takes_that_of_the_feed(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "a.pb", feed(PINGS[:2], 1_700_000_000, own_time=False))
    (batch,) = READER.batches(path, ["timestamp"])
    assert batch.table.column("timestamp").to_pylist() == [1_700_000_000] * 2


def test_coordinates_are_the_shortest_decimals_of_what_was_sent(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sent = np.round(rng.uniform(-90, 90, 500), 4)
    pings = [PINGS[0]._replace(latitude=float(value)) for value in [30.2672, *sent]]
    (batch,) = READER.batches(write_bytes(tmp_path / "a.pb", feed(pings)), ["position.latitude"])
    assert batch.table.column(0).to_pylist() == [30.2672, *sent.tolist()]


def test_absent_fields_are_null_and_the_preview_shows_all(tmp_path: Path) -> None:
    message = gtfs_realtime_pb2.FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    vehicle = message.entity.add(id="1").vehicle
    vehicle.vehicle.id = "B7"
    vehicle.trip.route_id = "4"
    path = write_bytes(tmp_path / "a.pb", message.SerializeToString())
    preview = READER.preview(path)
    assert preview.columns == FIELDS
    assert preview.rows == (("B7", *[""] * 8, "4", "1"),)
    (batch,) = READER.batches(path, FIELDS)
    assert [column.null_count for column in batch.table.columns] == [0, *[1] * 8, 0, 0]


def test_a_name_that_is_no_text_stops_nobody_elses_position(tmp_path: Path) -> None:
    path = tmp_path / "a.pb"
    path.write_bytes(
        feed(PINGS).replace(PINGS[0].vehicle.encode(), b"\xbe\xab" + PINGS[0].vehicle.encode()[2:])
    )
    [batch] = READER.batches(path, ("vehicle.license_plate",))
    plates = batch.table.column("vehicle.license_plate").to_pylist()
    assert len(plates) == len(PINGS)
    assert plates[0] == f"\ufffd\ufffd{PINGS[0].vehicle[2:]}"


def test_a_feed_without_vehicles_has_no_preview(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no vehicle") as caught:
        READER.preview(write_bytes(tmp_path / "a.pb", feed([])))
    assert_tells(caught.value)


@pytest.mark.parametrize(
    "data",
    [b"", SECRET.encode(), feed(PINGS)[:-40], gzip.compress(b"\x0a\x00")],
    ids=["empty", "text", "cut", "bare"],
)
def test_what_is_no_whole_feed_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.pb").write_bytes(data)
    with pytest.raises(InputError, match="not a complete GTFS-realtime feed") as caught:
        list(READER.batches(tmp_path / "a.pb", ["timestamp"]))
    assert_tells(caught.value)


def test_a_field_that_is_none_of_a_vehicle_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing") as caught:
        list(READER.batches(write_bytes(tmp_path / "a.pb", feed(PINGS)), ["speed"]))
    assert "position.speed" in caught.value.mend


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_feed_is_not_read_beyond_its_limit(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.read.readers.gtfs_files._MOST_BYTES", 1 << 20)
    path = write_bytes(tmp_path / "a.pb", pack(bytes((1 << 20) + 1)))
    with pytest.raises(InputError, match="more than 1 MiB") as caught:
        READER.preview(path)
    assert_tells(caught.value)


def test_a_time_of_0_is_none_and_an_entity_may_name_the_vehicle(tmp_path: Path) -> None:
    message = gtfs_realtime_pb2.FeedMessage()
    message.header.gtfs_realtime_version, message.header.timestamp = "2.0", 1741071600
    message.entity.add(id="4101").vehicle.timestamp = 0
    path = write_bytes(tmp_path / "a.pb", message.SerializeToString())
    (batch,) = READER.batches(path, ("entity.id", "timestamp"))
    assert batch.table.to_pylist() == [{"entity.id": "4101", "timestamp": 1741071600}]


@pytest.mark.parametrize("own_time", [True, False])
def test_polls_that_were_joined_have_their_own_times(own_time: bool, tmp_path: Path) -> None:
    """As one message, which its bytes are too, all would have the last one's."""
    pings = [
        ping._replace(instant=1_641_184_000_000 + 20_000 * n) for n, ping in enumerate(sample_pings()[:6])
    ]
    polls = [feed([ping], ping.instant // 1000, own_time=own_time) for ping in pings]
    (tmp_path / "a.pb").write_bytes(b"".join(polls))
    (batch,) = READER.batches(tmp_path / "a.pb", ["timestamp"])
    assert batch.table.column(0).to_pylist() == [ping.instant // 1000 for ping in pings]


def test_what_only_looks_like_a_second_header_is_no_poll(tmp_path: Path) -> None:
    bus = sample_pings()[0]._replace(vehicle="\n\x0d\n\x032.0")
    (tmp_path / "a.pb").write_bytes(feed([bus, sample_pings()[1]], 1_641_184_000, own_time=False))
    (batch,) = READER.batches(tmp_path / "a.pb", ["timestamp", "vehicle.license_plate"])
    assert batch.table.column(0).to_pylist() == [1_641_184_000] * 2
