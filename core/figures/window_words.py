"""Over which dates, hours and slots a figure is, in words."""

from __future__ import annotations

from core.counted import count_of
from core.hats.window import Window


def window_words(window: Window) -> str:
    """A sentence without its beginning."""
    return (
        f"{window.dates[0]} to {window.dates[-1]}, {window.hours[0]} to {window.hours[1]}, slots of "
        f"{count_of(window.slot_minutes, 'minute')}."
    )
