"""No limit yet, or what the ledger would refuse: another zone or relation, more epsilon than is left."""

from __future__ import annotations

import dataclasses
from typing import Final

from core.accounting.ledger_rules import LARGEST_DELTA
from core.privacy import Unit
from ui.kit.spec_words import relation_word
from ui.language.translation import translator
from ui.session.draft_charge import (
    asked_before_reading,
    draft_charge,
    left_epsilon,
    shown_charge,
    shown_epsilon,
    unrounded_epsilon,
)
from ui.session.guards.parameters import parameters_open
from ui.session.guards.reasons import Guard, Reason, busy, first_reason, no_data
from ui.session.session import Session

_tr = translator("Guards")


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


RELEASE: Final[tuple[Guard, ...]] = (no_data, parameters_open, ledger_refuses)
REVIEW: Final[tuple[Guard, ...]] = (busy, ledger_refuses, no_key)
"""Once every step before the release is done."""
BUDGET: Final[tuple[Guard, ...]] = (without_limit, another_relation, another_zone, over_budget)
"""What the ledger would refuse."""
