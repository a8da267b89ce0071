"""JSON: an array of objects, one object a line, or an object that holds such an array."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import ijson
import pyarrow as pa

from core.errors import InputError
from core.ingest.file_format import AS_FOUND, FileFormat
from core.ingest.files import Opened, base_name, opened
from core.ingest.readers.base import PREVIEW_ROWS, Batch, Preview, as_text

_ROWS = 50_000
_HEAD = 1 << 20


class JsonReader:
    """Streams objects, so that memory does not grow with the file; nested names have dots."""

    key: ClassVar[str] = "json"
    title: ClassVar[str] = "JSON"

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith((".json", ".jsonl", ".ndjson", ".geojson"))

    def preview(self, path: Path, form: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        with opened(path) as stream:
            objects = [
                _flatten(item)
                for item in islice(_objects(stream, _prefix(path), path), PREVIEW_ROWS)
                if isinstance(item, dict)
            ]
        names = tuple(dict.fromkeys(name for item in objects for name in item))
        if not names:
            raise _no_objects(path)
        return Preview(
            columns=names,
            rows=tuple(tuple(as_text(item.get(name)) for name in names) for item in objects),
        )

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        form: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        prefix = _prefix(path)
        seen: set[str] = set()
        with opened(path) as stream:
            items = _objects(stream, prefix, path)
            while True:
                # texts at once, object by object: a block of nested objects would keep the
                # garbage collector busy
                cells: dict[str, list[str | None]] = {name: [] for name in columns}
                size = unreadable = 0
                for item in islice(items, _ROWS):
                    size += 1
                    if isinstance(item, dict):
                        for name, column in cells.items():
                            column.append(_text(dig(item, name)))
                    else:
                        unreadable += 1
                if not size:
                    break
                seen |= {name for name, column in cells.items() if any(cell is not None for cell in column)}
                yield Batch(
                    table=pa.table({name: pa.array(column, pa.string()) for name, column in cells.items()}),
                    unreadable=unreadable,
                    fraction=stream.fraction,
                )
        for name in columns:
            if name not in seen:
                raise InputError(
                    f"No record has the field {name!r}.",
                    where=str(path),
                    mend="map one of these fields: " + ", ".join(self.preview(path).columns),
                )


READER = JsonReader()


def dig(record: dict[str, Any], name: str) -> Any:
    """The field of that name, looked up as it stands and then along its dots."""
    if name in record:
        return record[name]
    found: Any = record
    for step in name.split("."):
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found


def _flatten(record: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{before}{name}.")
        else:
            flat[before + name] = value
    return flat


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list) and all(isinstance(item, float) for item in value):
        return str(value)
    return json.dumps(value)


def _prefix(path: Path) -> str:
    """Where the objects are, in ijson's words: `item`, `` for lines, or `<key>.item`.

    Raises InputError when the file is empty or holds no objects.
    """
    with opened(path) as stream:
        head = stream.read(_HEAD).lstrip(b" \t\r\n")
    if not head:
        raise InputError("The file is empty.", where=str(path), mend="choose a file with records")
    if head[:1] == b"[":
        return "item"
    if head[:1] != b"{":
        raise _no_objects(path)
    first, _, rest = head.partition(b"\n")
    try:
        only = json.loads(first)
    except ValueError:
        return _array_inside(path) or ""
    if rest.strip() or not any(_holds_objects(value) for value in only.values()):
        return ""
    return next(f"{name}.item" for name, value in only.items() if _holds_objects(value))


def _holds_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _array_inside(path: Path) -> str | None:
    """The key of the first array of objects directly inside the top object."""
    with opened(path) as stream:
        try:
            for prefix, event, _ in ijson.parse(stream, use_float=True, multiple_values=True):
                if event == "start_map" and prefix.endswith(".item") and prefix.count(".") == 1:
                    return str(prefix)
                if event == "end_map" and prefix == "":
                    return None
        except (ijson.JSONError, UnicodeDecodeError):
            raise _broken(path) from None
    return None


def _objects(stream: Opened, prefix: str, path: Path) -> Iterator[Any]:
    """The values at the prefix, one after the other. Raises InputError where the JSON breaks off."""
    found = False
    try:
        for item in ijson.items(stream, prefix, use_float=True, multiple_values=True):
            found = found or isinstance(item, dict)
            yield item
    except (ijson.JSONError, UnicodeDecodeError):
        raise _broken(path) from None
    if not found:
        raise _no_objects(path)


def _no_objects(path: Path) -> InputError:
    return InputError(
        "The JSON is no array of objects.",
        where=str(path),
        mend='give records as [{...}, {...}], one {...} a line, or {"results": [{...}, {...}]}',
    )


def _broken(path: Path) -> InputError:
    return InputError(
        "The JSON breaks off or is malformed.", where=str(path), mend="copy or export the file again"
    )
