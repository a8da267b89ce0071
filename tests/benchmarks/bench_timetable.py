"""How long `plan` reads a very large timetable (method 12.9), and how soon it can be stopped.

Run by hand: `python -m tests.benchmarks.bench_timetable --calls 5000000`. The timetable is made up: lines
across a city of 20 km, trips of 40 calls a minute apart all day long. Its writing is not measured.
"""

from __future__ import annotations

import argparse
import datetime as dt
import resource
import tempfile
import time
from pathlib import Path

import h3
import numpy as np

from core.bounding.candidates import CandidateHats
from core.hats.window import build_window
from core.prior.timetable import timetable_visits
from core.privacy import Unit

CALLS_OF_A_TRIP, LINES = 40, 60
CENTRE, RESOLUTION, RINGS = (13.75, 100.5), 7, 7
DAYS = (dt.date(2022, 1, 3), dt.date(2022, 1, 9))
SECONDS_A_PING = 30
LONGEST_SILENCE = 0.5
"""Seconds without a word of progress, in which nobody can stop it."""


class Clock:
    """Progress that notes how long it was not called, in seconds of the processor: others may work beside."""

    def __init__(self) -> None:
        self._last = time.process_time()
        self.longest, self.after = 0.0, ""

    def __call__(self, done: float, text: str = "") -> None:  # noqa: ARG002 - the protocol's shape
        now = time.process_time()
        if now - self._last > self.longest:
            self.longest, self.after = now - self._last, f"before {done:.0%}"
        self._last = now


def write_timetable(folder: Path, calls: int, seed: int = 7) -> None:
    """Lines are straight, and each trip drives one of them at some time of the day."""
    rng = np.random.default_rng(seed)
    trips = calls // CALLS_OF_A_TRIP
    ends = np.array(CENTRE) + rng.uniform(-0.09, 0.09, (LINES, 2, 2))
    along = np.linspace(0.0, 1.0, CALLS_OF_A_TRIP)[None, :, None]
    places = ends[:, None, 0] * (1.0 - along) + ends[:, None, 1] * along
    with (folder / "stops.txt").open("w", encoding="utf-8") as file:
        file.write("stop_id,stop_lat,stop_lon\n")
        for number, (latitude, longitude) in enumerate(places.reshape(-1, 2).tolist()):
            file.write(f"{number},{latitude:.6f},{longitude:.6f}\n")
    with (folder / "trips.txt").open("w", encoding="utf-8") as file:
        file.write("route_id,service_id,trip_id,block_id\n")
        file.writelines(f"r,every,{trip},{trip // 8}\n" for trip in range(trips))
    starts = rng.integers(5 * 60, 22 * 60, trips).tolist()
    with (folder / "stop_times.txt").open("w", encoding="utf-8") as file:
        file.write("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
        for trip, start in enumerate(starts):
            first = (trip % LINES) * CALLS_OF_A_TRIP
            for call in range(CALLS_OF_A_TRIP):
                clock = f"{(start + call) // 60:02d}:{(start + call) % 60:02d}:00"
                file.write(f"{trip},{clock},{clock},{first + call},{call}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Reading a very large timetable")
    parser.add_argument("--calls", type=int, default=1_000_000, help="lines of stop_times.txt")
    calls = parser.parse_args().calls
    disk = h3.grid_disk(h3.latlng_to_cell(*CENTRE, RESOLUTION), RINGS)
    disk = h3.grid_disk(h3.latlng_to_cell(*CENTRE, RESOLUTION), RINGS)
    cells = tuple(sorted(map(h3.str_to_int, disk)))
    candidates = CandidateHats.every_slot(cells, build_window((DAYS,), ("06:00", "22:00"), 60))
    with tempfile.TemporaryDirectory() as name:
        write_timetable(Path(name), calls)
        before, begun, processor = peak_gib(), time.perf_counter(), time.process_time()
        clock = Clock()
        visits = timetable_visits(Path(name), candidates, Unit.VEHICLE, SECONDS_A_PING, clock)
    seconds = time.perf_counter() - begun
    print(
        f"{calls:,} calls, {len(candidates):,} candidates, {visits.fleet:,} vehicles: {seconds:.1f} s "
        f"({time.process_time() - processor:.1f} s of the processor), {peak_gib() - before:.2f} GiB more; "
        f"longest without a word {clock.longest:.2f} s {clock.after} (at most {LONGEST_SILENCE})"
    )


def peak_gib() -> float:
    """Of resident memory, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


if __name__ == "__main__":
    main()
