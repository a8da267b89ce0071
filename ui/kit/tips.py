"""Tips as they were written, long ones in several lines.

Qt reads what looks like HTML as HTML, and would open the files that a stranger's text names; and it breaks no
plain text, however wide the window.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache
from typing import Final

from PySide6.QtGui import Qt

LONGEST: Final = 80
"""Letters of a line that stays as it is."""
_WIDTH = 70
_OPENING: Final = re.compile("<|&(?=lt;)")
_JOINER = "\N{WORD JOINER}"
_KNOWN = 512
"""Lines, stored broken: at each choice the same tips are set again, and to break them takes a while."""


def in_lines(text: str) -> str:
    """What every tip goes through: never HTML, and long lines are broken between words.

    What has no spaces, as a path, stays whole.
    """
    lines = "\n".join(map(_broken, text.split("\n")))
    # a tag is one no longer where its name does not follow immediately; nothing of that is seen
    return _OPENING.sub(rf"\g<0>{_JOINER}", lines) if Qt.mightBeRichText(lines) else lines


@lru_cache(_KNOWN)
def _broken(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return textwrap.fill(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
