"""What any declared table does, on a table made up for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from core.errors import InputError
from core.spec.declared_tables import (
    answers_of,
    carried,
    fields,
    list_of_tables,
    make,
    read_table,
    write_table,
)
from core.spec.schema import Key, Rule, Sub, Table, Tables, When
from core.spec.toml_section import Retired, Section
from core.spec.value_kinds import Flag, Text, Whole
from tests.records import assert_tells


@dataclass(frozen=True, kw_only=True)
class Wheel:
    size: int = 20


@dataclass(frozen=True, kw_only=True)
class Engine:
    fuel: str = "none"


@dataclass(frozen=True, kw_only=True)
class Bus:
    plate: str
    depot: str | None
    electric: bool = False
    wheels: tuple[Wheel, ...] = ()
    engine: Engine = Engine()


def _two_wheels(section: Section, answers: dict[str, Any]) -> None:
    if "wheels" in section and answers["electric"]:
        raise InputError("No wheels.", where=section.where("wheels"), mend="fly")


BUS = Table(
    help="A bus.",
    carrier=Bus,
    retired=(Retired(name="sails", instead="write engine"),),
    entries=(
        Key(name="id", kind=Text(), help="Id.", required=True, field="plate", check=str.upper),
        Key(name="home", kind=Text(), help="Depot.", field="depot"),
        Key(name="electric", kind=Flag(), help="Electric.", default=False),
        Rule(says="No wheels.", check=_two_wheels),
        Key(
            name="wheels",
            kind=Tables(
                Table(help="Wheel.", carrier=Wheel, entries=(Key(name="size", kind=Whole(), help="Size."),)),
                ("These are no wheels.", "write [[bus.wheels]]"),
            ),
            help="Wheels.",
        ),
        Key(
            name="engine",
            kind=Sub(
                Table(
                    help="Engine.",
                    carrier=Engine,
                    entries=(Key(name="fuel", kind=Text(), help="Fuel.", default="none"),),
                )
            ),
            help="Engine.",
            default=Engine(),
            only=When(says="unless `electric`", holds=lambda given: not given["electric"]),
        ),
    ),
)
FULL = {"id": "a1", "home": "north", "wheels": [{"size": 22}, {}], "engine": {"fuel": "gas"}}
BUILT = Bus(plate="A1", depot="north", wheels=(Wheel(size=22), Wheel()), engine=Engine(fuel="gas"))


def _read(table: object) -> dict[str, Any]:
    return read_table(BUS, Section("bus", table))


def test_a_table_is_read_made_and_written_again() -> None:
    answers = _read(FULL)
    assert answers == {
        "id": "A1",
        "home": "north",
        "electric": False,
        "wheels": [{"size": 22}, {"size": None}],
        "engine": {"fuel": "gas"},
    }
    assert make(BUS, answers) == BUILT
    written = write_table(BUS, answers_of(BUS, BUILT))
    assert written == FULL | {"id": "A1", "wheels": [{"size": 22}, {"size": 20}]}
    assert make(BUS, _read(written)) == BUILT


def test_what_is_absent_has_the_default_of_key_and_carrier() -> None:
    built = make(BUS, _read({"id": "b"}))
    assert built == Bus(plate="B", depot=None)
    assert write_table(BUS, answers_of(BUS, built)) == {"id": "B"}


def test_what_comes_from_elsewhere_goes_before() -> None:
    assert make(BUS, _read(FULL), engine=Engine(fuel="oil"), wheels=()).engine == Engine(fuel="oil")
    assert fields(BUS, _read({"id": "b"}), but=("plate",)) == {"electric": False}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"id": 1}, "bus.id"),
        ({"wheels": 5}, "bus.wheels"),
        ({"wheels": []}, "bus.wheels"),
        ({"wheels": [5]}, "bus.wheels"),
        ({"wheels": [{"size": "x"}]}, "bus.wheels.size"),
        ({"electric": True}, "bus.wheels"),
        ({"electric": True, "wheels": None}, "bus.engine"),
        ({"engine": 5}, "bus.engine"),
        ({"engine": {"power": 1}}, "bus.engine.power"),
        ({"colour": "red"}, "bus.colour"),
        ({"sails": 2}, "bus.sails"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes: dict[str, Any], where: str) -> None:
    table = {key: value for key, value in (FULL | changes).items() if value is not None}
    with pytest.raises(InputError) as caught:
        _read(table)
    assert_tells(caught.value)
    assert caught.value.where == where


def test_every_key_that_may_stand_there_is_known() -> None:
    with pytest.raises(InputError) as caught:
        _read({"id": "a", "xxxxxxx": 1})
    assert caught.value.mend == "known keys: id, home, electric, wheels, engine"


def test_a_list_of_tables_is_given_one_by_one() -> None:
    sections = list_of_tables(BUS.key("wheels"), Section("bus", FULL))
    assert [section.name for section in sections] == ["bus.wheels"] * 2


def test_a_value_is_held_in_a_part_or_beside_it() -> None:
    @dataclass
    class Garage:
        bus: Bus
        depot: str = "south"

    key = Key(name="home", kind=Text(), help="", field="depot", part="bus")
    garage = Garage(bus=BUILT)
    assert (carried(key, garage), carried(key, garage, flat=True)) == ("north", "south")
