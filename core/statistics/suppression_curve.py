"""What user suppression saves: a user's total epsilon before and after, against epsilon per HAT (P3, P4).

Each total is the most HATs of a user times the epsilon per HAT (P3 Corollary II.1). In relation
`values` all of it is public, as `core.statistics.suppression` explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.arrays import Floats
from core.errors import InputError
from core.progress import Progress, part, silent
from core.statistics.hat_errors import Errors
from core.statistics.suppression import Occupancy, Stop, suppress


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionPoint:
    """What suppression comes to at one epsilon per HAT."""

    epsilon: Decimal
    """Per HAT, the same in each."""
    hats_before: int
    """The most HATs of a user, with everyone everywhere."""
    hats_after: int
    """The most HATs of a user after suppression at this epsilon."""
    stop: Stop
    """Why no more was saved."""

    @property
    def before(self) -> Decimal:
        """The largest total epsilon of a user, with everyone everywhere."""
        return self.hats_before * self.epsilon

    @property
    def after(self) -> Decimal:
        """The largest total epsilon of a user after suppression."""
        return self.hats_after * self.epsilon

    @property
    def saved(self) -> float:
        """Share of the total that suppression saves."""
        return 1.0 - self.hats_after / self.hats_before


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionCurve:
    """Three series, all of shape (E,)."""

    epsilon: Floats
    """Per HAT, the same in each."""
    before: Floats
    """The largest total epsilon of a user, with everyone everywhere."""
    after: Floats
    """The largest total epsilon of a user after suppression at this epsilon."""


def suppression_point(
    occupancy: Occupancy,
    m_ub: str | int,
    epsilon: Decimal,
    errors: Errors,
    cap: float,
    progress: Progress = silent,
) -> SuppressionPoint:
    """Suppress at this epsilon per HAT; the other arguments, and what is raised, are those of `suppress`."""
    hats = np.unique(occupancy.hat).size
    done = suppress(occupancy, m_ub, np.full(hats, float(epsilon)), errors, cap, progress)
    return SuppressionPoint(epsilon=epsilon, hats_before=done.before, hats_after=done.after, stop=done.stop)


def suppression_curve(
    occupancy: Occupancy,
    m_ub: str | int,
    epsilons: Sequence[Decimal],
    errors: Errors,
    cap: float,
    progress: Progress = silent,
) -> SuppressionCurve:
    """`suppression_point` at each epsilon per HAT. Raises InputError without any epsilon."""
    if not epsilons:
        raise InputError("A suppression plot needs at least one epsilon.", mend='for instance "0.5:2:16"')
    totals: list[tuple[Decimal, Decimal]] = []
    for number, epsilon in enumerate(epsilons):
        step = part(progress, number / len(epsilons), (number + 1) / len(epsilons))
        point = suppression_point(occupancy, m_ub, epsilon, errors, cap, step)
        totals.append((point.before, point.after))
    before, after = np.array(totals, np.float64).T
    return SuppressionCurve(epsilon=np.array(epsilons, np.float64), before=before, after=after)
