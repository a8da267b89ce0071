"""A series: its template, its first period, the ones that follow, a period not over yet (method 16.1).

The template is a spec whose `hats.dates` names a length of time in place of dates. The ledger knows which
periods are published, so that the next one follows without anybody counting; all else is as ever.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import loss_of, sum_of
from core.errors import InputError
from core.hats.day_kinds import EVERY_DAY, DayTest, day_test
from core.privacy import Charge, Unit
from core.release_texts import SeriesTexts
from core.spec import ReleaseSpec, parse_spec
from core.texts import text_of

PLACE_OF_PERIOD = "{period}"
"""Where a title tells the period."""
_ONE_DAY = dt.timedelta(days=1)


class PeriodLength(StrEnum):
    """What `hats.dates` of a template may say."""

    DAY = "next day"
    WEEK = "next week"
    MONTH = "next month"

    @property
    def labels(self) -> str:
        """What a period of this length is called, as a regular expression."""
        return _LABELS[self]


_LABELS = {
    PeriodLength.DAY: r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    PeriodLength.WEEK: r"[0-9]{4}-w[0-9]{2}",
    PeriodLength.MONTH: r"[0-9]{4}-[0-9]{2}",
}
_IN_A_YEAR = {PeriodLength.DAY: 365, PeriodLength.WEEK: 52, PeriodLength.MONTH: 12}
_EXAMPLES = {PeriodLength.DAY: "2026-02-14", PeriodLength.WEEK: "2026-w07", PeriodLength.MONTH: "2026-02"}


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A calendar day, ISO week (Monday to Sunday) or month; both dates are in it."""

    first: dt.date
    last: dt.date
    length: PeriodLength

    @property
    def label(self) -> str:
        """For instance 2026-02-14, 2026-w07, 2026-02: a part of the bundle's name."""
        if self.length is PeriodLength.WEEK:
            year, week, _ = self.first.isocalendar()
            return f"{year:04}-w{week:02}"
        text = self.first.isoformat()
        return text if self.length is PeriodLength.DAY else text.rpartition("-")[0]

    @property
    def words(self) -> str:
        """As people read it: hardly anybody knows weeks by their numbers."""
        return f"{self.first} – {self.last}" if self.length is PeriodLength.WEEK else self.label

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """All of its days."""
        return tuple(self.first + step * _ONE_DAY for step in range((self.last - self.first).days + 1))

    @property
    def following(self) -> Period:
        """The one after it."""
        return period_with(self.length, self.last + _ONE_DAY)

    def require_over(self, today: dt.date) -> None:
        """Raises InputError."""
        if self.last >= today:
            raise InputError(
                "The period {label} is not over yet.",
                label=self.label,
                where="hats.dates",
                mend=text_of("release it from {value} on", value=self.last + _ONE_DAY),
            )


def period_with(length: PeriodLength, day: dt.date) -> Period:
    """The period that holds a day."""
    first = last = day
    if length is PeriodLength.WEEK:
        first = day - dt.timedelta(days=day.weekday())
        last = first + dt.timedelta(days=6)
    elif length is PeriodLength.MONTH:
        first = day.replace(day=1)
        last = (first + dt.timedelta(days=31)).replace(day=1) - _ONE_DAY
    return Period(first=first, last=last, length=length)


def length_of(dates: Sequence[dt.date]) -> PeriodLength | None:
    """What these dates are: a day, a whole ISO week or a whole month; None for any others."""
    for length in PeriodLength:
        period = period_with(length, min(dates))
        if (period.first, period.last) == (min(dates), max(dates)):
            whole = len(set(dates)) == (period.last - period.first).days + 1
            return length if whole else None
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class YearOfReleases:
    """What like releases, one for each period of a year, need of a vehicle."""

    length: PeriodLength
    epsilon: Decimal
    """Of all of them together."""


def year_of(dates: Sequence[dt.date], charge: Charge, delta: Decimal) -> YearOfReleases | None:
    """What limit a year of such releases asks for; None where the dates are no period."""
    length = length_of(dates)
    if length is None:
        return None
    return YearOfReleases(length=length, epsilon=epsilon_of_several(_IN_A_YEAR[length], charge, delta))


def epsilon_of_several(count: int, charge: Charge, delta: Decimal) -> Decimal:
    """What so many like releases need of a vehicle together."""
    return sum_of([loss_of(charge, Unit.VEHICLE)] * count).epsilon_at(delta)


