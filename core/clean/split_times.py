"""Times whose date stands in a separate column, or that count seconds since midnight."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

from core.clean.text_columns import to_text
from core.clean.time_formats import FIRST_HALF

_MIDNIGHT = r"(T|,? |:)00:00(:00([.,]0+)?)?$"
"""What dates end in that were stored or exported as times."""
_MIDNIGHT_OF_TWELVE = rf",? 12:00:00{FIRST_HALF}$"
"""The same by a clock of twice twelve hours."""
_COUNTED = r"^(0|[1-9]\d{0,5})(\.\d*)?$"
"""A number without zeros in front."""
_NAMED = re.compile("sec(ond)?s?(from|of|past|since)?(the)?(midnight|day)|midnight.*sec|^(spm|sod)$")
_MOST_SECONDS = 200_000
"""Since midnight of the separate date: a day of service ends on the day after."""


def names_seconds(column: str) -> bool:
    """Whether a column's name says that it counts the seconds since midnight: `seconds_past_midnight`."""
    return _NAMED.search(re.sub(r"[^a-z]", "", column.lower())) is not None


def joined_times(date: pa.Array, time: pa.Array, named: str = "") -> pa.Array:
    """`date time` as text, shape (n,); null where one of the two is null or empty.

    date: text, dates or numbers; a midnight that its cells end in tells nothing. time: the time of day, with
    whatever follows it, or the seconds since midnight; behind a date of eight digits, digits are a clock's
    unless the column's name says seconds. named: that name.
    """
    day, clock = _trimmed(date), _trimmed(time)
    # most columns have neither, and to look for a plain text is quicker than to replace a pattern
    if pc.any(pc.match_substring(day, "00:00")).as_py():
        day = pc.replace_substring_regex(day, pattern=_MIDNIGHT, replacement="")
        if pc.any(pc.match_substring(day, " 12:00:00")).as_py():  # both in one pattern take twice the time
            day = pc.replace_substring_regex(day, pattern=_MIDNIGHT_OF_TWELVE, replacement="")
    if not pc.all(pc.match_substring(clock, ":")).as_py():  # a clock has them, and to look for them is quick
        counted = pc.match_substring_regex(clock, _COUNTED)
        if not names_seconds(named):
            counted = pc.and_(counted, pc.invert(pc.ascii_is_decimal(day)))
        clock = pc.coalesce(_clocks(pc.if_else(counted, clock, None)), clock)
    both = pc.binary_join_element_wise(day, clock, " ")
    filled = pc.and_(pc.not_equal(day, ""), pc.not_equal(clock, ""))
    return both if pc.all(filled, skip_nulls=False).as_py() else pc.if_else(filled, both, None)


def _clocks(seconds: pa.Array) -> pa.Array:
    """Seconds since midnight as `25:10:07.500`; null where they are too many."""
    ms = pc.cast(pc.round(pc.multiply(seconds.cast(pa.float64()), 1000.0)), pa.int64())
    ms = pc.if_else(pc.less(ms, _MOST_SECONDS * 1000), ms, None)
    whole, thousandths = pc.divide(ms, 1000), _remainder(ms, 1000)
    minutes = pc.divide(whole, 60)
    fields = (
        _digits(pc.divide(minutes, 60), 2),
        _digits(_remainder(minutes, 60), 2),
        _digits(_remainder(whole, 60), 2),
    )
    clock = pc.binary_join_element_wise(*fields, ":")
    return pc.binary_join_element_wise(clock, _digits(thousandths, 3), ".")


def _remainder(numbers: pa.Array, by: int) -> pa.Array:
    return pc.subtract(numbers, pc.multiply(pc.divide(numbers, by), by))


def _digits(numbers: pa.Array, width: int) -> pa.Array:
    return pc.utf8_lpad(numbers.cast(pa.string()), width, "0")


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(to_text(column))
