"""From keys and written parameters to a question that a statistic can be asked."""

from __future__ import annotations

from collections.abc import Mapping

from core.mechanisms.base import AnyMechanism
from core.parameter_fields import build
from core.statistics.base import AnyQuestion, AnyStatistic, Question
from core.statistics.mean import MeanQuestion

_WHERE = "query.parameters"


def question_of(
    statistic: AnyStatistic, mechanism: AnyMechanism | None, parameters: Mapping[str, object]
) -> AnyQuestion:
    """The question with checked parameters: the mechanism's where one is given, else the statistic's.

    mechanism: given where the statistic has no method of its own. Raises InputError for unknown names
    and bad values.
    """
    if mechanism is not None:
        params = build(mechanism.Params, parameters, where=_WHERE)
        return MeanQuestion(statistic=statistic, mechanism=mechanism, params=params)
    return Question(statistic=statistic, params=build(statistic.Params, parameters, where=_WHERE))
