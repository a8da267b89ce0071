"""What a ledger shows: populations, limits, entries, and how many further releases fit; no draws.

Source: method 13 (what exports omit), method 15 (`ledger show`, `ledger export`).
"""

from __future__ import annotations

import datetime as dt
import functools
import operator
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from core.accounting.epsilon_rounding import plain
from core.accounting.ledger_events import CommonTerms, Noticed, PolicySet
from core.accounting.ledger_rules import LARGEST_DELTA
from core.accounting.ledger_state import (
    ZERO,
    Entry,
    EntryState,
    LedgerState,
    Population,
    costliest,
    delta_of,
    limits,
)
from core.accounting.privacy_loss import NO_LOSS, UNBOUNDED, PrivacyLoss, loss_of, losses_by_date, sum_of
from core.codec import to_json
from core.privacy import Charge, Relation, Unit

EXPORT_FORMAT = 1
MOST_MORE = 100
"""Further releases that a ledger's limits are said to allow: beyond, a budget is no matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySummary(CommonTerms):
    """One entry that a population pays for; of another one's name when it is charged through a link."""

    number: int
    reserved_on: dt.date
    """UTC."""
    dates: tuple[dt.date, ...]
    charge: Charge
    state: EntryState
    bundles: tuple[str, ...]
    """Names of the published bundles."""
    notices: tuple[Noticed, ...] = ()
    """What the publisher said of them since, in order."""

    def notice_on(self, bundle: str) -> Noticed | None:
        """The newest notice on a bundle; None where there is none."""
        return next((notice for notice in reversed(self.notices) if notice.bundle == bundle), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSummary:
    """A population's budget. All amounts are exact decimals of epsilon, with rho at `shared_delta`.

    Linked populations have one budget: what any of them ever spent, and the smallest of their limits and
    deltas. Where rho was spent and one of them allows no delta, what was spent is `UNBOUNDED`.
    """

    name: str
    relation: Relation | None
    """None until the first reservation."""
    zone: str
    """IANA name of the zone of its days; empty until the first reservation."""
    per_vehicle: Decimal | None
    """Limit per vehicle over all time; None: it has none yet, and releases nothing."""
    per_vehicle_day: Decimal | None
    """Limit per vehicle and date; None for no such limit."""
    own_per_vehicle: Decimal | None
    """Its own limit, where those linked to it may have smaller ones."""
    own_per_vehicle_day: Decimal | None
    delta: Decimal
    """Its own."""
    shared_delta: Decimal
    """The smallest of this one and of those linked to it; 0 where one of them allows no Gaussian noise."""
    vehicles: int
    """That it and those linked to it have released of; 0 in relation `user`, where no count is stated."""
    policies: tuple[PolicySet, ...]
    """The limits of all who pay together; a release must keep each of them."""
    loss: PrivacyLoss
    """What a vehicle has lost over all time, in its two parts."""
    loss_by_date: Mapping[dt.date, PrivacyLoss]
    """The same on each date with a charge."""
    spent: Decimal
    """Per vehicle over all time."""
    spent_per_day: Decimal
    """Per vehicle on the costliest date."""
    left: Decimal
    """Per vehicle; 0 when the limit is below what is spent."""
    over_limit: bool
    """Linked populations that together spent more than a limit release nothing until it is raised."""
    linked: tuple[str, ...]
    """All that share its vehicles, directly or through others."""
    different: tuple[str, ...]
    """Those that an administrator said to be of other things, whatever their ids look like."""
    evaluated_on: dt.date | None
    """When errors on its true values were first asked for, UTC; None for never."""
    entries: tuple[EntrySummary, ...]

    def epsilon_of(self, charge: Charge, unit: Unit) -> Decimal:
        """What a charge alone comes to at the shared delta."""
        return loss_of(charge, unit).epsilon_at(self.shared_delta)

    def spent_with(self, charge: Charge) -> Decimal:
        """What a vehicle would have spent over all time, with this charge too."""
        return self._with(charge).epsilon_at(self.shared_delta)

    def more_such(self, charge: Charge) -> int:
        """How many releases that cost as much the limits allow after this one, of other dates each.

        At most `MOST_MORE`. A release that costs nothing may be repeated as often.
        """
        own = loss_of(charge, Unit.VEHICLE)

        def too_many(more: int) -> bool:
            loss = sum_of([self.loss, *[own] * (more + 1)])
            return any(loss.epsilon_at(policy.delta) > policy.per_vehicle for policy in self.policies)

        return max(bisect_left(range(MOST_MORE + 1), True, key=too_many) - 1, 0)

    def lacks_delta(self, charge: Charge | None = None) -> bool:
        """Gaussian noise was bought, or would be by this charge, and one who pays allows no delta."""
        return bool(self.loss.rho or (charge and charge.rho)) and not self.shared_delta

    @property
    def delta_too_large(self) -> bool:
        """One who pays has a delta above what `set-limit` takes: nothing is released until it is lowered."""
        return any(policy.delta > LARGEST_DELTA for policy in self.policies)

    def exceeds_limit(self, charge: Charge) -> bool:
        """This charge would take a vehicle above a limit over all time."""
        return any(
            self._with(charge).epsilon_at(policy.delta) > policy.per_vehicle for policy in self.policies
        )

    def exceeds_limit_per_day(self, charge: Charge) -> bool:
        """This charge would take a vehicle above a limit on one of its dates."""
        return any(
            _exceeds(loss.epsilon_at(policy.delta), policy.per_vehicle_day)
            for policy in self.policies
            for loss in self._by_date_with(charge)
        )

    def _with(self, charge: Charge) -> PrivacyLoss:
        return self.loss + loss_of(charge, Unit.VEHICLE)

    def _by_date_with(self, charge: Charge) -> list[PrivacyLoss]:
        asked = losses_by_date(charge)
        together = [self.loss_by_date.get(date, NO_LOSS) + loss for date, loss in asked.items()]
        return [loss_of(charge, Unit.VEHICLE_DAY), *together]


def summarise_populations(state: LedgerState) -> tuple[PopulationSummary, ...]:
    """Every population, by name."""
    entries: dict[str, list[EntrySummary]] = {name: [] for name in state.populations}
    for entry in map(_entry, state.entries):
        for payer in state.group(entry.population):
            entries[payer.name].append(entry)
    return tuple(_summary(state, one, entries[one.name]) for one in state.populations.values())


def _summary(
    state: LedgerState, population: Population, entries: Sequence[EntrySummary]
) -> PopulationSummary:
    name, policy = population.name, population.policy
    zone, group = state.zone_of(name), state.group(name)
    smallest, delta = limits(group), delta_of(group)
    policies = tuple(member.policy for member in group if member.policy)
    spending = state.spending_of(name, zone)
    loss, by_date = spending.per_vehicle, spending.by_date
    spent, limit = loss.epsilon_at(delta), smallest[Unit.VEHICLE]
    return PopulationSummary(
        name=name,
        relation=state.relation_of(name),
        zone=zone,
        per_vehicle=limit,
        per_vehicle_day=smallest[Unit.VEHICLE_DAY],
        own_per_vehicle=policy.per_vehicle if policy else None,
        own_per_vehicle_day=policy.per_vehicle_day if policy else None,
        delta=policy.delta if policy else ZERO,
        shared_delta=delta,
        vehicles=0
        if state.relation_of(name) is Relation.USER
        else len(functools.reduce(operator.or_, (member.vehicles for member in group))),
        policies=policies,
        loss=loss,
        loss_by_date=by_date,
        spent=spent,
        spent_per_day=costliest(by_date.values(), delta).epsilon_at(delta),
        left=ZERO if limit is None else max(limit - spent, ZERO),
        over_limit=bool(population.linked) and any(_is_over(one, loss, by_date) for one in policies),
        linked=population.linked,
        different=population.different,
        evaluated_on=population.evaluated_on,
        entries=tuple(entries),
    )


def _is_over(policy: PolicySet, loss: PrivacyLoss, by_date: Mapping[dt.date, PrivacyLoss]) -> bool:
    per_date = costliest(by_date.values(), policy.delta).epsilon_at(policy.delta)
    return loss.epsilon_at(policy.delta) > policy.per_vehicle or _exceeds(per_date, policy.per_vehicle_day)


def _exceeds(spent: Decimal, limit: Decimal | None) -> bool:
    return limit is not None and spent > limit


def _entry(entry: Entry) -> EntrySummary:
    terms = {one.name: getattr(entry.terms, one.name) for one in fields(CommonTerms)}
    return EntrySummary(
        **terms | {"zone": entry.zone},
        number=entry.number,
        reserved_on=entry.reserved_on,
        dates=entry.dates,
        charge=entry.charge,
        state=entry.state,
        bundles=tuple(published.bundle for published in entry.bundles),
        notices=entry.notices,
    )


def export_json(populations: Sequence[PopulationSummary]) -> dict[str, Any]:
    """Populations and their entries as plain JSON values; amounts and dates become text."""
    entries = {entry.number: entry for population in populations for entry in population.entries}
    return {
        "format": EXPORT_FORMAT,
        "populations": [_population_json(population) for population in populations],
        "entries": [_entry_json(entries[number]) for number in sorted(entries)],
    }


def _population_json(population: PopulationSummary) -> dict[str, Any]:
    return {
        "name": population.name,
        "relation": population.relation and population.relation.value,
        "zone": population.zone or None,
        "limit_per_vehicle": _optional(population.per_vehicle),
        "limit_per_vehicle_day": _optional(population.per_vehicle_day),
        "own_limit_per_vehicle": _optional(population.own_per_vehicle),
        "own_limit_per_vehicle_day": _optional(population.own_per_vehicle_day),
        "delta": plain(population.delta),
        **_rho_json(population),
        "spent_per_vehicle": _optional(population.spent),
        "spent_per_vehicle_day": _optional(population.spent_per_day),
        "left_per_vehicle": plain(population.left),
        "linked": list(population.linked),
        **({"different": list(population.different)} if population.different else {}),
        "evaluated_on": population.evaluated_on and population.evaluated_on.isoformat(),
        "entries": [entry.number for entry in population.entries],
    }


def _rho_json(population: PopulationSummary) -> dict[str, Any]:
    """What the spent epsilon was converted from; nothing where there is no rho."""
    if not population.loss.rho:
        return {}
    return {
        "shared_delta": plain(population.shared_delta),
        "spent_pure_per_vehicle": plain(population.loss.pure),
        "spent_rho_per_vehicle": plain(population.loss.rho),
    }


def _optional(amount: Decimal | None) -> str | None:
    """Null for none, and for what has no bound."""
    return None if amount in (None, UNBOUNDED) else plain(amount)


def _entry_json(entry: EntrySummary) -> dict[str, Any]:
    return {
        "entry": entry.number,
        "population": entry.population,
        "charged": list(entry.charged),
        "reserved_on": entry.reserved_on.isoformat(),
        "relation": entry.relation.value,
        "unit": entry.unit.value,
        "dates": [date.isoformat() for date in entry.dates],
        "hours": list(entry.hours),
        "zone": entry.zone or None,
        "mechanisms": list(entry.mechanisms),
        "epsilons": dict(entry.epsilons),
        "constants": dict(entry.constants),
        "code_version": entry.code_version,
        "charge": to_json(entry.charge),
        "state": entry.state.value,
        "bundles": list(entry.bundles),
        **({"notices": [to_json(notice) for notice in entry.notices]} if entry.notices else {}),
    }
