"""What pages show of a table first: the smoothed number before the raw one, and its classes (method 14.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.bundle.public_tables import PublicTable
from core.bundle.release_result import PUBLISHED
from core.charts.colour_ramps import HEAP_COLOUR, released_colours
from core.portal.released_classes import ReleasedClasses, released_classes, unsure_from
from core.portal.shown_numbers import as_shown, numbers_in
from core.portal.value_classes import decade
from core.quantity import Quantity
from core.statistics.base import UPPER_BOUND, Measure
from core.texts import text_of

_SECONDS = "s"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLayer:
    """One number of a table, with what it is read by; all of it as people read it, shares in percent."""

    shown: Measure
    raw: Measure | None
    """The number that `shown` was smoothed from; None where it is raw itself."""
    ends: tuple[float, float | None]
    """The smallest and the largest number that there can be."""
    classes: ReleasedClasses
    colours: tuple[str, ...]
    """Of the classes, ascending."""
    unsure: float
    """A number whose range is wider stands faded."""
    slow_is_strong: bool
    """The strongest colour is that of the smallest numbers: of speeds."""
    is_speed: bool
    """It is a mean speed, which sentences may say."""
    averages: bool
    """A mean over places and slots is of the same kind: of means and shares, not of percentiles or counts."""


def shown_layers(
    public: PublicTable, quantity: Quantity, span: int, *, parted: bool = True
) -> tuple[ShownLayer, ...]:
    """Of every number of a table; span: U, thousandths; parted: see `released_classes`."""
    smoothed = public.statistic.smoothed
    pairs: list[tuple[Measure, Measure | None]] = [(one, None) for one in public.measures if one != smoothed]
    if smoothed is not None and smoothed in public.measures:
        pairs[0] = (smoothed, pairs[0][0])
    return tuple(_layer(public, shown, raw, quantity, span, parted=parted) for shown, raw in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyLine:
    """One class in a key."""

    text: str
    colour: str


def key_lines(layer: ShownLayer) -> tuple[KeyLine, ...]:
    """Of the heaps, then of the classes, ascending; times that end at whole minutes are in minutes."""
    limits, minutes = layer.classes.limits, in_minutes(layer)
    ends = [f"{limit / 60 if minutes else limit:.12g}" for limit in limits]
    unit = " min" if minutes else ""
    early = [layer.shown.unit == _SECONDS and layer.classes.low < 0.0 and limit <= 0.0 for limit in limits]
    texts = [
        text_of("{start} to {end} early", start=low, end=high + unit)
        if before
        else text_of("{start} to {end}", start=low, end=high + unit)
        for (low, high), before in zip(pairwise(ends), early[1:], strict=True)
    ]
    if limits:
        least = text_of("under {end}", end=ends[0] + unit)
        if layer.is_speed:
            least = text_of("under {end} (slowest)", end=ends[0] + unit)
        elif early[0]:
            least = text_of("under {end} early", end=ends[0] + unit)
        texts = [least, *texts, text_of("{end} and more", end=ends[-1] + unit)]
    heaps = [
        KeyLine(text=text_of("exactly {heap}", heap=f"{heap:.12g}"), colour=HEAP_COLOUR)
        for heap in layer.classes.heaps
    ]
    named = zip(texts or ["all"], layer.colours, strict=True)
    return (*heaps, *(KeyLine(text=text, colour=colour) for text, colour in named))


def in_minutes(layer: ShownLayer) -> bool:
    """Whether the classes of times end at whole minutes."""
    limits = layer.classes.limits
    return layer.shown.unit == _SECONDS and bool(limits) and all(limit % 60 == 0 for limit in limits)


def _layer(
    public: PublicTable, shown: Measure, raw: Measure | None, quantity: Quantity, span: int, *, parted: bool
) -> ShownLayer:
    counted = [raw is not None or row["status"] == PUBLISHED for row in public.rows]
    columns = (as_shown(numbers_in(name, public.rows), shown) for name in (shown.name, shown.low, shown.high))
    known = [
        (value, high - low)
        for value, low, high, counts in zip(*columns, counted, strict=True)
        if counts and value is not None and low is not None and high is not None
    ]
    of_value, ends = shown.largest == UPPER_BOUND, _bounds(shown, span)
    classes = released_classes(
        [value for value, _ in known],
        bounds=ends,
        scale=decade(quantity, span) if of_value else 0,
        seconds=of_value and shown.unit == _SECONDS,
        parted=parted,
    )
    slow_is_strong = quantity.is_speed and of_value
    colours = released_colours(len(classes.limits) + 1)
    return ShownLayer(
        shown=shown,
        raw=raw,
        ends=ends,
        classes=classes,
        colours=colours[::-1] if slow_is_strong else colours,
        unsure=unsure_from([width for _, width in known], classes) if known else 0.0,
        slow_is_strong=slow_is_strong,
        is_speed=slow_is_strong and public.statistic.label is None,
        averages=shown.percent or (of_value and public.statistic.label is None),
    )


def _bounds(measure: Measure, span: int) -> tuple[float, float | None]:
    """The smallest and the largest number that there can be, as people read it."""
    unit: int = 10**measure.decimals
    ends: Sequence[int | None] = measure.range_for(span)
    least, largest = as_shown([None if end is None else end / unit for end in ends], measure)
    return least or 0.0, largest
