"""What is compared: mechanisms, groupings, a range of epsilons A:B:N, parameters that none has."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.accounting.epsilon_input import EPSILON_STEP, parse_epsilon
from core.accounting.zcdp import rho_of
from core.contributions import HatData, HatUsers
from core.errors import InputError
from core.evaluate.event_level import event_level
from core.grouping.groupings import GROUPINGS
from core.grouping.plan_cache import PlanCache
from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.base import AnyMechanism, LinearMechanism, Plan, linear
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.mechanisms.tokens import GAUSS, LAPLACE
from core.parameter_fields import Parameter, build, declared
from core.privacy import Relation
from core.texts import text_of

_GROUPING = "grouping"
_MOST_POINTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTotal:
    """What buys Gaussian noise of one HAT: it is one of so many equal ones that share a total."""

    hats: int
    delta: Decimal
    """What the population allows."""

    def rho(self, epsilon: Decimal) -> Decimal:
        """Of a HAT that has this epsilon with Laplace noise. Raises InputError where the total buys none."""
        return rho_of(epsilon * self.hats, self.delta) / self.hats


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One curve of the error plot: a mechanism with its parameters."""

    mechanism: AnyMechanism
    params: Any
    """An instance of the mechanism's `Params`."""
    shared: SharedTotal | None = None
    """Where the noise is Gaussian, of a linear mechanism; None: it is Laplace's."""
    event_level: bool = False
    """Of neighbours that differ in one record, not in all records of a user."""

    @property
    def grouping(self) -> str | None:
        """The grouping, or None where the mechanism packs no arrays."""
        return getattr(self.params, _GROUPING, None)

    @property
    def noise(self) -> str:
        return GAUSS if self.shared else LAPLACE

    @property
    def may_be_gaussian(self) -> bool:
        """It asks for Gaussian noise, or for the better one, whichever the curve is of."""
        return self.is_linear and getattr(self.params, NOISE_FIELD) != LAPLACE

    @property
    def is_linear(self) -> bool:
        """Its noise may be Gaussian."""
        return isinstance(self.mechanism, LinearMechanism)

    def seen(self, hat: HatData) -> HatData:
        """Whose records are a user's, in the sense of the curve's neighbours."""
        return event_level(hat) if self.event_level else hat

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, cache: PlanCache | None = None
    ) -> Plan:
        """The plan of one HAT; cache: of the owner of the counts, who plans them again.

        Raises InputError where so little buys no Gaussian noise.
        """
        plan_cache = cache or PlanCache()
        plan: Plan
        if self.shared is None:
            plan = self.mechanism.plan(users, epsilon, upper_bound, self.params, plan_cache)
        else:
            mechanism, rho = linear(self.mechanism), self.shared.rho(epsilon)
            plan = mechanism.plan_gaussian(users, rho, upper_bound, self.params, plan_cache)
        return plan


def series_of(key: str, **parameters: object) -> Series:
    """One curve; parameters not given keep their defaults. Raises InputError for bad ones."""
    return _series(all_mechanisms()[key], parameters)


def _series(mechanism: AnyMechanism, parameters: Mapping[str, object]) -> Series:
    where = text_of("parameters of {key}", key=mechanism.key)
    return Series(mechanism=mechanism, params=build(mechanism.Params, parameters, where=where))


def all_series(
    keys: Sequence[str] | None = None,
    *,
    where: str = "mechanisms",
    given: Mapping[str, str] | None = None,
    shared: SharedTotal | None = None,
) -> tuple[Series, ...]:
    """Every mechanism of the registry, or those named, with every grouping it takes.

    given: name -> text of parameters, each for all the mechanisms that declare it; a grouping stands for
    both. shared: also each linear mechanism with the Gaussian noise that it buys. Raises InputError for an
    unknown name, a bad value, and a parameter that no mechanism here has.
    """
    known = mechanisms_of(Relation.VALUES)
    for key in keys or ():
        if key not in known:
            raise InputError(
                "The mechanism {key} is unknown.",
                key=f"{key!r}",
                where=where,
                mend=text_of("write some of {known}", known=",".join(known)),
            )
    chosen = [known[key] for key in dict.fromkeys(known if keys is None else keys)]
    texts = given or {}
    _require_known(texts, chosen)
    listed = [
        _series(mechanism, grouping | _values(mechanism, texts))
        for mechanism in chosen
        for grouping in (_groupings(mechanism) if _GROUPING not in texts else [{}])
    ]
    kinds = (None,) if shared is None else (None, shared)
    return tuple(
        dataclasses.replace(one, shared=kind)
        for one in listed
        for kind in (kinds if one.is_linear else (None,))
    )


def _parameters(mechanism: AnyMechanism) -> dict[str, Parameter]:
    """Those that one HAT alone can differ in: Gaussian noise of linear mechanisms takes a total of many."""
    of_many = {SUPPRESS_USERS} | ({NOISE_FIELD} if isinstance(mechanism, LinearMechanism) else set())
    return {item.name: item for item in declared(mechanism.Params) if item.name not in of_many}


def _values(mechanism: AnyMechanism, texts: Mapping[str, str]) -> dict[str, object]:
    takes = _parameters(mechanism)
    return {
        name: takes[name].accept_text(text, where=f"{name} of {mechanism.key}")
        for name, text in texts.items()
        if name in takes
    }


def _require_known(texts: Mapping[str, str], chosen: Sequence[AnyMechanism]) -> None:
    known = list(dict.fromkeys(name for mechanism in chosen for name in _parameters(mechanism)))
    for name in texts:
        if name not in known:
            raise InputError(
                "No mechanism that is evaluated has a parameter {name}.",
                name=f"{name!r}",
                where="parameters",
                mend=text_of("write one of: {value}", value=", ".join(known) or "none"),
            )


def _groupings(mechanism: AnyMechanism) -> list[dict[str, object]]:
    takes = _GROUPING in _parameters(mechanism)
    return [{_GROUPING: name} for name in GROUPINGS] if takes else [{}]


def epsilon_points(text: str, *, where: str) -> tuple[Decimal, ...]:
    """`A:B:N` as N evenly spaced epsilons, both ends included, rounded to six decimals.

    Raises InputError for anything else.
    """
    parts = text.split(":")
    if len(parts) != 3 or not (parts[2].isascii() and parts[2].isdigit()):
        raise _no_range(where)
    first, last = (parse_epsilon(part.strip(), where=where) for part in parts[:2])
    number = int(parts[2][:9])
    if not 1 <= number <= _MOST_POINTS:
        raise _no_range(where)
    gaps = max(number - 1, 1)
    points = tuple((first + (last - first) * step / gaps).quantize(EPSILON_STEP) for step in range(number))
    if first > last or len(set(points)) != number or points[-1] != last:
        raise _no_range(where)
    return points


def _no_range(where: str) -> InputError:
    return InputError(
        "This is not a range of epsilons.",
        where=where,
        mend=text_of(
            "write A:B:N, N different points (up to {most_points}) from A to B, for instance 0.5:2:16",
            most_points=_MOST_POINTS,
        ),
    )
