"""Groups in `[hats]`: named twice, too many, kinds of day or labels without a group (method 3.1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.clean.mapping import ReadingRules
from core.errors import InputError
from core.hats.day_kinds import read_day_kinds
from core.hats.groups import DAY_KIND, Group, Groups
from core.hats.places import PlaceChoice
from core.hats.window import Window
from core.privacy import Relation
from core.records.labels import LabelledZones
from core.spec.column_kinds import require_label_columns
from core.spec.spec import TABLE_MAPPING
from core.texts import text_of

_MOST_GROUPS = 4


def groups_of(answers: Mapping[str, Any], folder: Path) -> Groups:
    """The groups by their names. Raises InputError for what does not fit together."""
    names, labels, kinds = answers["group"] or (), dict(answers["labels"] or ()), answers["day_kinds"]
    if len(set(names)) < len(names) or len(names) > _MOST_GROUPS:
        raise InputError(
            "A group is named twice, or there are more than {most}.",
            most=_MOST_GROUPS,
            where="hats.group",
            mend="name each group once",
        )
    for name in labels:
        if name not in names or name == DAY_KIND:
            raise InputError(
                "There are labels of {name}, which is not a group of a column.",
                name=name,
                where="hats.labels",
                mend=text_of('write group = ["{name}"] too, or leave its labels out', name=name),
            )
    if kinds and DAY_KIND not in names:
        raise InputError(
            "Kinds of day are named, but nothing is grouped by them.",
            where="hats.day_kinds",
            mend=text_of('write group = ["{name}"] too', name=DAY_KIND),
        )
    listed = read_day_kinds(folder / kinds) if kinds else ()
    return tuple(
        Group(name, kinds=listed) if name == DAY_KIND else Group(name, labels.get(name, ())) for name in names
    )


def chosen_window(window: Window, relation: Relation, minimum_vehicles: int) -> Window:
    """The window with what the relation makes of its groups. Raises InputError where labels are missing."""
    groups = []
    for group in window.groups:
        if group.is_open and relation is Relation.USER:
            raise InputError(
                "In relation user the labels of {name} are typed, never taken from the records.",
                name=group.name,
                where="hats.labels",
                mend=text_of('write labels = {{ {name} = ["...", "..."] }}', name=group.name),
            )
        groups.append(dataclasses.replace(group, fewest=minimum_vehicles) if group.is_open else group)
    return dataclasses.replace(window, groups=tuple(groups))


def reading_places(
    rules: ReadingRules, place: PlaceChoice, zones: LabelledZones | None = None
) -> ReadingRules:
    """The rules by which the labels that places are, are read. Raises InputError for what are no labels."""
    named = {"hats.place_column": place.place_column} if place.place_column else {}
    require_label_columns(rules.mapping, named)
    labels = {*named.values(), *([place.label] if zones else [])}
    return dataclasses.replace(rules, zones=zones, labels=tuple(sorted(labels)))


def reading_labels(rules: ReadingRules, groups: Groups) -> ReadingRules:
    """The rules by which the columns of groups are read too. Raises InputError for columns that cannot be."""
    names = [group.name for group in groups if not group.by_day]
    if rules.mapping == TABLE_MAPPING or not names:
        return rules
    for name in names:
        require_label_columns(rules.mapping, {"hats.group": name})
    return dataclasses.replace(rules, labels=tuple(sorted({*rules.labels, *names})))
