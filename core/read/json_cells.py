"""Cells of JSON records as Arrow columns: the same meaning whether read in bulk or one by one.

Bulk reading needs one type for a column of a block; where a block does not keep to it, its records
are read one by one. So that no record changes how another is read, a number means the same as a
number and as text: its digits for a whole number, else the shortest decimal.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json

_PLAIN = 1e10
"""Whole floating numbers in cells of JSON below it are written without an exponent."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_KINDS = {
    "text": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "floats": pa.list_(pa.float64()),
    "texts": pa.list_(pa.string()),
}
"""Kinds of cells that can be read in bulk."""
LISTS = ("floats", "texts")
_OWN_TYPES = {b"types": b"of cells"}
_DEEP = "[...]"
"""Stands for a list that is nested too deep to be written."""
_DEEPEST = 100


def dig(record: dict[str, Any], name: str) -> Any:
    """The field of that name, looked up as it stands and, where that is nothing, along its dots."""
    if record.get(name) is not None:
        return record[name]
    found: Any = record
    for step in name.split("."):
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found


def flatten(record: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Nested fields under names with dots."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and before.count(".") < _DEEPEST:
            flat |= flatten(value, f"{before}{name}.")
        else:
            flat[before + name] = value
    return flat


def kinds_of(records: Iterable[dict[str, Any]], columns: Sequence[str]) -> dict[str, str]:
    """The most frequent kind of each column that has a value in any record, a float where any number is.

    `other` stands for what is not read in bulk.
    """
    counts = {name: Counter[str]() for name in columns}
    for record in records:
        for name in columns:
            counts[name][_kind(dig(record, name))] += 1
    found = {}
    for name, count in counts.items():
        del count[""]
        if count["float"]:
            count["float"] += count.pop("int", 0)
        if count.total():
            found[name] = count.most_common(1)[0][0]
    return found


def paired_columns(records: Sequence[dict[str, Any]], columns: Sequence[str]) -> frozenset[str]:
    """Columns that hold pairs wherever they hold anything: positions, which may be given as lists.

    Anywhere else a list is a fault of its record alone, and is given as text.
    """
    found = set()
    for name in columns:
        values = [value for record in records if (value := dig(record, name)) is not None]
        if values and all(_kind(value) in LISTS and len(value) == 2 for value in values):
            found.add(name)
    return frozenset(found)


def _kind(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return "text"
    if _is_number(value):
        return "int" if isinstance(value, int) else "float"
    if isinstance(value, list) and value:
        if all(map(_is_number, value)):
            return "floats"
        if all(isinstance(item, str) for item in value):
            return "texts"
    return "other"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def bulk_table(
    records: bytes | bytearray, columns: Sequence[str], kinds: Mapping[str, str]
) -> pa.Table | None:
    """The wanted columns of records that stand one after the other, or None where bulk reading cannot.

    The kinds of `_KINDS` are expected; a column of unknown kind is taken for text. What is read is what
    `cells_table` makes of the same records; these must be UTF-8 and hold `only_objects`.
    """
    schema = _schema(columns, kinds)
    if schema is None:
        return None
    try:
        table = pa_json.read_json(
            pa.BufferReader(pa.py_buffer(records)),
            # one block: line ends have no meaning, and a record may have any length
            read_options=pa_json.ReadOptions(use_threads=False, block_size=max(len(records), 1)),
            parse_options=pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    found = {name: _bulk_column(table, name) for name in columns}
    return _table(found) if all(map(_is_plain, found.values())) else None


def _table(columns: Mapping[str, pa.Array | pa.ChunkedArray]) -> pa.Table:
    """Columns of lists are marked as cells of which each has its own type."""
    fields = [
        pa.field(name, column.type, metadata=_OWN_TYPES if pa.types.is_list(column.type) else None)
        for name, column in columns.items()
    ]
    return pa.table(dict(columns), schema=pa.schema(fields))


def without_lists(column: pa.Array, field: pa.Field) -> pa.Array:
    """A column of which each cell has its own type, for a meaning that no list has: lists as text.

    So they read as one list among numbers does. A type of the whole column stays as it is.
    """
    if not field.metadata or not _OWN_TYPES.items() <= field.metadata.items():
        return column
    return pa.array([as_json_text(value) for value in column.to_pylist()], pa.string())


def _schema(columns: Sequence[str], kinds: Mapping[str, str]) -> pa.Schema | None:
    """Each name as it stands and along its dots; None where two names cannot both be."""
    tree: dict[str, Any] = {}
    for name in columns:
        kind = _KINDS.get(kinds.get(name, "text"))
        if kind is None:
            return None
        for fields in ([name], name.split(".")):
            branch = tree
            for field in fields[:-1]:
                branch = branch.setdefault(field, {})
                if not isinstance(branch, dict):
                    return None
            if branch.setdefault(fields[-1], kind) is not kind:
                return None
    return pa.schema(_fields(tree))


def _fields(tree: dict[str, Any]) -> list[pa.Field]:
    return [
        pa.field(name, pa.struct(_fields(branch)) if isinstance(branch, dict) else branch)
        for name, branch in tree.items()
    ]


def _bulk_column(table: pa.Table, name: str) -> pa.ChunkedArray:
    whole = table.column(name)
    first, *fields = name.split(".")
    if not fields:
        return whole
    nested = table.column(first)
    for field in fields:
        nested = pc.struct_field(nested, field)
    if whole.null_count == len(whole):
        return nested
    return nested if nested.null_count == len(nested) and not len(nested) else pc.coalesce(whole, nested)


def _is_plain(column: pa.ChunkedArray) -> bool:
    """Whether every number's text is the one it has by itself, and no list has gaps."""
    if pa.types.is_list(column.type):
        column = pc.list_flatten(column)
        if column.null_count:
            return False
    if not pa.types.is_float64(column.type):
        return True
    large = pc.and_(pc.greater_equal(pc.abs(column), _PLAIN), pc.is_finite(column))
    return not pc.any(large).as_py()


def cells_table(
    records: Sequence[dict[str, Any]], columns: Sequence[str], pairs: Collection[str] = ()
) -> pa.Table:
    """The wanted columns of records that were read one by one; lists stay lists in `pairs` alone."""
    return _table(
        {name: _cells([dig(record, name) for record in records], name in pairs) for name in columns}
    )


def _cells(values: list[Any], may_be_lists: bool) -> pa.Array:
    kinds = {_kind(value) for value in values} - {""}
    try:
        column = None
        if kinds == {"int"}:
            column = pa.array(values, pa.int64())
        elif kinds in ({"float"}, {"int", "float"}):
            column = _floats(values)
        elif kinds == {"floats"} and may_be_lists:
            column = pa.array(values, pa.list_(pa.float64()))
        if column is not None and _is_plain(pa.chunked_array([column])):
            return column
    except (pa.ArrowException, OverflowError):
        pass  # numbers that no type holds stand as text
    return pa.array([as_json_text(value) for value in values], pa.string())


def _floats(values: list[Any]) -> pa.Array:
    return pa.array([None if value is None else float(value) for value in values], pa.float64())


def as_json_text(value: object) -> str | None:
    """A cell as text; a list of numbers as `[1.5, 2]` whether these stand in quotes or not."""
    if value is None:
        return None
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, float):
        text: str = pa.scalar(value).cast(pa.string()).as_py()
        return text
    if isinstance(value, list) and value and all(_is_numeric(item) for item in value):
        return f"[{', '.join(str(as_json_text(item)) for item in value)}]"
    try:
        return json.dumps(value)
    except RecursionError:
        return _DEEP


def whole_characters(text: str) -> str:
    """The text with a sign in place of each half of a character: JSON may escape one, no text can hold it."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_numeric(item: object) -> bool:
    return _is_number(item) or (isinstance(item, str) and _NUMBER.fullmatch(item) is not None)
