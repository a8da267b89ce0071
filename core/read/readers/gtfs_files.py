"""GTFS-realtime VehiclePositions: one poll of a feed in each file, complete or not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from google.protobuf.message import DecodeError
from google.transit import gtfs_realtime_pb2

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import opened, read_whole
from core.read.kind_by_content import FEED_HEADER
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview, as_text
from core.read.readers.base import Batch, require_columns

FIELDS = (
    "vehicle.id",
    "vehicle.label",
    "vehicle.license_plate",
    "timestamp",
    "position.latitude",
    "position.longitude",
    "position.speed",
    "position.bearing",
    "trip.trip_id",
    "trip.route_id",
    "entity.id",
)
"""Fields of a VehiclePosition, under their names in the specification (gtfs.org, GTFS Realtime v2).

And the id of the entity that holds it: feeds without a vehicle's own often write that one.
"""
_MOST_BYTES = 32 << 20
"""Of a poll of vehicle positions, unpacked: the largest feeds take a few megabytes, and messages ten times as
much memory.
"""
_FLOATS = ("position.latitude", "position.longitude", "position.speed", "position.bearing")


class GtfsReader:
    """Vehicle positions of a feed; speed in metres a second, times in epoch seconds.

    A position without its own time (or with 0) was true when the feed was made: it takes the header's.
    """

    key: ClassVar[str] = "gtfs"
    title: ClassVar[str] = "GTFS-realtime"
    endings: ClassVar[tuple[str, ...]] = (".pb", ".protobuf", ".bin", ".proto", ".pbf")
    options: ClassVar[tuple[str, ...]] = ()

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        feed = _feed(path)
        table = _table(feed, FIELDS).slice(0, PREVIEW_ROWS)
        rows = zip(*(table.column(name).to_pylist() for name in FIELDS), strict=True)
        preview = Preview(columns=FIELDS, rows=tuple(tuple(map(as_text, row)) for row in rows))
        if not preview.rows:
            what = "The feed contains no vehicle."
            raise NoRows(what, preview, where=str(path), mend="choose a poll with vehicles")
        return preview

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        file_format: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        require_columns(columns, FIELDS, path)
        yield Batch(table=_table(_feed(path), columns), unreadable=0, fraction=1.0)


READER = GtfsReader()


def _feed(path: Path) -> Any:
    with opened(path) as stream:
        data = read_whole(stream, path, _MOST_BYTES)
    feed = _whole(data)
    if feed is None:
        raise InputError(
            "The file is not a complete GTFS-realtime feed.",
            where=str(path),
            mend="save the response of the feed's VehiclePositions address again, as it comes",
        )
    begins = [found.start() for found in FEED_HEADER.finditer(data)]
    return (_joined(data, begins) if len(begins) > 1 else None) or feed


def _joined(data: bytes, begins: Sequence[int]) -> Any:
    """Polls one behind another: as one message, the vehicles of all would have the last one's time.

    None where what begins there are no polls.
    """
    feed = gtfs_realtime_pb2.FeedMessage()
    for begin, end in itertools.pairwise([*begins, len(data)]):
        poll = _whole(data[begin:end])
        if poll is None:
            return None
        for entity in poll.entity:
            if entity.HasField("vehicle") and not entity.vehicle.timestamp:
                entity.vehicle.timestamp = poll.header.timestamp
        feed.MergeFrom(poll)
    return feed


def _whole(data: bytes) -> Any:
    """A message with its header, without which any bytes could pass for one of unknown fields; else None."""
    feed = gtfs_realtime_pb2.FeedMessage()
    try:
        feed.ParseFromString(data)
    except DecodeError:
        return None
    return feed if feed.IsInitialized() and feed.header.gtfs_realtime_version else None


def _table(feed: Any, columns: Sequence[str]) -> pa.Table:
    entities = [entity for entity in feed.entity if entity.HasField("vehicle")]
    made = feed.header.timestamp if feed.header.HasField("timestamp") else None
    cells: dict[str, Callable[[Any], Any]] = {name: _getter(name) for name in columns}
    found = {
        name: [cell(entity if name == "entity.id" else entity.vehicle) for entity in entities]
        for name, cell in cells.items()
    }
    return pa.table({name: _column(name, values, made) for name, values in found.items()})


def _getter(name: str) -> Callable[[Any], Any]:
    *outer, last = name.removeprefix("entity.").split(".")

    def get(message: Any) -> Any:
        for field in outer:
            message = getattr(message, field)
        value = getattr(message, last) if message.HasField(last) else None
        # bytes stand for a text that is none: its vehicle has an odd name, and stops nobody else's
        return value.decode(errors="replace") if isinstance(value, bytes) else value

    return get


def _column(name: str, values: list[Any], made: int | None) -> pa.Array:
    if name == "timestamp":
        return pa.array([value or made for value in values], pa.uint64()).cast(pa.int64(), safe=False)
    if name in _FLOATS:
        # the feed's 30.2672 is the nearest float32; its shortest decimal is what was meant, while the
        # same number as float64 reads 30.267200469970703
        return pa.array(values, pa.float32()).cast(pa.string()).cast(pa.float64())
    return pa.array(values, pa.string())
