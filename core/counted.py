"""A count and the noun behind it, as every sentence of core tells them."""

from __future__ import annotations


def count_of(count: int, one: str, many: str = "") -> str:
    """`1 hexagon`, `1,204 hexagons`, `1 row was`; many: of more than one, else `one` with an s.

    The nouns are written out where it is called: the catalogues find them there, and translate each in the
    form that its number asks for.
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
