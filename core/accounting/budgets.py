"""How much epsilon each HAT gets: given per HAT, or a total per vehicle divided equally (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.compose import hats_per_vehicle
from core.contributions import Contributions
from core.errors import InputError
from core.privacy import Unit
from core.values import EPSILON_STEP, floor_epsilon, plain

EPSILON_STOPS = tuple(
    Decimal(digit).scaleb(power) for power in range(-2, 4) for digit in ("1", "1.5", "2", "3", "5", "7")
)
"""Round values from 0.01 to 7000 that a slider offers; any other may be typed."""
EQUAL = "equal"
PER_HAT = "per-hat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Either an epsilon for every HAT, or a total per vehicle to be divided."""

    per_hat: Decimal | None = None
    total: Decimal | None = None

    @property
    def division(self) -> str:
        """How the HATs' epsilons came about."""
        return PER_HAT if self.per_hat is not None else EQUAL


def hat_epsilon(
    budget: Budget, contributions: Contributions, published: NDArray[np.bool_], unit: Unit
) -> Decimal:
    """The epsilon of each published HAT; published: shape (G,).

    An equal share is the total over the most users that one vehicle is, rounded down to 1e-6, so
    that no vehicle is charged more than the total. Raises InputError when nothing is left of it.
    """
    if budget.per_hat is not None:
        return budget.per_hat
    assert budget.total is not None
    most = hats_per_vehicle(contributions, published, unit)
    share = floor_epsilon(budget.total / most)
    if share < EPSILON_STEP:
        raise InputError(
            f"A total of {plain(budget.total)} divided over {most} HATs leaves nothing for each.",
            where="query.total",
            mend="raise the total, or choose fewer or coarser HATs",
        )
    return share
