"""The files of a bundle as whoever searches them has to see them: Parquet unpacked, all else as it is."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow.parquet as pq


def contents(bundle: Path) -> dict[str, bytes]:
    """Every file of a bundle, in the order of their names."""
    return {
        path.relative_to(bundle).as_posix(): path.read_bytes()
        for path in sorted(bundle.rglob("*"))
        if path.is_file()
    }


def unpacked(name: str, content: bytes) -> bytes:
    """The rows of a Parquet file, and what it says of itself, as JSON; of another file its bytes."""
    if not name.endswith(".parquet"):
        return content
    file = pq.ParquetFile(io.BytesIO(content))
    told = {key.decode(): text.decode(errors="replace") for key, text in file.schema_arrow.metadata.items()}
    rows = file.read(columns=[one for one in file.schema_arrow.names if one != "geometry"]).to_pylist()
    return json.dumps({"told": told, "made_by": file.metadata.created_by, "rows": rows}).encode()
