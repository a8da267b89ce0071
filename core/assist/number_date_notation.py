"""How numbers and dates of a file are written: points, commas, thousands, day or month first.

One-sided evidence decides, contradicting evidence is refused, and without evidence a person is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.clean.times import order_evidence, ordered_dates
from core.counted import count_of
from core.texts import Name, joined, text_of

NUMBER_LIKE = re.compile(r"\s*[-+]?(?:\d+(?:[.,]\d+)*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?\s*")
"""A number with whatever mark, or several of them."""
_SHORT_YEAR = re.compile(r"\s*(\d\d)([/.])\d\d?\2\d\d(?!\d)", re.ASCII)
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the contents say about one part of a mapping."""

    choice: str | None
    """None: they do not tell, and somebody has to choose."""
    reason: str
    contradictory: bool = False
    """The contents tell two contradictory things: whatever is chosen, some cells will not be readable."""
    part: str = ""
    """Of the mapping: the one that it is about, where it may be one of two."""


def decimal_mark(columns: Mapping[str, Iterable[str]]) -> Evidence:
    """The decimal mark of columns of numbers (name -> cells); cells that are no numbers tell nothing.

    One comma before exactly three digits may as well group thousands: alone it is no evidence.
    """
    kinds = {name: Counter(map(_mark_of, cells)) for name, cells in columns.items()}
    having = {
        kind: _named(name for name, counts in kinds.items() if counts[kind])
        for kind in ("point", "comma", "either", "grouped")
    }
    if having["grouped"]:
        return Evidence(
            choice=None,
            reason=text_of("{having} groups thousands, which is not read", having=having["grouped"]),
            contradictory=True,
        )
    if having["point"] and (having["comma"] or having["either"]):
        commas = having["comma"] or having["either"]
        return Evidence(
            choice=None,
            reason=text_of(
                "points in {having}, but commas in {commas}", having=having["point"], commas=commas
            ),
            contradictory=True,
        )
    if having["comma"]:
        return Evidence(choice=",", reason=text_of("commas and no point in {having}", having=having["comma"]))
    if having["either"]:
        return Evidence(
            choice=None,
            reason=text_of(
                "doubtful: a number like 1,234 in {having} may be 1234 or 1.234", having=having["either"]
            ),
        )
    return Evidence(choice=".", reason="points" if having["point"] else "whole numbers only")


def _mark_of(cell: str) -> str:
    text = cell.strip().lstrip("+-")
    if not NUMBER_LIKE.fullmatch(text):
        return "none"
    points, commas = text.count("."), text.count(",")
    if points + commas > 1:
        return "grouped"
    if commas:
        return "either" if re.fullmatch(r"[1-9]\d{0,2},\d{3}", text) else "comma"
    return "point" if points else "none"


def _named(names: Iterable[str]) -> str:
    found = list(names)
    return joined(", ", map(Name, found[:_MOST_NAMED])) + (" and others" if len(found) > _MOST_NAMED else "")


def date_order(texts: Sequence[str]) -> Evidence:
    """The order of day and month in a column of times; empty where no date needs one."""
    if not any(order.any() for order in ordered_dates(texts)):
        return Evidence(choice="", reason="no date needs it")
    day_first, month_first = order_evidence(texts)
    if day_first and month_first:
        return Evidence(
            choice=None,
            reason=joined(
                ", ",
                (
                    count_of(day_first, "date is day first", "dates are day first"),
                    count_of(month_first, "is month first", "are month first"),
                ),
            ),
            contradictory=True,
        )
    if day_first and len({found[1] for cell in texts if (found := _SHORT_YEAR.match(cell))}) == 1:
        return Evidence(
            choice=None, reason="doubtful: the year has two digits, and what stands first never changes"
        )
    if day_first:
        return Evidence(
            choice="dmy",
            reason=text_of(
                "{counted_dates} can only be day first", counted_dates=count_of(day_first, "date")
            ),
        )
    if month_first:
        return Evidence(
            choice="mdy",
            reason=text_of(
                "{counted_dates} can only be month first", counted_dates=count_of(month_first, "date")
            ),
        )
    return Evidence(choice=None, reason="doubtful: 03/04/2023 may be 3 April (dmy) or 4 March (mdy)")
