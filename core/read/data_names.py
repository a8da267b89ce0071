"""Which files hold data: by their names, and by their first bytes where a name tells nothing."""

from __future__ import annotations

import contextlib
from pathlib import Path

from core.errors import InputError
from core.read.archives import is_about_data, member_of
from core.read.kind_by_content import kind_by_content
from core.read.reader_registry import reader_by_name

_UNFINISHED = (".crdownload", ".download", ".part", ".partial", ".tmp")


def is_data_file(path: Path) -> bool:
    """Whether a file or member is to be read beside others.

    Without an ending its first bytes decide; with one that tells nothing, a feed is known by them.
    """
    name = path.name.lower()
    if is_about_data(name):
        return False
    reader = reader_by_name(name)
    if reader is not None and reader.key == "geopackage":
        return member_of(path) is None  # layers of a map lie in archives beside records
    if reader is not None and reader.key != "siri":  # as XML come descriptions and styles too
        return True
    if name.endswith(_UNFINISHED):
        return False
    with contextlib.suppress(InputError):
        kind = kind_by_content(path)
        return kind in ("gtfs", "siri") or bool(kind and not path.suffix)
    return reader is not None
