"""Dates and times as people write them, rewritten as ISO 8601: `1/2/2023 9:05 PM` (SPEC 2)."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

_OFFSET = r"Z|[+-]\d{2}:?\d{2}"
_CLOCK = (
    r" +(?P<hour>\d{1,2}):(?P<minute>\d{2})(?P<rest>:\d{2}(?:\.\d{1,9})?)?"
    rf"(?: *(?P<half>[AaPp])[Mm])? *(?P<offset>{_OFFSET})?$"
)
_YEAR_FIRST = rf"(?P<year>\d{{4}})/(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}}){_CLOCK}"
_ORDERS = {"dmy": ("day", "month"), "mdy": ("month", "day")}
_BLANK_BEFORE_OFFSET = rf"(:\d{{2}}(?:\.\d+)?) ({_OFFSET})$"


def without_blank(text: pa.Array) -> pa.Array:
    """`10:10:35 +0530` as `10:10:35+0530`; any other cell as it is."""
    return pc.replace_substring_regex(text, _BLANK_BEFORE_OFFSET, r"\1\2")


def as_iso(text: pa.Array, date_order: str) -> pa.Array:
    """Trimmed cells in ISO 8601; null where a cell has no such form.

    Read are `2023/12/31 10:15` and, with a date order, `31/12/2023`, `31-12-2023` and `31.12.2023`;
    with seconds, a fraction, AM or PM, an offset. Days and months are not compared with the
    calendar here: a day 31 of month 13 is written so and then is none.
    """
    written = _rewritten(text, r"\d{4}/", _YEAR_FIRST)
    if date_order:
        first, second = _ORDERS[date_order]
        for mark in (r"/", r"-", r"\."):
            pattern = rf"(?P<{first}>\d{{1,2}}){mark}(?P<{second}>\d{{1,2}}){mark}(?P<year>\d{{4}}){_CLOCK}"
            written = pc.coalesce(written, _rewritten(text, rf"\d\d?{mark}", pattern))
    return written


def _rewritten(text: pa.Array, beginning: str, pattern: str) -> pa.Array:
    if not pc.any(pc.match_substring_regex(text, f"^{beginning}")).as_py():  # far cheaper than the whole
        return pa.nulls(len(text), pa.string())
    part = pc.extract_regex(text, f"^{pattern}")
    field = {name: pc.struct_field(part, name) for name in ("year", "rest", "offset", "minute")}
    month, day, hour = (_two(pc.struct_field(part, name)) for name in ("month", "day", "hour"))
    return pc.binary_join_element_wise(
        pc.binary_join_element_wise(field["year"], month, day, "-"),
        pc.binary_join_element_wise(
            _of_day(hour, pc.utf8_upper(pc.struct_field(part, "half"))),
            pc.binary_join_element_wise(field["minute"], field["rest"], field["offset"], ""),
            ":",
        ),
        "T",
    )


def _two(digits: pa.Array) -> pa.Array:
    return pc.utf8_lpad(digits, 2, "0")


def _of_day(hour: pa.Array, half: pa.Array) -> pa.Array:
    """The hour of 24; one that no half of a day has becomes 99, which no clock shows."""
    number = hour.cast(pa.int8())
    on_dial = pc.and_(pc.greater_equal(number, 1), pc.less_equal(number, 12))
    shifted = pc.if_else(pc.equal(number, 12), 0, number)
    shifted = pc.if_else(pc.equal(half, "P"), pc.add(shifted, pa.scalar(12, pa.int8())), shifted)
    with_half = pc.if_else(on_dial, shifted, pa.scalar(99, pa.int8()))
    return pc.if_else(pc.equal(half, ""), hour, _two(with_half.cast(pa.string())))
