"""When the ledger refuses a population: its limit, relation, zone, delta, links, name; an entry's state.

Source: method 13.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import shlex
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

from core.accounting.epsilon_rounding import delta_text, plain
from core.accounting.ledger_events import Different, Linked, PolicySet, ReservationRequest, Reserved
from core.accounting.ledger_state import (
    ZERO,
    Entry,
    EntryState,
    LedgerState,
    Population,
    costliest,
    cumulative_charge,
    delta_of,
    limits,
)
from core.accounting.privacy_loss import NO_LOSS, PrivacyLoss, loss_of, losses_by_date
from core.accounting.vehicle_marks import VehicleMarks, marks_of
from core.accounting.zcdp import USUAL_DELTA
from core.counted import count_of
from core.errors import BudgetRefused, InputError, LedgerError
from core.privacy import Relation, Unit
from core.system.paths import program_name
from core.texts import joined, text_of

NAME_LENGTH = 80
LARGEST_DELTA = Decimal("0.001")
"""With that probability the guarantee may fail; above, an epsilon says next to nothing."""


def clean_name(name: str) -> str:
    """A population's name, stripped and in one Unicode form. Raises InputError when it is unusable."""
    cleaned = unicodedata.normalize("NFC", name.strip())
    if not cleaned or len(cleaned) > NAME_LENGTH or not cleaned.isprintable():
        raise InputError(
            "This cannot be the name of a population.",
            where="population",
            mend=text_of("write 1 to {name_length} printable characters", name_length=NAME_LENGTH),
        )
    return cleaned


def check_limits(*, per_vehicle: Decimal, per_vehicle_day: Decimal | None, delta: Decimal) -> None:
    """Raises InputError for limits that are not finite and non-negative, and for a delta above 0.001."""
    given = {"per vehicle": per_vehicle, "per vehicle and day": per_vehicle_day, "delta": delta}
    for name, amount in given.items():
        if amount is not None and not (amount.is_finite() and amount >= 0):
            raise InputError(
                "A limit must be a finite number of at least 0.", where=name, mend='write for instance "10"'
            )
    if delta > LARGEST_DELTA:
        raise InputError(
            "Delta is above {largest_delta}: with that probability the guarantee may fail.",
            largest_delta=LARGEST_DELTA,
            where="delta",
            mend=text_of(
                'write "0", which allows Laplace noise only, or for instance "{usual_delta}"',
                usual_delta=USUAL_DELTA,
            ),
        )


def delta_warning(delta: Decimal, vehicles: int) -> str:
    """Said of a delta above one divided by the number of vehicles. Empty otherwise."""
    if delta * vehicles <= 1:
        return ""
    return text_of(
        "A delta of {delta} is above one divided by the {counted_vehicles} that the ledger has seen: the "
        "guarantee may fail for one of them. Choose a smaller one, for instance {usual_delta}.",
        delta=delta_text(delta),
        counted_vehicles=count_of(vehicles, "vehicle"),
        usual_delta=USUAL_DELTA,
    )


def known_population(state: LedgerState, name: str) -> Population:
    """The population. Raises BudgetRefused when no limit has been set: then nothing is released."""
    if name not in state.populations or state.populations[name].policy is None:
        raise BudgetRefused(
            'The population "{name}" has no limit, and without a limit nothing is released.',
            name=name,
            where=_where(name),
            mend=text_of(
                "an administrator sets one: {name} --per-vehicle X", name=_command("set-limit", name)
            ),
        )
    return state.populations[name]


def was_evaluated(state: LedgerState, name: str) -> bool:
    """Whether errors on true values were asked for of a population, or of one that shares its vehicles."""
    return name in state.populations and any(one.evaluated_on is not None for one in state.group(name))


def refuse_relation(state: LedgerState, population: Population, relation: Relation) -> None:
    """Raises BudgetRefused when earlier entries, its own or of those linked to it, fixed another relation."""
    fixed = state.relation_of(population.name)
    if fixed not in (None, relation):
        raise BudgetRefused(
            'The population "{name}" has the relation "{fixed}", fixed by its first release, or by one of a '
            'population linked to it; this release asks for "{relation}".',
            name=population.name,
            fixed=fixed,
            relation=relation,
            where=_where(population.name),
            mend=text_of(
                'choose relation "{fixed}", or name another population of other vehicles', fixed=fixed
            ),
        )


