"""Short advice beside place, timeslot, epsilon and mechanism: no epsilon makes this grid good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.accuracy_first import budget_for_error
from core.advice.adviser import Advice
from core.advice.city_advice import CityAdvice, GridOption
from core.advice.usefulness import Usefulness, good_error
from core.advice.user_forecast import PublicChoices
from core.advice.verdict import verdict_of
from core.counted import count_of
from core.errors import InputError
from core.hats.slots import ALL, SlotLength, length_text
from core.mechanisms.registry import require_mechanism
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan, error_of_a_constant, error_of_constant
from core.planning.smallest_budget import smallest_budget
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.statistics.error_figures import error_in_brief, error_scale, significant
from core.texts import text_of

LITTLE = 0.95
"""Another grid, epsilon or mechanism gains little whose error is not smaller by more than this factor."""


class Sign(StrEnum):
    """What stands before a line of advice."""

    RECOMMENDED = "recommended"
    BETTER = "better"
    """Another choice is."""
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KnobAdvice(Confidential):
    """One sentence, and what to take in place of what is chosen."""

    sign: Sign
    text: str
    brief: str = ""
    """What is better, without saying that it is."""
    grid: GridOption | None = None
    """To be taken with one press; None where that is not this parameter's."""
    both: bool = False
    """It changes place and timeslot."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EpsilonBands(Confidential):
    """From which amounts of a query's budget on a release is rough, and good."""

    good_error: str
    """With its unit."""
    rough: Decimal | None
    """None: no amount is enough."""
    good: Decimal | None


def _place(resolution: int) -> str:
    """0: places that are no hexagons."""
    if not resolution:
        return text_of("the places asked for")
    return text_of("resolution {resolution}", resolution=resolution)


def place_advice(advice: CityAdvice, resolution: int, length: SlotLength) -> KnobAdvice:
    """Of the resolution that is chosen, 0 for places that are no hexagons, with slots of a length."""
    best, total = advice.balanced, plain(advice.total)
    if best is None:
        return KnobAdvice(sign=Sign.NEITHER, text=text_of("No grid compared can be recommended."))
    if best.usefulness is Usefulness.NO_USE:
        return KnobAdvice(
            sign=Sign.NEITHER, text=text_of("No grid is useful at epsilon {total}.", total=total)
        )
    if best.resolution == resolution and best.window.slot_length != length:
        return KnobAdvice(sign=Sign.RECOMMENDED, text=text_of("Recommended, with another timeslot."))
    if best.resolution == resolution:
        text = (
            text_of("Recommended: the finest that is good.")
            if best.usefulness is Usefulness.GOOD
            else text_of("Recommended: least inaccurate at epsilon {total}.", total=total)
        )
        return KnobAdvice(sign=Sign.RECOMMENDED, text=text)
    if best.window.slot_length == length:
        return _recommended(advice, best, _place(best.resolution))
    brief = text_of(
        "{place} with {slots}", place=_place(best.resolution), slots=slot_name(best.window.slot_length)
    )
    text = text_of("Better: {grid}.", grid=brief)
    return KnobAdvice(sign=Sign.BETTER, text=text, brief=brief, grid=best, both=True)


def timeslot_advice(advice: CityAdvice, resolution: int, length: SlotLength) -> KnobAdvice:
    """Of the length of slots that is chosen, with a resolution."""
    best = advice.balanced
    if best is None or best.usefulness is Usefulness.NO_USE:
        return KnobAdvice(sign=Sign.NEITHER, text="")
    if best.window.slot_length == length:
        longer = _longer(advice, best) if best.resolution == resolution else None
        if longer is None:
            return KnobAdvice(sign=Sign.RECOMMENDED, text=text_of("This is recommended."))
        text = text_of(
            "Recommended. With {slots}: error {error}.",
            slots=slot_name(longer.window.slot_length),
            error=error_in_brief(advice.error_figure(longer.error), advice.measure),
        )
        return KnobAdvice(sign=Sign.RECOMMENDED, text=text)
    if best.resolution == resolution:
        return _recommended(advice, best, slot_name(best.window.slot_length))
    alone = _found(advice, resolution, best.window.slot_length)
    if alone is None:
        return KnobAdvice(sign=Sign.NEITHER, text="")
    text = text_of(
        "With {slots} alone: error {error}.",
        slots=slot_name(best.window.slot_length),
        error=advice.error_figure(alone.error),
    )
    return KnobAdvice(sign=Sign.NEITHER, text=text)


def _recommended(advice: CityAdvice, best: GridOption, part_of_grid: str) -> KnobAdvice:
    """The part in which it differs from the grid that is chosen."""
    brief = text_of("{grid}, error {error}", grid=part_of_grid, error=advice.error_figure(best.error))
    text = text_of("Recommended: {title}.", title=brief)
    return KnobAdvice(sign=Sign.BETTER, text=text, brief=brief, grid=best)


def for_statistic(said: KnobAdvice, statistic: str) -> KnobAdvice:
    """The same where there are several, in as few words: which one grids are recommended for."""
    if said.sign is Sign.RECOMMENDED:
        return replace(said, text=text_of("Recommended for {statistic}.", statistic=statistic))
    text = text_of("{title}.", title=said.brief) if said.brief else said.text
    return replace(said, text=said.text and text_of("{statistic}: {text}", statistic=statistic, text=text))


