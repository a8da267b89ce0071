"""What mechanisms of relation `user` share: they answer all of a public list together (method 12)."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, NoReturn

from core.contributions import HatData, HatUsers
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Draw, Mechanism, P, Plan
from core.mechanisms.public_model import Accuracy
from core.noise.source import NoiseSource
from core.privacy import Relation


class WholeRelease(Mechanism[P, Plan]):
    """Planned from public constants for all candidate HATs together, whatever the records are.

    Who was in one HAT, and how often, is what relation `user` protects: no plan may look at it.
    """

    relations: ClassVar[frozenset[Relation]] = frozenset({Relation.USER})
    complexity: ClassVar[int] = 4
    models_bias: ClassVar[bool] = False
    joint: ClassVar[bool] = True
    takes_public_counts: ClassVar[bool] = False
    """Its prices are planned on public counts, which a file may hold."""

    def plan(self, _users: HatUsers, _epsilon: Decimal, _upper: int, _params: P, _cache: PlanCache) -> Plan:
        self._refuse()

    def accuracy(self, _plan: Plan, _users: HatUsers, _cache: PlanCache) -> Accuracy:
        self._refuse()

    def run(self, _plan: Plan, _hat: HatData, _noise: NoiseSource) -> Draw:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(
            "{title} answers all hexagon slots of a public list together and uses exact counts of none.",
            title=self.title,
            where="query.mechanism",
            mend='release it with relation = "user", or choose a mechanism of relation values',
        )