def refuse_zone(state: LedgerState, population: Population, zone: str) -> None:
    """Raises BudgetRefused when earlier entries, its own or of those linked to it, fixed another zone.

    The days of two zones overlap: a vehicle could pay half of a day's charge under each of two dates.
    """
    fixed = state.zone_of(population.name)
    if fixed not in ("", zone):
        raise BudgetRefused(
            'The population "{name}" counts its days in the zone "{fixed}", fixed by its earlier releases, '
            'or by those of a population linked to it; this release counts them in "{zone}".',
            name=population.name,
            fixed=fixed,
            zone=zone,
            where=_where(population.name) + "; data.zone",
            mend=text_of(
                'choose the zone "{fixed}" for the data, or name another population of other vehicles',
                fixed=fixed,
            ),
        )


def refuse_large_delta(group: list[Population]) -> None:
    """Raises BudgetRefused where one who pays has a delta from before there was a largest one."""
    for policy in _policies(group):
        if policy.delta > LARGEST_DELTA:
            raise BudgetRefused(
                'The population "{population}" has a delta of {delta}, above {largest_delta}: with that '
                "probability the guarantee may fail. It releases nothing until its delta is lowered.",
                population=policy.population,
                delta=plain(policy.delta),
                largest_delta=LARGEST_DELTA,
                where=_where(policy.population),
                mend=text_of(
                    "an administrator lowers it: {policy}",
                    policy=_limit_line(dataclasses.replace(policy, delta=Decimal(USUAL_DELTA))),
                ),
            )


def refuse_without_delta(group: list[Population], loss: PrivacyLoss) -> None:
    """Raises BudgetRefused where rho is or would be spent and one who pays allows no Gaussian noise."""
    for policy in _policies(group):
        if loss.rho and not policy.delta:
            raise BudgetRefused(
                'The population "{population}" allows no Gaussian noise: its delta is 0, at which the '
                "epsilon of such noise, of this release or of earlier ones, has no bound.",
                population=policy.population,
                where=_where(policy.population),
                mend=text_of(
                    "choose Laplace noise where none was spent yet, or an administrator allows a delta: "
                    "{policy}",
                    policy=_limit_line(dataclasses.replace(policy, delta=Decimal(USUAL_DELTA))),
                ),
            )


def refuse_over_limit(state: LedgerState, group: list[Population]) -> None:
    """Raises BudgetRefused when linked populations together have spent more than one of them may.

    A single population comes over a limit only when that is lowered: its other dates stay free.
    """
    if len(group) < 2:
        return
    name = group[0].name
    spending = state.spending_of(name, state.zone_of(name))
    for policy in _policies(group):
        for limit, loss, what in (
            (policy.per_vehicle, spending.per_vehicle, "over all time"),
            (
                policy.per_vehicle_day,
                costliest(spending.by_date.values(), policy.delta),
                "and day, on the costliest date",
            ),
        ):
            spent = loss.epsilon_at(policy.delta)
            if limit is not None and spent > limit:
                raise BudgetRefused(
                    'The population "{population}" and those linked to it have spent more than its limit, '
                    "and release nothing until it is raised. Epsilon per vehicle {what}: limit {limit}, "
                    "spent {spent}{policy}.",
                    population=policy.population,
                    what=what,
                    limit=plain(limit),
                    spent=plain(spent),
                    policy=_at(policy, loss),
                    where=_where(policy.population),
                    mend=text_of(
                        "an administrator raises the limit; it is now {policy}", policy=_limit_line(policy)
                    ),
                )


def refuse_per_vehicle(state: LedgerState, group: list[Population], asked: PrivacyLoss, *, what: str) -> None:
    """Raises BudgetRefused when `asked` exceeds what is left per vehicle over all time.

    group: a population and those linked to it; each entry of one of them counts against all their limits.
    """
    spent = state.spent_per_vehicle(group[0].name)
    for policy in _policies(group):
        if (spent + asked).epsilon_at(policy.delta) > policy.per_vehicle:
            raise BudgetRefused(
                'The privacy budget of the population "{population}" does not allow {what}. Epsilon per '
                "vehicle over all time: {policy}.",
                population=policy.population,
                what=what,
                policy=_figures(policy, policy.per_vehicle, spent, asked),
                where=_where(policy.population),
                mend=_mend(policy),
            )


def _refuse_per_vehicle_day(state: LedgerState, group: list[Population], request: ReservationRequest) -> None:
    by_date = state.spending_of(group[0].name, request.zone).by_date
    charged = losses_by_date(request.charge)
    # Maxima of several queries add, so that the charge per vehicle-day can exceed that of every date.
    pairs = [(NO_LOSS, loss_of(request.charge, Unit.VEHICLE_DAY))]
    pairs += [(by_date.get(date, NO_LOSS), charged.get(date, NO_LOSS)) for date in request.dates]
    for policy in _policies(group):
        limit = policy.per_vehicle_day
        if limit is None:
            continue
        delta = policy.delta
        spent, asked = max(pairs, key=lambda pair: (pair[0] + pair[1]).epsilon_at(delta))
        if (spent + asked).epsilon_at(delta) > limit:
            raise BudgetRefused(
                'The privacy budget of the population "{population}" does not allow this release. Epsilon '
                "per vehicle and day, on the costliest date: {policy}.",
                population=policy.population,
                policy=_figures(policy, limit, spent, asked),
                where=_where(policy.population),
                mend=_mend(policy),
            )


