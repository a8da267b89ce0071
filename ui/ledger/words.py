"""Sentences of the ledger place: what is left, how many more releases it is enough for, a series."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from core.accounting.ledger_report import MOST_MORE, EntrySummary, PopulationSummary
from core.accounting.ledger_rules import LARGEST_DELTA
from core.accounting.ledger_state import EntryState
from core.accounting.series_plan import SeriesPlan, plan_series
from core.bundle.loss_texts import ADDS_UP_SLOWLY
from core.privacy import Charge
from core.release.next_release import due_periods
from core.release.series import PeriodLength, length_of, period_with
from ui.language.translation import core_text, counted, translator
from ui.ledger.spending import Spending
from ui.session.draft_charge import left_epsilon, shown_epsilon, unrounded_epsilon

_tr = translator("Ledger")


def balance_in_brief(population: PopulationSummary) -> str:
    """For a row of the list."""
    if population.per_vehicle is None:
        return _tr("no limit yet")
    line = _tr("{spent} of {limit} spent")
    if population.spent > population.per_vehicle:
        line = _tr("! {spent} of {limit} spent")
    return line.format(spent=shown_epsilon(population.spent), limit=unrounded_epsilon(population.per_vehicle))


def balance_in_words(spending: Spending) -> str:
    """What is left, a sentence a line."""
    return "\n".join(_balance(spending))


def _balance(spending: Spending) -> Iterator[str]:
    population = spending.population
    if population.per_vehicle is None:
        yield _tr("It has no limit: nothing is released until one is set.")
        return
    beyond = population.spent > population.per_vehicle
    if population.over_limit:
        yield _tr("More is spent than the limit allows: nothing is released until it is raised.")
    elif population.delta_too_large:
        yield _tr("Its delta is above {most}: nothing is released until it is lowered.").format(
            most=LARGEST_DELTA
        )
    elif population.lacks_delta():
        yield _tr("Gaussian noise was bought and no delta is allowed: nothing is released until one is set.")
    elif beyond:
        yield _tr(
            "{spent} are spent, more than the limit of {limit}: nothing new is released until it is raised."
        ).format(spent=shown_epsilon(population.spent), limit=unrounded_epsilon(population.per_vehicle))
    else:
        yield _tr("Each vehicle has {left} left of {limit}: {spent} are spent.").format(
            left=left_epsilon(population),
            limit=unrounded_epsilon(population.per_vehicle),
            spent=shown_epsilon(population.spent),
        )
    newest = newest_release(spending)
    if newest is not None and not population.over_limit and not beyond:
        yield _more(population, newest.charge)
    if any(part.entry.charge.rho for part in spending.timeline):
        yield core_text(ADDS_UP_SLOWLY)
    if spending.days and population.per_vehicle_day is not None:
        dearest = max(spending.days, key=lambda day: day.epsilon)
        yield _tr("On its most expensive day, {day}, a vehicle has spent {spent} of {limit}.").format(
            day=dearest.date,
            spent=shown_epsilon(dearest.epsilon),
            limit=unrounded_epsilon(population.per_vehicle_day),
        )
    if population.linked:
        yield _tr("It shares its vehicles with {names}: what either releases counts for all.").format(
            names=", ".join(population.linked)
        )
    if population.different:
        yield _tr("It contains other things than {names}, even if their ids look alike.").format(
            names=", ".join(population.different)
        )
    if population.evaluated_on is not None:
        yield _tr("True errors were viewed on {day}; later releases say so.").format(
            day=population.evaluated_on
        )


def newest_release(spending: Spending) -> EntrySummary | None:
    """The newest entry that was published, else the newest; None where there is none."""
    entries = [part.entry for part in spending.timeline]
    published = [entry for entry in entries if entry.bundles]
    return next(reversed(published or entries), None)


def _more(population: PopulationSummary, charge: Charge) -> str:
    """How many releases like the newest are left."""
    if population.exceeds_limit(charge):
        return _tr("That is less than one more release like the last one.")
    if plan_series(population, charge, 1).stopped_by_day:
        return _tr("One more release like the last one would exceed the limit per vehicle and day.")
    more = population.more_such(charge)
    if more == MOST_MORE:
        return _tr("That is enough for more than {count} releases like the last one.").format(count=more)
    return counted(
        "That is enough for one more release like the last one.",
        "That is enough for {n} more releases like the last one.",
        more + 1,
    )


def covered(dates: Sequence[dt.date]) -> str:
    """The dates of an entry: a day, a month, a range, and how many where it has gaps."""
    first, last = min(dates), max(dates)
    length = length_of(dates)
    if length is PeriodLength.DAY:
        return first.isoformat()
    if length is not None:
        return period_with(length, first).label
    span = first_to_last(dates)
    if (last - first).days + 1 == len(set(dates)):
        return span
    return counted("{span}, {n} day of it", "{span}, {n} days of it", len(set(dates)), span=span)


def first_to_last(dates: Sequence[dt.date]) -> str:
    """Both ends of a range."""
    return _tr("{first} to {last}").format(first=min(dates), last=max(dates))


def state_of(entry: EntrySummary, bundle: str = "") -> str:
    """How far an entry has come, and what its publisher said since of one of its bundles, or the newest."""
    report = entry.notice_on(bundle or entry.bundles[-1]) if entry.bundles else None
    if report is not None and report.replaced_by:
        return _tr("↻ corrected by {bundle} on {day}").format(bundle=report.replaced_by, day=report.on)
    if report is not None:
        return _tr("✕ withdrawn on {day}").format(day=report.on)
    return {
        EntryState.PUBLISHED: _tr("✓ signed"),
        EntryState.SPENT: _tr("! drawn, not signed: release it again at no cost"),
        EntryState.RESERVED: _tr("! interrupted, counts as spent"),
    }[entry.state]


def bundle_of_entry(entry: EntrySummary) -> str:
    """The newest bundle of an entry; a dash where there is none."""
    return entry.bundles[-1] if entry.bundles else "–"


def bundles_in_brief(entry: EntrySummary) -> str:
    """The same, and how many were published before it at no cost."""
    before = len(entry.bundles) - 1
    if before < 1:
        return bundle_of_entry(entry)
    return counted(
        "{bundle} and {n} before it", "{bundle} and {n} before it", before, bundle=entry.bundles[-1]
    )


def due_in_words(entries: Sequence[EntrySummary], today: dt.date) -> str:
    """Which periods after the newest release are over and not published; empty where it was of no period."""
    due = due_periods(entries, today)
    if not due:
        return ""
    text = _tr("Due: a release of {period}.") if len(due) == 1 else _tr("Due: releases from {period} on.")
    return text.format(period=due[0].words)


def plan_in_words(plan: SeriesPlan, length: PeriodLength | None) -> str:
    """What a series comes to, and whether the limits take it."""
    many = {
        PeriodLength.DAY: counted("{n} such day", "{n} such days", plan.count),
        PeriodLength.WEEK: counted("{n} such week", "{n} such weeks", plan.count),
        PeriodLength.MONTH: counted("{n} such month", "{n} such months", plan.count),
        None: counted("{n} such release", "{n} such releases", plan.count),
    }[length]
    if plan.limit is None:
        return _tr("{many} cost {cost}. Set a limit first.").format(many=many, cost=shown_epsilon(plan.cost))
    line = _tr("{many} cost {cost}; with what is spent that is {total} of {limit}.")
    if not plan.spent:
        line = _tr("{many} cost {total} of {limit}.")
    report = line.format(
        many=many,
        cost=shown_epsilon(plan.cost),
        total=shown_epsilon(plan.total),
        limit=unrounded_epsilon(plan.limit),
    )
    if plan.holds:
        return report
    if plan.stopped_by_day:
        return _tr("{words} Not even one fits: it would exceed the daily limit per vehicle.").format(
            words=report
        )
    if not plan.fits:
        return _tr("{words} Not one of them fits.").format(words=report)
    return _tr("{words} The limit takes {fits} of them.").format(words=report, fits=plan.fits)
