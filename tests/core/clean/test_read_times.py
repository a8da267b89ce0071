"""Times of which nothing is read yet."""

from __future__ import annotations

from core.clean.read_times import MISSING, nothing_read


def test_nothing_is_read_at_first() -> None:
    empty = nothing_read(3)
    assert empty.ms.tolist() == [int(MISSING)] * 3
    assert not (empty.naive | empty.has_offset).any()
    assert empty.minutes.tolist() == [0] * 3
