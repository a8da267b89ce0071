"""A month of polls in one tar: seconds, and memory that does not grow with their number.

135,000 polls are one every 20 seconds. Each is a feed of GTFS-realtime, or a list in JSON; `inspect` reads
all of them in a process of its own. What grows with the records is what a load holds of each; so the polls
are read once more with as many records in a tenth of them.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.bench_hostile_input import made, measured
from tests.feeds import feed
from tests.records import Ping

START, EVERY_MS = 1_741_046_400_000, 20_000
"""4 March 2025 in UTC."""
STOP_AFTER_SECONDS = 3600.0
MOST_MORE_MB = 40.0
"""What ten times the polls may add for as many records: a name a poll, and what two runs differ by."""
LOADS = ((13_500, 10), (135_000, 1), (135_000, 10))
"""Polls, and vehicles in each."""


def _pings(poll: int, vehicles: int) -> list[Ping]:
    return [
        Ping(
            f"bus-{vehicle:03}",
            START + poll * EVERY_MS,
            59.9 + (poll * 7 + vehicle * 131) % 4000 / 100_000,
            10.7 + (poll * 11 + vehicle * 71) % 8000 / 100_000,
            (poll + vehicle * 13) % 60,
        )
        for vehicle in range(vehicles)
    ]


def as_feed(pings: list[Ping]) -> bytes:
    return feed(pings, pings[0].instant // 1000)


def as_json(pings: list[Ping]) -> bytes:
    time = dt.datetime.fromtimestamp(pings[0].instant / 1000, dt.UTC).isoformat()
    rows = [
        {
            "vehicle": ping.vehicle,
            "time": time,
            "lat": ping.latitude,
            "lon": ping.longitude,
            "speed_kmh": ping.value,
        }
        for ping in pings
    ]
    return json.dumps(rows).encode()


WRITTEN: dict[str, Callable[[list[Ping]], bytes]] = {"pb": as_feed, "json": as_json}


def month(folder: Path, ending: str, polls: int, vehicles: int) -> Path:
    """Day by day in folders, as such archives have them."""
    with tarfile.open(folder / "month.tar.gz", "w:gz", compresslevel=1) as archive:
        for poll in range(polls):
            content = WRITTEN[ending](_pings(poll, vehicles))
            info = tarfile.TarInfo(f"{1 + poll // 4320:02}/{poll:06}.{ending}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return folder / "month.tar.gz"


def main() -> int:
    """Print a line a load; 1 where one fails, or memory grows with the polls."""
    failed = 0
    for ending in WRITTEN:
        peaks: dict[tuple[int, int], float] = {}
        for polls, vehicles in LOADS:
            with tempfile.TemporaryDirectory() as folder:
                path = made(lambda place: month(place, ending, polls, vehicles), Path(folder))  # noqa: B023
                seconds, peaks[polls, vehicles], code, said = measured(
                    ["inspect", str(path), "--home", str(Path(folder, "home"))], STOP_AFTER_SECONDS
                )
            used = next((line.split()[-1] for line in said.splitlines() if line.startswith("rows_used")), "0")
            failed += code != 0 or int(used) != polls * vehicles
            print(
                f"{ending:5} {polls:8,} polls of {vehicles:2} vehicles: {int(used):9,} records, "
                f"{seconds:6.1f} s of the processor, {peaks[polls, vehicles]:4.0f} MB",
                flush=True,
            )
        more = peaks[LOADS[1]] - peaks[LOADS[0]]
        failed += more > MOST_MORE_MB
        print(
            f"{ending:5} ten times the polls for as many records: {more:+.0f} MB (at most {MOST_MORE_MB:.0f})"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
