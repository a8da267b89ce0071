"""A stranger's bundle, as large as `verify` takes without the publisher's key: how long, and how much memory.

All but the sparse ones are rightly signed by a key of their own, so that everything in them is read.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.signed.bundle_names import DATAPACKAGE, MANIFEST, PRIVACY
from tests.benchmarks.bench_hostile_input import MB, MOST_SECONDS, made, measured
from tests.builders import SPEED_BY_HAT, forge, make_bundle

MOST_MB = 500.0
SIZE = 8 * MB
"""As much as is read of an unknown signer's documents."""
TABLE_SIZE = 32 * MB
FEATURES_SIZE = 200 * MB
"""Read one by one: any number of them."""


def _bundle(name: str, content: Callable[[bytes], bytes]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        bundle = make_bundle(folder)
        forge(bundle, {name: content((bundle / name).read_bytes())})
        return bundle

    return make


def _rows(table: bytes) -> bytes:
    """Many rows, each of a hexagon of its own."""
    header, row, *_ = table.splitlines(keepends=True)
    numbers = range(TABLE_SIZE // len(row))
    return header + b"".join(b"%x" % ((0x8700000 << 32 | number << 4) + 15) + row[15:] for number in numbers)


def _repeated(table: bytes) -> bytes:
    header, *rows = table.splitlines(keepends=True)
    return header + b"".join(rows) * (TABLE_SIZE // len(b"".join(rows)))


def _packed(_: bytes) -> bytes:
    """As many rows as the table has, each of 200 MB of one letter."""
    content = io.BytesIO()
    table = pa.table({"text": ["x" * (200 * MB)] * 4})
    pq.write_table(table, content, compression="zstd", use_dictionary=False)
    return content.getvalue()


def _sparse(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        bundle = make_bundle(folder)
        with (bundle / name).open("r+b") as file:
            file.truncate(1000 * MB)
        return bundle

    return make


CASES: dict[str, Callable[[Path], Path]] = {
    "a table of 32 MB": _bundle(SPEED_BY_HAT.path, _rows),
    "a table of 32 MB, rows repeated": _bundle(SPEED_BY_HAT.path, _repeated),
    "privacy.json of 8 MB of lists": _bundle(PRIVACY, lambda _: b'{"a":[' + b"[]," * (SIZE // 3) + b"[]]}"),
    "datapackage.json of 8 MB of objects": _bundle(
        DATAPACKAGE, lambda _: b'{"resources":[' + b"{}," * (SIZE // 3) + b"{}]}"
    ),
    "outlines of 8 MB": _bundle(
        "data/cells.geojson", lambda _: b'{"features":[' + b"{}," * (SIZE // 3) + b"{}]}"
    ),
    "features of 200 MB": _bundle(
        "map/speed_by_hat.geojson", lambda _: b'{"features":[' + b"{}," * (FEATURES_SIZE // 3) + b"{}]}"
    ),
    "one feature of 200 MB of lists": _bundle(
        "map/speed_by_hat.geojson", lambda _: b'{"features":[[' + b"[]," * (FEATURES_SIZE // 3) + b"[]]]}"
    ),
    "spaces of 200 MB before the features": _bundle(
        "map/speed_by_hat.geojson", lambda _: b"{" + b" " * FEATURES_SIZE + b'"features":[]}'
    ),
    "a key of 200 MB": _bundle("map/speed_by_hat.geojson", lambda _: b'{"' + b"x" * FEATURES_SIZE + b'":[]}'),
    "rows of Parquet that unpack to gigabytes": _bundle("map/speed_by_hat.parquet", _packed),
    "a map of 8 MB of lists": _bundle(
        "map.html",
        lambda _: (
            b'<script type="application/json" id="hexveil-data">{"a":['
            + b"[]," * (SIZE // 3)
            + b"[]]}</script>"
        ),
    ),
    "a map of 8 MB of blocks": _bundle(
        "map.html", lambda _: b'<script type="application/json" id="hexveil-data">' * (SIZE // 50)
    ),
    "a record of 8 MB for portals": _bundle(
        "dcat.jsonld", lambda _: b'{"a":[' + b"{}," * (SIZE // 3) + b"{}]}"
    ),
    "a table of 1 GB of zeros": _sparse(SPEED_BY_HAT.path),
    "a list of 1 GB of zeros": _sparse(MANIFEST),
}


def main() -> int:
    """Print a line a case; 1 where one takes more than it may."""
    failed = 0
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            bundle = made(make, Path(folder))
            seconds, memory, code, said = measured(
                ["verify", str(bundle), "--home", str(Path(folder, "home"))]
            )
        retained = seconds <= MOST_SECONDS and memory <= MOST_MB and code == 1 and "is NOT valid" in said
        failed += not retained
        verdict = "ok    " if retained else "FAILED"
        print(f"{verdict} {name:42} {seconds:6.1f} s {memory:6.0f} MB  exit {code}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
