"""Kinds of values behind a key, such as dates, hours, periods or a box: their form, or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from core.accounting.epsilon_input import parse_epsilon
from core.accounting.epsilon_rounding import plain
from core.clean.mapping import Box, UnitRange
from core.clean.value_units import factor_in, unit_of_factor
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.hats.groups import Group
from core.hats.slots import ALL, SLOT_MINUTES, Periods, SlotLength, clock, parse_clock, periods_of
from core.hats.window import DateRange
from core.quantity import MOST_OF_VALUE
from core.spec.toml_section import Section
from core.texts import text_of


@dataclass(frozen=True, slots=True)
class _AsItStands:
    """Base of kinds whose values are the same in the file, in memory and in the canonical form."""

    def write(self, value: Any) -> Any:
        return value

    def identity(self, value: Any) -> Any:
        return value


@dataclass(frozen=True, slots=True)
class Text(_AsItStands):
    """Text; an empty one only where that is the default."""

    among: Callable[[], Iterable[str]] | None = None
    """The texts that are allowed, for the documents: what checks them has other words."""

    def phrase(self) -> str:
        return "text" if self.among is None else _one_of(self.among())

    def read(self, section: Section, name: str, default: Any) -> str:
        return section.text(name, default)


@dataclass(frozen=True, slots=True)
class FileName(Text):
    """The path of a file; an empty one is none."""

    def phrase(self) -> str:
        return "path"

    def write(self, value: str) -> str | None:
        return value or None


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts, at least one unless none is allowed too."""

    empty_allowed: bool = False

    def phrase(self) -> str:
        return "list of texts"

    def read(self, section: Section, name: str, _: Any) -> tuple[str, ...]:
        if self.empty_allowed and section.peek(name) == []:
            return tuple(section.take(name))
        return section.texts(name)

    def write(self, value: Sequence[str]) -> list[str]:
        return list(value)

    def identity(self, value: Sequence[Any]) -> list[Any] | None:
        return list(value)


@dataclass(frozen=True, slots=True)
class GroupNames(Texts):
    """A list of names; the canonical form has labels and kinds of day as well."""

    def identity(self, value: Sequence[Group]) -> list[Any] | None:
        listed = [
            [
                one.name,
                [] if one.by_day else list(one.labels),
                [[str(date), kind] for date, kind in one.kinds],
            ]
            for one in value
        ]
        return listed or None


@dataclass(frozen=True, slots=True)
class TextOrTexts(Text):
    """A text, or a list of several."""

    def phrase(self) -> str:
        return "text, or list of texts"

    def read(self, section: Section, name: str, default: Any) -> Any:
        if isinstance(section.peek(name), list):
            return section.texts(name)
        return section.text(name, default)

    def write(self, value: Any) -> Any:
        return value if isinstance(value, str) else list(value)

    def identity(self, value: Any) -> Any:
        return self.write(value)


@dataclass(frozen=True, slots=True)
class Whole(_AsItStands):
    """An integer."""

    allowed: str = ""
    """Which ones, for the documents."""

    def phrase(self) -> str:
        return text_of("integer, {allowed}", allowed=self.allowed) if self.allowed else "integer"

    def read(self, section: Section, name: str, default: Any) -> int:
        return section.whole(name, default)


@dataclass(frozen=True, slots=True)
class Resolutions:
    """An integer, or a list of several."""

    allowed: str
    """Which ones, for the documents."""

    def phrase(self) -> str:
        return text_of(
            "integer, {allowed}; or list of two or three, from coarse to fine", allowed=self.allowed
        )

    def read(self, section: Section, name: str, default: Any) -> int | tuple[int, ...]:
        listed = section.peek(name)
        if not isinstance(listed, list) or not all(type(one) is int for one in listed):
            return section.whole(name, default)
        return tuple(section.take(name))

    def write(self, value: int | tuple[int, ...]) -> int | list[int]:
        return value if isinstance(value, int) else list(value)

    def identity(self, value: int | tuple[int, ...]) -> int | list[int]:
        return self.write(value)


