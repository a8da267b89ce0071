"""GTFS-realtime feeds of vehicle positions."""

from __future__ import annotations

from google.transit import gtfs_realtime_pb2

from tests.records import Ping


def feed(pings: list[Ping], made: int = 0, *, own_time: bool = True) -> bytes:
    """A whole feed of these vehicles, and an entity that is none."""
    message = gtfs_realtime_pb2.FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.timestamp = made
    for number, ping in enumerate(pings):
        entity = message.entity.add(id=str(number))
        entity.vehicle.vehicle.license_plate = ping.vehicle
        entity.vehicle.position.latitude = ping.latitude
        entity.vehicle.position.longitude = ping.longitude
        entity.vehicle.position.speed = ping.value / 3.6
        if own_time:
            entity.vehicle.timestamp = ping.instant // 1000
    message.entity.add(id="alert").alert.header_text.translation.add(text="no vehicle")
    return message.SerializeToString()
