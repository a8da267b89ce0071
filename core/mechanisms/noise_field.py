"""The choice of Laplace or Gaussian noise, and when Gaussian is smaller (method 7.5, 12.3)."""

from __future__ import annotations

from typing import Any

from core.mechanisms.tokens import AUTO, GAUSS, LAPLACE
from core.parameter_fields import choice

NOISE_FIELD = "noise"
"""What that parameter is called."""
NOISE_TITLES = {AUTO: "the better one (auto)", LAPLACE: "Laplace", GAUSS: "Gaussian"}
"""What its values are called."""


def noise_field() -> Any:
    """Which noise all candidate HATs get."""
    return choice(
        AUTO,
        (AUTO, LAPLACE, GAUSS),
        label="Noise",
        help=(
            "Gaussian noise is smaller where many hexagon slots per vehicle count, and needs a population "
            "with a delta. Auto picks whichever gives the smaller typical error."
        ),
        titles=NOISE_TITLES,
    )


def linear_noise_field() -> Any:
    """Which noise each HAT gets where its estimate is one sum plus noise of a fixed scale, relation `values`.

    Requests were made before it was there: Laplace noise is what they mean.
    """
    return choice(
        LAPLACE,
        (LAPLACE, GAUSS, AUTO),
        label="Noise",
        help=(
            "Gaussian noise is smaller where vehicles visit many hexagon slots; it needs a total and a "
            "population with a delta. Auto picks whichever gives the smaller typical error."
        ),
        titles=NOISE_TITLES,
        later=True,
    )
