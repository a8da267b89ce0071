"""A table that nobody wrote a spec for is read as the shortest spec of it would say."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.contributions.file_facts import TableFacts, facts_of
from core.quantity import Measured
from core.spec.reading import parse_rules
from core.spec.table_rules import rules_of_table
from tests.contribution_files import small_table


def _facts(**changes: object) -> TableFacts:
    return dataclasses.replace(facts_of(small_table(), {0, 1, 2}), **changes)


def test_speeds_are_read_as_a_spec_without_a_mapping_says() -> None:
    written = {"contributions": "table.parquet", "zone": "Asia/Kolkata", "upper_bound_kmh": 65.0}
    assert rules_of_table(_facts()) == parse_rules({"data": written}, Path())


def test_another_value_has_its_bounds_and_limits() -> None:
    facts = _facts(
        measured=Measured("delay", "s", -600_000), upper_bound=2_400_000, physical=(-7_200_000, 7_200_000)
    )
    written = {
        "contributions": "table.parquet",
        "zone": "Asia/Kolkata",
        "value": {
            "name": "delay",
            "column_unit": "s",
            "unit": "s",
            "lower": -600,
            "upper": 1800,
            "physical_min": -7200,
            "physical_max": 7200,
        },
    }
    assert rules_of_table(facts) == parse_rules({"data": written}, Path())


def test_limits_that_are_not_told_are_the_bounds() -> None:
    value = rules_of_table(_facts(measured=Measured("delay", "s", -600_000), upper_bound=2_400_000)).value
    assert value is not None
    assert (value.physical_min, value.physical_max) == (value.lower, value.upper) == (-600_000, 1_800_000)


@pytest.mark.parametrize(
    ("unit", "column"),
    [
        ("s", "s"),
        ("°C", "c"),
        ("L/100 km", "l_100_km"),
        ("µg/m³", "g_m3"),
        ("%", "share"),
        ("5 min", "share"),
    ],
)
def test_columns_call_the_unit_in_plain_letters(unit: str, column: str) -> None:
    value = rules_of_table(_facts(measured=Measured("share", unit, 0))).value
    assert value is not None
    assert value.column_unit == column
    assert value.unit == unit
