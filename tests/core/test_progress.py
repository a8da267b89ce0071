"""Progress: parts of a whole."""

from __future__ import annotations

import pytest

from core.errors import HexveilError
from core.progress import Cancelled, part, rising, silent, unstoppable, wordless


def test_a_part_counts_within_its_slice() -> None:
    seen: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        seen.append((done, text))

    half = part(note, 0.5, 1.0)
    inner = part(half, 0.0, 0.5)
    half(0.0, "start")
    inner(1.0)
    half(1.0, "end")
    assert seen == [(0.5, "start"), (0.75, ""), (1.0, "end")]


def test_stopping_passes_through_and_is_no_error() -> None:
    def stop(done: float, text: str = "") -> None:
        raise Cancelled(f"{text} {done}")

    with pytest.raises(Cancelled):
        part(stop, 0.0, 0.5)(1.0)
    assert not issubclass(Cancelled, HexveilError)


def test_silence_takes_everything() -> None:
    assert silent(0.5, "text") is None  # type: ignore[func-returns-value]


def test_what_rises_never_goes_back() -> None:
    seen: list[tuple[float, str]] = []

    def note(done: float, text: str = "") -> None:
        seen.append((done, text))

    up = rising(note)
    for done, text in ((0.2, "a"), (0.1, "b"), (0.3, "c")):
        up(done, text)
    assert seen == [(0.2, "a"), (0.2, "b"), (0.3, "c")]


def test_counts_in_its_words_are_not_passed_on() -> None:
    seen: list[tuple[float, str]] = []
    quiet = wordless(lambda done, text="": seen.append((done, text)), "Reading")
    quiet(0.25, "1,234 rows")
    quiet(1.0)
    assert seen == [(0.25, "Reading"), (1.0, "Reading")]


def test_what_nobody_may_stop_goes_on() -> None:
    seen: list[float] = []

    def stop(done: float, text: str = "") -> None:
        seen.append(done)
        raise Cancelled(text)

    unstoppable(stop)(0.5, "writing")
    assert seen == [0.5]
