"""Notes add up in any order, and survive as text."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter

from core.clean.extent import Extent
from core.engines.notes import Note, Stretch, failure_of, note_of, total
from core.errors import InputError
from core.read.readers.base import MOST_LINES
from tests.records import SECRET


def _extent(first: int, hour: int) -> Extent:
    return Extent(
        first=first, last=first + 9, hours=frozenset({hour}), south=first, west=2, north=3, east=first
    )


def _notes() -> list[Note]:
    return [
        Note(
            rows=5,
            dropped=Counter(no_id=2),
            examples=tuple(("b.csv", line) for line in range(4)),
            offsets=frozenset({(330, 1_000), (330, 5_000)}),
            extent=_extent(7, 3),
        ),
        Note(rows=2, dropped=Counter(no_id=1, no_time=1), clamped=4, extent=_extent(2, 4), used=3),
        Note(examples=(("a.csv", 9), ("a.csv", 3)), offsets=frozenset({(330, 2_000)}), repeats=1),
        Note(software=frozenset({"h3 1"})),
    ]


def test_the_sum_does_not_depend_on_the_order() -> None:
    sums = {total(order).to_text() for order in itertools.permutations(_notes())}
    assert len(sums) == 1
    found = total(_notes())
    assert (found.rows, found.clamped, found.used, found.repeats) == (7, 4, 3, 1)
    assert found.dropped == {"no_id": 3, "no_time": 1}
    assert found.examples == (
        ("a.csv", 3),
        ("a.csv", 9),
        *(("b.csv", line) for line in range(MOST_LINES - 2)),
    )
    assert found.offsets == {(330, 1_000), (330, 5_000)}
    assert found.extent == Extent(first=2, last=16, hours=frozenset({3, 4}), south=2, west=2, north=3, east=7)


def test_text_and_back() -> None:
    stretch = Stretch(file=-4, start=10, rows=9, lines=(1, 4), seen=("id",))
    note = dataclasses.replace(total(_notes()), stretches=(stretch,), failure=("what", "where", "mend"))
    assert note_of(note.to_text()) == note
    assert note_of(Note().to_text()) == Note()
    assert Note().to_text() == "{}"


def test_stretches_that_follow_one_another_are_one() -> None:
    parts = [
        Stretch(file=1, start=0, rows=10, lines=(2, 9), seen=("id",)),
        Stretch(file=1, start=50, rows=4, lines=(1,)),
        Stretch(file=1, start=0, rows=5, lines=(1, 2, 3, 4), seen=("at",)),
    ]
    assert Note(stretches=tuple(parts)).joined().stretches == (
        Stretch(file=1, start=0, rows=15, lines=(2, 9, 11, 12, 13), seen=("at", "id")),
        Stretch(file=1, start=50, rows=4, lines=(1,)),
    )


def test_a_failure_is_told_and_a_note_shows_nothing() -> None:
    note = failure_of(InputError("what", where=SECRET, mend="mend"))
    assert note.failure == ("what", SECRET, "mend")
    assert (Note(rows=1) + note).failure == note.failure
    assert SECRET not in repr(note)
