"""What a query asks for, its budget and every parameter, in the words of the fields where it is chosen."""

from __future__ import annotations

from core.parameter_fields import Parameter, Value
from core.release.review import QueryReview
from ui.language.translation import core_text, translator
from ui.session.query_texts import budget_text

_tr = translator("Asked")


def asked_words(query: QueryReview) -> str:
    """`epsilon 10 in all; Grouping: BestFit`."""
    off = {one.name for one, value in query.parameters if value is False}
    parameters = (
        f"{core_text(one.label)}: {value_word(one, value)}"
        for one, value in query.parameters
        if one.only_with not in off  # it decides nothing, though it is signed with the rest
    )
    return "; ".join((budget_text(query.budget), *parameters))


def value_word(parameter: Parameter, value: Value) -> str:
    """A value as its list or box shows it."""
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, tuple):
        return ", ".join(f"{one:g}" for one in value)
    if isinstance(value, str):
        return core_text(parameter.titles.get(value, value))
    figure = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{figure} {core_text(parameter.unit)}" if parameter.unit else figure