@dataclass(frozen=True, slots=True)
class SlotMinutes(_AsItStands):
    """Minutes, or the word for the whole window; the canonical form has minutes."""

    def phrase(self) -> str:
        return text_of(
            "{value} (one timeslot, as long as the hours)",
            value=_one_of((*map(str, SLOT_MINUTES), f'"{ALL}"')),
        )

    def read(self, section: Section, name: str, default: Any) -> SlotLength:
        if section.peek(name) == ALL:
            section.take(name)
            return ALL
        return section.whole(name, default)

    def write(self, value: SlotLength) -> Any:
        return None if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class PeriodsOfDay:
    """Parts of the day by their names; in memory they stand where the length of a slot would."""

    def phrase(self) -> str:
        return "table of names, each with start and end, the end exclusive"

    def read(self, section: Section, name: str, _: Any) -> Periods:
        table, listed = section.section(name), []
        for period in table.left:
            hours = table.take(period)
            if (
                not isinstance(hours, list)
                or len(hours) != 2
                or not all(isinstance(one, str) for one in hours)
            ):
                raise InputError(
                    "A period is a start and an end.",
                    where=section.where(name),
                    mend='write for instance "morning peak" = ["07:00", "10:00"]',
                )
            start, end = (parse_clock(text, where=section.where(name)) for text in hours)
            listed.append((period, start, end))
        return periods_of(listed, where=section.where(name))

    def write(self, value: SlotLength) -> dict[str, list[str]] | None:
        if not isinstance(value, tuple):
            return None
        return {one.name: [clock(one.start), clock(one.end)] for one in value}

    def identity(self, value: Periods) -> list[list[Any]] | None:
        return [[one.name, one.start, one.end] for one in value] or None


@dataclass(frozen=True, slots=True)
class Flag(_AsItStands):
    """True or false."""

    def phrase(self) -> str:
        return "`true` or `false`"

    def read(self, section: Section, name: str, default: Any) -> bool:
        return section.flag(name, bool(default))


@dataclass(frozen=True, slots=True)
class Option(_AsItStands):
    """One of several texts."""

    among: Callable[[], Iterable[str]]

    def phrase(self) -> str:
        return _one_of(self.among())

    def read(self, section: Section, name: str, default: Any) -> str:
        return section.option(name, list(self.among()), default)


@dataclass(frozen=True, slots=True)
class EnumMember:
    """One member of an enumeration, by its text."""

    of: type[StrEnum]

    def phrase(self) -> str:
        return _one_of(self.of)

    def read(self, section: Section, name: str, default: Any) -> StrEnum:
        return self.of(section.option(name, [item.value for item in self.of], default))

    def write(self, value: StrEnum) -> str:
        return value.value

    def identity(self, value: StrEnum) -> str:
        return value.value


@dataclass(frozen=True, slots=True)
class Thousandths:
    """A number in the file, thousandths of it in memory: values are exact integers."""

    convert: Callable[..., int]
    """(number, where=) to thousandths; raises InputError for a number that does not fit."""
    allowed: str
    unsaid: int | None = None
    """Thousandths that are not written, being what counts without the key."""

    def phrase(self) -> str:
        return text_of("number, {allowed}", allowed=self.allowed)

    def read(self, section: Section, name: str, default: Any) -> int:
        return self.convert(
            section.number(name, None if default is None else default / THOUSAND), where=section.where(name)
        )

    def write(self, value: int) -> float | None:
        return None if value == self.unsaid else value / THOUSAND

    def identity(self, value: int) -> int:
        return value


