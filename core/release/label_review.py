"""What a person should know and answer before labels of the records are published as places (method 3.1).

Names of columns and labels alone are looked at, never values: a refusal by values would betray them. In
relation `user` labels are typed, and nothing here follows from records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.contributions import Contributions
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
    """Its labels, and how many vehicles have the rarest; empty in relation `user`."""
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

    @property
    def question(self) -> str:
        return text_of(
            "Is {column} of each record known without its {value}, such as a route or a direction?",
            column=Name(self.column),
            value=self.value,
        )


def label_review(spec: ReleaseSpec, contributions: Contributions) -> LabelReview | None:
    """Of the column whose labels are places; None where there is none."""
    column, by_counts = spec.place.place_column, spec.relation is Relation.VALUES
    if not column:
        return None
    labels = contributions.places.ids if by_counts else spec.selection.ids
    return LabelReview(
        column=column,
        value=spec.data.rules.quantity.title.lower(),
        text=_listed(spec, contributions) if by_counts else "",
        suspicious=any(map(_OF_A_VALUE.search, (column, *labels))),
    )


def _listed(spec: ReleaseSpec, contributions: Contributions) -> str:
    """Published labels; of the others their number alone."""
    vehicles = label_vehicles(contributions)
    pairs = list(zip(contributions.places.ids, vehicles.tolist(), strict=True))
    shown = [(label, count) for label, count in pairs if count >= max(spec.minimum_vehicles, 1)]
    rare = sum(0 < count < spec.minimum_vehicles for _, count in pairs)
    more = len(shown) - _MOST_SHOWN
    return text_of(
        "{counted_labels} of {column}: {labels}{more}; the rarest with {counted_vehicles}{rare}",
        counted_labels=count_of(len(shown), "label"),
        column=Name(spec.place.place_column),
        labels=joined(", ", (Name(label) for label, _ in shown[:_MOST_SHOWN])),
        more=text_of(" and {more} more", more=more) if more > 0 else "",
        counted_vehicles=count_of(min((count for _, count in shown), default=0), "vehicle"),
        rare=text_of("; {rare} with fewer are left out", rare=rare) if rare else "",
    )
