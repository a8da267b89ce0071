"""For the public: how to read and quote ranges and smoothed numbers, what they cannot say, missing ones.

README and report begin with it. It follows from what is published alone; nobody has to know what privacy is.
"""

from __future__ import annotations

import calendar
import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.bundle.data_files import called, measured_statistic
from core.bundle.distribution_words import first_limit, is_distribution, mean_share, shown_limits
from core.bundle.loss_texts import presence_sentence, strength_of
from core.bundle.protection_texts import PROTECTED_HOW
from core.bundle.release_result import HatRow, QueryResult, Release
from core.counted import count_of
from core.fixed_point import THOUSAND
from core.hats.places import WHOLE
from core.privacy import Relation, Unit
from core.release_texts import ReleaseTexts
from core.statistics.base import AnyStatistic, Estimate, Measure
from core.statistics.error_figures import PERCENT, error_scale, unit_of_errors
from core.statistics.share import ends_of
from core.subject import VEHICLE, Subject
from core.texts import FilledText, Name, joined, text_of

DATES = tuple("{day_number} " + month + " {year_number}" for month in calendar.month_name[1:])
"""A day in words, by its month."""
DELIBERATE_NOISE = (
    "Each number carries deliberate noise that protects single vehicles; the ranges say how much."
)
RANGES_HOLD = "The true number lies in the range shown in about 95 of 100 cases."
BORROWED = (
    "Smoothed numbers borrow from neighbouring places and hours and are closer to the truth in most places; "
    "where you think it is unusually fast or slow, use raw."
)
NOTHING_SAID = (
    "They say nothing about single vehicles, single streets, other traffic, other dates, or why a number is "
    "high or low."
)
LEFT_OUT = "left out: too few vehicles (not zero)"
"""Of a place without a number."""
_WIDE = 4.0
"""For the public, a number whose range is this wide is read without decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicWords:
    """Plain sentences; none of them has markup."""

    measured: tuple[str, ...]
    can_say: tuple[str, ...]
    quotation: str
    """The surest number of the release, as it may be quoted; empty where there is none."""
    source: str
    """What is named with it."""
    protects: tuple[str, ...]


class _Shown(NamedTuple):
    """A number with its row."""

    row: HatRow
    item: Estimate
    measure: Measure

    @property
    def ranged(self) -> tuple[float, float, float]:
        """The number and the ends of its range, as they are read."""
        scale = _scale(self.measure)
        return self.item.value * scale, self.item.low * scale, self.item.high * scale

    @property
    def width(self) -> float:
        """Of its range, as it is read."""
        return (self.item.high - self.item.low) * _scale(self.measure)


def public_words(release: Release, texts: ReleaseTexts) -> PublicWords:
    """Of a release with at least one query."""
    query = release.queries[0]
    statistic = measured_statistic(release, query)
    return PublicWords(
        measured=_measured(release, query),
        can_say=_can_say(release, query, statistic),
        quotation=_quotation(release, query, statistic),
        source=source_named(texts.publisher, texts.title, texts.version, texts.licence),
        protects=(*release.loss_sentences[:2], _open(release)),
    )


def source_named(publisher: str, title: str, version: str, licence: str, subject: Subject = VEHICLE) -> str:
    """What is named with a number that is quoted."""
    return subject.carried(
        text_of(
            "Source: {publisher}, “{title}”, version {version}, {licence}; figures contain deliberate noise "
            "that protects single vehicles; ranges hold the true number in about 95 of 100 cases.",
            publisher=Name(publisher),
            title=Name(title),
            version=version,
            licence=Name(licence),
        )
    )


def page_words(facts: Mapping[str, str], subject: Subject) -> dict[str, str]:
    """What `map.html` says in the same words; facts: as `source_named` takes them."""
    said = {
        "noise": DELIBERATE_NOISE,
        "ranges": RANGES_HOLD,
        "smoothed": BORROWED,
        "nothing": NOTHING_SAID,
        "left": LEFT_OUT,
    }
    named = source_named(**facts, subject=subject)
    return {name: subject.carried(text) for name, text in said.items()} | {"source": named}


def dates_in_words(ranges: Sequence[tuple[dt.date, dt.date]]) -> str:
    """`24 to 27 November 2016`, or of several ranges the first and the last day of all."""
    first, last = ranges[0][0], ranges[-1][1]
    if first == last:
        return _date(last)
    parts = (first.day, calendar.month_name[first.month], first.year)
    shown = 1 if (first.year, first.month) == (last.year, last.month) else 2 if first.year == last.year else 3
    english = f"{' '.join(map(str, parts[:shown]))} to {_date(last)}"
    values = {"first_date": _date(first), "last_date": _date(last)}
    dates = FilledText(english, "{first_date} to {last_date}", values)
    return dates if len(ranges) == 1 else text_of("{dates}, on some of the days", dates=dates)


def _date(day: dt.date) -> str:
    return text_of(DATES[day.month - 1], day_number=day.day, year_number=day.year)


def _in_small(title: str, english: str) -> str:
    """A title inside a sentence, in English so; in other languages as it is."""
    if isinstance(title, FilledText):
        return FilledText(english, title.template, title.values)
    return FilledText(english, title, {})


def _clock(text: str) -> str:
    """`9:00` of `09:00`."""
    return text[1:] if text.startswith("0") else text


def _measured(release: Release, query: QueryResult) -> tuple[str, ...]:
    places = len({row.cell for row in query.rows})
    known = sum(row.first is not None for row in query.rows)
    counted = count_of(places, "hexagon") if release.place.hexagons else count_of(places, "place")
    if query.regions is not None:
        counted = count_of(places, "region")
    start, end = map(_clock, release.hours)
    first, *others = (measured_statistic(release, one).title for one in release.queries)
    beside = joined(", ", (_in_small(one, one[0].lower() + one[1:]) for one in others))
    return (
        text_of(
            "{what} in {places}, {dates}, {start} to {end}: {rows} with numbers.",
            what=text_of("{first}, and {others}", first=first, others=beside) if others else first,
            places=counted,
            dates=dates_in_words(release.date_ranges),
            start=start,
            end=end,
            rows=count_of(known, "row"),
        ),
        *_explained(measured_statistic(release, query)),
        joined(" ", (DELIBERATE_NOISE, RANGES_HOLD)),
    )


def _explained(statistic: AnyStatistic) -> tuple[str, ...]:
    """What the numbers of a distribution are; nothing of what its name says."""
    if not is_distribution(statistic):
        return ()
    return (
        text_of(
            "Each number is the share of records of a place and timeslot that were at or below one {value}.",
            value=statistic.quantity.title,
        ),
    )


def _can_say(release: Release, query: QueryResult, statistic: AnyStatistic) -> tuple[str, ...]:
    left_out = len(query.rows) - sum(row.first is not None for row in query.rows)
    found = [
        "They show patterns: which places and hours differ from others. A difference between two numbers "
        "says something only where it is larger than their ranges.",
    ]
    if typical := _typical(query, statistic, release.upper_bound):
        found.append(typical)
    if query.smoothing is not None:
        found.append(BORROWED)
    if left_out:
        found.append(text_of("{rows} left out: too few vehicles (not zero).", rows=count_of(left_out, "row")))
    return (*found, NOTHING_SAID)


def _typical(query: QueryResult, statistic: AnyStatistic, upper_bound: int) -> str:
    """How far a usual number may be off; empty where there is none."""
    # the last number of a distribution is known
    shown = sorted((one for one in _shown(query, statistic) if one.width > 0.0), key=lambda one: one.width)
    if not shown:
        return ""
    usual = shown[len(shown) // 2]
    measure, exact = usual.measure, usual.width / 2
    digits = _digits(exact)
    half = _outwards(exact, digits)
    least, largest = measure.range_for(upper_bound)
    title = _in_small(statistic.title, statistic.title.lower())
    if largest is not None and 2 * half >= (largest - least) * _scale(measure):
        return text_of(
            "A typical range of “{title}” covers every possible number: such a number says next to nothing.",
            title=title,
        )
    return text_of(
        "One number of “{title}” is typically known to within ±{half} {unit}.",
        title=title,
        half=f"{half:.{digits}f}",
        unit=unit_of_errors(measure),
    )


def _shown(query: QueryResult, statistic: AnyStatistic) -> list[_Shown]:
    """The numbers that stand first: smoothed ones where there are some."""
    measure = statistic.measures[0]
    if query.smoothing is not None and statistic.smoothed is not None:
        measure = statistic.smoothed
    return [
        _Shown(row, item, measure)
        for row in query.rows
        for item in row.estimates
        if item.measure == measure.name and item.informative
    ]


def _scale(measure: Measure) -> float:
    """From what is stored to what is read."""
    return error_scale(measure) / 10.0**measure.decimals


def _digits(width: float) -> int:
    """Decimals that are read of a number whose range is so wide."""
    return 0 if width >= _WIDE else min(3, math.ceil(math.log10(_WIDE / width))) if width else 3


def _outwards(half: float, digits: int) -> float:
    """Half a range, never shorter than it is; `map.html` rounds the same way."""
    return math.ceil(round(half * 10.0**digits, 6)) / 10.0**digits


def _quotation(release: Release, query: QueryResult, statistic: AnyStatistic) -> str:
    if query.regions is not None:
        return ""
    if is_distribution(statistic):
        return _of_an_average_place(release, query, statistic)
    if statistic.key == "share":
        return _of_a_range(release, query, statistic)
    shown = _shown(query, statistic)
    if not (release.quantity.is_speed and statistic.key == "mean") or not shown:
        return ""
    surest = min(shown, key=lambda one: one.width)
    if _is_noise(surest, release):
        return ""
    value, low, high = _as_read(*surest.ranged)
    return text_of(
        "Vehicles drove in {place} at about {value}{unit} (between {low} and {high}{unit}) {when}.",
        place=_where(release, surest.row),
        value=value,
        low=low,
        high=high,
        unit=f" {surest.measure.unit}",
        when=_when(release, surest.row.slot_start, surest.row.slot_end),
    )


def _is_noise(one: _Shown, release: Release) -> bool:
    """Whether its range is wider than half of all that there can be."""
    least, largest = one.measure.range_for(release.upper_bound)
    return largest is not None and 2 * one.width > (largest - least) * _scale(one.measure)


def _of_a_range(release: Release, query: QueryResult, statistic: AnyStatistic) -> str:
    """Of the range in the middle, where it is known best."""
    shown = _shown(query, statistic)
    labels = sorted({one.item.label for one in shown if one.item.label is not None})
    if not labels:
        return ""
    middle = labels[len(labels) // 2]
    surest = min((one for one in shown if one.item.label == middle), key=lambda one: one.width)
    if _is_noise(surest, release):
        return ""
    (first, last), (value, low, high) = ends_of(middle), _as_read(*surest.ranged)
    return text_of(
        "In {place} about {value} of 100 records were at {first} to {last} {unit} (between {low} and {high}) "
        "{when}.",
        place=_where(release, surest.row),
        value=value,
        first=_in_unit(first),
        last=_in_unit(last),
        unit=release.quantity.unit,
        low=low,
        high=high,
        when=_when(release, surest.row.slot_start, surest.row.slot_end),
    )


def _of_an_average_place(release: Release, query: QueryResult, statistic: AnyStatistic) -> str:
    """Of a distribution: at the limit that its page shows first, and as `map.html` has it."""
    measure = statistic.measures[0]
    items = [one for row in query.rows for one in row.estimates if one.measure == measure.name]
    edges = sorted({one.label for one in items if one.label is not None})
    slots = sorted({(row.slot_start, row.slot_end) for row in query.rows})
    apart = any(end != start for (_, end), (start, _) in pairwise(slots))
    if release.groups or apart or not edges:
        return ""
    limit = first_limit(shown_limits(edges), release.quantity, release.upper_bound)
    shown = [one for one in items if one.label == limit]
    share, low_end, high_end, width = _mean_of_shares(shown, 10.0**measure.decimals)
    if not width <= _QUOTED:
        return ""
    ends = (PERCENT * min(1.0, max(0.0, one)) for one in (share, low_end, high_end))
    value, low, high = _as_read(*ends)
    place = _HEXAGON if release.place.hexagons else _ROUTE if release.drawn_lines else _PLACE
    return text_of(
        "In {place} about {value} of 100 {records} were at or below {limit} {unit} (between {low} and "
        "{high}) {when}.",
        place=text_of(place[len(slots) > 1]),
        records="records" if statistic.key == "cdf" else text_of("records of an average vehicle"),
        value=value,
        limit=_in_unit(limit),
        unit=release.quantity.unit,
        low=low,
        high=high,
        when=_when(release, slots[0][0], slots[-1][1]),
    )


def _mean_of_shares(items: Sequence[Estimate], unit: float) -> tuple[float, float, float, float]:
    """Each counting alike, its range, and how wide that was before it was cut.

    Where they do not tell their noise it is the mean of their ranges: one that was cut at 0 looks narrow.
    """
    known = [(one.unclamped, one.deviation, one.bias_bound) for one in items]
    if not any(None in one for one in known):
        share, half = mean_share(*(np.array(known, np.float64) / unit).T)
        return share, share - half, share + half, 2 * half
    ranged = [(one.value, one.low, one.high) for one in items if one.informative]
    if not ranged:
        return 0.0, 0.0, 1.0, 1.0
    widths = [2 * max(high - value, value - low) for value, low, high in ranged]
    value, low, high = (np.array(ranged, np.float64) / unit).mean(axis=0).tolist()
    return value, low, high, float(np.mean(widths)) / unit


_QUOTED = 0.5
"""A share with a wider range is not quoted."""
_HEXAGON = ("an average hexagon", "an average hexagon and time of day")
_ROUTE = ("an average route", "an average route and time of day")
_PLACE = ("an average place", "an average place and time of day")


def _as_read(value: float, low: float, high: float) -> tuple[str, str, str]:
    """A number and its range as they are read, ends outwards."""
    digits = _digits(high - low)
    step = 10.0**digits
    ends = math.floor(round(low * step, 6)) / step, math.ceil(round(high * step, 6)) / step
    return f"{value:.{digits}f}", f"{ends[0]:.{digits}f}", f"{ends[1]:.{digits}f}"


def _in_unit(thousandths: int) -> str:
    return f"{thousandths / THOUSAND:.12g}"


def _where(release: Release, row: HatRow) -> str:
    """A row's place, with the labels that tell it from others of the same place and time."""
    place = text_of("hexagon {cell}", cell=row.cell)
    if not release.place.hexagons:
        whole = release.place.place_kind == WHOLE
        place = text_of("the whole area") if whole else Name(called(release, row.cell))
    labels = [
        label if group.by_day else f"{group.name} {label}"
        for group, label in zip(release.groups, row.groups, strict=True)
    ]
    return text_of("{place} ({labels})", place=place, labels=Name(", ".join(labels))) if labels else place


