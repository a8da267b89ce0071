"""From keys and written parameters to a question that a statistic can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.mechanisms.base import AnyMechanism
from core.parameter_fields import build
from core.privacy import Relation
from core.statistics.base import AnyQuestion, AnyStatistic, P, Question
from core.statistics.mean import MeanQuestion

_WHERE = "query.parameters"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedQuestion(Question[P]):
    """A statistic with its own method in relation `user`: all HATs are planned together."""

    @property
    def key(self) -> str:
        return self.statistic.bounded_method or self.statistic.method

    @property
    def reference(self) -> str:
        return self.statistic.bounded_reference

    @property
    def version(self) -> int:
        return self.statistic.bounded_version

    @property
    def joint(self) -> bool:
        return True

    @property
    def outlined(self) -> bool:
        """It follows from constants."""
        return False

    @property
    def corrects_dwell(self) -> bool:
        """How long vehicles stay is protected too."""
        return False

    @property
    def models_bias(self) -> bool:
        """What the constants leave out is not known, and no interval allows for it."""
        return False


def question_of(
    statistic: AnyStatistic,
    mechanism: AnyMechanism | None,
    parameters: Mapping[str, object],
    relation: Relation = Relation.VALUES,
) -> AnyQuestion:
    """The question with checked parameters: the mechanism's where one is given, else the statistic's.

    mechanism: given where the statistic does not bring its own method; relation: one that the statistic is
    offered in. Raises InputError for unknown names and bad values.
    """
    if mechanism is not None:
        params = build(mechanism.Params, parameters, where=_WHERE)
        return MeanQuestion(statistic=statistic, mechanism=mechanism, params=params)
    params = build(statistic.params_in(relation), parameters, where=_WHERE)
    if relation is Relation.USER:
        return BoundedQuestion(statistic=statistic, params=params)
    return Question(statistic=statistic, params=params)
