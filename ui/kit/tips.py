"""Long tips in several lines: Qt breaks no plain one, however wide the window."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Final

LONGEST: Final = 80
"""Letters of a line that stays as it is."""
_WIDTH = 70
_KNOWN = 512
"""Lines that are kept broken: at each choice the same tips are set again, and to break them takes a while."""


def in_lines(text: str) -> str:
    """The text of a tip, its long lines broken between words; what has no spaces, as a path, stays whole."""
    return "\n".join(map(_broken, text.split("\n")))


@lru_cache(_KNOWN)
def _broken(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return textwrap.fill(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
