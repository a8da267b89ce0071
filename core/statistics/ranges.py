"""Public ranges of a value: empty, beyond the bounds, too fine, or every record (city-release 14).

A record lies in one atom, and by it in some of the ranges. What one vehicle can move all shares together
follows from which of these memberships are possible.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.counted import count_of
from core.errors import InputError
from core.mechanisms.public_model import PAPERS_U
from core.texts import text_of

MOST_RANGES = 20
EDGES = (1.0, 5.0, 10.0, 20.0, 30.0, 45.0)
"""Of the ranges that percentiles are proposed with, at the papers' U; the first holds who stands."""
_STANDING = EDGES[0]
"""A first range no wider holds vehicles that stand; km/h at the papers' U."""
_THOUSAND = 1000
_ROUNDING = 1e-6
_WHERE = "query.parameters, ranges"
Range = tuple[int, int]
"""Both ends in thousandths of the unit above the lower bound; the upper one belongs to it at U alone."""


@dataclass(frozen=True)
class Ranges:
    """J different ranges of [0, U], by their lower and upper ends."""

    listed: tuple[Range, ...]
    upper_bound: int
    """U in thousandths."""

    def __len__(self) -> int:
        return len(self.listed)

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Where atoms begin and end: 0, U, and every end of a range."""
        return tuple(sorted({0, self.upper_bound, *itertools.chain(*self.listed)}))

    @cached_property
    def members(self) -> NDArray[np.int64]:
        """Shape (A, J): 1 where an atom lies in a range."""
        starts = np.array(self.edges[:-1])[:, None]
        lows, highs = np.array(self.listed).T
        members: NDArray[np.int64] = ((lows <= starts) & (starts < highs)).astype(np.int64)
        return members

    def atom_of(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """The atom of each value in thousandths, shape (n,); U lies in the last one."""
        inner = np.array(self.edges[1:-1], np.int64)
        return np.searchsorted(inner, values, side="right").astype(np.int64)

    @cached_property
    def distance(self) -> int:
        """D: the most ranges that one record can leave and enter, by moving to another value or to none.

        The vector of no range is always among them: parts of records are rounded down, and leave a rest.
        """
        vectors = np.unique(np.vstack((self.members, np.zeros((1, len(self)), np.int64))), axis=0)
        return int(np.abs(vectors[:, None] - vectors[None]).sum(axis=2).max())

    @cached_property
    def tile(self) -> bool:
        """Whether each value lies in one of them: their shares add up to 1."""
        return bool((self.members.sum(axis=1) == 1).all())

    @cached_property
    def holds_lowest(self) -> NDArray[np.bool_]:
        """Shape (J,): which of them hold the lower bound."""
        holds: NDArray[np.bool_] = self.members[0] > 0
        return holds

    def cumulated(self) -> Ranges:
        """Everything below the upper end of each range but the last, of ranges that tile."""
        return Ranges(tuple((0, high) for _, high in self.listed[:-1]), self.upper_bound)

    @property
    def begins_standing(self) -> bool:
        """Whether the first range, of ranges that tile, holds who stands and nobody else."""
        return self.listed[0][1] / _THOUSAND <= _STANDING * self.upper_bound / _THOUSAND / PAPERS_U


def checked_ranges(pairs: Sequence[tuple[float, float]], lower: int, upper_bound: int) -> Ranges:
    """Ranges as a spec writes them, in the value's unit; lower, upper_bound: in thousandths.

    Raises InputError for none, too many, one that is empty, backwards, twice there, outside of the bounds or
    all of them, and for ends finer than a thousandth.
    """
    if not 1 <= len(pairs) <= MOST_RANGES:
        raise InputError(
            "Shares of {counted_ranges} cannot be released.",
            counted_ranges=count_of(len(pairs), "range"),
            where=_WHERE,
            mend=text_of("write 1 to {most} ranges, such as [[0, 10], [50, 65]]", most=MOST_RANGES),
        )
    listed = [_checked(low, high, lower, upper_bound) for low, high in pairs]
    if len(set(listed)) < len(listed):
        raise InputError("A range is listed twice.", where=_WHERE, mend="write each range once")
    return Ranges(tuple(sorted(listed)), upper_bound)


def _checked(low: float, high: float, lower: int, upper_bound: int) -> Range:
    """One range, in thousandths above the lower bound. Raises InputError."""
    written = f"[{low:g}, {high:g}]"
    first, last = (round(end * _THOUSAND) for end in (low, high))
    if max(abs(low * _THOUSAND - first), abs(high * _THOUSAND - last)) > _ROUNDING:
        raise InputError(
            "The range {range} has an end finer than a thousandth.",
            range=written,
            where=_WHERE,
            mend="round its ends",
        )
    if first >= last:
        raise InputError(
            "The range {range} is empty: its second end is not above its first.",
            range=written,
            where=_WHERE,
            mend="write the smaller end first",
        )
    if first < lower or last > lower + upper_bound:
        raise InputError(
            "The range {range} reaches beyond the bounds of the value.",
            range=written,
            where=_WHERE,
            mend=text_of(
                "stay within {least} and {most}",
                least=f"{lower / _THOUSAND:g}",
                most=f"{(lower + upper_bound) / _THOUSAND:g}",
            ),
        )
    if last - first == upper_bound:
        raise InputError(
            "The range {range} covers every record: its share is 1.",
            range=written,
            where=_WHERE,
            mend="write narrower ranges",
        )
    return first - lower, last - lower


def proposed_edges(lower: int, upper_bound: int) -> tuple[float, ...]:
    """Edges of ranges that tile the bounds, in the value's unit: from the bounds, never from values."""
    scale = upper_bound / _THOUSAND / PAPERS_U
    inner = [round(edge * scale * _THOUSAND) for edge in EDGES]
    ends = sorted({0, *(edge for edge in inner if 0 < edge < upper_bound), upper_bound})
    return tuple((lower + end) / _THOUSAND for end in ends)
