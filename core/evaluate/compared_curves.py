"""What is compared: one curve for each mechanism and grouping, over a range of epsilons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.contributions import HatUsers
from core.errors import InputError
from core.grouping.groupings import GROUPINGS
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import AnyMechanism, Plan
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import build, declared
from core.values import EPSILON_STEP, parse_epsilon

_GROUPING = "grouping"
_MOST_POINTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One curve of the error plot: a mechanism with its parameters."""

    mechanism: AnyMechanism
    params: Any
    """An instance of the mechanism's `Params`."""

    @property
    def grouping(self) -> str | None:
        """The grouping, or None where the mechanism packs no arrays."""
        return getattr(self.params, _GROUPING, None)

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, cache: PlanCache | None = None
    ) -> Plan:
        """The plan of one HAT; cache: of whoever owns the counts and plans them again."""
        plan: Plan = self.mechanism.plan(users, epsilon, upper_bound, self.params, cache or PlanCache())
        return plan


def series_of(key: str, **parameters: object) -> Series:
    """One curve; parameters not given keep their defaults. Raises InputError for bad ones."""
    return _series(all_mechanisms()[key], parameters)


def _series(mechanism: AnyMechanism, parameters: Mapping[str, object]) -> Series:
    where = f"parameters of {mechanism.key}"
    return Series(mechanism=mechanism, params=build(mechanism.Params, parameters, where=where))


def all_series(keys: Sequence[str] | None = None, *, where: str = "mechanisms") -> tuple[Series, ...]:
    """Every mechanism of the registry, or those named, with every grouping it takes.

    Raises InputError for an unknown name.
    """
    known = all_mechanisms()
    for key in keys or ():
        if key not in known:
            raise InputError(
                f"The mechanism {key!r} is unknown.", where=where, mend="write some of " + ",".join(known)
            )
    chosen = dict.fromkeys(known if keys is None else keys)
    return tuple(_series(known[key], grouping) for key in chosen for grouping in _groupings(known[key]))


def _groupings(mechanism: AnyMechanism) -> list[dict[str, str]]:
    takes = any(parameter.name == _GROUPING for parameter in declared(mechanism.Params))
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
        "This is no range of epsilons.",
        where=where,
        mend=f"write A:B:N, N different points (up to {_MOST_POINTS}) from A to B, for instance 0.5:2:16",
    )