def _figures(policy: PolicySet, limit: Decimal, spent: PrivacyLoss, asked: PrivacyLoss) -> str:
    """The limit, what was spent, and what is asked: with rho, all of it together, since epsilons of rho
    do not add.
    """
    delta, together = policy.delta, spent + asked
    amounts = text_of(
        "limit {limit}, spent {delta}", limit=plain(limit), delta=plain(spent.epsilon_at(delta))
    )
    if together.rho:
        return text_of(
            "{amounts}, with this release {delta}{policy}",
            amounts=amounts,
            delta=plain(together.epsilon_at(delta)),
            policy=_at(policy, together),
        )
    return text_of("{amounts}, asked {pure}", amounts=amounts, pure=plain(asked.pure))


def _at(policy: PolicySet, loss: PrivacyLoss) -> str:
    """At which delta a figure holds; empty for a pure one."""
    return text_of(" (at delta {delta})", delta=plain(policy.delta)) if loss.rho else ""


def _policies(group: Iterable[Population]) -> list[PolicySet]:
    return [member.policy for member in group if member.policy is not None]


def _refuse_overlap(
    state: LedgerState, population: Population, vehicles: VehicleMarks, request: ReservationRequest
) -> None:
    together = population.vehicles | vehicles
    allowed = {population.name, *population.linked, *population.different}
    for other in state.populations.values():
        if other.name in allowed:
            continue
        # Both: a small request must not hide among many earlier vehicles, nor many requests add up.
        if vehicles.overlap(other.vehicles) or together.overlap(other.vehicles):
            raise BudgetRefused(
                'More than 5 % of the vehicles of the population "{name}" also belong to the population '
                '"{name2}"; another name does not give them another budget.',
                name=population.name,
                name2=other.name,
                where=_where(population.name),
                mend=_mend_overlap(state, population, other, request),
            )


def _mend_overlap(
    state: LedgerState, population: Population, other: Population, request: ReservationRequest
) -> str:
    """A link is proposed only where what both spend can be added up."""
    relation, zone = state.relation_of(other.name), state.zone_of(other.name)
    different = _command("different", population.name, other.name)
    if relation in (None, request.relation) and zone in ("", request.zone):
        return text_of(
            'release under "{name}", or an administrator lets both pay for what either releases: '
            "{name2}; if they are different things whose ids look alike, an administrator says so: "
            "{name3}",
            name=other.name,
            name2=_command("link", population.name, other.name),
            name3=different,
        )
    return text_of(
        'release under "{name}", with its relation "{relation}" and its zone "{zone}": nothing else can be '
        "added to what it spent; if they are different things whose ids look alike, an administrator says "
        "so: {command}",
        name=other.name,
        relation=relation or request.relation,
        zone=zone or request.zone,
        command=different,
    )


def decide_link(state: LedgerState, first: str, second: str) -> Linked | None:
    """The link of two populations; None where they are linked. Raises BudgetRefused.

    Charges of different relations, or of the days of different zones, cannot be added.
    """
    one, other = known_population(state, first), known_population(state, second)
    if other.name in one.linked:
        return None
    together = [*state.group(first), *state.group(second)]
    for what, fixed in (
        ("relations", sorted({member.relation.value for member in together if member.relation})),
        ("zones", sorted({member.zone for member in together if member.zone})),
    ):
        if len(fixed) > 1:
            raise BudgetRefused(
                'The populations "{first}" and "{second}" have different {what}, {fixed}: what they spent '
                "cannot be added up.",
                first=first,
                second=second,
                what=what,
                fixed=joined(" and ", fixed),
                where=_where(first),
                mend="release the vehicles that both have under one of the two names only",
            )
    return Linked(populations=(first, second))


def decide_different(state: LedgerState, first: str, second: str) -> Different | None:
    """That two populations are of different things; None where that is known. Raises BudgetRefused."""
    one, other = known_population(state, first), known_population(state, second)
    if other.name in one.linked:
        raise BudgetRefused(
            'The populations "{first}" and "{second}" are linked: they share their vehicles for good.',
            first=first,
            second=second,
            where=_where(first),
            mend="give the different things a population of their own",
        )
    return None if other.name in one.different else Different(populations=(first, second))


