"""A ledger of ten thousand entries: seconds of the processor and memory of what opens, reserves and shows.

    python -m tests.benchmarks.bench_ledger                  1,000 with draws of 2 MB, the others small
    python -m tests.benchmarks.bench_ledger --large 10000    all of them: 20 GB
    python -m tests.benchmarks.bench_ledger --old            as versions before left it: it changes its format

Each call is a process of its own. What that takes to start is not in the seconds, and is in the memory.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime as dt
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

from core.accounting.ledger import Ledger, check
from core.accounting.ledger_chain import advance_head, extend
from core.accounting.ledger_events import Event, LedgerCreated, PolicySet, PopulationCreated, Published, Spent
from core.accounting.ledger_file import (
    add_draws,
    add_rows,
    connection_to,
    create_private,
    make_tables,
    writing,
)
from core.accounting.ledger_reading import MOST_EVENTS, Chain, head_path
from core.cli.ledger import run
from core.privacy import Allowance
from tests.core.accounting.ledger_cases import BUSES, charge_of, drawn, request_of, reserved_of, write_old

ENTRIES = 10_000
MOST_SECONDS, MOST_MB = 0.5, 100.0
_FIRST = dt.date(2016, 1, 1)
_SCOPES = 500
"""Hexagon slots with an allowance, of each entry."""
_MB = 1_000_000
_AT = "2026-01-01T00:00:00+00:00"


def _events(entries: int, large: int, *, old: bool) -> Iterator[tuple[Event, str]]:
    """Every event, as one release after the other leaves them, and the draws of that."""
    yield LedgerCreated(format=1 if old else 2, vehicle_key=b"v" * 32), ""
    yield PopulationCreated(population=BUSES, tie_key=b"t" * 32, hmac_key=b"h" * 32), ""
    limit = Decimal(10 * entries)
    yield PolicySet(population=BUSES, per_vehicle=limit, per_vehicle_day=None, delta=Decimal(0)), ""
    allowances = tuple(
        Allowance(scope=f"mean_speed {number % 24:02} 8742d9d{number:06x}f", epsilon=Decimal("0.500001"))
        for number in range(_SCOPES)
    )
    for number in range(1, entries + 1):
        day = _FIRST + dt.timedelta(days=number)
        reserved = dataclasses.replace(
            reserved_of(number, charge_of({day: "1.000001"})),
            allowances=allowances,
            fingerprint=f"{number:064x}",
            spec_fingerprint=f"{number + 2 * entries:064x}",
            constants={f"constant_{at}": str(at) for at in range(12)},
        )
        yield reserved, ""
        values = "7" * (2 * _MB if number <= large else 2)
        draws = json.dumps({"zone": "Asia/Kolkata", "entry": number, "values": values})
        yield drawn(number, draws, old=old), draws
        yield Published(entry=number, bundle=f"city-{number}.0.0", manifest_sha256=f"{number:064x}"), ""


def made(path: Path, entries: int, large: int) -> None:
    """A ledger with the newest events after its stored state, as most are found."""
    create_private(path)
    chain = Chain(format=2)
    with connection_to(path) as connection, writing(connection):
        make_tables(connection, 0)
        for event, draws in _events(entries, large, old=False):
            rows = extend(chain.last, [event], at=_AT)
            chain.add(rows[0])
            if isinstance(event, Spent):
                add_draws(connection, event.entry, draws)
            if isinstance(event, Published) and event.entry == entries - MOST_EVENTS // 3:
                rows += extend(chain.last, [chain.store(connection)], at=_AT)
                chain.add(rows[1])
            add_rows(connection, rows)
    advance_head(head_path(path), rows[-1])


def _show(path: Path) -> None:
    options = argparse.Namespace(action="show", json=False, home=str(path.parent))
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(options) == 0


def _reserve(path: Path) -> None:
    request = request_of(charge=charge_of({_FIRST: "1"}), fingerprint="f" * 64)
    Ledger(path).reserve(dataclasses.replace(request, relation=reserved_of(1, request.charge).relation))


def _again(path: Path) -> None:
    found = Ledger(path).find_identical(BUSES, f"{1:064x}")
    assert found is not None
    assert found.draws["entry"] == 1


CALLS: dict[str, Callable[[Path], object]] = {
    "open": Ledger.open,
    "reserve": _reserve,
    "show": _show,
    "the window's list": lambda path: Ledger(path).populations_and_key(BUSES),
    "the draws of one request": _again,
}
UNBOUNDED: dict[str, Callable[[Path], object]] = {
    "change of format": lambda path: Ledger(path).set_limit(BUSES, per_vehicle=Decimal(10 * ENTRIES)),
    "check, of everything": check,
}


def measured(call: str, path: Path) -> tuple[float, float]:
    """Seconds of the processor, and the largest memory of the process in MB."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_ledger", "--call", call, str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def _peak_mb() -> float:
    """Of this program alone: what `getrusage` gives begins with that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) * 1024 / _MB
    )


def main() -> int:
    """Print a line a call; 1 where one takes more than it may."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--large", type=int, default=1000)
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--call", nargs=2)
    options = parser.parse_args()
    if options.call:
        call, path = options.call
        begun = time.process_time()
        (CALLS | UNBOUNDED)[call](Path(path))
        seconds = time.process_time() - begun
        print(json.dumps((seconds, _peak_mb())))
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        if options.old:
            events = _events(options.entries, options.large, old=True)
            write_old(path, (event for event, _ in events))
        else:
            made(path, options.entries, options.large)
        print(
            f"{options.entries:,} entries, {options.large:,} with 2 MB: {path.stat().st_size / _MB:,.0f} MB"
        )
        names = [*(["change of format"] if options.old else []), *CALLS, "check, of everything"]
        for name in names:
            seconds, memory = measured(name, path)
            wanted = name in UNBOUNDED or (seconds <= MOST_SECONDS and memory <= MOST_MB)
            failed += not wanted
            print(
                f"{'ok    ' if wanted else 'FAILED'} {name:26} {seconds:7.2f} s {memory:6.0f} MB", flush=True
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
