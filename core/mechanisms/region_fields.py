"""The choice of regions, hexagons and hours merged to keep a promised error (city-release 10)."""

from __future__ import annotations

from typing import Any

from core.parameter_fields import flag, number
from core.quantity import UNIT_OF_VALUE

REGIONS = "regions"
"""What the flag is called wherever it is offered."""
PROMISED_ERROR = "promised_error"
"""What is promised with it, likewise."""
NO_PART_IN_REGIONS = frozenset({"mode", "p", "smooth", "zoom", "importance"})
"""Parameters of joint releases that decide nothing about regions."""


def regions_field(*, later: bool = False) -> Any:
    """The flag `regions`; later: as `Parameter` says."""
    return flag(
        False,
        label="Merge into regions",
        help=(
            "Hexagons and hours are merged into regions until every published number keeps the promised "
            "error; weights follow the records."
        ),
        later=later,
    )


def promised_error_field(help_text: str, *, later: bool = False) -> Any:
    """What is promised; later: as `Parameter` says."""
    return number(
        2.0,
        0.001,
        1_000_000.0,
        label="Promised error",
        help=help_text,
        unit=UNIT_OF_VALUE,
        only_with=REGIONS,
        later=later,
    )
