"""Whether a row is of the periods and labels of its statement."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.hats.groups import Group
from core.hats.slots import periods_of
from core.verify.periods import has_labels, is_period

STATEMENT = SimpleNamespace(
    periods=periods_of((("=peak", 420, 600), ("midday", 600, 960)), where="here"),
    groups=(Group("direction", ("=UP", "DN")), Group("day_kind", ("weekday",))),
)


@pytest.mark.parametrize(
    ("start", "end", "name", "holds"),
    [
        ("07:00", "10:00", "'=peak", True),
        ("10:00", "16:00", "midday", True),
        ("07:00", "10:00", "midday", False),
        ("07:00", "16:00", "midday", False),
        ("10:00", "16:00", None, False),
    ],
)
def test_start_end_and_name_are_those_of_one_period(
    start: str, end: str, name: str | None, holds: bool
) -> None:
    row = {"slot_start": start, "slot_end": end} | ({} if name is None else {"period": name})
    assert is_period(row, STATEMENT) is holds


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ({"direction": "'=UP", "day_kind": "weekday"}, True),
        ({"direction": "DN", "day_kind": "weekday"}, True),
        ({"direction": "=UP", "day_kind": "weekday"}, False),
        ({"direction": "DN", "day_kind": "weekend"}, False),
        ({"direction": "DN"}, False),
    ],
)
def test_labels_are_those_of_the_groups(row: dict[str, str], holds: bool) -> None:
    assert has_labels(row, STATEMENT) is holds
