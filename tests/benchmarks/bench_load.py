"""One million records of CSV: seconds and peak memory, against plain pandas in the same run.

    python tests/benchmarks/bench_load.py [RECORDS]

The plain program reads, parses, indexes with a loop over h3 and groups; ours also drops impossible
records, removes repeats and orders everything so that row order cannot matter.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLAIN = """
import sys, h3, pandas as pd
frame = pd.read_csv(sys.argv[1])
frame["time"] = pd.to_datetime(frame["observationDateTime"], format="ISO8601")
pairs = frame["location.coordinates"].str.strip("[]").str.split(",", expand=True).astype(float)
frame["cell"] = [h3.latlng_to_cell(lat, lon, 7) for lon, lat in zip(pairs[0], pairs[1])]
frame["slot"] = frame["time"].dt.hour
frame["day"] = frame["time"].dt.date
keys = ["cell", "slot", "license_plate", "day"]
print(len(frame.groupby(keys)["speed"].agg(["count", "sum"])))
"""
OURS = """
import datetime as dt, sys
from pathlib import Path
from core.contributions import contributions_of
from core.hats.window import build_window
from core.ingest.formats import reader_for
from core.ingest.guess import guess_mapping
from core.ingest.load import load_records
from core.ingest.mapping import ReadingRules
from core.hats.days import date_ranges_of
path = Path(sys.argv[1])
mapping = guess_mapping(reader_for(path).preview(path), where="").mapping
rules = ReadingRules(mapping=mapping, zone="Asia/Kolkata", upper_bound=65000)
records = load_records([path], rules).records
window = build_window(date_ranges_of(records), ("00:00", "24:00"), 60)
print(contributions_of(records, 7, window).hat.size)
"""


def measure(program: str, path: Path) -> tuple[float, float, str]:
    """Seconds, peak GiB and output of a program run by itself."""
    before = time.perf_counter()
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{program}\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)",
            str(path),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    rows, peak = run.stdout.split()
    return time.perf_counter() - before, int(peak) / 2**20, rows


def main() -> None:
    from core.synthesize import synthesize

    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.csv"
        synthesize(path, records=records)
        print(f"{records:,} records, {path.stat().st_size / 2**20:.0f} MiB of CSV")
        plain = measure(PLAIN, path)
        ours = measure(OURS, path)
    for name, (seconds, peak, rows) in (("plain pandas", plain), ("hexveil", ours)):
        print(f"{name:>14}: {seconds:6.2f} s  {peak:5.2f} GiB  {rows} rows")
    print(f"{'ratio':>14}: {plain[0] / ours[0]:6.2f} x {plain[1] / ours[1]:5.2f} x")


if __name__ == "__main__":
    main()
