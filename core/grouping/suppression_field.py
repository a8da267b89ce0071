"""The choice to suppress busy users, vehicles, from HATs that need them least (method 7.4)."""

from __future__ import annotations

from typing import Any

from core.parameter_fields import flag

SUPPRESS_USERS = "suppress_users"
"""What the parameter is called wherever it is offered."""
SUPPRESS_LABEL = "Suppress vehicles"
"""The same for people: in the window every user is a vehicle, or one on a day."""


def suppress_users_field(*, later: bool = True) -> Any:
    """The parameter `suppress_users`; later: requests were made before it was there."""
    return flag(
        False,
        label=SUPPRESS_LABEL,
        help="Busy users leave the hexagon slots that need them least, so that each hexagon slot gets more "
        "of a total.",
        later=later,
    )
