"""Questions before labels are published: could anyone know them, do they follow from the value.

Names of columns and labels alone are looked at, never values: a refusal by values would betray them. In
relation `user` labels are typed, and nothing here follows from records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.arrays import Ints
from core.contributions import Contributions
from core.contributions.group_labels import group_vehicles
from core.counted import count_of
from core.privacy import Relation
from core.selection.rare_labels import label_vehicles
from core.spec import ReleaseSpec
from core.texts import Name, joined, text_of

_OF_A_VALUE = re.compile(r"(?i)(?:\b|_)(status|state|moving|stopped|band|class)")
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelReview:
    """Of one column."""

    column: str
    value: str
    """What is measured."""
    text: str
    """Its labels, and how many vehicles have the rarest; empty in relation `user`, and of a filter."""
    labels: tuple[str, ...]
    """Those that are published, or typed."""
    suspicious: bool
    """Its name or a label sounds as if it followed from the value."""

    @property
    def warning(self) -> str:
        """Empty where nothing speaks for it."""
        if not self.suspicious:
            return ""
        return text_of(
            "{column} sounds as if it followed from the {value}: counts of such labels would publish it.",
            column=Name(self.column),
            value=self.value,
        )


def label_question(reviews: Sequence[LabelReview]) -> str:
    """What only a person can answer of these columns; empty without any."""
    if not reviews:
        return ""
    return text_of(
        "Could anyone know {columns} of each record without knowing its {value}, for instance from a "
        "timetable?",
        columns=joined(" and ", (Name(one.column) for one in reviews)),
        value=reviews[0].value,
    )


def label_reviews(spec: ReleaseSpec, contributions: Contributions) -> tuple[LabelReview, ...]:
    """Of each column whose labels are places or groups, or choose records: once, in this order."""
    by_counts, place = spec.relation is Relation.VALUES, spec.place.place_column
    counted: dict[str, tuple[Sequence[str], Ints | None]] = {}
    if place:
        vehicles = label_vehicles(contributions) if by_counts else None
        counted[place] = contributions.places.ids if by_counts else spec.selection.ids, vehicles
    window = contributions.window if by_counts else spec.window
    for number, group in enumerate(window.groups):
        if not group.by_day:
            counts = group_vehicles(contributions, number) if by_counts else None
            counted.setdefault(group.name, (group.labels, counts))
    for one in spec.data.rules.filters:
        counted.setdefault(one.name, (one.values, None))
    value = spec.data.rules.quantity.title.lower()
    return tuple(
        LabelReview(
            column=column,
            value=value,
            text="" if counts is None else _listed(spec, column, labels, counts),
            labels=tuple(labels)
            if counts is None
            else tuple(label for label, _ in _common(spec, labels, counts)),
            suspicious=any(map(_OF_A_VALUE.search, (column, *labels))),
        )
        for column, (labels, counts) in counted.items()
    )


def _common(spec: ReleaseSpec, labels: Sequence[str], vehicles: Ints) -> list[tuple[str, int]]:
    """Labels of as many vehicles as are needed, with their number."""
    pairs = zip(labels, vehicles.tolist(), strict=True)
    return [(label, count) for label, count in pairs if count >= max(spec.minimum_vehicles, 1)]


def _listed(spec: ReleaseSpec, column: str, labels: Sequence[str], vehicles: Ints) -> str:
    """Published labels; of the others their number alone. vehicles: of each label."""
    shown = _common(spec, labels, vehicles)
    rare = sum(0 < count < spec.minimum_vehicles for count in vehicles.tolist())
    more = len(shown) - _MOST_SHOWN
    return text_of(
        "{counted_labels} of {column}: {labels}{more}; the rarest with {counted_vehicles}{rare}; what they "
        "reveal of a {value} is not protected",
        counted_labels=count_of(len(shown), "label"),
        column=Name(column),
        labels=joined(", ", (Name(label) for label, _ in shown[:_MOST_SHOWN])),
        more=text_of(" and {more} more", more=more) if more > 0 else "",
        counted_vehicles=count_of(min((count for _, count in shown), default=0), "vehicle"),
        rare=text_of("; {rare} with fewer are left out", rare=rare) if rare else "",
        value=spec.data.rules.quantity.title.lower(),
    )
