"""What is measured: its names, and how texts are named after it."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.quantity import SPEED, UNIT_OF_VALUE, Quantity, unit_of_parameter
from tests.records import assert_tells

DELAY = Quantity(name="trip_delay", column_unit="s", unit="s", lower=-600_000)


def test_speed_is_said_as_ever() -> None:
    text = "{name}_{column_unit} {column_unit_squared} {value} {Value} {values} {unit} {unit_squared}"
    assert SPEED.named(text) == "speed_kmh km2_h2 speed Speed speeds km/h km²/h²"


def test_another_quantity_has_its_own_names() -> None:
    text = "{name}_{column_unit} {column_unit_squared} {value} {Value} {values} {unit} {unit_squared}"
    assert DELAY.named(text) == "trip_delay_s s_squared trip delay Trip delay trip delay values s s²"
    assert Quantity(name="pm", column_unit="ug_m3", unit="µg/m³").named("{unit_squared}") == "(µg/m³)²"


@pytest.mark.parametrize("key", ["name", "column_unit"])
@pytest.mark.parametrize("text", ["", "Delay", "1st", "a b", "a-b", "é", "a" * 41, "a\n"])
def test_names_that_no_column_can_bear_are_refused(key: str, text: str) -> None:
    with pytest.raises(InputError) as refused:
        Quantity(**({"name": "delay", "column_unit": "s", "unit": "s"} | {key: text}))
    assert_tells(refused.value)
    assert refused.value.where == f"data.value.{key}"


@pytest.mark.parametrize("text", ["", " s", "s ", "a|b", "<b>", "`s`", "{unit}", "s\n", "x" * 25])
def test_a_unit_that_tables_cannot_bear_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        Quantity(name="delay", column_unit="s", unit=text)
    assert refused.value.where == "data.value.unit"


@pytest.mark.parametrize("text", ["s", "%", "µg/m³", "°C", "passengers per bus"])
def test_units_as_people_write_them_are_taken(text: str) -> None:
    assert Quantity(name="a", column_unit="a", unit=text).unit == text


def test_a_guess_in_km_h_is_a_part_of_another_quantity_s_range() -> None:
    assert unit_of_parameter("km/h", SPEED) == "km/h"
    assert unit_of_parameter("km/h", DELAY) == "× U/65"
    assert unit_of_parameter("vehicles per day", DELAY) == "vehicles per day"
    assert unit_of_parameter(UNIT_OF_VALUE, DELAY) == DELAY.unit
    assert unit_of_parameter(UNIT_OF_VALUE, SPEED) == "km/h"
