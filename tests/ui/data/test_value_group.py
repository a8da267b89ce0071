"""ui.data.value_group: what a value is where it is no speed."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.clean.bounded_value import BoundedValue
from ui.data.value_group import ValueGroup

DELAY: dict[str, str] = {
    "name": "delay",
    "column_unit": "s",
    "unit": "s",
    "lower": "-600",
    "upper": "1800",
    "physical_min": "-7200",
    "physical_max": "7200.5",
}


@pytest.fixture
def group(qtbot: QtBot) -> ValueGroup:
    made = ValueGroup()
    qtbot.addWidget(made)
    return made


def fill(qtbot: QtBot, group: ValueGroup, **texts: Any) -> None:
    for part, text in (DELAY | texts).items():
        group.fields[part].clear()
        qtbot.keyClicks(group.fields[part], text)


def test_seven_fields_make_a_value(qtbot: QtBot, group: ValueGroup) -> None:
    assert (group.named, group.problem, group.first_open) == (None, "", group.fields["name"])
    fill(qtbot, group)
    assert group.named == BoundedValue(
        name="delay",
        column_unit="s",
        unit="s",
        lower=-600_000,
        upper=1_800_000,
        physical_min=-7_200_000,
        physical_max=7_200_500,
    )
    other = ValueGroup()
    qtbot.addWidget(other)
    other.show_named(group.named)
    assert {part: field.text() for part, field in other.fields.items()} == DELAY


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"lower": "1800"}, "leave no range"),
        ({"physical_min": "-599"}, "protected range"),
        ({"physical_max": "1799"}, "protected range"),
        ({"name": "Delay s"}, "lower-case"),
        ({"lower": "ten"}, "not a number"),
        ({"upper": "0.0001"}, "is not possible"),
        ({"upper": "1e999"}, "is not possible"),
    ],
)
def test_what_does_not_fit_is_told_at_once(
    qtbot: QtBot, group: ValueGroup, changes: dict[str, str], told: str
) -> None:
    fill(qtbot, group, **changes)
    assert told in group.problem
    assert group.named is None


def test_the_name_follows_the_column_until_a_person_names_it(qtbot: QtBot, group: ValueGroup) -> None:
    for column, name in (("trip_delay", "trip_delay"), ("2 Air.PM2.5 (µg)", "g"), ("Wait Time", "wait_time")):
        group.suggest_name(column)
        assert group.fields["name"].text() == name
    qtbot.keyClicks(group.fields["name"], "x")
    group.suggest_name("speed")
    assert group.fields["name"].text() == "wait_timex"
