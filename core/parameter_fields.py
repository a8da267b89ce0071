"""Parameters declared once as data; what a list or range may be, and parameters that are gone.

A `Params` is a frozen dataclass whose fields are made by `choice`, `number`, `numbers` or `flag`.
`declared` lists them; `build` validates a mapping (from a spec file or a form). A class may have a constant
`RETIRED`: the parameters that it once had, and what became of each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

from core.counted import count_of
from core.errors import InputError
from core.texts import joined, text_of

_KEY = "hexveil"
_LONGEST_NAME = 80
P = TypeVar("P")
Pair = tuple[float, float]
Value = str | int | float | bool | tuple[float, ...] | tuple[Pair, ...]
"""What a parameter may hold; the type of its default tells a flag and a list from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One declared parameter: what it is called, what it may be, what it means."""

    name: str = ""
    label: str
    help: str
    default: Value
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    whole: bool = False
    """Numbers are integers. Together with `options`: an option or an integer."""
    decimals: int | None = None
    """Most decimals of a number in a list; None where any will do."""
    unit: str = ""
    advanced: bool = False
    titles: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    """Option -> how lists call it, where that is not the option itself."""
    text: bool = False
    """Any other name may stand in place of the options."""
    only_with: str = ""
    """Name of the flag without which it has no part in anything; empty: it always has."""
    proposed: Value | None = None
    """What a new query begins with, where another value than the default has proved better since: requests
    that do not name the parameter keep the default, and their meaning. None: the default."""
    later: bool = False
    """Requests were made before it was there: with its default it is no part of what they ask for."""
    pairs: bool = False
    """A list of pairs of numbers, each the two ends of a range."""
    optional: bool = False
    """A list that may be empty."""
    rising: bool = False
    """A list that must be written in rising order."""

    @property
    def numeric(self) -> bool:
        """One number, perhaps beside options."""
        return self.low is not None and not self.several

    @property
    def several(self) -> bool:
        """A list of different numbers."""
        return isinstance(self.default, tuple)

    @property
    def flag(self) -> bool:
        """True or false."""
        return isinstance(self.default, bool)

    def allowed(self) -> str:
        """What may be written, as a phrase."""
        phrases = []
        if self.flag:
            phrases.append("true or false")
        if self.pairs:
            phrases.append(
                text_of(
                    "a list of ranges, each by its two ends, from {low} to {high}",
                    low=f"{self.low:.12g}",
                    high=f"{self.high:.12g}",
                )
            )
        elif self.several:
            digits = (
                ""
                if self.decimals is None
                else text_of(
                    " with at most {counted_decimals}", counted_decimals=count_of(self.decimals, "decimal")
                )
            )
            phrases.append(
                text_of(
                    "a list of different numbers, at least one, from {low} to {high}{digits}",
                    low=f"{self.low:.12g}",
                    high=f"{self.high:.12g}",
                    digits=digits,
                )
            )
        if self.options:
            phrases.append(text_of("one of {options}", options=", ".join(self.options)))
        if self.text:
            phrases.append("a name in quotes")
        if self.numeric:
            upper = "" if self.high is None else f" to {self.high:g}"
            whole, any_number = (
                text_of("an integer from {low}{upper}", low=f"{self.low:g}", upper=upper),
                text_of("a number from {low}{upper}", low=f"{self.low:g}", upper=upper),
            )
            phrases.append(whole if self.whole else any_number)
        return joined(" or ", phrases)

    @staticmethod
    def written(value: Sequence[float | Pair]) -> str:
        """A list as `accept_text` reads it: `40, 50`, or `0:10, 50:65`."""
        return ", ".join(
            ":".join(f"{end:.12g}" for end in one) if isinstance(one, tuple) else f"{one:.12g}"
            for one in value
        )

    def accept_text(self, text: str, *, where: str) -> Value:
        """The value that a text stands for, as a command line gives it. Raises InputError otherwise."""
        if self.flag:
            return self.accept({"true": True, "false": False}.get(text, text), where=where)
        if self.several:
            parts = text.split(",") if text.strip() else []
            if self.pairs:
                return self.accept(
                    [[_number_of(end) for end in part.split(":")] for part in parts], where=where
                )
            return self.accept([_number_of(part) for part in parts], where=where)
        return self.accept(text if text in self.options else _number_of(text), where=where)

    def accept(self, value: object, *, where: str) -> Value:
        """The value, if it is allowed; a list sorted. Raises InputError otherwise."""
        if isinstance(value, str) and (value in self.options or (self.text and _is_name(value))):
            return value
        if self.flag and isinstance(value, bool):
            return value
        if self.several and isinstance(value, list | tuple):
            if self.optional and not value:
                return ()
            return self._accept_pairs(value, where) if self.pairs else self._accept_list(value, where)
        if self.numeric:
            number = self._within(value)
            if number is not None and (not self.whole or isinstance(number, int) or number.is_integer()):
                return int(number) if self.whole else float(number)
        raise self._refusal("this value is not allowed", where)

    def _within(self, value: object) -> int | float | None:
        """The value, if it is a number in [low, high]."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        fits = self.low is not None and value >= self.low and (self.high is None or value <= self.high)
        return value if fits else None

    def _accept_list(self, listed: Sequence[object], where: str) -> tuple[float, ...]:
        if not listed:
            raise self._refusal("the list is empty", where)
        found: list[float] = []
        for place, value in enumerate(listed, start=1):
            number = self._within(value)
            if number is None or (self.decimals is not None and round(number, self.decimals) != number):
                raise self._refusal(text_of("number {place} of the list is not allowed", place=place), where)
            if number in found:
                raise self._refusal(text_of("{number} is listed twice", number=f"{number:g}"), where)
            found.append(float(number))
        if self.rising and found != sorted(found):
            raise self._refusal("the list does not rise", where)
        return tuple(sorted(found))

    def _accept_pairs(self, listed: Sequence[object], where: str) -> tuple[Pair, ...]:
        found: list[Pair] = []
        for place, pair in enumerate(listed, start=1):
            ends = [self._within(end) for end in pair] if isinstance(pair, list | tuple) else []
            if len(ends) != 2 or ends[0] is None or ends[1] is None:
                raise self._refusal(text_of("number {place} of the list is not a range", place=place), where)
            found.append((float(ends[0]), float(ends[1])))
        return tuple(sorted(found))

    def _refusal(self, what: str, where: str) -> InputError:
        return InputError(
            "{label}: {what}.",
            label=self.label,
            what=what,
            where=where,
            mend=text_of("write {value}", value=self.allowed()),
        )


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and text.isprintable() and text == text.strip()


