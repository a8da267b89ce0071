"""Which objects of a JSON text are records, with a position and a time; how many are looked at.

An answer of a server has others beside them: errors, names of columns, agencies. Records may stand in
several lists, in a list of each vehicle, route or page, under a name of each vehicle, as rows beside their
names, or as JSON within a text. Objects with at least half of their names in common are alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.read.json_cells import flatten
from core.system.nested_texts import json_value

EACH = "*"
"""Stands in the name of a list for members that have a name each: of a vehicle, of a page."""
BOTH = 2
"""What JSON objects get that have a position and a time: nothing better is to be found."""
MOST_LOOKED_AT = 20
"""Objects of JSON that are looked at to know whether a list holds records."""
_DEEPEST = 8
_FEWEST_COLUMNS = 4
"""Of a JSON table of lists: vehicle, time, and a position in one column or two."""
_TIME = re.compile(
    r"time|date|stamp|tst|tmstmp|epoch|recorded|hora|heure|zeit|fecha|datum|dthr|instant|samay|समय"
    r"|(?<![a-z])(ts|tsi|t|when)(?![a-z])"
)
_PLACE = re.compile(
    r"(?<![a-z])(lat|lon|lng|long|x|y|wkt)(?![a-z])|latitud|longitud|coord|geom|position|location|point|breite"
)
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(slots=True)
class RecordLists:
    """Takes values apart: the records in them, and how many objects lie in lists that hold others."""

    like: frozenset[str]
    name: str = ""
    """Of the only list that counts; empty: each that holds objects alike."""
    unread: int = 0

    def records(self, value: object) -> list[Any]:
        """What a value holds, in its order; the value itself where it is a record."""
        if self.name:
            return list(_named(value, self.name.split(".")))
        if rows := rows_of_columns(value):
            return rows
        if isinstance(value, dict) and alike(names_of([value]), self.like):
            return [value]
        found: list[Any] = []
        counted = 0
        for _, items in lists_in(value, like=self.like):
            whole = alike(names_of(items), self.like)
            taken = [item for item in items if whole or alike(names_of([item]), self.like)]
            found += taken
            counted += len(items)
        self.unread += max(counted, 1) - len(found)
        return found


def _named(value: object, path: Sequence[str]) -> Iterator[Any]:
    """What stands under a dotted name, through lists and JSON in texts."""
    value = _unpacked(value)
    if isinstance(value, list):
        for item in value:
            yield from _named(item, path) if path else [item]
    elif isinstance(value, dict) and path:
        inner = _with_rows(value)
        for item in inner.values() if path[0] == EACH else [inner.get(path[0])]:
            yield from _named(item, path[1:])
    elif isinstance(value, dict):
        yield from rows_of_columns(value, named=True) or [value]


def lists_in(
    value: object, name: str = "", depth: int = 0, like: frozenset[str] = frozenset()
) -> Iterator[tuple[str, list[Any]]]:
    """Each list of objects with its dotted name, the inner ones of a list of others in place of that list.

    like: names of records, where they are known: an object with one of them under a name holds a list.
    """
    if depth > _DEEPEST:
        return
    packed, value = value, _unpacked(value)
    if isinstance(packed, str) and isinstance(value, dict):
        value = [value]
    if rows := rows_of_columns(value):
        yield name, rows
    elif isinstance(value, dict):
        members = [item for item in value.values() if isinstance(item, dict)]
        is_map = members_are_alike(value) or any(alike(names_of([item]), like) for item in members)
        if is_map and not any(map(rows_of_columns, members)):
            yield from _list_or_inner(members, f"{name}.{EACH}" if name else EACH, depth, like)
            return
        for key, inner in _with_rows(value).items():
            yield from lists_in(inner, f"{name}.{key}" if name else key, depth + 1, like)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value[:MOST_LOOKED_AT]):
        yield from _list_or_inner(value, name, depth, like)


def _list_or_inner(
    items: list[Any], name: str, depth: int, like: frozenset[str]
) -> Iterator[tuple[str, list[Any]]]:
    if score(names_of(items)) < BOTH:
        inner = [found for item in items for found in lists_in(item, name, depth + 1, like)]
        if any(score(names_of(found)) > score(names_of(items)) for _, found in inner):
            yield from inner
            return
    yield name, items


def names_of(items: Iterable[Any]) -> frozenset[str]:
    """The names of the first objects, with dots."""
    few = [item for item, _ in zip(items, range(MOST_LOOKED_AT), strict=False) if isinstance(item, dict)]
    return frozenset(name for item in few for name in flatten(item))


def score(names: Iterable[str]) -> int:
    """1 for a position, 1 for a time."""
    words = [_WORDS.sub("_", name).lower() for name in names]
    return any(map(_TIME.search, words)) + any(map(_PLACE.search, words))


def alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether half of all names are common to both."""
    return 2 * len(some & others) >= len(some | others)


