"""What a mechanism declares, plans and draws, and HATs too large for exact arithmetic (method 6)."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.contributions import HatData, HatUsers
from core.counted import count_of
from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.public_model import Accuracy
from core.noise.laplace_normal import mean_absolute
from core.noise.source import NoiseSource
from core.privacy import Confidential, Relation

LARGEST_CENTRE = 1 << 62
"""Sums that noise is added to stay below this, with room for rounding."""

NOISE = "noise"
"""Name of the step that adds the final noise."""
NoiseFactors = tuple[float, float]
"""The least and the most that a noise scale may be, as multiples of sensitivity / epsilon of a HAT."""
ONE_DRAW: NoiseFactors = (1.0, 1.0)
"""The whole epsilon of a HAT goes to one draw of Laplace noise."""


def too_large(*, where: str) -> InputError:
    """What to say of a HAT whose sums reach `LARGEST_CENTRE`."""
    return InputError(
        "A hexagon slot is too large for exact arithmetic.",
        where=where,
        mend="choose a finer resolution, a shorter slot or fewer dates",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything about one HAT's release that follows from public counts; no values, no randomness."""

    mechanism: str
    epsilon: Decimal
    """What is spent; with Gaussian noise that of Laplace noise which varies as much, which nobody spends."""
    rho: Decimal = Decimal(0)
    """What is spent on Gaussian noise in place of epsilon; 0: the noise is Laplace's."""
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
        if max(self.sensitivity, self.upper_bound * self.divisor // THOUSAND) >= LARGEST_CENTRE:
            raise too_large(
                where=f"{count_of(self.records, 'record')} of {count_of(self.users, 'user')}, "
                f"U = {self.upper_bound / THOUSAND} km/h"
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
    def informative(self) -> bool:
        """False where the estimate is one constant, whatever the data."""
        return True

    @property
    def sensitivity_kmh(self) -> float:
        return self.sensitivity / self.divisor

    @property
    def noise_scale(self) -> float:
        """Scale of the Laplace noise on the released mean, or deviation of Gaussian noise; km/h."""
        return self.sensitivity_kmh / self.noise_precision

    @property
    def noise_precision(self) -> float:
        """What the sensitivity is divided by for the scale of the final noise."""
        return math.sqrt(2.0 * float(self.rho)) if self.rho else float(self.noise_epsilon)

    @property
    def mean_noise(self) -> float:
        """Expected size of the noise on the released mean, km/h."""
        return mean_absolute(0.0, self.noise_scale) if self.rho else self.noise_scale

    @property
    def noise_epsilon(self) -> Decimal:
        """The share of the final noise."""
        return self.budget_shares[-1][1]

    @property
    def error_at_worst(self) -> float:
        """Expected absolute noise plus worst-case bias, km/h: public (method 10.1).

        No estimate in [0, U] is further than U from the truth.
        """
        return min(self.mean_noise + self.bias_bound, self.upper_kmh)

    @property
    def upper_kmh(self) -> float:
        """U in km/h."""
        return self.upper_bound / THOUSAND


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draw(Confidential):
    """What one HAT's noise gave, for each trial."""

    unclamped: NDArray[np.int64]
    """Shape (trials,): thousandths of km/h, before they are cut to [0, U]: where an interval is centred."""
    estimates: NDArray[np.int64]
    """Shape (trials,): thousandths of km/h in [0, U]."""
    noise_scale: NDArray[np.float64]
    """Shape (trials,): scale of the noise on the mean (Gaussian: its deviation), km/h; of private choices at
    most."""
    half_width: NDArray[np.float64] | None = None
    """Shape (trials,): of the 95 % interval, km/h, where private choices decide it; else None."""


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
    complexity: ClassVar[int] = 3
    """Of mechanisms that are about as exact, the one with the smallest is advised."""
    uses_visits: ClassVar[bool] = False
    """Its plans follow from visits too, so that they tell two requests apart."""
    least_correction: ClassVar[float] = 1.0
    """What its estimates are divided by at least, to make up for vehicles that send more by standing."""
    models_bias: ClassVar[bool] = True
    """Its intervals allow for modelled bias beside the noise; False where none is modelled."""
    joint: ClassVar[bool] = False
    """A query is planned and drawn as a whole, under one total per vehicle (city-release)."""
    noise_factors: ClassVar[NoiseFactors] = ONE_DRAW
    """More where a part of a HAT's epsilon goes to a private choice: `verify` refuses another scale."""
    Params: type[P]

    @abstractmethod
    def plan(self, users: HatUsers, epsilon: Decimal, upper_bound: int, params: P, cache: PlanCache, /) -> D:
        """Plan from what is public of the users.

        upper_bound: U in thousandths of km/h; cache: of a caller that plans these users for another epsilon,
        for parts that cost something and stay as they are.
        """

    @abstractmethod
    def accuracy(self, plan: D, users: HatUsers, cache: PlanCache, /) -> Accuracy:
        """What the public model says of the error of a plan for these users (method 10.3)."""

    @abstractmethod
    def run(self, plan: D, hat: HatData, noise: NoiseSource, /) -> Draw:
        """Draw the estimate, spending exactly `plan.epsilon`."""

    def corrects_dwell(self, _params: P, /) -> bool:
        """Estimates make up for vehicles that send more because they stand."""
        return self.least_correction < 1.0

    def suppression_m_ub(self, _params: P, /) -> str | int | None:
        """The rule for the records of a user that count, where users are to leave HATs; else None.

        With it the error of a HAT is `U (1 - n / M) + U k / (n eps)`: n retained, k the most of a user,
        M those of everyone (method 7.4).
        """
        return None

    def fixed_sensitivity(self, _params: P, /) -> bool:
        """The noise is c / epsilon with c free of epsilon and of private values (method 7)."""
        return False


class LinearMechanism(Mechanism[P, D]):
    """One sum that a user moves by a known number, plus one noise: of Laplace, or Gaussian under zCDP.

    Its parameters have `linear_noise_field`, and its draw takes `add_noise`.
    """

    def plan_gaussian(
        self, users: HatUsers, rho: Decimal, upper_bound: int, params: P, cache: PlanCache, /
    ) -> D:
        """As `plan`, for Gaussian noise that costs rho (method 7.5).

        Rules that ask for an epsilon get that of Laplace noise of the same variance.
        """
        alike = self.plan(users, epsilon_of_same_variance(rho), upper_bound, params, cache)
        return dataclasses.replace(alike, rho=rho)


AnyMechanism = Mechanism[Any, Any]
"""One of the registry: its parameters and its plan fit each other, whatever they are."""


def linear(mechanism: AnyMechanism) -> LinearMechanism[Any, Any]:
    """The same, as one that takes Gaussian noise. Raises InternalError for any other."""
    if not isinstance(mechanism, LinearMechanism):
        raise InternalError(
            "Gaussian noise is asked of a mechanism that takes none for each hexagon slot by itself"
        )
    return mechanism


def epsilon_of_same_variance(rho: Decimal) -> Decimal:
    """`2 sqrt(rho)`, to 1e-6 and at least that: Laplace noise then varies as Gaussian noise at that rho."""
    return max(Decimal(f"{2.0 * math.sqrt(float(rho)):.6f}"), EPSILON_STEP)


def add_noise(noise: NoiseSource, centre: int, plan: Plan) -> NDArray[np.int64]:
    """The one sum of a linear mechanism with its noise, shape (trials,)."""
    if plan.rho:
        return noise.gaussian_vector(np.array([centre]), plan.sensitivity, spend=plan.rho)[..., 0].reshape(-1)
    return noise.laplace(centre, plan.sensitivity, spend=plan.epsilon)


def to_draw(
    noisy: NDArray[np.int64],
    plan: Plan,
    sensitivity: int | NDArray[np.int64] | None = None,
    half_width: NDArray[np.float64] | None = None,
) -> Draw:
    """Noisy integers as means clamped to [0, U] and rounded to 0.001 km/h (method 11).

    sensitivity, half_width: what the noise covered, and what the interval must, in km/h, where private
    choices decided it.
    """
    means = noisy / plan.divisor
    covered = plan.sensitivity if sensitivity is None else sensitivity
    scale = np.asarray(covered) / plan.divisor / plan.noise_precision
    return Draw(
        unclamped=np.rint(means * THOUSAND).astype(np.int64),
        estimates=np.rint(np.clip(means, 0.0, plan.upper_kmh) * THOUSAND).astype(np.int64),
        noise_scale=np.full(noisy.shape, scale),
        half_width=half_width,
    )
