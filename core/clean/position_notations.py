"""Positions in one cell as databases, spreadsheets and portals write them (method 2.2)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.text_columns import cell_bytes

Pairs = tuple[NDArray[np.float64], NDArray[np.float64]]
"""First and second number of each cell, NaN where it has none; shapes (n,)."""
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_BOTH = rf"(?P<a>{_NUMBER})(?:\s*,\s*|\s+)(?P<b>{_NUMBER})"
_MORE = rf"(?:(?:\s*,\s*|\s+){_NUMBER}){{0,2}}\s*"
"""A height, a measure or both."""
_EAST = r"\"_?(?:longitude|long|lon|lng|x)\"\s*:\s*\"?"
_NORTH = r"\"_?(?:latitude|lat|y)\"\s*:\s*\"?"
EAST_FIRST = (
    rf"(?i)^(?:srid=\d+\s*;\s*)?point\s*(?:zm|z|m)?\s*\(\s*{_BOTH}{_MORE}\)$",
    rf"(?i)^(?:srid=\d+\s*;\s*)?multipoint\s*(?:zm|z|m)?\s*\(\s*\(?\s*{_BOTH}{_MORE}\)?\s*\)$",
    rf"(?i)^\{{.*\"coordinates\"\s*:\s*\[\s*{_BOTH}{_MORE}\].*\}}$",
    rf"(?i)^\{{.*\"coordinates\"\s*:\s*\[\s*\[\s*{_BOTH}{_MORE}\]\s*\].*\}}$",
    rf"(?i)^\{{(?:.*[,\s])?{_EAST}(?P<a>{_NUMBER})\"?\s*,(?:.*[,\s])?{_NORTH}(?P<b>{_NUMBER})[\"\s,\}}].*$",
)
"""WKT and EWKT, GeoJSON, objects: the longitude comes first, and a point alone is read."""
NORTH_FIRST = (
    rf"(?i)^\{{(?:.*[,\s])?{_NORTH}(?P<a>{_NUMBER})\"?\s*,(?:.*[,\s])?{_EAST}(?P<b>{_NUMBER})[\"\s,\}}].*$",
)
EITHER_FIRST = (
    rf"^[(\[{{]?\s*\[?\s*{_BOTH}(?:(?:\s*,\s*|\s+){_NUMBER})?\s*\]?\s*[)\]}}]?$",
    rf"^(?P<a>{_NUMBER})\s*[;|/]\s*(?P<b>{_NUMBER})$",
)
"""Two numbers, or three with a height: a person says which comes first."""
_WELL_KNOWN = r"^(?:0x|\\x)?(?:00|01)[0-9A-Fa-f]{40,}$"
_POINT, _SRID = 1, 0x2000_0000
_FLAGS = 0xE000_0000


def extracted(text: pa.Array, patterns: tuple[str, ...]) -> Pairs:
    """What the first pattern that fits a cell finds in it. text: trimmed."""
    first, second = np.full((2, len(text)), np.nan)
    for pattern in patterns:
        left = np.flatnonzero(np.isnan(first))
        if not left.size:
            break
        found = pc.extract_regex(text.take(pa.array(left)), pattern)
        first[left], second[left] = (
            pc.struct_field(found, name).cast(pa.float64()).to_numpy(zero_copy_only=False) for name in "ab"
        )
    finite = np.isfinite(first) & np.isfinite(second)
    return np.where(finite, first, np.nan), np.where(finite, second, np.nan)


def points_of_wkb(text: pa.Array) -> Pairs:
    """Points of WKB and EWKB as hexadecimal digits, of any dimension: longitude and latitude."""
    east, north = np.full((2, len(text)), np.nan)
    fits = pc.fill_null(pc.match_substring_regex(text, _WELL_KNOWN), False).to_numpy(zero_copy_only=False)
    rows = np.flatnonzero(fits)
    if not rows.size:
        return east, north
    digits = pc.replace_substring_regex(text.take(pa.array(rows)), r"^(?:0x|\\x)", "")
    widths = np.diff(cell_bytes(digits)[0])
    for width in np.unique(widths):
        some = np.flatnonzero(widths == width)
        _, data = cell_bytes(digits.take(pa.array(some)))
        if width % 2:
            continue
        blobs = np.frombuffer(bytes.fromhex(data.tobytes().decode()), np.uint8).reshape(some.size, width // 2)
        for order, mark in ((0, ">"), (1, "<")):
            alike = blobs[:, 0] == order
            east[rows[some[alike]]], north[rows[some[alike]]] = _points(blobs[alike], mark)
    return east, north


def _points(blobs: NDArray[np.uint8], mark: str) -> Pairs:
    """blobs: shape (n, bytes), all in one order of bytes."""
    kind = np.ascontiguousarray(blobs[:, 1:5]).view(f"{mark}u4").ravel()
    east, north = np.full((2, len(blobs)), np.nan)
    is_point = (kind & ~np.uint32(_FLAGS)) % 1000 == _POINT
    for start, rows in ((5, is_point & (kind & _SRID == 0)), (9, is_point & (kind & _SRID != 0))):
        if rows.any() and blobs.shape[1] >= start + 16:
            pair = np.ascontiguousarray(blobs[rows, start : start + 16]).view(f"{mark}f8")
            east[rows], north[rows] = pair[:, 0], pair[:, 1]
    return east, north


_DEGREES = (
    r"(?i)^(?P<before>[{letters}])?\s*(?P<degrees>[-+]?\d{{1,3}}(?:\.\d*)?)\s*[°º]\s*"
    r"(?:(?P<minutes>\d{{1,2}}(?:\.\d*)?)\s*['′’]\s*)?"
    r"(?:(?P<seconds>\d{{1,2}}(?:\.\d*)?)\s*(?:[\"″”]|''|′′)\s*)?(?P<behind>[{letters}])?$"
)
_NUMBER_ALONE = r"(?i)^(?P<before>[{letters}])?\s*(?P<degrees>\d+(?:\.\d*)?)\s*(?P<behind>[{letters}])?$"


def lettered(text: pa.Array, positive: str, negative: str) -> NDArray[np.float64]:
    """Numbers with the letter of a side of the world, and degrees with minutes and seconds; NaN for others.

    text: trimmed, with decimal points. positive, negative: the letters, `N` and `S` or `E` and `W`.
    """
    result = np.full(len(text), np.nan)
    for pattern in (_DEGREES, _NUMBER_ALONE):
        left = np.flatnonzero(np.isnan(result))
        if not left.size:
            break
        found = pc.extract_regex(text.take(pa.array(left)), pattern.format(letters=positive + negative))
        names = [field.name for field in found.type]
        degrees, minutes, seconds = (
            _numbers(pc.struct_field(found, name)) if name in names else np.zeros(left.size)
            for name in ("degrees", "minutes", "seconds")
        )
        letters = pc.utf8_upper(
            pc.binary_join_element_wise(
                pc.struct_field(found, "before"), pc.struct_field(found, "behind"), ""
            )
        )
        south = pc.fill_null(pc.equal(letters, negative), False).to_numpy(zero_copy_only=False)
        plain = pc.fill_null(pc.equal(letters, ""), True).to_numpy(zero_copy_only=False).copy()
        plain &= pattern is _NUMBER_ALONE
        bad = (minutes >= 60) | (seconds >= 60) | (south & (degrees < 0)) | plain
        sign = np.where(south | np.signbit(degrees), -1.0, 1.0)
        whole = sign * (np.abs(degrees) + minutes / 60 + seconds / 3600)
        result[left] = np.where(bad, np.nan, whole)
    return result


def _numbers(text: pa.Array) -> NDArray[np.float64]:
    """NaN for null, 0 for what is not there."""
    filled = pc.if_else(pc.equal(text, ""), "0", text)
    numbers: NDArray[np.float64] = filled.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return numbers
