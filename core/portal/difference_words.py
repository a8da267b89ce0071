"""Differences inside a bundle in words: places alone, larger than chance explains, cards and titles."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.bundle.public_words import dates_in_words, when_in_words
from core.counted import count_of
from core.portal.differences import FALSE_ALONE, Difference, Ranged
from core.portal.published_facts import PublishedFacts
from core.quantity import Quantity
from core.statistics.false_discoveries import MISSED
from core.texts import Name, joined, text_of

_NUMBERS = ("No", "This one", "These two", "These three", "These four", "These five")
_WHOLE_FROM = 4.0
"""From this width of its range on a difference of means is read without decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceCard:
    """Sentences of one comparison."""

    heading: str
    numbers: tuple[float, float, float]
    """As stated: the difference, and the ends of its 95 % interval."""
    figure: str
    range: str
    clear: bool
    chance: str
    detail: str


def card_of(one: Difference, quantity: Quantity) -> DifferenceCard:
    """What is said of a difference, smoothed where it can be; clear only if the raw one is too."""
    said, unit = one.said, f" {quantity.unit}"
    if one.clear:
        ends = sorted(map(abs, (said.low, said.high)))
        figure = _apart(f"{abs(said.value):.1f}{unit}", said.value, quantity)
        span = text_of("between {low} and {high}", low=_down(ends[0]), high=_up(ends[1]))
        chance = "More than chance can explain."
    else:
        figure = "No clear difference"
        span = text_of("anything from {range}", range=_from_to(said, quantity, unit))
        chance = "Chance alone can explain it."
    details = [_parts(one)]
    if one.smoothed is not None:
        raw = one.raw
        details.append(
            text_of(
                "Raw, without a model: {difference}, from {range}.",
                difference=_apart(f"{abs(raw.value):.1f}", raw.value, quantity),
                range=_from_to(raw, quantity, ""),
            )
        )
    return DifferenceCard(
        heading=text_of("{first} against {second}", first=one.first.title, second=one.second.title_behind),
        numbers=(round(said.value, 3), round(said.low, 3), round(said.high, 3)),
        figure=figure,
        range=span,
        clear=one.clear,
        chance=joined(" ", (chance, *_alone(one))),
        detail=joined(" ", details),
    )


def chance_sentence(many: int, *, fixed: bool) -> str:
    """How many of so many statements may be false; fixed: chosen before there was a number."""
    named = _NUMBERS[many] if many < len(_NUMBERS) else text_of("These {n}", n=many)
    if many == 1:
        first = text_of("{named} comparison was fixed before anybody saw a number.", named=named)
        chance = text_of(
            "If nothing differed, chance would call it clear in {percent} of a hundred cases.",
            percent=f"{MISSED * 100:.0f}",
        )
    else:
        first = text_of("{named} comparisons were fixed before anybody saw a number.", named=named)
        few = MISSED * many < 1.0
        chance = text_of(
            "If nothing differed, chance would call {some} of them clear ({expected} of {many}).",
            some="fewer than one" if few else text_of("about {n}", n=f"{MISSED * many:.0f}"),
            expected=f"{MISSED * many:.2g}",
            many=many,
        )
    return joined(" ", (first, chance)) if fixed else chance


