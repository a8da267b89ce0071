"""Parameters declared once as data; form, command line, docs and bad-value tests read them.

A mechanism's `Params` is a frozen dataclass whose fields are made by `choice` or `number`.
`declared` lists them; `build` validates a mapping (from a spec file or a form).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from core.errors import InputError

_KEY = "hexveil"
P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One declared parameter: what it is called, what it may be, what it means."""

    name: str = ""
    label: str
    help: str
    default: str | int | float
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    whole: bool = False
    """Numbers are integers. Together with `options`: an option or an integer."""
    unit: str = ""
    advanced: bool = False

    @property
    def numeric(self) -> bool:
        return self.low is not None

    def allowed(self) -> str:
        """What may be written, as a phrase."""
        phrases = []
        if self.options:
            phrases.append("one of " + ", ".join(self.options))
        if self.numeric:
            kind = "an integer" if self.whole else "a number"
            upper = "" if self.high is None else f" to {self.high:g}"
            phrases.append(f"{kind} from {self.low:g}{upper}")
        return " or ".join(phrases)

    def accept(self, value: object, *, where: str) -> str | int | float:
        """The value, if it is allowed. Raises InputError otherwise."""
        if isinstance(value, str) and value in self.options:
            return value
        if self.numeric and isinstance(value, int | float) and not isinstance(value, bool):
            fits = self.low is not None and value >= self.low and (self.high is None or value <= self.high)
            if fits and (not self.whole or isinstance(value, int) or value.is_integer()):
                return int(value) if self.whole else float(value)
        raise InputError(
            f"{self.label}: this value is not allowed.", where=where, mend=f"write {self.allowed()}"
        )


def choice(
    default: str,
    options: tuple[str, ...],
    *,
    label: str,
    help: str,
    integer_from: int | None = None,
    advanced: bool = False,
) -> Any:
    """A field that is one of `options`, or (with `integer_from`) also an integer from there on."""
    return _field(
        Parameter(
            label=label,
            help=help,
            default=default,
            options=options,
            low=integer_from,
            whole=integer_from is not None,
            advanced=advanced,
        )
    )


def number(
    default: float, low: float, high: float, *, label: str, help: str, unit: str = "", advanced: bool = False
) -> Any:
    """A field that is a number in [low, high]."""
    return _field(
        Parameter(label=label, help=help, default=default, low=low, high=high, unit=unit, advanced=advanced)
    )


def _field(parameter: Parameter) -> Any:
    return dataclasses.field(default=parameter.default, metadata={_KEY: parameter})


def declared(params: type) -> tuple[Parameter, ...]:
    """The declared parameters of a `Params` class, in order, with their names."""
    return tuple(
        dataclasses.replace(cast(Parameter, field.metadata[_KEY]), name=field.name)
        for field in dataclasses.fields(params)
    )


def build(params: type[P], given: Mapping[str, object], *, where: str) -> P:
    """A validated instance of `params`. Raises InputError for unknown names and bad values."""
    known = {parameter.name: parameter for parameter in declared(params)}
    for name in given:
        if name not in known:
            raise InputError(
                f"There is no parameter {name!r} here.",
                where=where,
                mend="known parameters: " + (", ".join(known) or "none"),
            )
    values = {name: known[name].accept(value, where=f"{where}, {name}") for name, value in given.items()}
    return params(**values)
