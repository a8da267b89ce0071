"""What is not typed or chosen yet in step *Parameters*: zone, dates, candidates, delta, hexagons."""

from __future__ import annotations

import dataclasses
from typing import Final

from core.accounting.zcdp import USUAL_DELTA
from core.errors import HexveilError, InputError
from core.privacy import Relation
from core.release.prepare_publish import (
    require_derived_by_day,
    require_measured_table,
    require_measured_values,
)
from ui.language.translation import translator
from ui.session.guards.protection import (
    confirmation_needs_privacy,
    errors_need_privacy,
    is_open,
    privacy_open,
)
from ui.session.guards.reasons import (
    Guard,
    Reason,
    first_reason,
    in_step,
    no_data,
    noted,
    reason_of,
    still_planning,
    waits_for,
)
from ui.session.session import Session
from ui.session.step_notes import parameters_title

_tr = translator("Guards")
_CONSTANT = "privacy.hats_per_vehicle"


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
    if is_open(session):
        return dataclasses.replace(still_planning(), note=waits_for(parameters_title()))
    reason = selection_unfit(session) or plan_unfit(session) or draft_unfit(session)
    return dataclasses.replace(still_planning(), note=_tr("working")) if reason is None else reason


def _is_selected(session: Session) -> bool:
    return session.forecast is not None and session.forecast.selection is not None


def _unfit(session: Session, problem: HexveilError) -> Reason:
    """A problem of the draft; what is only to be typed is so in a few words."""
    text = reason_of(problem)
    if isinstance(problem, InputError) and problem.where == _CONSTANT and not session.draft.hats_per_vehicle:
        return dataclasses.replace(text, note=_tr("type how many hexagon slots count"))
    return text


def confirmation_needs_hexagons(session: Session) -> Reason | None:
    text = _tr("Select hexagons first; the statement to confirm then appears here.")
    return None if _is_selected(session) else Reason(what=text)


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
        return dataclasses.replace(reason_of(error), note=note)
    return None


def crosses_midnight(session: Session) -> Reason | None:
    """The core would refuse a table whose derived speeds may follow from the day before."""
    if session.table is None or session.draft.unit is None:
        return None
    try:
        require_derived_by_day(session.table.table, session.draft.unit)
    except InputError as error:
        return reason_of(error)
    return None


def input_refused(session: Session) -> Reason | None:
    """A field shows what is not in the draft: all figures are of what it showed before."""
    error = session.refused.first
    if error is None:
        return None
    return dataclasses.replace(reason_of(error), note=_tr("an input was refused"))


def unconfirmed(session: Session) -> Reason | None:
    """What is confirmed is shown once hexagons are selected: what they lack comes first."""
    if session.draft.confirmed:
        return None
    return first_reason(session, (*TYPED_HEXAGONS, selection_unfit)) or noted(_tr("confirm the sentence"))


def no_population(session: Session) -> Reason | None:
    """None is chosen, or the one that a spec names has no budget yet."""
    name = session.draft.population
    if not name:
        return noted(_tr("choose a population"))
    if session.ledger.population is None:
        return noted(_tr("set a limit for {population}").format(population=name))
    return None


def parameters_open(session: Session) -> Reason | None:
    reason = first_reason(session, PARAMETERS)
    return reason and in_step(parameters_title(), reason)


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
CONFIRMATION: Final[tuple[Guard, ...]] = (confirmation_needs_privacy, confirmation_needs_hexagons)
ERROR_SUMMARY: Final[tuple[Guard, ...]] = (no_delta, draft_unfit, errors_need_privacy)
