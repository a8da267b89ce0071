"""What a part of a contribution table says of itself before its rows are read, and what all parts share."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from core.contributions.file_facts import LISTED_KINDS, TableFacts
from core.contributions.parts import Part
from core.contributions.slot_columns import table_schema
from core.errors import InputError
from core.hats.groups import Groups
from core.hats.window import DateRange, Window, build_window
from core.privacy import Confidential
from core.read.file_stamps import Stamp
from core.texts import text_of

_OWN = frozenset({"resolution", "dates", "other_vehicles", "other_texts", LISTED_KINDS})
"""Metadata that may differ from part to part; of kinds of day those of other dates."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PartFacts(Confidential):
    """A part whose metadata were read."""

    part: Part
    facts: TableFacts
    schema: pa.Schema
    """Of the file."""
    rows: int
    stamp: Stamp
    """Of the file when its metadata were read."""

    @property
    def file(self) -> str:
        return str(self.part.path)


def require_agreement(parts: Sequence[PartFacts]) -> None:
    """Raises InputError, which names both files, where two parts cannot be of one table."""
    first = parts[0]
    stated, kinds = first.facts.to_metadata(), _kinds(first)
    for other in parts[1:]:
        tells = other.facts.to_metadata()
        for key in sorted((stated.keys() | tells.keys()) - _OWN):
            if stated.get(key) != tells.get(key):
                raise _differ(first, other, text_of("the metadata {key}", key=key))
        if first.facts.resolution != other.facts.resolution:
            raise _differ(first, other, "the resolution")
        found = _kinds(other)
        for name in sorted(kinds.keys() | found.keys()):
            if kinds.get(name) != found.get(name):
                raise _differ(first, other, text_of("the type of the column {name}", name=name))
    _require_one_kind_a_date(parts)


def _require_one_kind_a_date(parts: Sequence[PartFacts]) -> None:
    """No date is called otherwise in two parts, and a file lists the kinds of all of them or of none."""
    first: dict[dt.date | None, tuple[str, PartFacts]] = {}
    for part in parts:
        kinds = [kind for group in part.facts.window.groups for kind in group.kinds]
        for date, kind in [(None, "listed" if kinds else "calendar"), *kinds]:
            known, other = first.setdefault(date, (kind, part))
            if known != kind:
                raise _differ(other, part, text_of("the metadata {key}", key=LISTED_KINDS))


def merged_window(parts: Sequence[PartFacts]) -> Window:
    """The window of all parts: hours and slots are the same in each, dates are put together."""
    window = parts[0].facts.window
    if len(parts) == 1:
        return window
    return build_window(_ranges(dates_of(parts)), window.hours, window.slot_length, merged_groups(parts))


def merged_groups(parts: Sequence[PartFacts]) -> Groups:
    """The groups of all parts: their labels are the same in each, kinds of day are put together."""
    each = (one.facts.window.groups for one in parts)
    return tuple(
        dataclasses.replace(found[0], kinds=tuple(sorted({kind for one in found for kind in one.kinds})))
        for found in zip(*each, strict=True)
    )


def dates_of(parts: Sequence[PartFacts]) -> frozenset[dt.date]:
    """Every date that some part was made for."""
    return frozenset(date for one in parts for date in one.facts.window.dates)


def _ranges(dates: frozenset[dt.date]) -> tuple[DateRange, ...]:
    """The dates as ranges without a gap."""
    numbered = enumerate(sorted(dates))
    runs = itertools.groupby(numbered, lambda pair: pair[1].toordinal() - pair[0])
    listed = ([date for _, date in run] for _, run in runs)
    return tuple((run[0], run[-1]) for run in listed)


def _differ(one: PartFacts, other: PartFacts, what: str) -> InputError:
    return InputError(
        "Two parts of the contribution table differ in {what}.",
        what=what,
        where=f"{one.file} and {other.file}",
        mend="make one of them again like the other, or keep them in separate tables",
    )


def _kinds(part: PartFacts) -> dict[str, str]:
    """Name -> type of the columns that are read. How texts and lists are packed does not matter."""
    stated = table_schema(part.facts.window, part.facts.choice, visits=True).names
    return {field.name: _kind(field.type) for field in part.schema if field.name in stated}


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        return _kind(kind.value_type)
    if pa.types.is_large_string(kind):
        return str(pa.string())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list<{_kind(kind.value_type)}>"
    return str(kind)