def period_called(length: PeriodLength, label: str, *, where: str) -> Period:
    """The period of a label. Raises InputError for what is none."""
    try:
        if not re.fullmatch(length.labels, label):
            raise ValueError
        if length is PeriodLength.WEEK:
            year, week = label.split("-w")
            return period_with(length, dt.date.fromisocalendar(int(year), int(week), 1))
        return period_with(
            length, dt.date.fromisoformat(label if length is PeriodLength.DAY else f"{label}-01")
        )
    except ValueError:
        raise InputError(
            "{label} is not a period of a series with dates = {value}.",
            label=f"{label!r}",
            value=f"{length.value!r}",
            where=where,
            mend=text_of("write for instance {examples}", examples=_EXAMPLES[length]),
        ) from None


def next_in_series(
    template: Mapping[str, Any],
    folder: Path,
    populations: Sequence[PopulationSummary],
    *,
    begin: str | None,
    today: dt.date,
) -> tuple[ReleaseSpec, Period]:
    """The release of the first period after those that are published.

    One without any day of the kind that the template asks for is passed over: that is a fact of the calendar.
    template: the parsed file; folder: what its paths start from; begin: the label of a new series' first
    period, or of the one that it goes on with, where those before cannot be released. Raises InputError where
    the spec is no template, the series has no beginning or two, or the period is not over.
    """
    length, hats = _step_of(template), template["hats"]
    release = template.get("release")
    release = dict(release) if isinstance(release, dict) else {}
    name = str(release.get("name", ""))
    summary = next((one for one in populations if one.name == _population(template)), None)
    published = _published(name, length, summary)
    if begin is not None:
        period = period_called(length, begin, where="--first")
        if published and period <= max(published):
            raise InputError(
                "The series {name} has begun: its last period is {label}.",
                name=name,
                label=max(published).label,
                where="--first",
                mend="leave it out; the period after that one follows by itself",
            )
    else:
        period = max(published).following if published else _after_newest(name, length, summary)
        asked = _kind_of(hats, folder)
        while period.last < today and not any(map(asked, period.dates)):
            period = period.following
    period.require_over(today)
    names = {"name": f"{name}-{period.label}"}
    if isinstance(release.get("title"), str):
        names["title"] = release["title"].replace(PLACE_OF_PERIOD, period.label)
    dates = [period.first.isoformat(), period.last.isoformat()]
    filled = {**template, "release": release | names, "hats": {**hats, "dates": dates}}
    spec = parse_spec(filled, folder)
    every = length.value.removeprefix("next ")
    series = SeriesTexts(name=name, title=_title_of(release, name), every=every)
    return dataclasses.replace(spec, texts=dataclasses.replace(spec.texts, series=series)), period


def _title_of(release: Mapping[str, Any], name: str) -> str:
    """The series' own: the template's without the period."""
    title = str(release.get("title") or name).replace(PLACE_OF_PERIOD, "")
    return " ".join(title.split()).rstrip(" ,:;-–()")


def _step_of(template: Mapping[str, Any]) -> PeriodLength:
    hats = template.get("hats")
    dates = hats.get("dates") if isinstance(hats, dict) else None
    if dates not in list(PeriodLength):
        raise InputError(
            "This spec is not a template of a series: its dates are fixed.",
            where="hats.dates",
            mend=text_of(
                "write for instance dates = {value}, or use `release`", value=f"{PeriodLength.MONTH.value!r}"
            ),
        )
    return PeriodLength(dates)


def _kind_of(hats: Mapping[str, Any], folder: Path) -> DayTest:
    """Which days of a period are released; what is no text is refused with the rest of the spec."""
    days = hats.get("days")
    return day_test(days if isinstance(days, str) and days else EVERY_DAY, folder)


def _population(template: Mapping[str, Any]) -> str:
    privacy = template.get("privacy")
    return str(privacy.get("population", "")) if isinstance(privacy, dict) else ""


def _after_newest(name: str, length: PeriodLength, population: PopulationSummary | None) -> Period:
    """The first whole period after the dates of the population's newest published release."""
    released = [entry for entry in population.entries if entry.bundles] if population else []
    if not released:
        raise InputError(
            "Nothing of the series {name} is published yet, so its first period is not known.",
            name=name,
            where="--first",
            mend=text_of(
                "name the first period, for instance --first {examples}", examples=_EXAMPLES[length]
            ),
        )
    last = max(released[-1].dates)
    period = period_with(length, last + _ONE_DAY)
    return period if period.first > last else period.following


def _published(name: str, length: PeriodLength, population: PopulationSummary | None) -> list[Period]:
    """Periods of the series that a bundle was published of; what was drawn and not published is none."""
    member = re.compile(rf"{re.escape(name)}-({length.labels})-[0-9]+\.[0-9]+\.[0-9]+")
    bundles = [bundle for entry in (population.entries if population else ()) for bundle in entry.bundles]
    return [
        period_called(length, found[1], where=bundle)
        for bundle in bundles
        if (found := member.fullmatch(bundle))
    ]