@dataclass(frozen=True, slots=True)
class Epsilon:
    """Decimal text: what costs budget is never a float."""

    def phrase(self) -> str:
        return "decimal text"

    def read(self, section: Section, name: str, _: Any) -> Decimal:
        return parse_epsilon(section.take(name), where=section.where(name))

    def write(self, value: Decimal) -> str:
        return plain(value)

    def identity(self, value: Decimal | None) -> str | None:
        return None if value is None else plain(value)


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as text or as TOML writes one."""

    def phrase(self) -> str:
        return "date"

    def read(self, section: Section, name: str, _: Any) -> dt.date:
        return _date(section.take(name), where=section.where(name))

    def write(self, value: dt.date) -> str:
        return str(value)

    def identity(self, value: dt.date | None) -> str:
        return str(value or "")


@dataclass(frozen=True, slots=True)
class DateRanges:
    """A first and a last date, or several such pairs."""

    def phrase(self) -> str:
        return "first and last date, or a list of such pairs"

    def read(self, section: Section, name: str, _: Any) -> tuple[DateRange, ...]:
        value, where = section.take(name), section.where(name)
        if isinstance(value, list) and value:
            pairs = value if all(isinstance(item, list) for item in value) else [value]
            if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                return tuple((_date(first, where=where), _date(last, where=where)) for first, last in pairs)
        template = isinstance(value, str) and value.startswith("next ")
        raise InputError(
            "The dates are a first and a last date, or several such pairs.",
            where=where,
            mend="release it by `series`: it is a template"
            if template
            else text_of('write {name} = ["2016-11-24", "2016-11-27"]', name=name),
        )

    def write(self, value: Sequence[DateRange]) -> list[list[str]]:
        return [[str(first), str(last)] for first, last in value]

    def identity(self, value: Sequence[DateRange]) -> list[list[str]]:
        return self.write(value)


@dataclass(frozen=True, slots=True)
class Hours(Texts):
    """A start and an end."""

    def phrase(self) -> str:
        return "start and end, the end exclusive"

    def read(self, section: Section, name: str, _: Any) -> tuple[str, ...]:
        hours = section.texts(name)
        if len(hours) != 2:
            raise InputError(
                "The {name} are a start and an end.",
                name=name,
                where=section.where(name),
                mend='write ["09:00", "21:00"]',
            )
        return hours


@dataclass(frozen=True, slots=True)
class Edges:
    """A rectangle of degrees."""

    def phrase(self) -> str:
        return "`[south, west, north, east]`, degrees"

    def read(self, section: Section, name: str, _: Any) -> Box:
        edges = section.take(name)
        numbers = isinstance(edges, list) and all(isinstance(edge, int | float) for edge in edges)
        if numbers and len(edges) == 4 and max(map(abs, edges)) <= 180:
            south, west, north, east = map(float, edges)
            if -90 <= south < north <= 90 and -180 <= west < east <= 180:
                return Box(south=south, west=west, north=north, east=east)
        raise InputError(
            "This is not a valid {name}.",
            name=name,
            where=section.where(name),
            mend="write [south, west, north, east] in degrees",
        )

    def write(self, value: Box) -> list[float]:
        return [value.south, value.west, value.north, value.east]

    def identity(self, value: Box | None) -> list[float] | None:
        return None if value is None else self.write(value)


@dataclass(frozen=True, slots=True)
class Limits:
    """Two numbers in the file, the smaller one first; thousandths of them in memory."""

    def phrase(self) -> str:
        return "`[min, max]`, numbers"

    def read(self, section: Section, name: str, _: Any) -> tuple[int, int]:
        ends = section.take(name)
        numbers = isinstance(ends, list) and all(type(end) in (int, float) for end in ends)
        if numbers and len(ends) == 2 and -MOST_OF_VALUE <= ends[0] < ends[1] <= MOST_OF_VALUE:
            return round(ends[0] * THOUSAND), round(ends[1] * THOUSAND)
        raise InputError(
            "This is not a valid {name}.", name=name, where=section.where(name), mend="write [min, max]"
        )

    def write(self, value: tuple[int, int]) -> list[float]:
        return [end / THOUSAND for end in value]

    def identity(self, value: tuple[int, int]) -> list[int]:
        return list(value)


@dataclass(frozen=True, slots=True)
class OneUnit(Text):
    """The unit of all dates; where they have several, `[[data.units]]` tells them."""

    def read(self, section: Section, name: str, default: Any) -> Any:
        return (UnitRange(unit=section.text(name, default)),)

    def write(self, value: Sequence[UnitRange]) -> str | None:
        return value[0].unit if is_one_unit(value) and factor_in(value[0].unit) is None else None

    def identity(self, value: Sequence[UnitRange]) -> str | None:
        return value[0].unit if is_one_unit(value) else None


@dataclass(frozen=True, slots=True)
class NamedUnit(Text):
    """A unit with a name, of some dates."""

    def write(self, value: str) -> str | None:
        return value if factor_in(value) is None else None


@dataclass(frozen=True, slots=True)
class KmhFactor:
    """A unit without a name: what one of it is in km/h. of_all: of all dates."""

    of_all: bool = False

    def phrase(self) -> str:
        return "number above 0"

    def read(self, section: Section, name: str, _: Any) -> Any:
        unit = unit_of_factor(section.number(name))
        return (UnitRange(unit=unit),) if self.of_all else unit

    def write(self, value: Any) -> float | None:
        if not self.of_all:
            return factor_in(value)
        return factor_in(value[0].unit) if is_one_unit(value) else None

    def identity(self, _: Any) -> None:
        return None


def is_one_unit(units: Sequence[UnitRange]) -> bool:
    """Whether all dates have the same unit."""
    return len(units) == 1 and units[0] == UnitRange(unit=units[0].unit)


@dataclass(frozen=True, slots=True)
class Parameters:
    """A table whose keys the statistic or the mechanism declares (`core.parameter_fields`)."""

    def phrase(self) -> str:
        return "table, see below"

    def read(self, section: Section, name: str, _: Any) -> dict[str, Any]:
        return section.section(name, required=False).rest()

    def write(self, value: Any) -> dict[str, Any]:
        return dict(value)

    def identity(self, value: Any) -> dict[str, Any]:
        return dict(value)


def _one_of(texts: Iterable[str]) -> str:
    return text_of("one of {value}", value=", ".join(f"`{text}`" for text in texts))


def _date(value: object, *, where: str) -> dt.date:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    try:
        return dt.date.fromisoformat(str(value))
    except ValueError:
        raise InputError("This is not a date.", where=where, mend='write for instance "2016-11-24"') from None
