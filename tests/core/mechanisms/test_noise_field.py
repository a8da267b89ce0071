"""The parameter `noise`: the same for whatever is released in relation `user`."""

from __future__ import annotations

from core.mechanisms.registry import mechanisms_of
from core.mechanisms.tokens import AUTO
from core.parameter_fields import declared
from core.privacy import Relation
from core.statistics.registry import statistics_of


def test_everything_of_relation_user_offers_the_same_noise() -> None:
    classes = [one.Params for one in mechanisms_of(Relation.USER).values()]
    classes += [one.params_in(Relation.USER) for one in statistics_of(Relation.USER).values() if one.method]
    offered = [[one for one in declared(params) if one.name == "noise"] for params in classes]
    assert len(offered) >= 5
    assert {(one.default, one.options, one.help) for ((one),) in offered} == {
        (AUTO, offered[0][0].options, offered[0][0].help)
    }
