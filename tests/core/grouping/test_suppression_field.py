"""The parameter by which a query asks to suppress users, wherever it is offered."""

from __future__ import annotations

from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared
from core.statistics.registry import all_statistics

OFFERED = {"baseline", "array-averaging", "opt-array-averaging", "mean_variance", "query1", "query2"}


def test_it_is_offered_where_the_error_of_a_hat_follows_from_counts() -> None:
    methods = {**all_mechanisms(), **all_statistics()}
    found = {
        key: parameter
        for key, method in methods.items()
        for parameter in declared(method.Params)
        if parameter.name == SUPPRESS_USERS
    }
    assert set(found) == OFFERED
    assert {parameter.default for parameter in found.values()} == {False}


def test_only_where_it_always_was_it_is_part_of_every_request() -> None:
    """Requests of earlier versions are found again: they did not know it."""
    later = {
        key
        for key, method in {**all_mechanisms(), **all_statistics()}.items()
        for parameter in declared(method.Params)
        if parameter.name == SUPPRESS_USERS and parameter.later
    }
    assert later == OFFERED - {"mean_variance"}
