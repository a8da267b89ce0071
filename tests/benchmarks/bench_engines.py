"""What a contribution table costs by each engine: seconds, processor time, memory, and what Spark shuffles.

    python -m tests.benchmarks.bench_engines [--records N] [--vehicles N] [--engines local,duckdb,spark]
        [--by hexagons|routes|zones]

Each engine runs in a process of its own on the same synthetic records, two processor threads for Spark.
By routes and by zones, which are the streets of the city, directions and kinds of day are open groups.
Processor time is that of all its processes: on a busy machine it says more than the clock.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.engines.base import Engine, TableJob
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.engines.spark import SparkEngine
from core.spec import load_parts, reading_rules
from core.synthesize.map_names import STREETS
from core.synthesize.street_map import write_city_maps
from core.synthesize.synthetic_records import SYNTHESIS_SEED, synthesize

SPEC = """
[data]
zone = "Asia/Kolkata"
upper_bound_kmh = 65.0
[data.mapping]
vehicle = "license_plate"
time = "observationDateTime"
position = "location.coordinates"
value = "speed"
unit = "km/h"
[hats]
resolution = 7
slot_minutes = 60
dates = ["2022-01-01", "2022-01-31"]
hours = ["00:00", "24:00"]
"""
ENGINES = ("local", "duckdb", "spark")
_LABELLED = (
    ('unit = "km/h"', 'unit = "km/h"\ncolumns = { route = "id", direction = "trip_direction" }'),
    ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["direction", "day_kind"]'),
)
_STREETS = f'{{ file = "{STREETS}", id = "name", licence = "CC0-1.0", buffer_m = 100 }}'
BY = {
    "hexagons": (),
    "routes": (*_LABELLED, ("resolution = 7", 'place = "column"\nplace_column = "route"')),
    "zones": (*_LABELLED, ("resolution = 7", f'place = "zones"\nzones = {_STREETS}')),
}
"""What places are -> edits of the spec."""


class Watch:
    """Takes progress, and looks at processes and shuffled files meanwhile."""

    def __init__(self) -> None:
        self.processor: dict[int, float] = {}
        self.memory = self.shuffled = 0
        self._next = 0.0

    def __call__(self, _done: float, _text: str = "") -> None:
        if time.monotonic() < self._next:
            return
        own = psutil.Process()
        held = 0
        for process in (own, *own.children(recursive=True)):
            try:
                spent = process.cpu_times()
                held += process.memory_info().rss
            except psutil.Error:
                continue
            self.processor[process.pid] = spent.user + spent.system
        self.memory = max(self.memory, held)
        files = Path(tempfile.gettempdir()).glob("hexveil-*/building-*/**/shuffle_*.data")
        self.shuffled = max(self.shuffled, sum(path.stat().st_size for path in files if path.exists()))
        self._next = time.monotonic() + 0.5


def engine_of(name: str) -> Engine:
    if name == "duckdb":
        return DuckDbEngine()
    return SparkEngine("local[2]") if name == "spark" else LocalEngine()


def measure(name: str, folder: Path) -> None:
    """Run one engine here, and print what it took as JSON."""
    parts = load_parts(folder / "spec.toml", "hats")
    assert parts.resolution is not None
    assert parts.window is not None
    out = folder / f"{name}.parquet"
    job = TableJob(
        data=(str(folder / "records-*.parquet"),),
        rules=reading_rules(folder / "spec.toml"),
        resolution=parts.resolution,
        window=parts.window,
        choice=parts.place,
        out=out,
    )
    watch = Watch()
    begun = time.monotonic()
    made = engine_of(name).contributions(job, watch)
    seconds = time.monotonic() - begun
    own = psutil.Process().cpu_times()
    watch.processor[psutil.Process().pid] = own.user + own.system
    told = {
        "seconds": seconds,
        "processor": sum(watch.processor.values()),
        "memory": watch.memory,
        "shuffled": watch.shuffled,
        "table": out.stat().st_size,
        "rows": made.rows,
        "values": made.values,
        "read": made.report.rows_read,
    }
    print(json.dumps(told))


def write_city(folder: Path, records: int, vehicles: int | None, by: str) -> None:
    """Records, each with its route, its streets, and a spec."""
    path, full = folder / "records-0.parquet", folder / "full.parquet"
    synthesize(full, records=records, vehicles=vehicles, columns="full")
    with pq.ParquetFile(full) as file, pq.ParquetWriter(path, file.schema_arrow) as writer:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            place = table.column_names.index("id")  # of the source, one for all
            route = pc.utf8_slice_codeunits(table["last_stop_id"], 0, -2)
            writer.write_table(table.set_column(place, table.schema.field("id"), route))
    full.unlink()
    write_city_maps(folder, SYNTHESIS_SEED)
    text = SPEC
    for old, new in BY[by]:
        text = text.replace(old, new)
    (folder / "spec.toml").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--vehicles", type=int)
    parser.add_argument("--by", choices=BY, default="hexagons")
    parser.add_argument("--engines", default="local,duckdb,spark")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one[0], Path(options.one[1]))
        return
    with tempfile.TemporaryDirectory(prefix="hexveil-bench-") as temporary:
        folder = Path(temporary)
        write_city(folder, options.records, options.vehicles, options.by)
        print("engine   seconds  processor s  memory MB  shuffled B/record  table B/value  values a row")
        tables = set()
        for name in options.engines.split(","):
            ran = subprocess.run(
                [sys.executable, "-m", "tests.benchmarks.bench_engines", "--one", name, str(folder)],
                capture_output=True,
                text=True,
            )
            if ran.returncode:
                print(f"{name:8} did not run: {ran.stderr.strip().splitlines()[-3:]}")
                continue
            told = json.loads(ran.stdout.splitlines()[-1])
            print(
                f"{name:8} {told['seconds']:7.1f} {told['processor']:12.1f} {told['memory'] / 1e6:10.0f}"
                f" {told['shuffled'] / told['read']:18.1f} {told['table'] / told['values']:14.2f}"
                f" {told['values'] / told['rows']:13.1f}"
            )
            tables.add((folder / f"{name}.parquet").read_bytes())
        print("all tables are the same" if len(tables) == 1 else "THE TABLES DIFFER")


if __name__ == "__main__":
    main()
