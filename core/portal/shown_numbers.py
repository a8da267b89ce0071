"""Numbers as people read them on pages: shares of records in percent, all else as in the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.bundle.data_files import fixed
from core.statistics.base import Measure

_PERCENT, _SHIFT = 100, 2
_DECIMALS = 1
"""Of shares of records in percent, as people read them: noise is larger than the next one."""


def numbers_in(column: str, rows: Sequence[Mapping[str, str]]) -> list[float | None]:
    """A column of numbers as the file has them; None where a cell is empty."""
    return [float(row[column]) if row[column] else None for row in rows]


def shown_number(value: int, measure: Measure) -> str:
    """A number in the measure's last decimal."""
    if not measure.percent:
        return fixed(value, measure.decimals)
    return f"{value / 10 ** (measure.decimals - _SHIFT):.{_DECIMALS}f}"


def shown_unit(measure: Measure) -> str:
    """What stands behind it, or above its column."""
    return "%" if measure.percent else measure.unit


def shown_decimals(measure: Measure) -> int:
    """How many are read."""
    return _DECIMALS if measure.percent else measure.decimals


def as_shown(values: Iterable[float | None], measure: Measure) -> list[float | None]:
    """Numbers of a file on the scale that they are read on."""
    if not measure.percent:
        return [*values]
    return [None if one is None else round(one * _PERCENT, measure.decimals - _SHIFT) for one in values]
