"""Parameters and periods of a release in words: review, README and report say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.hats.window import DateRange
from core.parameter_fields import Value
from core.texts import joined, text_of


def parameters_text(parameters: Mapping[str, Value]) -> str:
    """`bins 13, tree mixed`: each by its name; empty without any."""
    return ", ".join(f"{name} {value_text(value)}" for name, value in parameters.items())


def value_text(value: Value | tuple[int, ...]) -> str:
    """One value: yes and no for a choice of two, figures without zeros at their end."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == ():
        return "none named"
    if isinstance(value, tuple):
        return ", ".join(
            text_of("{low} to {high}", low=value_text(one[0]), high=value_text(one[1]))
            if isinstance(one, tuple)
            else value_text(one)
            for one in value
        )
    return f"{value:g}" if isinstance(value, float) else str(value)


def periods_text(ranges: Sequence[DateRange]) -> str:
    """`2022-01-01 to 2022-01-07, 2022-01-10`: inclusive ranges of dates."""
    return joined(
        ", ",
        (
            str(first)
            if first == last
            else text_of("{first_date} to {last_date}", first_date=first, last_date=last)
            for first, last in ranges
        ),
    )
