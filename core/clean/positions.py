"""Positions as integers of 1e-7 degrees: two columns, or one holding both coordinates (method 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.position_notations import (
    EAST_FIRST,
    EITHER_FIRST,
    NORTH_FIRST,
    Pairs,
    extracted,
    lettered,
    points_of_wkb,
)
from core.clean.text_columns import cell_bytes, from_bytes, is_filled, is_valid, swap_bytes, to_text
from core.read.file_format import EITHER_MARK
from core.records.records import DEGREE

_COMMA, _BLANK, _OPEN, _CLOSE = b", []"
_NOTHING = "\0"
"""A character that no number holds."""
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPositions:
    """latitude, longitude: shape (n,), degrees, NaN where absent or unreadable."""

    latitude: NDArray[np.float64]
    longitude: NDArray[np.float64]
    present: NDArray[np.bool_]
    """False where a cell was empty (as against unreadable)."""


def parse_numbers(
    column: pa.Array, decimal: str = ".", behind: str = ""
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Numbers (NaN where absent or unreadable) and where a cell was present; shapes (n,).

    Text has the decimal mark that is named and no marks of thousands. behind: a regular expression of what
    may follow a number in its cell.
    """
    if pa.types.is_dictionary(column.type):
        if len(column.dictionary) <= len(column):
            return _looked_up(column, *parse_numbers(column.dictionary, decimal, behind))
        column = column.dictionary_decode()
    if not _is_text(column.type):
        return _finite(column.cast(pa.float64(), safe=False)), is_valid(column)
    text = to_text(column)
    if decimal == EITHER_MARK:
        text = swap_bytes(text, {",": "."})  # two marks make no number
    elif decimal != ".":
        text = swap_bytes(text, {".": _NOTHING, decimal: "."})
    numbers = _finite(_read_numbers(text))
    unread = np.isnan(numbers)
    all_read = not unread.any()
    if behind and not all_read:
        rest = pc.replace_substring_regex(text.filter(pa.array(unread)), behind, "")
        numbers = numbers.copy()
        numbers[unread] = _finite(_read_numbers(rest))
    return numbers, np.ones(len(text), bool) if all_read else is_filled(text)


