"""The choice to smooth a released table into a second column, at no cost in privacy (city-release 9)."""

from __future__ import annotations

from typing import Any

from core.parameter_fields import flag

SMOOTH = "smooth"
"""What the parameter is called wherever it is offered."""


def smooth_field(*, default: bool = False) -> Any:
    """The parameter `smooth`; where it is off by default, requests were made before it was there."""
    return flag(
        default,
        label="Smooth as well",
        help="A second column estimates each hexagon slot from its neighbours too; it costs no privacy.",
        later=not default,
    )
