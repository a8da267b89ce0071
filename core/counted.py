"""A count and the noun behind it, as every sentence of core tells them."""

from __future__ import annotations

from core.texts import FilledText


def count_of(count: int, one: str, many: str = "") -> str:
    """`1 hexagon`, `1,204 hexagons`, `1 row was`; many: of more than one, else `one` with an s.

    The nouns are written out where it is called: the catalogues find them there, and translate each in the
    form that its number asks for.
    """
    templates = f"{{n}} {one}", f"{{n}} {many or one + 's'}"
    values = {"n": f"{count:,}"}
    return FilledText(templates[count != 1].format_map(values), templates[0], values, templates[1])
