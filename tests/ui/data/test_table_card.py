"""ui.data.table_card: what a table holds, what it was made for, and what it does not tell."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.clean.bounded_value import BoundedValue
from core.clean.mapping import ReadingRules
from core.contributions.file_facts import facts_of
from core.contributions.file_look import TableOffer
from core.draft.draft import DataSource
from core.hats.groups import Group, Groups
from core.hats.slots import ALL, PeriodOfDay, SlotLength
from core.hats.window import build_window
from core.quantity import Measured
from core.release.loaded_table import LoadedTable
from core.spec.spec import TABLE_MAPPING
from tests.contribution_files import small_table
from tests.ui.user_actions import texts
from ui.data.table_card import TableCard

DAY = dt.date(2022, 1, 1)
PERIODS = (PeriodOfDay(420, 600, "morning"), PeriodOfDay(600, 960, "midday"))
RULES = ReadingRules(mapping=TABLE_MAPPING, zone="Asia/Kolkata", upper_bound=65_000)


def _card(qtbot: QtBot, rules: ReadingRules = RULES, bound: bool | None = None, **changes: object) -> str:
    table = dataclasses.replace(small_table(), **changes)
    source = DataSource(files=(Path("/data/city.parquet"),), rules=rules, table=True)
    facts = dataclasses.replace(facts_of(small_table(), {0, 1, 2}), window=table.window)
    offer = TableOffer(facts=facts, dates={7: frozenset(table.window.dates)}, stamps=(), bound=bound)
    card = TableCard(LoadedTable(source=source, table=table, offer=offer))
    qtbot.addWidget(card)
    card.show()
    return texts(card).replace("\u200b", "")


def test_counts_and_choices_are_told_and_the_rest_is_said_to_be_unknown(qtbot: QtBot) -> None:
    told = _card(qtbot)
    for part in (
        "Confidential",
        "city.parquet",
        "9",
        "records in 6 rows",
        "1 hour",
        "65 km/h",
        "measured",
    ):
        assert part in told
    for part in ("cleaned elsewhere", "when in its slot", "Other resolutions"):
        assert part in told
    assert "How often a vehicle came" not in told
    assert "How often a vehicle came" in _card(qtbot, visits=None)
    assert "derived from positions" in _card(qtbot, derived=True)


@pytest.mark.parametrize(
    ("length", "groups", "parts"),
    [
        (240, (), ["4 hours"]),
        (ALL, (), ["all hours"]),
        (PERIODS, (), ["morning (07:00 to 10:00), midday (10:00 to 16:00)"]),
        (240, (Group("direction", ("DN", "UP")),), ["4 hours", "Rows apart by", "direction (DN, UP)"]),
    ],
    ids=["hours", "all hours", "periods", "directions"],
)
def test_what_a_row_is_of_is_said_as_it_was_asked_for(
    qtbot: QtBot, length: SlotLength, groups: Groups, parts: list[str]
) -> None:
    """It said 240 minutes of four hours, 720 of all hours, and 0 of periods."""
    window = build_window([(DAY, DAY)], ("07:00", "19:00"), length, groups=groups)
    told = _card(qtbot, window=window)
    assert all(part in told for part in parts)
    assert "minutes" not in told


def test_of_an_encrypted_table_it_says_whether_its_parts_are_bound_to_one_another(qtbot: QtBot) -> None:
    assert "Encrypted" not in _card(qtbot)
    assert "lost parts are noticed" in _card(qtbot, bound=True)
    assert "earlier version" in _card(qtbot, bound=False)


def test_many_ranges_of_dates_are_counted(qtbot: QtBot) -> None:
    days = [dt.date(2022, 1, 1 + 2 * number) for number in range(6)]
    window = build_window(tuple((day, day) for day in days), ("00:00", "24:00"), 60)
    told = _card(qtbot, window=window)
    assert "2022-01-07" in told
    assert "2022-01-09" not in told
    assert "and 2 more ranges" in told


def test_another_value_has_a_name_and_bounds(qtbot: QtBot) -> None:
    value = BoundedValue(
        name="trip_delay",
        column_unit="s",
        unit="s",
        lower=-600_000,
        upper=1_800_000,
        physical_min=-600_000,
        physical_max=1_800_000,
    )
    rules = dataclasses.replace(RULES, value=value, upper_bound=value.span)
    told = _card(qtbot, rules, measured=Measured("trip_delay", "s", -600_000), upper_bound=value.span)
    for part in ("trip delay", "-600 to 1800 s"):
        assert part in told
    assert "km/h" not in told
    assert "measured" not in told
