"""Over which dates, hours and slots a figure is, in words."""

from __future__ import annotations

from core.hats.window import Window


def window_words(window: Window) -> str:
    """A sentence without its beginning."""
    start, end = window.hours
    return f"{window.dates[0]} to {window.dates[-1]}, {start} to {end}, {window.grid.words}."