def _unpacked(value: object) -> object:
    """JSON that stands in a text, as what it says."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json_value(value)
        except ValueError:
            return value
    return value


def members_are_alike(value: dict[str, Any]) -> bool:
    """Whether an object holds others of one kind, each under another name."""
    members = list(value.values())[:MOST_LOOKED_AT]
    if len(members) < 2 or not all(isinstance(member, dict) for member in members):
        return False
    first = names_of(members[:1])
    return bool(first) and all(alike(names_of([member]), first) for member in members)


def rows_of_columns(value: object, *, named: bool = False) -> list[dict[str, Any]]:
    """Of an object that holds a list for each column, or as pandas writes it by the rows' numbers: its rows.

    Empty for any other. named: somebody says that it holds records; else lists of objects are no columns.
    """
    if not isinstance(value, dict) or len(value) < _FEWEST_COLUMNS:
        return []
    columns = [list(one.values()) if _is_numbered(one) else one for one in value.values()]
    if len({tuple(one) for one in value.values() if _is_numbered(one)}) > 1:
        return []
    if not all(isinstance(one, list) and len(one) == len(columns[0]) for one in columns):
        return []
    if score(value) < BOTH or (not named and any(map(_are_objects, columns))):
        return []
    return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _are_objects(cells: list[Any]) -> bool:
    """Whether most of the first ones are: an odd cell among them decides nothing of the others."""
    few = cells[:MOST_LOOKED_AT]
    return 2 * sum(isinstance(cell, dict) for cell in few) > len(few)


def holds_columns(value: object, depth: int = 0) -> bool:
    """Whether an object is such a table, or has one in it and is no record besides."""
    if depth > _DEEPEST or not isinstance(value, dict):
        return False
    if rows_of_columns(value):
        return True
    around = {key: inner for key, inner in value.items() if not holds_columns(inner, depth + 1)}
    return len(around) < len(value) and score(names_of([around])) < BOTH


def _is_numbered(value: object) -> bool:
    """Rows that were left out before leave gaps between the numbers."""
    return isinstance(value, dict) and all(key.isascii() and key.isdecimal() for key in value)


def _with_rows(value: dict[str, Any]) -> dict[str, Any]:
    """The object with rows of cells as objects, where a list beside or below names as many columns."""
    found = dict(value)
    for key, rows in value.items():
        if isinstance(rows, list) and (names := _columns(value, _usual_length(rows))):
            found[key] = [
                dict(zip(names, row, strict=True))
                if isinstance(row, list) and len(row) == len(names)
                else None
                for row in rows
            ]
    return found


def _usual_length(rows: list[Any]) -> int:
    """How many cells most of the first rows have; 0 where most are no lists of as many."""
    few = rows[:MOST_LOOKED_AT]
    lengths = Counter(len(row) if isinstance(row, list) else 0 for row in few).most_common(1)
    return lengths[0][0] if lengths and 2 * lengths[0][1] > len(few) else 0


def _columns(value: object, count: int, depth: int = 0) -> list[str]:
    """As many different names as there are cells, as texts or in objects as `fieldName`, `name` or `id`."""
    if isinstance(value, list) and len(value) == count:
        for key in ("fieldName", "name", "id"):
            cells = [item.get(key) if isinstance(item, dict) else item for item in value]
            names = [cell for cell in cells if isinstance(cell, str)]
            if len(set(names)) == count:
                return names
    if isinstance(value, dict) and depth < _DEEPEST:
        for inner in value.values():
            if names := _columns(inner, count, depth + 1):
                return names
    return []