def headline(
    found: Sequence[Difference], quantity: Quantity, facts: PublishedFacts
) -> tuple[str, str] | None:
    """Title and quotation by the first difference that is beyond doubt; None where none is.

    Tested by the raw one, stated by smoothed numbers: raw ones that pass a test exaggerate.
    """
    one = next((one for one in found if one.smoothed is not None and one.strong and one.clear), None)
    if one is None:
        return None
    days = [(dt.date.fromisoformat(facts.first), dt.date.fromisoformat(facts.last))]
    dates, when = dates_in_words(days), when_in_words(days, *facts.hours, daily=not facts.gaps)
    where = text_of(" in {region}", region=Name(facts.region)) if facts.region else ""
    sides, unit = ((one.means[0], one.first), (one.means[1], one.second)), f" {quantity.unit}"
    what, digits = quantity.named("Mean {value}"), _digits(one)
    mean, other = (
        text_of("{value} {where}", value=f"{ranged.value:.{digits}f}{behind}", where=part.where)
        for (ranged, part), behind in zip(sides, (unit, ""), strict=True)
    )
    whole, rest = (
        text_of(
            "{value} {where} ({range})",
            value=f"{ranged.value:.{digits}f}{unit}",
            where=part.where,
            range=_between(ranged, digits),
        )
        for ranged, part in sides
    )
    title = text_of(
        "{what}{where}: about {mean} and {other}, {dates}",
        what=what,
        where=where,
        mean=mean,
        other=other,
        dates=dates,
    )
    quotation = text_of(
        "{what}{where}: about {mean} and about {other} {when}.",
        what=what,
        where=where,
        mean=whole,
        other=rest,
        when=when,
    )
    if quantity.is_speed:
        title = text_of(
            "Vehicles{where} drove at about {mean} and {other}, {dates}",
            where=where,
            mean=mean,
            other=other,
            dates=dates,
        )
        quotation = text_of(
            "Vehicles{where} drove at about {mean} and about {other} {when}.",
            where=where,
            mean=whole,
            other=rest,
            when=when,
        )
    return quantity.subject.carried(title), quantity.subject.carried(quotation)


def _digits(one: Difference) -> int:
    """As many as tell both means apart."""
    mean, other = one.means
    wide = one.said.high - one.said.low >= _WHOLE_FROM
    return 0 if wide and f"{mean.value:.0f}" != f"{other.value:.0f}" else 1


def _between(one: Ranged, digits: int) -> str:
    step = 10.0**digits
    low, high = math.floor(one.low * step) / step, math.ceil(one.high * step) / step
    return text_of("between {low} and {high}", low=f"{low:.{digits}f}", high=f"{high:.{digits}f}")


def _parts(one: Difference) -> str:
    """What exactly is compared."""
    if one.first.of_places or one.second.of_places:
        return text_of("{first}. {second}.", first=one.first.detail, second=one.second.detail)
    return text_of("{first} against {second}, same places.", first=one.first.detail, second=one.second.detail)


def _alone(one: Difference) -> tuple[str, ...]:
    if one.alone is None:
        return ()
    found, of = one.alone
    if not found:
        return (
            text_of(
                "No place taken alone: in none of {counted_places} is the difference larger than chance can "
                "explain.",
                counted_places=count_of(of, "place"),
            ),
        )
    false = max(1, round(FALSE_ALONE * found))
    return (
        text_of(
            "{found} of {counted_places} taken alone, of which about {some} may be chance.",
            found=found,
            counted_places=count_of(of, "place"),
            some="one" if false == 1 else str(false),
        ),
    )


def _from_to(one: Ranged, quantity: Quantity, unit: str) -> str:
    """`1.6 km/h slower to 3.2 faster`, ends outwards."""
    low, high = _up if one.low < 0.0 else _down, _up if one.high > 0.0 else _down
    return text_of(
        "{start} to {end}",
        start=_apart(f"{low(abs(one.low))}{unit}", one.low, quantity),
        end=_apart(high(abs(one.high)), one.high, quantity),
    )


def _apart(size: str, difference: float, quantity: Quantity) -> str:
    """A size with the side that it lies on."""
    if quantity.is_speed:
        slower, faster = text_of("{size} slower", size=size), text_of("{size} faster", size=size)
        return slower if difference < 0.0 else faster
    lower, higher = text_of("{size} lower", size=size), text_of("{size} higher", size=size)
    return lower if difference < 0.0 else higher


def _down(size: float) -> str:
    return f"{math.floor(size * 10.0) / 10.0:.1f}"


def _up(size: float) -> str:
    return f"{math.ceil(size * 10.0) / 10.0:.1f}"
