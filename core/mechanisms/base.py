"""What a mechanism declares, plans and draws (method 6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.noise.source import NoiseSource
from core.privacy import Confidential, Relation
from core.values import THOUSAND

_LARGEST_CENTRE = 1 << 62
"""Sums that noise is added to stay below this, with room for rounding."""

NOISE = "noise"
"""Name of the step that adds the final noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything about one HAT's release that follows from public counts; no values, no randomness."""

    mechanism: str
    epsilon: Decimal
    upper_bound: int
    """U in thousandths of km/h."""
    users: int
    records: int
    sensitivity: int
    """Exact, in the integers that noise is added to; where an interval is selected, its bound."""
    divisor: int
    """Those integers per km/h of the released mean."""
    bias_bound: float
    """Worst-case |estimate without noise - true mean| over all values in [0, U], km/h."""
    budget_shares: tuple[tuple[str, Decimal], ...]
    """What each step spends, the final noise last; together exactly `epsilon`."""

    def __post_init__(self) -> None:
        """Refuse what would leave 63-bit integers, before any budget is reserved."""
        if max(self.sensitivity, self.upper_bound * self.divisor // THOUSAND) >= _LARGEST_CENTRE:
            raise InputError(
                "A HAT is too large for exact arithmetic.",
                where=f"{self.records} records of {self.users} users, U = {self.upper_bound / THOUSAND} km/h",
                mend="choose a finer resolution, a shorter slot or fewer dates",
            )

    @property
    def m_ub(self) -> int | None:
        """The most records that one user may give; None where all are used."""
        return None

    @property
    def arrays(self) -> int | None:
        """The arrays that records are put into; None where they are not."""
        return None

    @property
    def sensitivity_kmh(self) -> float:
        return self.sensitivity / self.divisor

    @property
    def noise_scale(self) -> float:
        """Scale of the Laplace noise on the released mean, km/h."""
        return self.sensitivity_kmh / float(self.noise_epsilon)

    @property
    def noise_epsilon(self) -> Decimal:
        """The share of the final noise."""
        return self.budget_shares[-1][1]

    @property
    def expected_error(self) -> float:
        """Expected absolute noise plus worst-case bias, km/h: public (method 10).

        No estimate in [0, U] is further than U from the truth.
        """
        return min(self.noise_scale + self.bias_bound, self.upper_bound / THOUSAND)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draw(Confidential):
    """What one HAT's noise gave, for each trial."""

    estimates: NDArray[np.int64]
    """Shape (trials,): thousandths of km/h in [0, U]."""
    noise_scale: NDArray[np.float64]
    """Shape (trials,): scale of the Laplace noise on the mean, km/h; of private choices at most."""


P = TypeVar("P")
"""The parameters of a mechanism: its `Params`."""
D = TypeVar("D", bound=Plan)
"""The plan that a mechanism makes and draws by."""


class Mechanism(ABC, Generic[P, D]):
    """The mean of one HAT, privately. One file each, with a constant `MECHANISM`."""

    key: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    summary: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised whenever the same counts, values and noise would give another result."""
    relations: ClassVar[frozenset[Relation]] = frozenset({Relation.VALUES})
    uses_visits: ClassVar[bool] = False
    """Its plans follow from visits too: it has a `plan_with_visits`, and they tell two requests apart."""
    Params: type[P]

    @abstractmethod
    def plan(self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, params: P, /) -> D:
        """Plan from public counts m_l, shape (L,), non-increasing, each at least 1.

        upper_bound: U in thousandths of km/h.
        """

    @abstractmethod
    def run(self, plan: D, hat: HatData, noise: NoiseSource, /) -> Draw:
        """Draw the estimate, spending exactly `plan.epsilon`."""

    def fixed_sensitivity(self, _params: P, /) -> bool:
        """The noise is c / epsilon with c free of epsilon and of private values (method 7)."""
        return False

    def plan_cached(
        self,
        counts: NDArray[np.int64],
        epsilon: Decimal,
        upper_bound: int,
        params: P,
        _cache: PlanCache,
        /,
    ) -> D:
        """The plan of `plan`; a mechanism that plans at some cost finds parts of it in the cache."""
        return self.plan(counts, epsilon, upper_bound, params)

    def plan_with_visits(
        self,
        counts: NDArray[np.int64],
        _visits: NDArray[np.int64] | None,
        epsilon: Decimal,
        upper_bound: int,
        params: P,
        cache: PlanCache,
        /,
    ) -> D:
        """The plan of a HAT of which it is also public how often each user came to it (method 4).

        visits: shape (L,), in the order of `counts`, from 1 to m_l; None where they are not known. A
        mechanism that `uses_visits` plans by them, and tells the parts it caches apart by them.
        """
        return self.plan_cached(counts, epsilon, upper_bound, params, cache)


AnyMechanism = Mechanism[Any, Any]
"""One of the registry: its parameters and its plan fit each other, whatever they are."""


class CachedMechanism(Mechanism[P, D]):
    """A mechanism whose plan has costly parts that stay as they are when epsilon changes."""

    def plan(self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, params: P, /) -> D:
        return self.plan_cached(counts, epsilon, upper_bound, params, PlanCache())

    @abstractmethod
    def plan_cached(
        self,
        counts: NDArray[np.int64],
        epsilon: Decimal,
        upper_bound: int,
        params: P,
        cache: PlanCache,
        /,
    ) -> D: ...


def to_draw(noisy: NDArray[np.int64], plan: Plan, sensitivity: int | NDArray[np.int64] | None = None) -> Draw:
    """Noisy integers as means clamped to [0, U] and rounded to 0.001 km/h (method 11).

    sensitivity: what the noise covered, where a private interval decided it.
    """
    means = np.clip(noisy / plan.divisor, 0.0, plan.upper_bound / THOUSAND)
    covered = plan.sensitivity if sensitivity is None else sensitivity
    scale = np.asarray(covered) / plan.divisor / float(plan.noise_epsilon)
    return Draw(
        estimates=np.rint(means * THOUSAND).astype(np.int64),
        noise_scale=np.broadcast_to(scale, noisy.shape),
    )
