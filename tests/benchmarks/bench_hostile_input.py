"""Hostile and large input: how long it takes, how much memory, and what is said of it.

Each file is read by `inspect` in a process of its own. Time is that of the processor, as others may be busy
on the machine; `... bench_hostile_input.py JSON FIFO` runs the cases with these words alone.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.targets import limits_for

MB = 10**6
MOST_SECONDS = 30.0
MOST_MB = 1000.0
"""What any one file may take, whatever it holds."""
STOP_AFTER_SECONDS = 300.0
HEADER = "vehicle,time,lat,lon,speed_kmh\n"
ROW = "7,2022-01-03T09:05:00+05:30,21.170,72.830,52\n"
RECORDS = 24_000_000
LARGE_MB = 1024**3 / MB * (limits_for(RECORDS / MB).load_gib or 0.0)
"""What sound records may take, however many are of one day: as any data set of that size (`bench_engine`)."""


def many_members(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "members.zip", "w") as archive:
        for number in range(1000):
            archive.writestr(f"{number:04}.csv", HEADER + ROW)
    return folder / "members.zip"


def packed_zeros(name: str, start: bytes = b"", size: int = 2000 * MB) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with gzip.open(folder / name, "wb", compresslevel=1) as file:
            file.write(start)
            for _ in range(size // MB):
                file.write(bytes(MB))
        return folder / name

    return make


def _tar_header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)


def many_in_tar(folder: Path, thousands: int = 1000) -> Path:
    """A record, and files without bytes."""
    row = (HEADER + ROW).encode()
    with gzip.open(folder / "million.tar.gz", "wb", compresslevel=1) as file:
        file.write(_tar_header("a.csv", len(row)) + row.ljust(512, b"\0"))
        for number in range(thousands):
            file.write(b"".join(_tar_header(f"{number:04}{one:04}", 0) for one in range(1000)))
        file.write(bytes(1024))
    return folder / "million.tar.gz"


def large_in_tar(folder: Path) -> Path:
    with gzip.open(folder / "large.tar.gz", "wb", compresslevel=1) as file:
        file.write(_tar_header("a.csv", 2000 * MB))
        for _ in range(2000):
            file.write(bytes(MB))
        file.write(bytes(1024))
    return folder / "large.tar.gz"


def million_members(folder: Path, thousands: int = 1000) -> Path:
    """A directory of a million empty files, which all begin where the first one does."""
    first = zipfile.ZipInfo("a.csv")
    with zipfile.ZipFile(folder / "million.zip", "w") as archive:
        archive.writestr(first, HEADER + ROW)
        for number in range(thousands * 1000):
            info = zipfile.ZipInfo(f"{number:07}")
            info.header_offset, info.CRC = 0, 0
            archive.filelist.append(info)
        archive._didModify = True
    return folder / "million.zip"


def zip_in_zip(folder: Path) -> Path:
    packed_zeros("a.csv.gz")(folder)
    with zipfile.ZipFile(folder / "inner.zip", "w") as archive:
        archive.write(folder / "a.csv.gz", "a.csv.gz")
    with zipfile.ZipFile(folder / "outer.zip", "w") as archive:
        archive.write(folder / "inner.zip", "inner.zip")
    return folder / "outer.zip"


def zipped_workbook(folder: Path) -> Path:
    with (
        zipfile.ZipFile(folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/workbook.xml", "w") as member,
    ):
        for _ in range(2000):
            member.write(bytes(MB))
    return folder / "bomb.xlsx"


def one_busy_vehicle(folder: Path) -> Path:
    """24 million records of one vehicle and day, each at an instant and place of its own."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "busy.parquet"
    draw = np.random.default_rng(1)
    step = RECORDS // 24
    kind = pa.schema(
        [
            ("vehicle", pa.string()),
            ("time", pa.timestamp("ms", tz="UTC")),
            ("lat", pa.float64()),
            ("lon", pa.float64()),
            ("speed_kmh", pa.float64()),
        ]
    )
    with pq.ParquetWriter(path, kind) as writer:
        for hour in range(24):
            instants = 1_641_168_000_000 + hour * 3_600_000 + draw.integers(0, 3_600_000, step)
            writer.write_table(
                pa.table(
                    {
                        "vehicle": pa.array(["7"]).take(pa.array(np.zeros(step, int))),
                        "time": pa.array(instants).cast(kind.field("time").type),
                        "lat": 21.17 + draw.random(step) / 100,
                        "lon": 72.83 + draw.random(step) / 100,
                        "speed_kmh": np.round(draw.random(step) * 60, 1),
                    },
                    schema=kind,
                )
            )
    return path