def _looked_up(
    column: pa.DictionaryArray, numbers: NDArray[np.float64], present: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Of each cell what was read of its text; numbers, present: of the dictionary."""
    at = column.indices.cast(pa.int32()).fill_null(numbers.size).to_numpy(zero_copy_only=False)
    return np.append(numbers, np.nan).take(at), np.append(present, False).take(at)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _read_numbers(text: pa.Array) -> pa.Array:
    """Null where absent or unreadable. The cast reads `_NUMBER`, nan and inf, and stops at all else."""
    try:
        return text.cast(pa.float64())
    except pa.ArrowInvalid:
        trimmed = pc.utf8_trim_whitespace(text)
        readable = pc.match_substring_regex(trimmed, rf"^{_NUMBER}$")
        return pc.if_else(readable, trimmed, None).cast(pa.float64())


def _finite(numbers: pa.Array) -> NDArray[np.float64]:
    """NaN for null, nan and infinity."""
    filled: NDArray[np.float64] = numbers.to_numpy(zero_copy_only=False)
    infinite = np.isinf(filled)
    return np.where(infinite, np.nan, filled) if infinite.any() else filled


def parse_two_columns(latitude: pa.Array, longitude: pa.Array, decimal: str = ".") -> ParsedPositions:
    """Positions from a latitude and a longitude column; `59.91 N` and degrees with minutes are read too."""
    lat, lat_present = _coordinate(latitude, decimal, "NS")
    lon, lon_present = _coordinate(longitude, decimal, "EW")
    return ParsedPositions(latitude=lat, longitude=lon, present=lat_present & lon_present)


def _coordinate(
    column: pa.Array, decimal: str, letters: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    numbers, present = parse_numbers(column, decimal)
    rest = np.flatnonzero(np.isnan(numbers) & present)
    if not rest.size or not _is_text(column.type):
        return numbers, present
    text = pc.utf8_trim_whitespace(to_text(column.take(pa.array(rest))))
    numbers = numbers.copy()
    numbers[rest] = lettered(swap_bytes(text, {",": "."}) if decimal != "." else text, *letters)
    return numbers, present


def parse_one_column(column: pa.Array, order: str) -> ParsedPositions:
    """Positions from `[a, b]` text or lists (in `order`), GeoJSON, WKT, WKB or objects (always lon, lat).

    All of these have decimal points, whatever mark the file's other numbers have: here a comma
    separates.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        present = is_valid(column)
        paired = pc.is_in(pc.list_value_length(column), value_set=pa.array([2, 3, 4], pa.int32()))
        usable = pc.if_else(pc.fill_null(paired, False), column, pa.scalar(None, column.type))
        first, second = (parse_numbers(pc.list_element(usable, index))[0] for index in (0, 1))
        return _ordered(first, second, present, order)
    text = to_text(column)
    first, second = _pairs(text)
    plain = _ordered(first, second, is_valid(text), order)
    rest = np.flatnonzero(plain.present & np.isnan(first))
    return _other_notations(text.take(pa.array(rest)), rest, plain, order) if rest.size else plain


def _other_notations(
    text: pa.Array, rows: NDArray[np.intp], plain: ParsedPositions, order: str
) -> ParsedPositions:
    """The positions with those of `rows`, whose cells are empty, padded, otherwise written or unreadable."""
    text = pc.utf8_trim_whitespace(text)
    padded = _ordered(*_pairs(text), is_filled(text), order)
    latitude, longitude, present = plain.latitude.copy(), plain.longitude.copy(), plain.present.copy()
    latitude[rows], longitude[rows], present[rows] = padded.latitude, padded.longitude, padded.present
    ways: tuple[tuple[Callable[[pa.Array], Pairs], str], ...] = (
        (partial(extracted, patterns=EAST_FIRST), "lon,lat"),
        (partial(extracted, patterns=NORTH_FIRST), "lat,lon"),
        (points_of_wkb, "lon,lat"),
        (partial(extracted, patterns=EITHER_FIRST), order),
    )
    for read, first in ways:
        left = np.flatnonzero(np.isnan(latitude[rows]) & padded.present)
        if not left.size:
            break
        found = _ordered(*read(text.take(pa.array(left))), padded.present[left], first)
        latitude[rows[left]], longitude[rows[left]] = found.latitude, found.longitude
    return ParsedPositions(latitude=latitude, longitude=longitude, present=present)


def _pairs(text: pa.Array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two numbers of cells `[a, b]` or `a, b`; NaN where a cell has not exactly one comma."""
    edges, data = cell_bytes(text)
    commas = np.flatnonzero(data == _COMMA)
    valid = is_valid(text)
    if commas.size == len(text) and ((commas >= edges[:-1]) & (commas < edges[1:])).all() and valid.all():
        return _halves(edges, data, commas)
    cell = np.searchsorted(edges[1:], commas, side="right")
    single = valid & (np.bincount(cell, minlength=len(text)) == 1)
    first, second = np.full((2, len(text)), np.nan)
    if single.any():
        first[single], second[single] = _pairs(text.filter(pa.array(single)))
    return first, second


def _halves(
    edges: NDArray[np.int32], data: NDArray[np.uint8], commas: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What stands on either side of each cell's comma, read in place: every second slice is skipped."""
    if not commas.size:
        return np.zeros(0), np.zeros(0)
    first, last = edges[:-1].astype(np.intp), edges[1:].astype(np.intp)
    last -= data.take(last - 1) == _CLOSE
    after = commas + 1
    after += data.take(after, mode="clip") == _BLANK
    cuts = np.empty(4 * commas.size + 1, np.int32)
    cuts[0:-1:4] = first + (data.take(first) == _OPEN)
    cuts[1::4] = commas
    cuts[2::4] = np.minimum(after, last)
    cuts[3::4] = last
    cuts[-1] = last[-1]
    every_second = np.full(-(-commas.size // 2), 0b0101_0101, np.uint8)
    numbers = _read_numbers(from_bytes(cuts, data, every_second)).to_numpy(zero_copy_only=False)
    left, right = numbers[0::4].copy(), numbers[2::4].copy()
    unreadable = ~(np.isfinite(left) & np.isfinite(right))
    if unreadable.any():
        left[unreadable] = right[unreadable] = np.nan
    return left, right


def _ordered(
    first: NDArray[np.float64], second: NDArray[np.float64], present: NDArray[np.bool_], order: str
) -> ParsedPositions:
    lon, lat = (first, second) if order == "lon,lat" else (second, first)
    return ParsedPositions(latitude=lat, longitude=lon, present=present)


def on_earth(latitude: NDArray[np.float64], longitude: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Within +-90 and +-180 degrees, and not exactly 0,0."""
    inside = (np.abs(latitude) <= 90.0) & (np.abs(longitude) <= 180.0)
    result: NDArray[np.bool_] = inside & ~((latitude == 0.0) & (longitude == 0.0))
    return result


def to_integers(degrees: NDArray[np.float64]) -> NDArray[np.int32]:
    """Degrees as integers of 1e-7 degrees, each rounded to the nearest."""
    return np.rint(degrees * DEGREE).astype(np.int32)
