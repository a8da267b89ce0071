"""An error as it is read: of a share in percentage points, with as many digits wherever it is shown."""

from __future__ import annotations

from core.statistics.base import Measure
from core.texts import text_of

_POINTS = "percentage points"
PERCENT = 100
"""Percentage points of an error in 1."""
_FINE = 1e-3
"""Errors of coarser values are shown to two decimals."""


def figure(value: float, measure: Measure) -> str:
    """A number of the measure without its unit: two decimals for means, else three digits."""
    return f"{value:.2f}" if 10.0**-measure.decimals >= _FINE or value >= 1 else f"{value:.3g}"


def significant(value: float, digits: int) -> str:
    """So many significant digits, and a large number as people write it: 2,400, never 2.4e+03."""
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}" if "e+" in text else text


def error_scale(measure: Measure) -> int:
    """What an error is multiplied by to be read: those of shares are shown in percentage points."""
    return 1 if measure.unit else PERCENT


def unit_of_numbers(measure: Measure) -> str:
    """The unit that numbers of the measure are shown in."""
    return measure.unit or "%"


def error_in_brief(figure: str, measure: Measure) -> str:
    """An error with its unit where there is little room: points are those of percent."""
    return f"{figure} {measure.unit}" if measure.unit else text_of("{error} points", error=figure)


def unit_of_errors(measure: Measure) -> str:
    """The unit that errors of the measure are shown in."""
    return measure.unit or _POINTS
