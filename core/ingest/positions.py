"""Positions as integers of 1e-7 degrees: two columns, or one holding both coordinates (SPEC 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

DEGREE = 10_000_000
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PAIR = rf"^\s*\[?\s*(?P<a>{_NUMBER})\s*,\s*(?P<b>{_NUMBER})\s*\]?\s*$"
_GEO = (
    r"(?i)^\s*(?:\{.*\"coordinates\"\s*:\s*\[|point\s*\()\s*"
    rf"(?P<a>{_NUMBER})(?:\s*,\s*|\s+)(?P<b>{_NUMBER})\s*(?:\].*\}}|\))\s*$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPositions:
    """latitude, longitude: shape (n,), degrees, NaN where absent or unreadable."""

    latitude: NDArray[np.float64]
    longitude: NDArray[np.float64]
    present: NDArray[np.bool_]
    """False where a cell was empty (as against unreadable)."""


def parse_numbers(column: pa.Array) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Numbers (NaN where absent or unreadable) and where a cell was present; shapes (n,)."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        text = pc.utf8_trim_whitespace(column)
        present = pc.fill_null(pc.not_equal(text, ""), False).to_numpy(zero_copy_only=False)
        readable = pc.fill_null(pc.match_substring_regex(text, rf"^{_NUMBER}$"), False)
        numbers = pc.if_else(readable, text, None).cast(pa.float64())
    else:
        present = column.is_valid().to_numpy(zero_copy_only=False)
        numbers = column.cast(pa.float64(), safe=False)
    filled = numbers.fill_null(float("nan")).to_numpy(zero_copy_only=False)
    return np.where(np.isfinite(filled), filled, np.nan), present


def parse_two_columns(latitude: pa.Array, longitude: pa.Array) -> ParsedPositions:
    """Positions from a latitude and a longitude column."""
    lat, lat_present = parse_numbers(latitude)
    lon, lon_present = parse_numbers(longitude)
    return ParsedPositions(latitude=lat, longitude=lon, present=lat_present & lon_present)


def parse_one_column(column: pa.Array, order: str) -> ParsedPositions:
    """Positions from `[a, b]` text or lists (in `order`), GeoJSON Point or WKT POINT (always lon, lat)."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        present = column.is_valid().to_numpy(zero_copy_only=False)
        paired = pc.equal(pc.list_value_length(column), 2)
        usable = pc.if_else(pc.fill_null(paired, False), column, pa.scalar(None, column.type))
        first, second = (parse_numbers(pc.list_element(usable, index))[0] for index in (0, 1))
        return _ordered(first, second, present, order)
    text = column.cast(pa.string())
    present = pc.fill_null(pc.not_equal(pc.utf8_trim_whitespace(text), ""), False)
    here = present.to_numpy(zero_copy_only=False)
    first, second = _extract(text, _PAIR)
    plain = _ordered(first, second, here, order)
    if not (here & np.isnan(first)).any():
        return plain
    geo_lon, geo_lat = _extract(text, _GEO)
    return ParsedPositions(
        latitude=np.where(np.isnan(geo_lat), plain.latitude, geo_lat),
        longitude=np.where(np.isnan(geo_lon), plain.longitude, geo_lon),
        present=here,
    )


def _extract(text: pa.Array, pattern: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    found = pc.extract_regex(text, pattern)
    first, _ = parse_numbers(pc.struct_field(found, "a"))
    second, _ = parse_numbers(pc.struct_field(found, "b"))
    return first, second


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