def long_line(name: str, start: str, end: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with (folder / name).open("w") as file:
            file.write(start)
            for _ in range(200):
                file.write("x" * MB)
            file.write(end)
        return folder / name

    return make


def many_keys(folder: Path) -> Path:
    record = ", ".join(f'"key{number}": {number}' for number in range(10_000))
    with (folder / "keys.json").open("w") as file:
        file.write("[" + ", ".join(f"{{{record}}}" for _ in range(200)) + "]")
    return folder / "keys.json"


def zeros(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with (folder / name).open("wb") as file:
            file.truncate(1000 * MB)
        return folder / name

    return make


def far_corners(folder: Path) -> Path:
    from tests.core.read.workbooks.test_workbook_extent import corners

    (folder / "corners.xlsx").write_bytes(corners(b"XFD1048576"))
    return folder / "corners.xlsx"


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo.csv")
    return folder / "fifo.csv"


MANY_MEMBERS = ("zip of 1,000,000 members", "tar.gz of 1,000,000 files")
"""What no fuzzer makes of a small input; `make fuzz` tries them with what it finds."""
CASES: dict[str, Callable[[Path], Path]] = {
    "zip of 1,000 members": many_members,
    "zip of 1,000,000 members": million_members,
    "tar.gz of 1,000,000 files": many_in_tar,
    "tar.gz of a CSV of 2 GB": large_in_tar,
    "zip of a zip of a CSV.gz of 2 GB": zip_in_zip,
    ".pb.gz of 2 GB": packed_zeros("bomb.pb.gz"),
    ".parquet.gz of 2 GB": packed_zeros("bomb.parquet.gz", b"PAR1"),
    ".csv.gz of 2 GB": packed_zeros("bomb.csv.gz"),
    ".xlsx of 2 GB": zipped_workbook,
    "24 million records of one vehicle and day": one_busy_vehicle,
    "CSV, a line of 200 MB": long_line("line.csv", HEADER, "\n"),
    "CSV, names of 200 MB": long_line("names.csv", "vehicle,", "\n"),
    "JSON, a text of 200 MB": long_line("text.json", '[{"vehicle": "', '"}]'),
    "JSON, a line of 200 MB": long_line("line.jsonl", '{"vehicle": "', '"}\n'),
    "JSON, 10,000 keys": many_keys,
    "CSV of 1 GB of zeros": zeros("zeros.csv"),
    "JSON of 1 GB of zeros": zeros("zeros.json"),
    "Parquet of 1 GB of zeros": zeros("zeros.parquet"),
    "workbook of two far corners": far_corners,
    "feed of 1 GB of zeros": zeros("zeros.pb"),
    "workbook of 1 GB of zeros": zeros("zeros.xls"),
    "a FIFO": fifo,
}


def made(make: Callable[[Path], Path], folder: Path) -> Path:
    """What `make` makes, in a process that ends with it: whose memory is large, its children's seems so."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.write(writing, os.fsencode(make(folder)))
        os._exit(0)
    os.waitpid(process, 0)
    return Path(os.fsdecode(os.read(reading, 4096)))


def measured(arguments: list[str], stop_after: float = STOP_AFTER_SECONDS) -> tuple[float, float, int, str]:
    """Seconds, megabytes, exit code (-9: stopped) and output of a command of ours."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([sys.executable, "main.py", *arguments], stdout=said, stderr=said)
        started = time.monotonic()
        while not (found := os.wait4(process.pid, os.WNOHANG))[0]:
            if time.monotonic() - started > stop_after:
                process.kill()
            time.sleep(0.05)
        _, status, usage = found
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MB, process.returncode, said.read()


def tried(name: str) -> bool:
    """One of `CASES`; prints a line. False where it takes more than it may, or ends in another way."""
    with tempfile.TemporaryDirectory() as folder:
        path = made(CASES[name], Path(folder))
        seconds, memory, code, said = measured(["inspect", str(path), "--home", str(Path(folder, "home"))])
    told = next((line for line in said.splitlines() if line.startswith("error:")), "")
    most = LARGE_MB if "million" in name else MOST_MB
    retained = seconds <= MOST_SECONDS and memory <= most and code in (0, 2) and "Traceback" not in said
    verdict = "ok    " if retained else "FAILED"
    print(f"{verdict} {name:42} {seconds:6.1f} s {memory:6.0f} MB  exit {code}  {told}", flush=True)
    return retained


def main() -> int:
    """Print a line a case; 1 where one takes more than it may."""
    asked = [name for name in CASES if not sys.argv[1:] or any(word in name for word in sys.argv[1:])]
    return 1 if [name for name in asked if not tried(name)] else 0


if __name__ == "__main__":
    sys.exit(main())
