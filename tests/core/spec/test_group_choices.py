"""What a spec says of groups, and what does not fit together."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.hats.groups import Group
from core.privacy import Relation
from core.spec.group_choices import chosen_window, groups_of, reading_labels
from tests.core.records.test_labels import labelled_rules
from tests.strategies import window


def asked(group: tuple[str, ...] = (), labels: Any = (), day_kinds: str = "") -> dict[str, Any]:
    return {"group": group, "labels": labels, "day_kinds": day_kinds}


def test_groups_are_those_that_are_named_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "kinds.csv").write_text("2022-01-07,school\n", encoding="utf-8")
    both = groups_of(asked(("day_kind", "direction"), [("direction", ("UP",))], "kinds.csv"), tmp_path)
    assert [group.name for group in both] == ["day_kind", "direction"]
    assert [len(group.kinds) for group in both] == [1, 0]
    assert both[1].labels == ("UP",)
    assert groups_of(asked(), tmp_path) == ()


@pytest.mark.parametrize(
    ("answers", "where"),
    [
        (asked(("route", "route")), "hats.group"),
        (asked(("a", "b", "c", "d", "e")), "hats.group"),
        (asked(("direction",), [("route", ("7",))]), "hats.labels"),
        (asked(("day_kind",), [("day_kind", ("weekday",))]), "hats.labels"),
        (asked(("direction",), (), "kinds.csv"), "hats.day_kinds"),
    ],
)
def test_what_does_not_fit_together_is_refused(answers: dict[str, Any], where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        groups_of(answers, tmp_path)
    assert caught.value.where == where
    assert caught.value.mend


def test_relation_user_takes_no_label_from_the_records() -> None:
    over = dataclasses.replace(window(), groups=(Group("direction"),))
    (group,) = chosen_window(over, Relation.VALUES, 5).groups
    assert group.fewest == 5
    with pytest.raises(InputError, match="typed, never taken from the records") as caught:
        chosen_window(over, Relation.USER, 5)
    assert caught.value.mend == 'write labels = { direction = ["...", "..."] }'
    typed = dataclasses.replace(window(), groups=(Group("direction", ("UP",)),))
    assert chosen_window(typed, Relation.USER, 5).groups == typed.groups


def test_columns_of_groups_are_read_and_kinds_of_day_need_none() -> None:
    rules = labelled_rules()
    assert reading_labels(rules, (Group("route"), Group("day_kind"))).labels == ("route",)
    assert reading_labels(rules, (Group("day_kind"),)).labels == ()
    with pytest.raises(InputError):
        reading_labels(rules, (Group("line"),))
