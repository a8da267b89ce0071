"""Times whose date stands in a column of its own: both cells joined as text, then read as one."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from core.clean.text_columns import to_text

_MIDNIGHT = r"[T ]00:00(:00([.,]0+)?)?$"
"""What dates end in that were stored or exported as times."""
_DIGITS_BEFORE_COLONS = r"^(\d\d\d\d)(\d\d)(\d\d) (\d\d?:)"
"""A date of digits alone, which in one column no clock with colons follows."""


def joined_times(date: pa.Array, time: pa.Array) -> pa.Array:
    """`date time` as text, shape (n,); null where one of the two is null or empty.

    date: text, dates or numbers; a midnight that its cells end in tells nothing. time: the time of day, with
    whatever follows it.
    """
    day = pc.replace_substring_regex(_trimmed(date), pattern=_MIDNIGHT, replacement="")
    clock = _trimmed(time)
    both = pc.binary_join_element_wise(day, clock, " ")
    both = pc.replace_substring_regex(both, pattern=_DIGITS_BEFORE_COLONS, replacement=r"\1-\2-\3 \4")
    filled = pc.and_(pc.not_equal(day, ""), pc.not_equal(clock, ""))
    return pc.if_else(filled, both, pa.scalar(None, pa.string()))


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(to_text(column))
