"""How close the cards of the decide panel stand: all of it is to be seen on 1920x1080 at 150 %."""

from __future__ import annotations

ABOVE_ALL = 6
"""Pixels, as those below."""
BETWEEN_CARDS = 4
CARD_MARGINS = (10, 6, 10, 6)
BETWEEN_FIELDS = 3
"""Where one is typed into."""
BETWEEN_FIGURES = 2
