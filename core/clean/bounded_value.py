"""A value that is no speed: its name, bounds that leave no range, physical limits that cross."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.errors import InputError
from core.fixed_point import THOUSAND
from core.quantity import MOST_OF_VALUE, Quantity
from core.texts import text_of

TABLE = "data.value"
"""The table of a spec that declares one."""
EXAMPLE_LINES = (
    f"[{TABLE}]",
    'name = "delay"',
    'column_unit = "s"',
    'unit = "s"',
    "lower = -600",
    "upper = 1800",
    "physical_min = -7200",
    "physical_max = 7200",
)
"""How one is declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedValue:
    """The quantity of a column that `[data.value]` names; bounds and limits are thousandths of its unit."""

    name: str
    column_unit: str
    unit: str
    lower: int
    upper: int
    """Values outside [lower, upper] count as the bound that is nearer."""
    physical_min: int
    physical_max: int
    """Values outside these are impossible, and dropped."""

    def __post_init__(self) -> None:
        """Raises InputError for names, bounds and limits that do not fit together."""
        _ = self.quantity
        if self.lower >= self.upper:
            raise InputError(
                "The bounds leave no range: the lower one must lie below the upper one.",
                where=f"{TABLE}.lower",
                mend=text_of("write a lower below upper = {value}", value=f"{self.upper / THOUSAND:g}"),
            )
        if self.physical_min >= self.physical_max:
            raise InputError(
                "The physical limits cross: no value would be possible.",
                where=f"{TABLE}.physical_min",
                mend=text_of(
                    "write a physical_min below physical_max = {value}",
                    value=f"{self.physical_max / THOUSAND:g}",
                ),
            )
        _require_outside("physical_min", self.physical_min <= self.lower, self.lower, "less")
        _require_outside("physical_max", self.physical_max >= self.upper, self.upper, "more")

    @property
    def quantity(self) -> Quantity:
        """What is published of it."""
        return Quantity(name=self.name, column_unit=self.column_unit, unit=self.unit, lower=self.lower)

    @property
    def span(self) -> int:
        """U of the formulas: upper less lower."""
        return self.upper - self.lower


def value_number(number: float, *, where: str) -> int:
    """A bound or limit in thousandths. Raises InputError unless it is one, and within the range."""
    thousandths = round(number * THOUSAND) if math.isfinite(number) else 0
    fits = math.isfinite(number) and abs(number) <= MOST_OF_VALUE
    if not fits or abs(thousandths - number * THOUSAND) > 1e-6:
        raise InputError(
            "This bound of the value is not possible.",
            where=where,
            mend=text_of(
                "write a number from -{most_of_value} to {most_of_value2}, with at most three decimals",
                most_of_value=MOST_OF_VALUE,
                most_of_value2=MOST_OF_VALUE,
            ),
        )
    return thousandths


def _require_outside(key: str, holds: bool, bound: int, direction: str) -> None:
    """Inside [lower, upper] a limit would drop by value what neighbours may differ in (method 2.1)."""
    if not holds:
        raise InputError(
            "The physical limit lies inside the protected range, so counts of records would reveal values.",
            where=f"{TABLE}.{key}",
            mend=text_of(
                "write {key} = {value} (or {direction}), or other bounds",
                key=key,
                value=f"{bound / THOUSAND:g}",
                direction=direction,
            ),
        )


_WIDEST = MOST_OF_VALUE * THOUSAND
ANY_VALUE = BoundedValue(
    name="value",
    column_unit="unit",
    unit="unit",
    lower=-_WIDEST,
    upper=_WIDEST,
    physical_min=-_WIDEST,
    physical_max=_WIDEST,
)
"""Stands for a value of which nothing is known yet."""