def _when(release: Release, start: str, end: str) -> str:
    gaps = len(release.date_ranges) > 1 or any(group.by_day for group in release.groups)
    return when_in_words(release.date_ranges, start, end, daily=not gaps)


def when_in_words(ranges: Sequence[tuple[dt.date, dt.date]], start: str, end: str, *, daily: bool) -> str:
    """Days and hours; daily: every day from the first to the last counts."""
    dates, start, end = dates_in_words(ranges), _clock(start), _clock(end)
    if ranges[0][0] == ranges[-1][1]:
        return text_of("on {dates}, {start} to {end}", dates=dates, start=start, end=end)
    if not daily:
        return text_of("from {dates}, {start} to {end}", dates=dates, start=start, end=end)
    return text_of("from {dates}, {start} to {end} each day", dates=dates, start=start, end=end)


def _open(release: Release) -> str:
    """What is hidden of who was there, as the review has it."""
    stated = release.stated(release.charge, Unit.VEHICLE)
    if release.relation is Relation.USER:
        return presence_sentence(Unit.VEHICLE, stated)
    return text_of(
        "Which vehicles were in which place and timeslot, and how often, becomes public; what they reported "
        "there is {protected}.",
        protected=text_of(PROTECTED_HOW[strength_of(stated)]),
    )
