"""Made-up records of city buses like a feed of Surat; a file format that cannot be written.

Nothing here is taken from real vehicles: routes, plates and drivers are drawn from a seed. The
bundled sample is `synthesize(Path("surat-synthetic.parquet"), records=220_000)`, nothing else.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from core.counted import count_of
from core.errors import InputError
from core.progress import Progress, silent
from core.synthesize.city import city_tables
from core.synthesize.fleet import PLATES
from core.synthesize.itms_tables import SHORT_COLUMNS
from core.synthesize.volumes import default_days, default_vehicles, largest_count, ping_interval
from core.synthesize.writers import WRITERS
from core.system.files_in_use import when_released

ColumnSet = Literal["full", "short"]

SYNTHESIS_SEED = 1


def synthesize(
    out: Path,
    *,
    records: int,
    seed: int = SYNTHESIS_SEED,
    vehicles: int | None = None,
    days: int | None = None,
    columns: ColumnSet | None = None,
    progress: Progress = silent,
) -> None:
    """Write exactly `records` synthetic bus records, in time order, to a new file.

    out: the suffix chooses the format: .csv, .csv.gz, .parquet, .json (array) or .jsonl.
    vehicles: size of the fleet, 1..9000; default one per 800 records, between 40 and 760.
    days: local days in Asia/Kolkata from 2022-01-03 on; default 7, or what 480,000 records a day
    take. Memory is that of one day's numbers.
    columns: "full" (the ITMS profile of method 2) or "short" (plate, time, speed, position);
    default short for .parquet, full otherwise.

    The same arguments give the same bytes (with the same numpy and pyarrow). The file is whole
    or absent. Raises InputError for a file that exists or cannot be written, an unknown suffix,
    or more records than the fleet can send.
    """
    suffix = _suffix(out)
    fleet_size = default_vehicles(records) if vehicles is None else vehicles
    length = default_days(records) if days is None else days
    _check(records=records, vehicles=fleet_size, days=length, seed=seed)
    names = SHORT_COLUMNS if (columns or _default_columns(suffix)) == "short" else None
    tables = city_tables(records=records, seed=seed, vehicles=fleet_size, days=length, progress=progress)
    with _new_file(out) as file:
        WRITERS[suffix](file, (table.select(names) if names else table for table in tables), records)


def _suffix(out: Path) -> str:
    for suffix in WRITERS:
        if out.name.lower().endswith(suffix):
            return suffix
    raise InputError(
        "This file format cannot be written.",
        where=str(out),
        mend="end the name in one of " + ", ".join(WRITERS),
    )


def _default_columns(suffix: str) -> ColumnSet:
    return "short" if suffix == ".parquet" else "full"


def _check(*, records: int, vehicles: int, days: int, seed: int) -> None:
    limits = {"records": (records, 1, 10**9), "vehicles": (vehicles, 1, PLATES), "days": (days, 1, 3660)}
    limits["seed"] = (seed, 0, 2**63 - 1)
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            raise InputError(
                f"{name} is out of range.", where=name, mend=f"write an integer from {low} to {high}"
            )
    capacity = vehicles * days * largest_count(ping_interval(records, vehicles, days))
    if records > capacity:
        raise InputError(
            f"{count_of(vehicles, 'vehicle')} cannot send {count_of(records, 'record')} "
            f"in {count_of(days, 'day')}.",
            where="records",
            mend=f"ask for at most {count_of(capacity, 'record')}, or for more vehicles or days",
        )


@contextmanager
def _new_file(out: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name when whole, and never replaces another."""
    if out.exists():
        raise InputError("This file exists already.", where=str(out), mend="choose another name or remove it")
    temporary = out.with_name(f".{out.name}.{secrets.token_hex(6)}.partial")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        when_released(lambda: temporary.rename(out))
    except OSError as error:
        raise InputError(
            f"The file cannot be written: {error.strerror or 'input/output error'}.",
            where=str(out),
            mend="choose an existing folder that you can write to and that has room",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
