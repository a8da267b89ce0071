"""Times whose date stands in a separate column: both cells joined as text, then read as one."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from core.clean.text_columns import to_text
from core.clean.time_formats import FIRST_HALF

_MIDNIGHT = r"(T|,? )00:00(:00([.,]0+)?)?$"
"""What dates end in that were stored or exported as times."""
_MIDNIGHT_OF_TWELVE = rf",? 12:00:00{FIRST_HALF}$"
"""The same by a clock of twice twelve hours."""
_DIGITS_BEFORE_COLONS = r"^(\d\d\d\d)(\d\d)(\d\d) (\d\d?:)"
"""A date of digits alone, which in one column no clock with colons follows."""


def joined_times(date: pa.Array, time: pa.Array) -> pa.Array:
    """`date time` as text, shape (n,); null where one of the two is null or empty.

    date: text, dates or numbers; a midnight that its cells end in tells nothing. time: the time of day, with
    whatever follows it.
    """
    day, clock = _trimmed(date), _trimmed(time)
    # most columns have neither, and to look for a plain text is quicker than to replace a pattern
    if pc.any(pc.match_substring(day, "00:00")).as_py():
        day = pc.replace_substring_regex(day, pattern=_MIDNIGHT, replacement="")
        if pc.any(pc.match_substring(day, " 12:00:00")).as_py():  # both in one pattern take twice the time
            day = pc.replace_substring_regex(day, pattern=_MIDNIGHT_OF_TWELVE, replacement="")
    both = pc.binary_join_element_wise(day, clock, " ")
    if pc.any(pc.ascii_is_decimal(day)).as_py():
        both = pc.replace_substring_regex(both, pattern=_DIGITS_BEFORE_COLONS, replacement=r"\1-\2-\3 \4")
    filled = pc.and_(pc.not_equal(day, ""), pc.not_equal(clock, ""))
    return both if pc.all(filled, skip_nulls=False).as_py() else pc.if_else(filled, both, None)


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(to_text(column))
