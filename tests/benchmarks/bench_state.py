"""What a state costs: 5,000 hexagons, 24 slots, 100,000 vehicles, planned, drawn, signed, verified and shown.

    python -m tests.benchmarks.bench_state [--vehicles 100000] [--days 7] [--folder FOLDER]

The table is made up (`state_table.py`) and partitioned by date. Each step is told with its seconds and its
largest memory, the files of the bundle with their sizes, and how soon a browser shows the map. 1 where more
than 8 GiB are taken.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from core.signed.bundle_names import MAP_PAGE
from tests.benchmarks.bench_bundle_map import opened
from tests.benchmarks.measured import Step, run
from tests.benchmarks.our_state import MAKE, VERIFY

MOST_GIB = 8.0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vehicles", type=int, default=100_000)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--mechanism", default="two-step-clipping")
    parser.add_argument("--folder", type=Path, help="keep the table and the bundle there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if not (folder / "table").exists():
            made = run("our_state", folder, "--vehicles", str(options.vehicles), "--days", str(options.days))
            print(_line(MAKE, made[MAKE]), flush=True)
        for left in ("out", "ledger.sqlite", "key.pem", "key.pub"):
            _remove(folder / left)
        steps = run("our_state", folder, "--mechanism", options.mechanism)
        for name, step in steps.items():
            print(_line(name, step))
        files = [path for path in (folder / "out").rglob("*") if path.is_file()]
        for path in sorted([*files, folder / "ledger.sqlite"], key=lambda path: -path.stat().st_size)[:8]:
            print(f"  {path.stat().st_size / 1e6:8.1f} MB  {path.relative_to(folder).as_posix()}")
        page = next(path for path in files if path.name == MAP_PAGE)
        print(f"{page.name} opens in {opened(page):.1f} s")
    most = max(step.gib for step in steps.values())
    retained = most <= MOST_GIB and not steps[VERIFY].figures["failed"]
    print(f"largest memory {most:.2f} GiB, wanted under {MOST_GIB:g}: {'met' if retained else 'MISSED'}")
    return 0 if retained else 1


def _line(name: str, step: Step) -> str:
    told = ", ".join(f"{number:,} {what}" for what, number in step.figures.items() if number)
    return f"{name:8} {step.seconds:7.1f} s ({step.own_seconds:.1f} s CPU), {step.gib:.2f} GiB  {told}"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
