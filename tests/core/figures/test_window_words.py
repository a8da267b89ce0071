"""Over which dates, hours and slots, in words."""

from __future__ import annotations

from core.figures.window_words import window_words
from tests.strategies import window


def test_a_window_in_words() -> None:
    assert window_words(window(days=3)) == "2022-01-01 to 2022-01-03, 09:00 to 12:00, slots of 1 hour."
