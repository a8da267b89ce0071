"""When an error is good, rough or no use: 2 km/h, 5 percentage points, half of the rows (method 10.5)."""

from __future__ import annotations

from enum import StrEnum

from core.mechanisms.public_model import HAT_SPREAD
from core.statistics.base import Measure
from core.texts import text_of

GOOD_ERROR = 2.0
"""At most this is a good error of a mean, in km/h at the papers' U."""
GOOD_SHARE = 0.05
"""At most this is a good error of a share: 5 percentage points."""
MOST_EMPTY = 0.5
"""From this share of rows without a number on, a release is no use."""


class Usefulness(StrEnum):
    """What numbers are good for."""

    GOOD = "good"
    ROUGH = "rough"
    NO_USE = "no use"


def verdict_word(usefulness: Usefulness) -> str:
    """The word as people read it."""
    match usefulness:
        case Usefulness.GOOD:
            return text_of("Good")
        case Usefulness.ROUGH:
            return text_of("Rough")
        case _:
            return text_of("No use")


def good_error(measure: Measure, constant: float | None) -> float | None:
    """The largest typical error that is good, in the measure's unit; None where nothing public tells one.

    constant: what one constant for the whole city typically misses; of means it grows with U as this does.
    """
    if not measure.unit:
        return GOOD_SHARE
    return None if constant is None else constant * GOOD_ERROR / HAT_SPREAD


def usefulness(error: float, *, good: float | None, constant: float | None, empty: float = 0.0) -> Usefulness:
    """The word for a typical error in the median row; empty: share of rows without a number, 0..1."""
    if empty >= MOST_EMPTY or (constant is not None and error >= constant):
        return Usefulness.NO_USE
    return Usefulness.GOOD if good is not None and error <= good else Usefulness.ROUGH
