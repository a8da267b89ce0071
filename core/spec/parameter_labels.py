"""What the fields of `query.parameters` are called, whichever statistic or mechanism declares them."""

from __future__ import annotations

from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared
from core.privacy import Relation
from core.statistics.registry import all_statistics


def label_of_parameter(name: str) -> str:
    """Of the first that declares it; the key itself where none does."""
    classes = [one.Params for one in all_mechanisms().values()]
    classes += [one.params_in(relation) for one in all_statistics().values() for relation in Relation]
    found = (one.label for declarer in classes for one in declared(declarer) if one.name == name)
    return next(found, name)
