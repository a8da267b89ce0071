"""What the size of a limit means, in words: `docs/privacy.md` 1, for the person who types one."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("LimitMeaning")


def limit_meaning() -> str:
    """Nothing here calls a limit safe: that is for the office to say."""
    return _tr(
        "All releases together change the odds between two guesses about what is protected of a vehicle by a "
        "factor of at most about 2.7 at a limit of 1, and about 22,000 at 10. At 100 that factor has 44 "
        "digits: the guarantee then promises next to nothing. What counts is the sum over the years: "
        "a limit of 120 allows twelve releases of 10."
    )