def _number_of(text: str) -> int | float | str:
    """The number that a text is; else the text, which no parameter takes for one."""
    plain = text.strip().replace("_", " ")
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return text


def choice(default: str, options: tuple[str, ...], *, integer_from: int | None = None, **facts: Any) -> Any:
    """A field that is one of `options`, or (with `integer_from`) an integer from there on, or any name.

    facts: as `Parameter` has them, here and below.
    """
    return _field(default, options=options, low=integer_from, whole=integer_from is not None, **facts)


def number(default: float, low: float, high: float, **facts: Any) -> Any:
    """A field that is a number in [low, high], an integer where it is `whole`."""
    return _field(default, low=low, high=high, **facts)


def numbers(default: tuple[float, ...], low: float, high: float, **facts: Any) -> Any:
    """A field that is a tuple of different numbers in [low, high]; sorted by `build`.

    At least one, unless it is optional.
    """
    return _field(default, low=low, high=high, **facts)


def pairs(low: float, high: float, **facts: Any) -> Any:
    """A field that is a tuple of ranges, each by two ends in [low, high]; none, if nothing is said."""
    return _field((), low=low, high=high, pairs=True, optional=True, **facts)


def flag(default: bool, **facts: Any) -> Any:
    """A field that is true or false."""
    return _field(default, **facts)


def _field(default: Value, **facts: Any) -> Any:
    return dataclasses.field(default=default, metadata={_KEY: Parameter(default=default, **facts)})


def _declared(params: type) -> tuple[Parameter, ...]:
    """The declared parameters of a `Params` class, in order, with their names."""
    return tuple(
        dataclasses.replace(cast(Parameter, field.metadata[_KEY]), name=field.name)
        for field in dataclasses.fields(params)
    )


declared: Callable[[type], tuple[Parameter, ...]] = cache(_declared)
"""The declared parameters of a `Params` class, found once: plots and forms ask for them again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredParameter:
    """A parameter that is no more."""

    default: object
    """What it was where nothing was said."""
    became: str
    """What is instead; the end of a sentence."""


def asked_for(params: Any) -> dict[str, Any]:
    """Name -> value of an instance of a `Params` class, without what came later and has its default.

    What two requests are compared by: a parameter that is added leaves the meaning of older ones as it was.
    """
    unsaid = {
        parameter.name
        for parameter in declared(type(params))
        if parameter.later and getattr(params, parameter.name) == parameter.default
    }
    return {name: value for name, value in dataclasses.asdict(params).items() if name not in unsaid}


def first_parameters(params: Any) -> dict[str, Any]:
    """`asked_for` as the first version wrote it, for requests that were paid in its time."""
    retired: Mapping[str, RetiredParameter] = getattr(params, "RETIRED", {})
    return asked_for(params) | {name: one.default for name, one in retired.items()}


def build(params: type[P], given: Mapping[str, object], *, where: str) -> P:
    """A validated instance of `params`. Raises InputError for unknown and retired names and bad values.

    A list that has no default must be given.
    """
    known = {parameter.name: parameter for parameter in declared(params)}
    retired: Mapping[str, RetiredParameter] = getattr(params, "RETIRED", {})
    for name in given:
        if name in retired:
            raise InputError(
                "The parameter {name} is gone: {became}.",
                name=f"{name!r}",
                became=retired[name].became,
                where=joined(", ", (where, name)),
                mend=text_of("delete the line that starts with {name}", name=name),
            )
        if name not in known:
            raise InputError(
                "There is no parameter {name} here.",
                name=f"{name!r}",
                where=where,
                mend=text_of("known parameters: {value}", value=", ".join(known) or "none"),
            )
    values = {
        name: known[name].accept(value, where=joined(", ", (where, name))) for name, value in given.items()
    }
    for name, parameter in known.items():
        if parameter.several and not (parameter.default or parameter.optional) and name not in given:
            parameter.accept(parameter.default, where=joined(", ", (where, name)))
    return params(**values)