def _found(advice: CityAdvice, resolution: int, length: SlotLength) -> GridOption | None:
    fitting = (
        one for one in advice.grids if (one.resolution, one.window.slot_length) == (resolution, length)
    )
    return next(fitting, None)


def _longer(advice: CityAdvice, own: GridOption) -> GridOption | None:
    """The same resolution with the next longer slots."""
    longer = [
        one
        for one in advice.grids
        if one.resolution == own.resolution and one.window.shortest_slot > own.window.shortest_slot
    ]
    return min(longer, key=lambda one: one.window.shortest_slot, default=None)


def slot_name(length: SlotLength) -> str:
    """How long slots are, in a sentence."""
    if length == ALL:
        return text_of("all hours")
    if isinstance(length, tuple):
        return count_of(len(length), "period")
    return length_text(length)


def epsilon_bands(city: CountedCity, query: Query, progress: Progress = silent) -> EpsilonBands:
    """Based on public counts, of the numbers that readers see: smoothed where they are."""
    measure = query.question.statistic.measures[0]
    constant = error_of_constant(query.question, city.users.upper_bound)
    good = good_error(measure, constant)

    def needed(error: float | None, ahead: Progress) -> Decimal | None:
        if error is None:
            return None
        try:
            found = budget_for_error(city, query, error, smoothed=True, progress=ahead)
        except InputError:
            return None
        return found.budget.amount

    return EpsilonBands(
        good_error=_good_in_brief(query, good),
        rough=needed(constant, part(progress, 0.0, 0.5)),
        good=needed(good, part(progress, 0.5, 1.0)),
    )


def epsilon_bands_by_constants(
    plan: QueryPlan, choices: PublicChoices, progress: Progress = silent
) -> EpsilonBands:
    """Of a plan in relation `user`: no record has a part in it.

    By the verdict on each total: an error that is small enough is no use where most rows will be empty.
    """
    planned, order = choices.planner(progress), list(Usefulness)

    @cache
    def word_at(total: Decimal) -> float:
        tried = replace(plan.query, budget=Budget(total=total))
        return float(order.index(verdict_of(planned(tried)).usefulness))

    def needed(word: Usefulness, ahead: Progress) -> Decimal | None:
        try:
            return smallest_budget(lambda total, _: word_at(total), float(order.index(word)), ahead)
        except InputError:
            return None

    good = good_error(plan.query.question.statistic.measures[0], error_of_a_constant(plan))
    return EpsilonBands(
        good_error=_good_in_brief(plan.query, good),
        rough=needed(Usefulness.ROUGH, part(progress, 0.0, 0.5)),
        good=needed(Usefulness.GOOD, part(progress, 0.5, 1.0)),
    )


def _good_in_brief(query: Query, good: float | None) -> str:
    measure = query.question.statistic.measures[0]
    return error_in_brief("" if good is None else significant(error_scale(measure) * good, 2), measure)


def epsilon_advice(bands: EpsilonBands, amount: Decimal) -> KnobAdvice:
    """Of an amount of the query's budget."""
    if bands.rough is None:
        return KnobAdvice(sign=Sign.NEITHER, text=text_of("No epsilon makes this grid useful."))
    if amount < bands.rough:
        text = text_of("This grid needs {rough} to be rough.", rough=plain(bands.rough))
        return KnobAdvice(sign=Sign.BETTER, text=text)
    if bands.good is None:
        return KnobAdvice(sign=Sign.NEITHER, text=text_of("No epsilon makes this grid good."))
    text = text_of(
        "Error {error} needs {good}; smaller protects more.", error=bands.good_error, good=plain(bands.good)
    )
    return KnobAdvice(sign=Sign.RECOMMENDED if amount >= bands.good else Sign.NEITHER, text=text)


def mechanism_advice(advice: Advice, mechanism: str, unit: str) -> KnobAdvice:
    """Of the mechanism that is chosen; unit: of the errors."""
    errors = advice.typical_errors
    if mechanism != advice.mechanism:
        title = require_mechanism(advice.mechanism).title
        if (error := errors.get(advice.mechanism)) is None:
            return KnobAdvice(sign=Sign.BETTER, text=text_of("Recommended: {title}.", title=title))
        text = text_of(
            "Recommended: {title}, error {error} {unit}.",
            title=title,
            error=significant(error, 2),
            unit=unit,
        )
        return KnobAdvice(sign=Sign.BETTER, text=text)
    others = {key: error for key, error in errors.items() if key != mechanism}
    rival = min(others, key=lambda key: (others[key], key), default=None)
    if rival is None:
        return KnobAdvice(sign=Sign.RECOMMENDED, text=text_of("This is recommended."))
    text = text_of(
        "Next best: {title}, {error}.",
        title=require_mechanism(rival).title,
        error=significant(others[rival], 2),
    )
    if mechanism in errors and others[rival] < errors[mechanism]:
        title = require_mechanism(rival).title
        if others[rival] < LITTLE * errors[mechanism]:
            less = text_of("{title} misses less: {error}.", title=title, error=significant(others[rival], 2))
            return KnobAdvice(sign=Sign.NEITHER, text=less)
        text = text_of("Recommended; {title} gains little.", title=title)
    return KnobAdvice(sign=Sign.RECOMMENDED, text=text)
