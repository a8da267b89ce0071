"""What an adversary may look at in a bundle, as named numbers; and the best of it, certified.

Every file counts with its size, lines and characters, every number of a table or a document by its place,
every column by its sum. What tells two neighbours apart is chosen on one half of the bundles and certified on
the other, so that however many numbers are tried, none of them may flatter.
"""

from __future__ import annotations

import csv
import functools
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID
from core.portal.schema_org import LINKED_DATA, SCHEMA_ORG_ID
from core.signed.bundle_names import MAP_PAGE, REPORT
from tests.audit import certify, choose_event
from tests.unpacked import unpacked

Files = Mapping[str, bytes]
Numbers = dict[str, float]
_ABSENT = -1e30
_TRIED = 30
"""Of all numbers those whose distributions lie furthest apart on the first half."""
_DOCUMENTS = (".json", ".jsonld", ".geojson", ".parquet")
_COUNTED = b"0123456789,.-\n "


def numbers_of(files: Files) -> Numbers:
    """Everything of a bundle that a number can be made of."""
    found: Numbers = {"files": float(len(files))}
    for place, (name, packed) in enumerate(files.items()):
        found[f"{name} place"] = float(place)
        found |= numbers_of_file(name, packed)
    return found


@functools.lru_cache(maxsize=64)
def numbers_of_file(name: str, packed: bytes) -> Numbers:
    """The same of one file, wherever it stands among the others; some are alike in all bundles."""
    content = unpacked(name, packed)
    found: Numbers = {f"{name} packed": float(len(packed)), f"{name} size": float(len(content))}
    for byte in _COUNTED:
        found[f"{name} {byte}"] = float(content.count(byte))
    if name.endswith(".csv"):
        found |= _of_table(name, content.decode())
    if name.endswith(_DOCUMENTS):
        _enter(found, name, json.loads(content))
    if name == MAP_PAGE:
        _enter(found, name, find_json(name, content, MAP_DATA_ID))
    if name == REPORT:
        _enter(found, name, find_json(name, content, SCHEMA_ORG_ID, kind=LINKED_DATA))
    return found


def _of_table(name: str, text: str) -> Numbers:
    found: Numbers = {}
    for line, row in enumerate(csv.DictReader(io.StringIO(text))):
        for column, cell in row.items():
            place = f"{name} {column} {line}"
            found[f"{place} length"] = float(len(cell))
            found[f"{place} end"] = float(ord(cell[-1:] or "\0"))
            found[place] = _number(cell)
            whole = f"{name} {column} sum"
            found[whole] = found.get(whole, 0.0) + _number(cell)
    return found


def _number(cell: str) -> float:
    """Of a number itself; of a text one that tells it from others."""
    try:
        return float(cell)
    except ValueError:
        return float(int.from_bytes(cell.encode()[-6:], "big"))


def _enter(found: Numbers, name: str, value: Any) -> None:
    """Every number and text of a document, by its path."""
    if isinstance(value, dict):
        found[f"{name} keys"] = float(len(value))
        for key, item in value.items():
            _enter(found, f"{name}/{key}", item)
    elif isinstance(value, list):
        found[f"{name} items"] = float(len(value))
        for place, item in enumerate(value):
            _enter(found, f"{name}/{place}", item)
    else:
        found[name] = _number(str(value))


Look = Callable[[Files], Numbers]


def certified_from_bundles(
    here: Sequence[Files], there: Sequence[Files], alpha: float, look: Look = numbers_of
) -> tuple[float, str]:
    """An epsilon that the bundles of two neighbours certify, and by which of their numbers.

    Wrong with probability alpha at most: as `tests.audit.epsilon_lower_bound`, with a choice among numbers.
    """
    return certified_from_numbers(list(map(look, here)), list(map(look, there)), alpha)


def certified_from_numbers(
    here: Sequence[Numbers], there: Sequence[Numbers], alpha: float
) -> tuple[float, str]:
    """The same, of bundles that were looked at."""
    seen = (here, there)
    names = sorted({name for side in seen for one in side for name in one})
    columns = [
        np.array([[one.get(name, _ABSENT) for name in names] for one in side], np.float64) for side in seen
    ]
    return max(
        _one_way(*pair, names, alpha / 4) for pair in ((columns[0], columns[1]), (columns[1], columns[0]))
    )


def _one_way(
    more: NDArray[np.float64], less: NDArray[np.float64], names: Sequence[str], alpha: float
) -> tuple[float, str]:
    """Chosen on the first halves, certified on the second ones."""
    half, other = len(more) // 2, len(less) // 2
    apart = _apart(more[:half], less[:other])
    best, place, event = -np.inf, -1, None
    for column in np.argsort(-apart, kind="stable")[:_TRIED].tolist():
        chosen = choose_event(more[:half, column], less[:other, column], alpha)
        found = certify(chosen, more[:half, column], less[:other, column], alpha)
        if found > best:
            best, place, event = found, column, chosen
    if event is None:
        return -np.inf, "nothing"
    return certify(event, more[half:, place], less[other:, place], alpha), names[place]


def _apart(more: NDArray[np.float64], less: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest distance of the two distribution functions of each column; shape (columns,)."""
    pooled = np.concatenate([more, less])
    order = np.argsort(pooled, axis=0, kind="stable")
    steps = np.where(order < len(more), 1.0 / len(more), -1.0 / len(less))
    ordered = np.take_along_axis(pooled, order, axis=0)
    ends = np.ones(pooled.shape, bool)
    ends[:-1] = ordered[1:] != ordered[:-1]
    found: NDArray[np.float64] = np.abs(np.where(ends, steps.cumsum(axis=0), 0.0)).max(axis=0)
    return found
