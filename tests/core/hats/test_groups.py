"""Groups: which labels there may be, in which order, and what a date's kind is."""

from __future__ import annotations

import datetime as dt

import pytest

from core.errors import InputError
from core.hats.groups import (
    MOST_LABELS,
    Group,
    as_cell,
    labels_in_order,
    require_group_labels,
)

FRIDAY, SATURDAY = dt.date(2022, 1, 7), dt.date(2022, 1, 8)
KINDS = Group("day_kind", kinds=((FRIDAY, "school"), (SATURDAY, "holiday")))


def test_dates_are_of_a_weekday_or_a_weekend() -> None:
    group = Group("day_kind")
    assert (group.kind_of(FRIDAY), group.kind_of(SATURDAY)) == ("weekday", "weekend")
    assert (group.by_day, group.is_open) == (True, False)
    assert group.on([SATURDAY]).labels == ("weekend",)


def test_a_file_of_kinds_decides_and_must_list_every_date() -> None:
    assert KINDS.on([FRIDAY, SATURDAY]).labels == ("holiday", "school")
    with pytest.raises(InputError, match="does not list 2022-01-09") as caught:
        KINDS.on([dt.date(2022, 1, 9)])
    assert (caught.value.where, bool(caught.value.mend)) == ("hats.day_kinds", True)


def test_labels_of_records_are_open_until_somebody_names_them() -> None:
    group = Group("direction")
    assert group.is_open
    assert group.on([FRIDAY]) is group


def test_labels_are_ordered_as_their_cells_are() -> None:
    assert as_cell("=1+1") == "'=1+1"
    assert as_cell("1=1") == "1=1"
    assert labels_in_order(["a", "=b", "'z", "A"]) == ("=b", "'z", "A", "a")


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ([], "A group has 0 labels"),
        ([str(number) for number in range(MOST_LABELS + 1)], "A group has 51 labels"),
        (["UP", ""], "A label is empty"),
        (["UP "], "A label is empty"),
        (["a\nb"], "A label is empty"),
        (["x" * 81], "longer than 80"),
    ],
)
def test_labels_that_cannot_be_published_are_refused(labels: list[str], what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        require_group_labels(labels, where="here")
    assert caught.value.where == "here"
    assert caught.value.mend


def test_markup_is_a_label_like_any_other() -> None:
    assert require_group_labels(["<b>", "UP"], where="here") == ("<b>", "UP")
