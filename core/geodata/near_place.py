"""What a hexagon is called that lies in no place: after the nearest one."""

from __future__ import annotations

from core.release_texts import one_line

NEAR = "near "
"""Before the name of a place that a hexagon's middle does not lie in."""


def near(name: str) -> str:
    """What a hexagon beside a place is called."""
    return one_line(f"{NEAR}{name}")