def decide_known(
    state: LedgerState,
    name: str,
    relation: Relation,
    zone: str,
    *,
    per_vehicle: Decimal | None,
    least: Decimal,
) -> None:
    """The check before data are read. Raises BudgetRefused.

    per_vehicle: the charge where it is known without data; least: the cost of one HAT otherwise.
    """
    population = known_population(state, name)
    refuse_relation(state, population, relation)
    refuse_zone(state, population, zone)
    group = state.group(name)
    refuse_large_delta(group)
    refuse_without_delta(group, state.spent_per_vehicle(name))
    refuse_over_limit(state, group)
    asked, what = (least, "even one hexagon slot") if per_vehicle is None else (per_vehicle, "this release")
    refuse_per_vehicle(state, group, PrivacyLoss(asked), what=what)


def _decide_payers(
    state: LedgerState, request: ReservationRequest, vehicles: VehicleMarks
) -> list[Population]:
    """Who pays for a request of these vehicles, itself first. Raises BudgetRefused."""
    population = known_population(state, clean_name(request.population))
    refuse_relation(state, population, request.relation)
    refuse_zone(state, population, request.zone)
    _refuse_overlap(state, population, vehicles, request)
    paying, asked = state.group(population.name), loss_of(request.charge, Unit.VEHICLE)
    refuse_large_delta(paying)
    refuse_without_delta(paying, state.spent_per_vehicle(population.name) + asked)
    refuse_over_limit(state, paying)
    refuse_per_vehicle(state, paying, asked, what="this release")
    _refuse_per_vehicle_day(state, paying, request)
    return paying


def decide_reservation(state: LedgerState, request: ReservationRequest, *, today: dt.date) -> Reserved:
    """The check of the exact charge: the reservation that answers `request`. Raises BudgetRefused."""
    vehicles = marks_of(state.vehicle_key, request.vehicles, request.other_texts)
    paying = _decide_payers(state, request, vehicles)
    population = paying[0]
    spent, delta = state.spending_of(population.name, request.zone), delta_of(paying)
    parts = cumulative_charge(spent, request.charge, request.dates, delta)
    converted = any(loss.rho for loss in parts.values())
    earlier = spent.smallest_delta
    return Reserved(
        entry=len(state.entries) + 1,
        population=population.name,
        charged=tuple(payer.name for payer in paying),
        relation=request.relation,
        unit=request.unit,
        dates=request.dates,
        hours=request.hours,
        mechanisms=request.mechanisms,
        epsilons=request.epsilons,
        constants=request.constants,
        code_version=request.code_version,
        charge=request.charge,
        allowances=request.allowances,
        reserved_on=today,
        cumulative={unit: loss.epsilon_at(delta) for unit, loss in parts.items()},
        cumulative_parts=parts if converted else {},
        delta=delta if converted else ZERO,
        delta_before=earlier if converted and earlier < delta else ZERO,
        limits=limits(paying),
        zone=request.zone,
        evaluated=was_evaluated(state, population.name),
        fingerprint=request.fingerprint,
        spec_fingerprint=request.spec_fingerprint,
        place_fingerprint=request.place_fingerprint,
        new_vehicles=vehicles - population.vehicles,
    )


def require_state(entry: Entry, *allowed: EntryState) -> None:
    """Raises LedgerError unless the entry is in one of the `allowed` states."""
    if entry.state not in allowed:
        raise LedgerError(
            'Entry {entry} of the ledger is "{state}", which does not allow this step.',
            entry=entry.number,
            state=entry.state,
            where=_where(entry.terms.population),
            mend="run the release again: stored draws are published again at no cost",
        )


def _where(name: str) -> str:
    return text_of('ledger, population "{name}"', name=name)


def _mend(policy: PolicySet) -> str:
    return text_of(
        "choose a lower epsilon or fewer hexagon slots, or an administrator raises the limit; it is now "
        "{policy}",
        policy=_limit_line(policy),
    )


def _limit_line(policy: PolicySet) -> str:
    """The line that sets the limits as they are."""
    day = "" if policy.per_vehicle_day is None else f" --per-vehicle-day {plain(policy.per_vehicle_day)}"
    delta = f" --delta {plain(policy.delta)}" if policy.delta else ""
    limit = f" --per-vehicle {plain(policy.per_vehicle)}"
    return f"{_command('set-limit', policy.population)}{limit}{day}{delta}"


def _command(*words: str) -> str:
    verb, *names = words
    return " ".join([program_name(), "ledger", verb, *map(_quoted, names)])


def _quoted(name: str) -> str:
    return shlex.quote(name) if set(name) & set('"\\$`!') else f'"{name}"'
