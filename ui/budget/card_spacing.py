"""How close the cards of *Decide* stand: all of it is to be seen on 1920x1080 at 150 %."""

from __future__ import annotations

ABOVE_ALL = 4
"""Pixels, as those below."""
BETWEEN_CARDS = 8
CARD_MARGINS = (12, 8, 12, 9)
BETWEEN_FIELDS = 4
"""Where one is typed into."""
BETWEEN_FIGURES = 2
