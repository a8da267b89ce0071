"""Why something cannot be done yet, for every step: choose who is protected, set a limit, too much spent.

A guard looks at the session and gives the reason that stands in the way, or None. Steps, pages and plots ask
`first_reason` with the list of what they would do, so that each reason has one condition and one sentence.
The sentence says what a guard looks for; there is a docstring where that is not all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from core.accounting.ledger_rules import LARGEST_DELTA
from core.accounting.zcdp import USUAL_DELTA
from core.advice.forecast import HatOverview
from core.errors import HexveilError, InputError
from core.evaluate.compared_curves import all_series
from core.hats.slots import SlotGrid
from core.mechanisms.region_fields import REGIONS
from core.planning.user_suppression import published_hats
from core.privacy import Relation, Unit
from core.release.prepare_publish import (
    require_derived_by_day,
    require_measured_table,
    require_measured_values,
)
from core.statistics.cdf import STATISTIC as CDF
from ui.kit.message_bar import Message, message_of
from ui.kit.spec_words import relation_word
from ui.language.translation import core_text, translator
from ui.session.draft_charge import (
    asked_before_reading,
    draft_charge,
    left_epsilon,
    shown_charge,
    shown_epsilon,
    unrounded_epsilon,
)
from ui.session.hat_texts import slot_in_words
from ui.session.session import Session
from ui.session.shown_release import released_distribution, released_row
from ui.session.step_notes import parameters_title

_tr = translator("Guards")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reason(Message):
    """What stands in the way."""

    note: str = ""
    """The same in a few words, for the list of steps."""
    figures: str = ""
    """The same as a short sentence with its figures, where there are some."""


Guard = Callable[[Session], Reason | None]
_CONSTANT = "privacy.hats_per_vehicle"


def first_reason(session: Session, guards: Sequence[Guard]) -> Reason | None:
    """What the first guard that applies says; None where the way is free."""
    return next((reason for guard in guards if (reason := guard(session)) is not None), None)


# data, hexagons, plans


def no_data(session: Session) -> Reason | None:
    return None if session.has_data else nothing_loaded()


def window_empty(session: Session) -> Reason | None:
    """Relation `user` allows it: whether anybody was there is private. Screens of counts are not."""
    table = session.contributions
    if table is None or table.hats:
        return None
    return Reason(
        what=_tr("No record lies in this window"),
        mend=_tr(
            "Nothing can be counted (confidential). With “Presence too” the release contains its rows in "
            "any case."
        ),
    )


def draft_unfit(session: Session) -> Reason | None:
    """The draft does not fit the data, whatever in it is at fault; first what nobody has typed yet."""
    return (
        None
        if session.planning.problem is None
        else first_reason(session, TYPED_HEXAGONS) or _unfit(session, session.planning.problem)
    )


def selection_unfit(session: Session) -> Reason | None:
    """So that no HAT is selected."""
    return None if _is_selected(session) else draft_unfit(session)


def selection_pending(session: Session) -> Reason | None:
    return None if _is_selected(session) else dataclasses.replace(still_planning(), note=_tr("working"))


def no_delta(session: Session) -> Reason | None:
    """Gaussian noise is asked for, and the population that would pay allows none."""
    if session.ledger.delta or not any(query.needs_delta for query in session.draft.queries):
        return None
    return Reason(
        what=_tr("Gaussian noise needs a population with a delta."),
        mend=_delta_mend(session),
        note=_tr("needs a delta"),
    )


def _delta_mend(session: Session) -> str:
    text = _tr(
        "Choose a population, and set its delta (step Parameters, More… beside its limit): {delta} is "
        "usual. Or choose Laplace noise."
    )
    if session.draft.population:
        text = _tr(
            "Set the delta of {population} (step Parameters, More… beside its limit): {delta} is usual. Or "
            "choose Laplace noise."
        )
    return text.format(population=session.draft.population, delta=USUAL_DELTA)


def unplanned_without_delta(session: Session) -> Reason | None:
    """The same, for what only waits for a plan."""
    return no_delta(session)


def zone_untyped(session: Session) -> Reason | None:
    """In relation `user` the zone is a public constant as the dates are: no offset of a record names it."""
    if session.draft.relation is not Relation.USER or session.draft.zone:
        return None
    return Reason(
        what=_tr("The time zone is not typed yet"),
        mend=_tr("Type the zone of the city. With “Presence too” nothing is taken from the records."),
        note=_tr("type the time zone"),
    )


def zone_differs(session: Session) -> Reason | None:
    """The records are cut into days and slots by another zone than the one that is typed."""
    table, zone = session.contributions, session.draft.zone
    if session.draft.relation is not Relation.USER or not zone or table is None or table.zone == zone:
        return None
    return Reason(
        what=_tr("The records are divided into days in {zone}.").format(zone=table.zone),
        mend=_tr("Load them in the zone that you typed (step Parameters)."),
        note=_tr("records lie in another zone"),
    )


def reading_differs(session: Session) -> Reason | None:
    """The records are still those of marks and a box that they may have proposed."""
    if not session.reading_differs:
        return None
    return Reason(
        what=_tr("The records are not read as “Presence too” needs it."),
        mend=_tr("Open the files again (step Data), and say how they are written."),
        note=_tr("open the files again"),
    )


def dates_untyped(session: Session) -> Reason | None:
    if session.draft.relation is not Relation.USER or session.draft.date_ranges:
        return None
    return Reason(
        what=_tr("The dates are not typed yet"),
        mend=_tr("Type the first and the last date. With “Presence too” nothing is taken from the records."),
        note=_tr("type the dates"),
    )


def candidates_unnamed(session: Session) -> Reason | None:
    if session.draft.relation is not Relation.USER or session.draft.cells_file:
        return None
    return Reason(
        what=_tr("The candidate hexagons are not named yet"),
        mend=_tr("Choose a boundary or a list, or type a box or cells."),
        note=_tr("name the candidate hexagons"),
    )


def plan_unfit(session: Session) -> Reason | None:
    """HATs are selected, but the queries cannot be planned for them."""
    shown = session.forecast
    if shown is None or shown.selection is None or shown.problem is None:
        return None
    return _unfit(session, shown.problem)


def unplanned(session: Session) -> Reason | None:
    if session.forecast is not None and session.forecast.plan is not None:
        return None
    if _privacy_is_open(session):
        return dataclasses.replace(still_planning(), note=waits_for(parameters_title()))
    reason = selection_unfit(session) or plan_unfit(session) or draft_unfit(session)
    return dataclasses.replace(still_planning(), note=_tr("working")) if reason is None else reason


def busy(session: Session) -> Reason | None:
    return Reason(what=_tr("Working; ready in a moment.")) if session.busy else None


def nothing_loaded() -> Reason:
    """There are no records to tell anything of."""
    return Reason(what=_tr("No data yet"), mend=_tr("Open records in step Data."), note=_tr("needs data"))


def still_planning() -> Reason:
    """What is asked for will be known as soon as planning has ended."""
    return Reason(what=_tr("Planning…"))


def _is_selected(session: Session) -> bool:
    return session.forecast is not None and session.forecast.selection is not None


def _noted(note: str) -> Reason:
    """Only the list of steps tells it."""
    return Reason(what=note, note=note)


def _unfit(session: Session, problem: HexveilError) -> Reason:
    """A problem of the draft; what is only to be typed is so in a few words."""
    text = _reason(problem)
    if isinstance(problem, InputError) and problem.where == _CONSTANT and not session.draft.hats_per_vehicle:
        return dataclasses.replace(text, note=_tr("type how many hexagon slots count"))
    return text


def _reason(problem: HexveilError) -> Reason:
    text = message_of(problem)
    return Reason(what=text.what, where=text.where, mend=text.mend, note=text.what)


# relation and unit: one condition, and what hangs on it here or there


def _privacy_is_open(session: Session) -> bool:
    return session.draft.relation is None or session.draft.unit is None


def privacy_open(session: Session) -> Reason | None:
    if not _privacy_is_open(session):
        return None
    if session.draft.relation is None:
        return Reason(what=_tr("Who is protected is not chosen yet"), note=_tr("choose who is protected"))
    return Reason(
        what=_tr("How much of a vehicle is protected is not chosen yet"),
        note=_tr("choose how much of a vehicle"),
    )


def noise_needs_privacy(session: Session) -> Reason | None:
    advice = _tr(
        "How much noise a hexagon slot needs depends on who is protected. "
        "Choose it in step Parameters, and the curves appear here."
    )
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def occupancy_needs_privacy(session: Session) -> Reason | None:
    advice = _tr("What suppression saves depends on who is protected. Choose it in step Parameters.")
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def cost_needs_privacy(session: Session) -> Reason | None:
    text = _tr("Choose who is protected to see the cost.")
    if session.draft.relation is not None:
        text = _tr("Choose how much of a vehicle is protected to see the cost.")
    return Reason(what=text) if _privacy_is_open(session) else None


def errors_need_privacy(session: Session) -> Reason | None:
    text = _tr("Errors and cost appear once you have chosen who is protected.")
    if session.draft.relation is not None:
        text = _tr("Errors and cost appear once you have chosen how much of a vehicle is protected.")
    return Reason(what=text) if _privacy_is_open(session) else None


def confirmation_needs_privacy(session: Session) -> Reason | None:
    text = _tr("Choose who is protected to read what you confirm.")
    if session.draft.relation is not None:
        text = _tr("Choose how much of a vehicle is protected to read what you confirm.")
    return Reason(what=text) if _privacy_is_open(session) else None


def confirmation_needs_hexagons(session: Session) -> Reason | None:
    text = _tr("Select hexagons first; the statement to confirm then appears here.")
    return None if _is_selected(session) else Reason(what=text)


# what a release needs besides


def values_derived(session: Session) -> Reason | None:
    """The core would refuse values that follow from positions under the relation that is chosen."""
    source, relation = session.source, session.draft.relation
    if source is None or relation is None:
        return None
    try:
        require_measured_values(source.rules.mapping, relation)
        if session.table is not None:
            require_measured_table(session.table.table, relation)
    except InputError as error:
        note = _tr("derived speeds cannot be released with “Values only”")
        return dataclasses.replace(_reason(error), note=note)
    return None


def crosses_midnight(session: Session) -> Reason | None:
    """The core would refuse a table whose derived speeds may follow from the day before."""
    if session.table is None or session.draft.unit is None:
        return None
    try:
        require_derived_by_day(session.table.table, session.draft.unit)
    except InputError as error:
        return _reason(error)
    return None


def input_refused(session: Session) -> Reason | None:
    """A field shows what is not in the draft: all figures are of what it showed before."""
    error = session.refused.first
    if error is None:
        return None
    return dataclasses.replace(_reason(error), note=_tr("an input was refused"))


def unconfirmed(session: Session) -> Reason | None:
    """What is confirmed is shown once hexagons are selected: what they lack comes first."""
    if session.draft.confirmed:
        return None
    return first_reason(session, (*TYPED_HEXAGONS, selection_unfit)) or _noted(_tr("confirm the sentence"))


def no_population(session: Session) -> Reason | None:
    """None is chosen, or the one that a spec names has no budget yet."""
    name = session.draft.population
    if not name:
        return _noted(_tr("choose a population"))
    if session.ledger.population is None:
        return _noted(_tr("set a limit for {population}").format(population=name))
    return None


def population_unknown(session: Session) -> Reason | None:
    """None is chosen, or the ledger does not know it."""
    name = session.draft.population
    if session.ledger.population is not None:
        return None
    if name:
        return Reason(
            what=_tr("No limit yet for {population}").format(population=name),
            mend=_tr("Set a limit: without one nothing is released."),
        )
    return Reason(
        what=_tr("No population with a limit yet"),
        mend=_tr(
            "A population is a named set of vehicles with one budget. Without a limit nothing is released."
        ),
    )


def no_key(session: Session) -> Reason | None:
    return None if session.settings.key_file.is_file() else Reason(what=_tr("Make a signing key first."))


def without_limit(session: Session) -> Reason | None:
    """A population that came into being by an evaluation (method 10.7)."""
    population = session.ledger.population
    if population is None or population.per_vehicle is not None:
        return None
    return Reason(
        what=_tr("No limit is set yet, and without a limit nothing is released."), note=_tr("set a limit")
    )


def another_zone(session: Session) -> Reason | None:
    """The ledger would refuse dates of another zone than those it has charged (method 13.1)."""
    contributions, population = session.contributions, session.ledger.population
    if contributions is None or population is None or session.release.was_published:
        return None
    if population.zone in ("", contributions.zone):
        return None
    reason = _tr("its days are counted in {zone}, those of these data in {other}").format(
        zone=population.zone, other=contributions.zone
    )
    return _refusal(reason, population.name, note=_tr("days are counted in another zone"))


def another_relation(session: Session) -> Reason | None:
    """A population has one relation, fixed by its first reservation (method 13.1)."""
    population, relation = session.ledger.population, session.draft.relation
    if population is None or relation is None or population.relation in (None, relation):
        return None
    reason = _tr("it has released with {first}, and charges of the two cannot be added")
    text = reason.format(first=relation_word(population.relation))
    return _refusal(text, population.name, note=_tr("released with another protection"))


def over_budget(session: Session) -> Reason | None:
    """The ledger would refuse the plan. Linked populations have one budget (method 13.1)."""
    charge, population = draft_charge(session), session.ledger.population
    if (
        charge is None
        or population is None
        or population.per_vehicle is None
        or session.release.was_published
    ):
        return None
    limit = population.per_vehicle_day
    note, figures = _tr("costs more than is left"), ""
    if population.delta_too_large:
        note = _tr("its delta is too large")
        excess = _tr("its delta is above {most}: lower it beside the limit").format(most=LARGEST_DELTA)
    elif population.lacks_delta(charge):
        note = _tr("needs a delta")
        excess = _tr("Gaussian noise was spent, and its delta is 0 now: set one beside the limit")
    elif population.over_limit:
        note = _tr("more is spent than a limit allows")
        excess = _tr("with those linked to it, it has spent more than a limit")
    elif population.exceeds_limit(charge):
        asked = shown_charge(session, charge, Unit.VEHICLE)
        excess = _tr("epsilon {asked} per vehicle is more than is left").format(asked=asked)
        costs = _tr("Costs epsilon {asked}; only {left} is left.")
        figures = costs.format(asked=asked, left=left_epsilon(population))
    elif (total := asked_before_reading(session)) and population.exceeds_limit(
        dataclasses.replace(charge, per_vehicle=total)
    ):
        excess = _tr("epsilon {asked} per vehicle is more than is left").format(asked=shown_epsilon(total))
    elif limit is not None and population.exceeds_limit_per_day(charge):
        note = _tr("costs more than a day allows")
        excess = _tr("more than epsilon {limit} per vehicle and day").format(limit=unrounded_epsilon(limit))
    else:
        return None
    return _refusal(excess, population.name, note=note, figures=figures)


def _refusal(reason: str, name: str, *, note: str, figures: str = "") -> Reason:
    text = _tr("! The ledger would refuse: {reason} (population {name}).")
    return Reason(what=text.format(reason=reason, name=name), note=note, figures=figures)


def ledger_refuses(session: Session) -> Reason | None:
    """Whatever the ledger would refuse, unless it may be a release made before: that costs nothing again."""
    return None if may_be_paid(session) else first_reason(session, BUDGET)


def may_be_paid(session: Session) -> bool:
    """A release of just this cost was paid before: the review tells whether it is the same one."""
    charge, population = draft_charge(session), session.ledger.population
    if charge is None or population is None:
        return False
    return any(entry.charge == charge for entry in population.entries)


def parameters_open(session: Session) -> Reason | None:
    reason = first_reason(session, PARAMETERS)
    return reason and _in_step(parameters_title(), reason)


def waits_for(title: str) -> str:
    """What the list of steps has room for of the reason why another step comes first."""
    return _tr("waits for {step}").format(step=title)


def _in_step(title: str, reason: Reason) -> Reason:
    """The reason as a later step tells it: where it is mended, and what it is."""
    note = _tr("{step}: {reason}").format(step=title, reason=reason.note or reason.what)
    return dataclasses.replace(reason, note=note)


# what follows from public counts alone


def total_needs_privacy(session: Session) -> Reason | None:
    advice = _tr("Choose below who is protected; then grids are recommended.")
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def no_public_counts(session: Session) -> Reason | None:
    if session.draft.relation is not Relation.USER:
        return None
    return Reason(
        what=_tr("With “Presence too” no count is public"),
        mend=_tr("Counts must not decide a grid, a method or a budget. Plan from public figures."),
    )


def one_grid(session: Session) -> Reason | None:
    """A contribution table holds one grid, and no record that another one could be counted from."""
    if session.table is None:
        return None
    return Reason(
        what=_tr("A contribution table knows its own grid alone"),
        mend=_tr("To compare resolutions and timeslots, open records or a table for each."),
    )


def read_otherwise(session: Session) -> Reason | None:
    """Places, groups and filters need columns that the records were not read with, yet or ever."""
    if not session.reading_differs:
        return None
    return Reason(what=_tr("The records were not read with the columns that this choice needs"))


def no_joint_total(session: Session) -> Reason | None:
    """A joint release has nothing to share out among users who are in one HAT each."""
    if session.draft.unit is not Unit.VEHICLE_HAT_DAY:
        return None
    return Reason(
        what=_tr("One visit of a vehicle lies in one hexagon slot, so there is no total to divide"),
        mend=_tr("Protect a vehicle, or a day of it."),
    )


def no_joint_query(session: Session) -> Reason | None:
    """Only one total for all hexagon slots is shared out over a grid."""
    query = session.draft.compared
    if query is not None and query.joint and not query.parameters.get(REGIONS, False):
        return None
    return Reason(what=_tr("Grids are compared for shares, or for a mean by Tokens without regions"))


def no_mean(session: Session) -> Reason | None:
    if session.draft.mean is not None:
        return None
    return Reason(
        what=_tr("The release has no mean"), mend=_tr("Methods are compared by the means that they publish.")
    )


# constants of relation user


def constants_not_asked(session: Session) -> Reason | None:
    """Only a mean of which C bounds what counts has constants to choose by their error."""
    draft = session.draft
    if draft.relation is Relation.USER and draft.mean is not None and not draft.mean.takes_public_counts:
        return None
    return Reason(
        what=_tr("No constant to choose here"),
        mend=_tr(
            "With “Presence too”, for the bounded mean, errors are shown against the hexagon slots per "
            "vehicle."
        ),
    )


def unit_open(session: Session) -> Reason | None:
    if session.draft.unit is not None:
        return None
    return Reason(
        what=_tr("How much of a vehicle is protected is not chosen yet"),
        mend=_tr("Choose it under Who is protected."),
    )


def prior_unstated(session: Session) -> Reason | None:
    """Without public counts, or without the number of vehicles, no error can be expected of a C."""
    prior = session.draft.prior
    if prior.enough and (prior.fleet or prior.source.path):  # a timetable tells it, a file is refused by name
        return None
    return Reason(
        what=_tr("Public estimates are missing"),
        mend=_tr(
            "Estimate how many vehicles there are and how many a hexagon sees in one slot, or name "
            "public counts."
        ),
    )


# curves of errors


def no_curves_of_relation(session: Session) -> Reason | None:
    relation = session.draft.relation
    if any(relation in series.mechanism.relations for series in all_series()):
        return None
    return Reason(
        what=_tr("No error curves for this protection"),
        mend=_tr("With “Presence too” nothing may follow from exact counts."),
    )


def curves_unplanned(session: Session) -> Reason | None:
    shown = session.forecast
    planned = shown is not None and shown.plans and shown.users is not None
    return None if planned else still_planning()


def chosen_hat_empty(session: Session) -> Reason | None:
    contributions, overview, hat = session.contributions, session.overview, session.chosen.hat
    if contributions is None or overview is None or hat is None or index_of(overview, hat) >= 0:
        return None
    return Reason(
        what=_tr("{hat} holds no records").format(hat=hat_name(hat, contributions.window.grid)),
        mend=_choose_another(),
    )


def not_evaluated(session: Session) -> Reason | None:
    """Nobody has confirmed in this window to see true errors of the population that the draft charges."""
    if session.draft.population in session.ledger.evaluated_populations:
        return None
    return Reason(
        what=_tr("Not confirmed yet"),
        mend=_tr("Choose this source once more to confirm that you want to see true errors."),
    )


def index_of(overview: HatOverview, hat: tuple[str, int]) -> int:
    """Which HAT with records this (cell, slot) is; -1 for none."""
    cell, slot = hat
    candidates = np.flatnonzero(overview.slots == slot).tolist()
    return next((index for index in candidates if overview.cells[index] == cell), -1)


def _choose_another() -> str:
    return _tr("Choose another one on the map or in the table.")


def hat_name(hat: tuple[str, int], grid: SlotGrid) -> str:
    """A HAT (cell, slot) in words."""
    cell, slot = hat
    return _tr("Hexagon {cell} at {time}").format(cell=cell, time=slot_in_words(grid, slot))


# suppression of users


def counts_protected(session: Session) -> Reason | None:
    if session.draft.relation is Relation.VALUES:
        return None
    return Reason(
        what=_tr("No suppression with “Presence too”"),
        mend=_tr(
            "Which vehicle leaves which hexagon slot follows from exact counts, and these are protected."
        ),
    )


def one_hat_a_user(session: Session) -> Reason | None:
    if session.draft.unit is not Unit.VEHICLE_HAT_DAY:
        return None
    return Reason(
        what=_tr("Nothing to suppress"),
        mend=_tr(
            "One visit of a vehicle lies in one hexagon slot. Suppression is for a vehicle, or a day of it."
        ),
    )


def users_unplanned(session: Session) -> Reason | None:
    """A forecast of the unit before is replaced as soon as planning ends."""
    shown = session.forecast
    if shown is None or shown.users is None or shown.selection is None:
        return still_planning()
    return None if shown.users.unit is session.draft.unit else still_planning()


def nothing_published(session: Session) -> Reason | None:
    shown, overview = session.forecast, session.overview
    if shown is None or shown.selection is None or overview is None:
        return None
    if published_hats(shown.selection.index, overview.vehicles, session.draft.minimum_vehicles).any():
        return None
    return Reason(
        what=_tr("No hexagon slot would be published"), mend=_tr("Select others in step Parameters.")
    )


# released distributions


def no_distribution_released(session: Session) -> Reason | None:
    release = session.release.shown
    if released_distribution(release) is not None:
        return None
    return Reason(
        what=_tr("No released distribution yet"),
        mend=_tr("Release a query with the statistic “{title}”, and look here again.").format(
            title=core_text(CDF.of(session.quantity).title)
        ),
    )


def no_hat_chosen(session: Session) -> Reason | None:
    if session.chosen.hat is not None:
        return None
    return Reason(what=_tr("No hexagon slot is chosen"), mend=_tr("Choose one on the map or in the table."))


def chosen_hat_unreleased(session: Session) -> Reason | None:
    release = session.release.shown
    query, hat = released_distribution(release), session.chosen.hat
    if release is None or query is None or hat is None:
        return None
    row = released_row(release, query, hat)
    if row is not None and row.estimates:
        return None
    what = _tr("{hat} is not in the release") if row is None else _tr("{hat} is suppressed")
    return Reason(what=what.format(hat=hat_name(hat, release.grid)), mend=_choose_another())


TYPED_WINDOW: Final[tuple[Guard, ...]] = (zone_untyped, dates_untyped)
"""What has to be typed in relation `user` before records are counted."""
TYPED_HEXAGONS: Final[tuple[Guard, ...]] = (*TYPED_WINDOW, candidates_unnamed)
"""What has to be typed in relation `user` before hexagons are known."""
DERIVED: Final[tuple[Guard, ...]] = (values_derived, crosses_midnight)
"""What derived speeds cannot be released under."""
PARAMETERS: Final[tuple[Guard, ...]] = (
    no_data,
    privacy_open,
    *TYPED_HEXAGONS,
    selection_unfit,
    selection_pending,
    zone_differs,
    reading_differs,
    *DERIVED,
    no_delta,
    plan_unfit,
    input_refused,
    unconfirmed,
    no_population,
)
"""Before the step *Parameters* is done."""
ERRORS: Final[tuple[Guard, ...]] = (no_data, unplanned_without_delta, unplanned)
RELEASE: Final[tuple[Guard, ...]] = (no_data, parameters_open, ledger_refuses)
REVIEW: Final[tuple[Guard, ...]] = (busy, ledger_refuses, no_key)
"""Once every step before the release is done."""
BUDGET: Final[tuple[Guard, ...]] = (without_limit, another_relation, another_zone, over_budget)
"""What the ledger would refuse."""
CONFIRMATION: Final[tuple[Guard, ...]] = (confirmation_needs_privacy, confirmation_needs_hexagons)
ERROR_SUMMARY: Final[tuple[Guard, ...]] = (no_delta, draft_unfit, errors_need_privacy)
ERROR_CURVES: Final[tuple[Guard, ...]] = (
    no_data,
    noise_needs_privacy,
    no_curves_of_relation,
    draft_unfit,
    curves_unplanned,
    chosen_hat_empty,
)
"""Of the loaded records."""
CONSTANT_CURVES: Final[tuple[Guard, ...]] = (
    no_data,
    constants_not_asked,
    *TYPED_HEXAGONS,
    unit_open,
    prior_unstated,
)
"""Errors against the constants of relation `user`."""
COMPARED_COUNTS: Final[tuple[Guard, ...]] = (no_data, window_empty)
"""Histograms and shares of the loaded records."""
COMPARED_GRIDS: Final[tuple[Guard, ...]] = (
    no_data,
    total_needs_privacy,
    no_public_counts,
    no_joint_total,
    no_joint_query,
    one_grid,
    read_otherwise,
)
"""At one total."""
COMPARED_METHODS: Final[tuple[Guard, ...]] = (
    no_data,
    total_needs_privacy,
    no_public_counts,
    no_joint_total,
    no_mean,
    selection_unfit,
    users_unplanned,
    nothing_published,
    busy,
)
"""Of the whole city."""
SUPPRESSION: Final[tuple[Guard, ...]] = (
    no_data,
    occupancy_needs_privacy,
    counts_protected,
    one_hat_a_user,
    draft_unfit,
    users_unplanned,
    nothing_published,
)
RELEASED_DISTRIBUTION: Final[tuple[Guard, ...]] = (
    no_distribution_released,
    no_hat_chosen,
    chosen_hat_unreleased,
)
