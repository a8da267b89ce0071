"""Parquet through Spark: columns travel as what the file stores, and get their types back in a worker.

Spark's own types lose what our readers tell apart: nanoseconds, times without a zone, whole numbers without
a sign. So the file's numbers are read as they stand, and given the type that Arrow would have given them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.read.readers.base import require_columns
from core.read.readers.parquet_files import leaf_names, readable_cells

_ELEMENTS = {
    pa.int8(): "int",
    pa.int16(): "int",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
}
_PLAIN = _ELEMENTS | {
    pa.uint8(): "int",
    pa.uint16(): "int",
    pa.uint32(): "int",
    pa.uint64(): "bigint",
    pa.bool_(): "boolean",
    pa.large_string(): "string",
    pa.binary(): "binary",
    pa.date32(): "int",
}
_INT96 = "INT96"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """How one column travels."""

    name: str
    """As it is mapped."""
    path: tuple[str, ...]
    """Names of the fields that lead to it."""
    kind: str
    """What Spark reads it as."""
    arrow: pa.DataType
    """What it is."""


Carriers = tuple[Carrier, ...]


def carriers_of(file: pq.ParquetFile, columns: Sequence[str], where: str) -> Carriers | None:
    """How the mapped columns of a file travel; None where one of them has no way, and the file goes whole.

    Raises InputError for a column that is missing or holds what no reader takes.
    """
    schema = file.schema_arrow
    require_columns(columns, leaf_names(schema), Path(where))
    stored = {
        column.path: column.physical_type
        for column in (file.metadata.schema.column(place) for place in range(len(file.metadata.schema)))
    }
    found = []
    for name in columns:
        path, kind = _field(schema, name)
        if path is None or kind is None:
            return None
        readable_cells(pa.array([], kind), name, where)
        carried = _carried(kind)
        if carried is None or stored.get(".".join(path)) == _INT96:
            return None
        found.append(Carrier(name=name, path=path, kind=carried, arrow=kind))
    return tuple(found)


def spark_schema(carriers: Carriers) -> str:
    """The columns as a schema that Spark reads files by."""
    tree: dict[str, Any] = {}
    for carrier in carriers:
        branch = tree
        for name in carrier.path[:-1]:
            branch = branch.setdefault(name, {})
        branch[carrier.path[-1]] = carrier.kind
    return ", ".join(f"{spark_name(name)} {_ddl(kind)}" for name, kind in tree.items())


def spark_name(name: str) -> str:
    """A name as Spark takes it whatever it holds."""
    return "`" + name.replace("`", "``") + "`"


def restored(batch: pa.RecordBatch, carriers: Carriers, where: str) -> pa.Table:
    """The columns as the reader of Parquet gives them."""
    columns = {
        carrier.name: readable_cells(_back(column, carrier.arrow), carrier.name, where)
        for column, carrier in zip(batch.columns, carriers, strict=True)
    }
    return pa.table(columns)


def _field(schema: pa.Schema, name: str) -> tuple[tuple[str, ...] | None, pa.DataType | None]:
    """The field of that name as it stands, or along its dots; nothing where a name is not unique."""
    path = (name,) if name in schema.names else tuple(name.split("."))
    kind: Any = None
    fields: Any = schema
    for step in path:
        found = [field for field in fields if field.name == step]
        if len(found) != 1:
            return None, None
        kind = found[0].type
        fields = list(kind) if pa.types.is_struct(kind) else []
    return path, kind


def _carried(kind: pa.DataType) -> str | None:
    if pa.types.is_dictionary(kind):
        return "string" if pa.types.is_string(kind.value_type) else None
    if pa.types.is_timestamp(kind):
        return None if kind.unit == "s" else "bigint"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = _ELEMENTS.get(kind.value_type)
        return inner and f"array<{inner}>"
    return _PLAIN.get(kind)


def _ddl(kind: str | dict[str, Any]) -> str:
    if isinstance(kind, str):
        return kind
    return "struct<" + ", ".join(f"{spark_name(name)}: {_ddl(inner)}" for name, inner in kind.items()) + ">"


def _back(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if column.type == kind:
        return column
    if pa.types.is_dictionary(kind):
        return column.cast(pa.string())
    if pa.types.is_timestamp(kind) or kind in (pa.uint64(), pa.uint32(), pa.date32()):
        return column.view(kind)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return column.cast(pa.list_(kind.value_type))
    return column.cast(kind)
