"""The parameter `noise` of what is released in relation `user` (method 12.3)."""

from __future__ import annotations

from typing import Any

from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.parameter_fields import choice

NOISE_FIELD = "noise"
"""What that parameter is called."""


def noise_field() -> Any:
    """Which noise all candidate HATs get."""
    return choice(
        AUTO,
        (AUTO, LAPLACE, GAUSS),
        label="Noise",
        help="Gaussian noise is smaller where many HATs of a vehicle count, and needs a population with a "
        "delta; auto takes the smaller typical error.",
        titles={AUTO: "the better one (auto)", LAPLACE: "Laplace", GAUSS: "Gaussian"},
    )
