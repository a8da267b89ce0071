"""What the size of a limit means in words: how much more likely a guess about a vehicle becomes."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("LimitMeaning")


def limit_meaning() -> str:
    """Nothing here calls a limit safe: that is for the office to say."""
    return _tr(
        "At a limit of 1, everything you ever publish makes a guess about one vehicle at most 2.7 times more "
        "likely; at 10, 22,100 times. At 100 that factor has 44 digits: the guarantee then "
        "promises next to nothing. What counts is the sum over the years: "
        "a limit of 120 allows twelve releases of 10."
    )
