"""What is written in a spec becomes a question, with a mechanism where the statistic takes one."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.mechanisms.levy import LevyParams
from core.mechanisms.registry import require_mechanism
from core.privacy import Relation
from core.references import citation
from core.statistics.mean import MeanQuestion
from core.statistics.query2 import Query2Params
from core.statistics.question import BoundedQuestion, question_of
from core.statistics.registry import require_statistic


def test_the_parameters_are_the_mechanism_s_where_there_is_one() -> None:
    levy = require_mechanism("levy")
    question = question_of(require_statistic("mean"), levy, {"gamma": 0.5})
    assert isinstance(question, MeanQuestion)
    assert question.mechanism is levy
    assert question.params == LevyParams(gamma=0.5)
    assert question.key == "levy"


def test_the_parameters_are_the_statistic_s_own_otherwise() -> None:
    question = question_of(require_statistic("query2"), None, {"limits": [60.0, 40.0]})
    assert not isinstance(question, MeanQuestion)
    assert question.params == Query2Params(limits=(40.0, 60.0))
    assert question.key == "query2"


@pytest.mark.parametrize("key", ["query1", "query2", "cdf"])
def test_in_relation_user_all_hats_are_planned_at_once(key: str) -> None:
    statistic = require_statistic(key)
    question = question_of(statistic, None, {"noise": "gauss"}, Relation.USER)
    assert isinstance(question, BoundedQuestion)
    assert isinstance(question.params, statistic.params_in(Relation.USER))
    assert (question.joint, question.models_bias, question.key) == (True, False, key)
    assert question.version == statistic.bounded_version
    assert citation(question.reference)
    in_values = question_of(statistic, None, {"noise": "gauss"})
    assert not isinstance(in_values, BoundedQuestion)
    assert not in_values.joint


@pytest.mark.parametrize(("statistic", "mechanism"), [("mean", "levy"), ("query2", None)])
def test_what_does_not_fit_is_refused(statistic: str, mechanism: str | None) -> None:
    chosen = require_mechanism(mechanism) if mechanism else None
    with pytest.raises(InputError) as refused:
        question_of(require_statistic(statistic), chosen, {"bins": 3})
    assert refused.value.where == "query.parameters"
