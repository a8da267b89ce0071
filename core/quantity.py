"""What is measured: names, units and bounds that are allowed; speed in km/h unless a spec names another.

Inside the program a value counts from the lower bound, in thousandths of its unit, so that every formula
is one on [0, U]; what is published says the name and the unit, and counts from 0 again (method 2.6).
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from core import codec
from core.errors import InputError
from core.subject import VEHICLE, Subject
from core.texts import Name, text_of

MOST_OF_VALUE = 1_000_000
"""Bounds and limits lie within plus and minus so many units: thousandths of them fit 32-bit integers."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_NAME = 40
_LONGEST_UNIT = 24
_MARKUP = frozenset("|`<>\\{}")
"""Letters that mean something where a unit is printed: in tables of Markdown, in HTML, in templates."""
_SQUARES = {"kmh": "km2_h2", "km/h": "km²/h²"}
"""The squares that read better than by rule."""


class Measured(NamedTuple):
    """What tells the values of two tables apart."""

    name: str
    unit: str
    lower: int
    """Thousandths of the unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """The value of a record as people and columns name it."""

    name: str
    """In names of columns and files: `speed`."""
    column_unit: str
    """In names of columns: `kmh`."""
    unit: str
    """As people read it: `km/h`."""
    lower: int = field(default=0, metadata=codec.key(written=True))
    """What 0 inside stands for, thousandths of the unit."""
    subject: Subject = VEHICLE
    """Whose it is: statistics, columns and texts name it."""

    def __post_init__(self) -> None:
        """Raises InputError for names that columns, and a unit that tables cannot bear."""
        for key, text, example in (("name", self.name, "delay"), ("column_unit", self.column_unit, "s")):
            if not _NAME.fullmatch(text) or len(text) > _LONGEST_NAME:
                raise InputError(
                    "The {key} of the value is lower-case letters, digits and underscores, a letter first, "
                    "at most {longest_name} of them.",
                    key=key,
                    longest_name=_LONGEST_NAME,
                    where=f"data.value.{key}",
                    mend=text_of('write for instance {key} = "{example}"', key=key, example=example),
                )
        readable = self.unit.isprintable() and self.unit == self.unit.strip() and not _MARKUP & set(self.unit)
        if not readable or not 0 < len(self.unit) <= _LONGEST_UNIT:
            raise InputError(
                "The unit of the value is a short text, at most {longest_unit} letters, without {markup}.",
                longest_unit=_LONGEST_UNIT,
                markup=" ".join(sorted(_MARKUP)),
                where="data.value.unit",
                mend='write for instance unit = "s"',
            )

    @property
    def is_speed(self) -> bool:
        """Whether it is the speed that counts without a name, of any subject."""
        return dataclasses.replace(self, subject=VEHICLE) == SPEED

    @property
    def measured(self) -> Measured:
        """What a table of its values says of them."""
        return Measured(name=self.name, unit=self.unit, lower=self.lower)

    @property
    def title(self) -> str:
        """In sentences: `speed`."""
        return self.name.replace("_", " ")

    @property
    def plural(self) -> str:
        """Many of them, in sentences: `speeds`."""
        return "speeds" if self.is_speed else text_of("{title} values", title=self.title)

    def named(self, text: str) -> str:
        """A text whose marks in braces are replaced by what this quantity is called.

        `{name}`, `{column_unit}` and `{column_unit_squared}` in columns; `{value}`, `{Value}`, `{values}`,
        `{unit}` and `{unit_squared}` in sentences.
        """
        text = self.subject.says(text) if " " in text else self.subject.column(text)
        square = f"{self.unit}²" if self.unit.isalpha() else f"({self.unit})²"
        return text_of(
            text,
            name=Name(self.name),
            column_unit=Name(self.column_unit),
            column_unit_squared=Name(_SQUARES.get(self.column_unit, f"{self.column_unit}_squared")),
            value=self.title,
            Value=self.title[:1].upper() + self.title[1:],
            values=self.plural,
            unit=self.unit,
            unit_squared=_SQUARES.get(self.unit, square),
        )


SPEED = Quantity(name="speed", column_unit="kmh", unit="km/h")
UNIT_OF_VALUE = "unit of the value"
"""Declared by parameters that are figures of the value itself, whatever is measured."""


def unit_of_parameter(declared: str, quantity: Quantity) -> str:
    """The unit of a parameter; one that is declared as a speed guesses for U = 65 km/h, and is as large a
    part of the U of another quantity.
    """
    if declared == UNIT_OF_VALUE:
        return quantity.unit
    return declared if quantity.is_speed or declared != SPEED.unit else "× U/65"
