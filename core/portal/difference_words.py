"""Differences inside a bundle in words: places alone, larger than chance explains, cards and titles."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.bundle.public_words import dates_in_words
from core.portal.differences import FALSE_ALONE, Difference, Ranged
from core.portal.published_facts import PublishedFacts
from core.quantity import Quantity
from core.statistics.false_discoveries import MISSED

_NUMBERS = ("No", "This one", "These two", "These three", "These four", "These five")
_WHOLE_FROM = 4.0
"""From this width of a range on a mean is read without decimals."""


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
        figure = f"{abs(said.value):.1f}{unit} {_than(said.value, quantity)}"
        span = f"between {_down(ends[0])} and {_up(ends[1])}"
        chance = "More than chance can explain."
    else:
        figure = "No clear difference"
        span = f"anything from {_from_to(said, quantity, unit)}"
        chance = "Chance alone can explain it."
    details = [_parts(one)]
    if one.smoothed is not None:
        raw = one.raw
        details.append(
            f"Raw, without a model: {abs(raw.value):.1f} {_than(raw.value, quantity)}, from "
            f"{_from_to(raw, quantity, '')}."
        )
    return DifferenceCard(
        heading=f"{one.first.title} against {one.second.title_behind}",
        numbers=(round(said.value, 3), round(said.low, 3), round(said.high, 3)),
        figure=figure,
        range=span,
        clear=one.clear,
        chance=" ".join((chance, *_alone(one))),
        detail=" ".join(details),
    )


def chance_sentence(many: int, *, fixed: bool) -> str:
    """How many of so many statements may be false; fixed: chosen before there was a number."""
    named = _NUMBERS[many] if many < len(_NUMBERS) else f"These {many}"
    noun = "comparison was" if many == 1 else "comparisons were"
    first = f"{named} {noun} fixed before anybody saw a number. " if fixed else ""
    one = "fewer than one" if MISSED * many < 1.0 else f"about {MISSED * many:.0f}"
    called = "it" if many == 1 else f"{one} of them"
    chance = f"chance would call {called} clear in {MISSED * 100:.0f} of a hundred cases"
    if many > 1:
        chance = f"chance would call {called} clear ({MISSED * many:.2g} of {many})"
    return f"{first}If nothing differed, {chance}."


def headline(
    found: Sequence[Difference], quantity: Quantity, facts: PublishedFacts
) -> tuple[str, str] | None:
    """Title and quotation by the first difference that is beyond doubt; None where none is.

    Tested by the raw one, stated by smoothed numbers: raw ones that pass a test exaggerate.
    """
    one = next((one for one in found if one.smoothed is not None and one.strong and one.clear), None)
    if one is None:
        return None
    dates = dates_in_words([(dt.date.fromisoformat(facts.first), dt.date.fromisoformat(facts.last))])
    hours = " to ".join(text.removeprefix("0") for text in facts.hours)
    daily = "" if facts.gaps else " each day"
    when = f" on {dates}, {hours}" if facts.first == facts.last else f" from {dates}, {hours}{daily}"
    mean, other = one.means
    unit, digits = f" {quantity.unit}", _digits(one)
    many = quantity.subject.plural
    where = f" in {facts.region}" if facts.region else ""
    begin = f"{quantity.named('Mean {value}')}{where}: about"
    if quantity.is_speed:
        begin = f"{many[0].upper()}{many[1:]}{where} drove at about"
    title = (
        f"{begin} {mean.value:.{digits}f}{unit} {one.first.where} and {other.value:.{digits}f} "
        f"{one.second.where}, {dates}"
    )
    quotation = (
        f"{begin} {mean.value:.{digits}f}{unit} {one.first.where} ({_between(mean, digits)}) and "
        f"about {other.value:.{digits}f}{unit} {one.second.where} ({_between(other, digits)}){when}."
    )
    return title, quotation


def _digits(one: Difference) -> int:
    """As many as tell both means apart."""
    mean, other = one.means
    wide = one.said.high - one.said.low >= _WHOLE_FROM
    return 0 if wide and f"{mean.value:.0f}" != f"{other.value:.0f}" else 1


def _between(one: Ranged, digits: int) -> str:
    step = 10.0**digits
    low, high = math.floor(one.low * step) / step, math.ceil(one.high * step) / step
    return f"between {low:.{digits}f} and {high:.{digits}f}"


def _parts(one: Difference) -> str:
    """What exactly is compared."""
    if one.first.of_places or one.second.of_places:
        return f"{one.first.detail}. {one.second.detail}."
    return f"{one.first.detail} against {one.second.detail}, same places."


def _alone(one: Difference) -> tuple[str, ...]:
    if one.alone is None:
        return ()
    found, of = one.alone
    if not found:
        return (f"No place taken alone: in none of {of} is the difference larger than chance can explain.",)
    false = max(1, round(FALSE_ALONE * found))
    some = "one" if false == 1 else str(false)
    return (f"{found} of {of} places taken alone, of which about {some} may be chance.",)


def _from_to(one: Ranged, quantity: Quantity, unit: str) -> str:
    """`1.6 km/h slower to 3.2 faster`, ends outwards."""
    low, high = _up if one.low < 0.0 else _down, _up if one.high > 0.0 else _down
    return (
        f"{low(abs(one.low))}{unit} {_than(one.low, quantity)} to {high(abs(one.high))} "
        f"{_than(one.high, quantity)}"
    )


def _than(difference: float, quantity: Quantity) -> str:
    lower, higher = ("slower", "faster") if quantity.is_speed else ("lower", "higher")
    return lower if difference < 0.0 else higher


def _down(size: float) -> str:
    return f"{math.floor(size * 10.0) / 10.0:.1f}"


def _up(size: float) -> str:
    return f"{math.ceil(size * 10.0) / 10.0:.1f}"
