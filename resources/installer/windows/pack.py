"""A folder as a zip archive whose bytes depend on nothing but the files and their times.

python resources/installer/windows/pack.py FOLDER ARCHIVE.zip
"""

from __future__ import annotations

import datetime as dt
import os
import sys
import zipfile
from pathlib import Path

_OUTER = "Hexveil"
"""What the archive unpacks to."""


def pack(folder: Path, archive: Path) -> None:
    """Write the archive: files in the order of their paths, times from SOURCE_DATE_EPOCH."""
    moment = dt.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), dt.UTC)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(
                    f"{_OUTER}/{path.relative_to(folder).as_posix()}", moment.timetuple()[:6]
                )
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with path.open("rb") as source, packed.open(entry, "w") as target:
                    while piece := source.read(1 << 20):
                        target.write(piece)


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
