"""What grows without end in years of use, at a quarter, a half and the whole of its size: seconds and memory.

python -m tests.fire.load              # make load: a tenth of the records, files and vehicles, the rest whole
python -m tests.fire.load 1            # make load SCALE=1: 60 million records, 10,000 files, 90,000 vehicles
python -m tests.fire.load 0.1 ledger   # these parts alone

Each measurement is a process of its own; what it works on is made before. A problem is what fails, takes more
than it may, or grows faster than its size.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from core.accounting.ledger import Ledger
from core.cli import main as command_line
from core.mechanisms.tokens import Tokens
from core.published.bundle_frames import read_bundle
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import plan_release
from core.synthesize.synthetic_records import synthesize
from tests.benchmarks import bench_ledger
from tests.benchmarks.our_state import POPULATION, state_spec
from tests.benchmarks.state_table import write_state
from tests.builders import make_bundle, make_key

SHARES = (0.25, 0.5, 1.0)
_BAR = 30
_MB = 1_000_000
_SLACK_S, _SLACK_MB, _STEEPER = 2.0, 50.0, 1.35
"""By how much twice the size may take more than twice as much."""
_FILE_RECORDS, _DAYS = 20, 7
_PAIRS = 112
"""Hexagon slots that a vehicle is in, in so many days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that grows."""

    what: str
    whole: int
    scaled: bool
    """A part of it is tried where the scale is below 1."""
    most_seconds: float
    """Of the processor, at the whole size."""
    most_mb: float
    make: Callable[[Path, int], object]
    use: Callable[[Path], object]


def _inspect(folder: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        code = command_line(["inspect", str(folder / "in"), "--home", str(folder / "home")])
    if code:
        raise SystemExit(f"inspect ended with {code}")


def _make_records(folder: Path, count: int) -> None:
    (folder / "in").mkdir()
    synthesize(folder / "in" / "records.parquet", records=count)


def _make_files(folder: Path, count: int) -> None:
    """Each of some records, one after the other in time."""
    synthesize(folder / "all.csv", records=count * _FILE_RECORDS, columns="short")
    head, *lines = (folder / "all.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "in").mkdir()
    for number in range(count):
        part = lines[number * _FILE_RECORDS : (number + 1) * _FILE_RECORDS]
        (folder / "in" / f"{number:05}.csv").write_text(head + "".join(part), encoding="utf-8")


def _make_bundles(folder: Path, count: int) -> None:
    bundle = make_bundle(folder / "first")
    for number in range(count):
        shutil.copytree(bundle, folder / "in" / f"{number:04}" / bundle.name)


def _compare(folder: Path) -> None:
    """As Compare opens them: each is verified, and all stay open."""
    opened = [read_bundle(path, make_key().public.text) for path in sorted(folder.glob("in/*/*"))]
    assert len(opened) == len(list((folder / "in").iterdir()))


def _make_ledger(folder: Path, count: int) -> None:
    bench_ledger.made(folder / "ledger.sqlite", count, 0)


def _use_ledger(folder: Path) -> None:
    ledger = Ledger.open(folder / "ledger.sqlite")
    (population,) = ledger.populations()
    assert population.entries


def _make_table(folder: Path, count: int) -> None:
    write_state(folder / "table", vehicles=count, days=_DAYS)
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        ledger.set_limit(POPULATION, per_vehicle=Decimal(100_000))


def _plan(folder: Path) -> None:
    """Jointly: the search of the split works on every pair of a vehicle and a hexagon slot."""
    spec = state_spec(folder, Tokens.key)
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        contributions, _ = contributions_for(spec)
        vehicles = int(contributions.vehicle.max()) + 1
        assert contributions.starts_vehicle().sum() > _PAIRS * vehicles
        plan_release(spec, ledger, contributions, None)


PARTS = {
    "records": Part(
        what="records, read and counted",
        whole=60_000_000,
        scaled=True,
        most_seconds=300,
        most_mb=4000,
        make=_make_records,
        use=_inspect,
    ),
    "files": Part(
        what="files of records",
        whole=10_000,
        scaled=True,
        most_seconds=300,
        most_mb=1000,
        make=_make_files,
        use=_inspect,
    ),
    "bundles": Part(
        what="bundles in Compare",
        whole=1000,
        scaled=False,
        most_seconds=300,
        most_mb=1000,
        make=_make_bundles,
        use=_compare,
    ),
    "ledger": Part(
        what="entries of a ledger, opened and listed",
        whole=10_000,
        scaled=False,
        most_seconds=3,
        most_mb=250,
        make=_make_ledger,
        use=_use_ledger,
    ),
    "slots": Part(
        what="vehicles in 150,000 hexagon slots, 10 million pairs of them, planned jointly",
        whole=90_000,
        scaled=True,
        most_seconds=300,
        most_mb=4000,
        make=_make_table,
        use=_plan,
    ),
}


def measured(name: str, folder: Path) -> tuple[float, float]:
    """Seconds of the processor and the largest memory in MB, imports of libraries included."""
    command = [sys.executable, "-m", "tests.fire.load", "--use", name, str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ChildProcessError(done.stderr[-2000:])
    seconds, memory = json.loads(done.stdout.splitlines()[-1])
    return seconds, memory


def _peak_mb() -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / _MB


def problems_of(part: Part, found: Sequence[tuple[float, float]]) -> list[str]:
    """What is wrong with the figures of a part, at sizes that double."""
    (half_s, half_mb), (whole_s, whole_mb) = found[-2:]
    return [
        told
        for told, wrong in (
            (f"{whole_s:.1f} s of at most {part.most_seconds:g} s", whole_s > part.most_seconds),
            (f"{whole_mb:.0f} MB of at most {part.most_mb:g} MB", whole_mb > part.most_mb),
            ("time grows faster than the size", whole_s > 2 * _STEEPER * half_s + _SLACK_S),
            ("memory grows faster than the size", whole_mb > 2 * _STEEPER * half_mb + _SLACK_MB),
        )
        if wrong
    ]


def _tried(name: str, part: Part, scale: float) -> int:
    """Print the figures of a part; how many problems there are."""
    whole = int(part.whole * (scale if part.scaled else 1.0))
    sizes = [max(int(whole * share), 1) for share in SHARES]
    print(f"{name}: {whole:,} of {part.whole:,} {part.what}", flush=True)
    found: list[tuple[float, float]] = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            try:
                part.make(Path(folder), size)
                found.append(measured(name, Path(folder)))
            except (AssertionError, ChildProcessError) as error:
                print(f"  PROBLEM: {error}")
                return 1
        seconds, memory = found[-1]
        print(f"  {size:>12,} {seconds:8.1f} s {memory:7.0f} MB", flush=True)
    for at, unit in enumerate(("s", "MB")):
        most = max(figures[at] for figures in found)
        for size, figures in zip(sizes, found, strict=True):
            print(f"  {size:>12,} {unit:>2} {'#' * max(1, round(_BAR * figures[at] / most))}")
    problems = problems_of(part, found)
    print("".join(f"  PROBLEM: {problem}\n" for problem in problems), end="", flush=True)
    return len(problems)


def main(arguments: Sequence[str]) -> int:
    """Every part, or those that are named; 1 where anything is wrong."""
    if arguments[:1] == ["--use"]:
        name, folder = arguments[1:]
        begun = time.process_time()
        PARTS[name].use(Path(folder))
        print(json.dumps((time.process_time() - begun, _peak_mb())))
        return 0
    scale = float(arguments[0]) if arguments else 0.1
    problems = sum(_tried(name, PARTS[name], scale) for name in arguments[1:] or PARTS)
    print(f"{problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
