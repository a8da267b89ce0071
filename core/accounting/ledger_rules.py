"""When a ledger refuses: pure decisions over its state. A refusal changes nothing.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import shlex
import unicodedata
from collections.abc import Iterable, Set
from decimal import Decimal

from core.accounting.ledger_events import PolicySet, ReservationRequest, Reserved
from core.accounting.ledger_state import (
    ZERO,
    Entry,
    EntryState,
    LedgerState,
    Population,
    add,
    cumulative_charge,
    limits,
    spent_per_date,
    spent_per_vehicle,
)
from core.errors import BudgetRefused, InputError, LedgerError
from core.paths import program_name
from core.privacy import Relation
from core.values import plain

NAME_LENGTH = 80
_VEHICLE_HASH_BYTES = 16
_OVERLAP_PARTS = 20
"""Two populations may share up to one vehicle in twenty (5 %) of the smaller."""


def clean_name(name: str) -> str:
    """A population's name, stripped and in one Unicode form. Raises InputError when it is unusable."""
    cleaned = unicodedata.normalize("NFC", name.strip())
    if not cleaned or len(cleaned) > NAME_LENGTH or not cleaned.isprintable():
        raise InputError(
            "This is no usable name of a population.",
            where="population",
            mend=f"write 1 to {NAME_LENGTH} printable characters",
        )
    return cleaned


def check_limits(*, per_vehicle: Decimal, per_vehicle_day: Decimal | None, delta: Decimal) -> None:
    """Raises InputError for limits that are not finite and non-negative, and for delta outside [0, 1)."""
    given = {"per vehicle": per_vehicle, "per vehicle and day": per_vehicle_day, "delta": delta}
    for name, amount in given.items():
        if amount is not None and not (amount.is_finite() and amount >= 0):
            raise InputError(
                "A limit must be a finite number of at least 0.", where=name, mend='write for instance "10"'
            )
    if delta >= 1:
        raise InputError("Delta must be below 1.", where="delta", mend='write for instance "0" or "1e-6"')


def known_population(state: LedgerState, name: str) -> Population:
    """The population. Raises BudgetRefused when no limit has been set: then nothing is released."""
    if name not in state.populations:
        raise BudgetRefused(
            f'The population "{name}" has no limit, and without a limit nothing is released.',
            where=_where(name),
            mend=f"an administrator sets one: {_command('set-limit', name)} --per-vehicle X",
        )
    return state.populations[name]


def payers(state: LedgerState, population: Population) -> list[Population]:
    """Everybody who pays for an entry of `population`: itself first, then those linked to it."""
    return [population, *(state.populations[name] for name in population.linked)]


def was_evaluated(state: LedgerState, population: Population) -> bool:
    """Whether errors on true values were asked for of it, or of one that shares its vehicles."""
    return any(one.evaluated_on is not None for one in payers(state, population))


def refuse_relation(population: Population, relation: Relation) -> None:
    """Raises BudgetRefused when earlier entries fixed another relation."""
    if population.relation not in (None, relation):
        raise BudgetRefused(
            f'The population "{population.name}" has the relation "{population.relation}", fixed by its'
            f' first release; this release asks for "{relation}".',
            where=_where(population.name),
            mend=f'choose relation "{population.relation}", or name another population of other vehicles',
        )


def refuse_per_vehicle(state: LedgerState, payer: Population, asked: Decimal, *, what: str) -> None:
    """Raises BudgetRefused when `asked` exceeds what `payer` has left per vehicle over all time."""
    spent = spent_per_vehicle(state.charged_to(payer.name))
    limit = payer.policy.per_vehicle
    if add(spent, asked) > limit:
        raise BudgetRefused(
            f'The privacy budget of the population "{payer.name}" does not allow {what}. Epsilon per'
            f" vehicle over all time: limit {plain(limit)}, spent {plain(spent)}, asked {plain(asked)}.",
            where=_where(payer.name),
            mend=_mend(payer.policy),
        )


def _refuse_per_vehicle_day(state: LedgerState, payer: Population, request: ReservationRequest) -> None:
    limit = payer.policy.per_vehicle_day
    if limit is None:
        return
    charge = request.charge
    by_date = spent_per_date(state.charged_to(payer.name))
    pairs = [(by_date.get(date, ZERO), charge.per_date.get(date, ZERO)) for date in request.dates]
    # Maxima of several queries add, so that the charge per vehicle-day can exceed that of every date.
    spent, asked = max([(ZERO, charge.per_vehicle_day), *pairs], key=lambda pair: add(*pair))
    if add(spent, asked) > limit:
        raise BudgetRefused(
            f'The privacy budget of the population "{payer.name}" does not allow this release. Epsilon'
            f" per vehicle and day, on the costliest date: limit {plain(limit)}, spent {plain(spent)},"
            f" asked {plain(asked)}.",
            where=_where(payer.name),
            mend=_mend(payer.policy),
        )


def _refuse_overlap(state: LedgerState, population: Population, vehicles: Set[str]) -> None:
    together = population.vehicles | vehicles
    for other in state.populations.values():
        if other.name == population.name or other.name in population.linked:
            continue
        # Both: a small request must not hide among many earlier vehicles, nor many requests add up.
        if _overlaps(vehicles, other.vehicles) or _overlaps(together, other.vehicles):
            raise BudgetRefused(
                f'More than 5 % of the vehicles of the population "{population.name}" also belong to the'
                f' population "{other.name}"; another name does not give them another budget.',
                where=_where(population.name),
                mend=f'release under "{other.name}", or an administrator lets both pay for what either'
                f" releases: {_command('link', population.name, other.name)}",
            )


def _overlaps(some: Set[str], others: Set[str]) -> bool:
    return len(some & others) * _OVERLAP_PARTS > min(len(some), len(others))


def decide_known(
    state: LedgerState, name: str, relation: Relation, *, per_vehicle: Decimal | None, least: Decimal
) -> None:
    """The check before data are read. Raises BudgetRefused.

    per_vehicle: the charge where it is known without data; least: the cost of one HAT otherwise.
    """
    population = known_population(state, name)
    refuse_relation(population, relation)
    asked, what = (least, "even one HAT") if per_vehicle is None else (per_vehicle, "this release")
    for payer in payers(state, population):
        refuse_per_vehicle(state, payer, asked, what=what)


def _decide_payers(state: LedgerState, request: ReservationRequest, vehicles: Set[str]) -> list[Population]:
    """Who pays for a request, itself first. Raises BudgetRefused.

    vehicles: the keyed hashes of `request.vehicles`.
    """
    population = known_population(state, clean_name(request.population))
    refuse_relation(population, request.relation)
    _refuse_overlap(state, population, vehicles)
    paying = payers(state, population)
    for payer in paying:
        refuse_per_vehicle(state, payer, request.charge.per_vehicle, what="this release")
        _refuse_per_vehicle_day(state, payer, request)
    return paying


def decide_reservation(state: LedgerState, request: ReservationRequest, *, today: dt.date) -> Reserved:
    """The check of the exact charge: the reservation that answers `request`. Raises BudgetRefused."""
    vehicles = _hash_vehicles(state.vehicle_key, request.vehicles)
    paying = _decide_payers(state, request, vehicles)
    population = paying[0]
    entries = state.charged_to(population.name)
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
        cumulative=cumulative_charge(entries, request.charge, request.dates),
        limits=limits(population.policy),
        evaluated=was_evaluated(state, population),
        fingerprint=request.fingerprint,
        spec_fingerprint=request.spec_fingerprint,
        new_vehicles=vehicles - population.vehicles,
    )


def require_state(entry: Entry, *allowed: EntryState) -> None:
    """Raises LedgerError unless the entry is in one of the `allowed` states."""
    if entry.state not in allowed:
        raise LedgerError(
            f'Entry {entry.reserved.entry} of the ledger is "{entry.state}", which does not allow this step.',
            where=_where(entry.reserved.population),
            mend="run the release again: stored draws are published again at no cost",
        )


def _hash_vehicles(key: bytes, ids: Iterable[str]) -> frozenset[str]:
    return frozenset(
        hmac.digest(key, vehicle.encode(errors="surrogatepass"), hashlib.sha256)[:_VEHICLE_HASH_BYTES].hex()
        for vehicle in ids
    )


def _where(name: str) -> str:
    return f'ledger, population "{name}"'


def _mend(policy: PolicySet) -> str:
    day = "" if policy.per_vehicle_day is None else f" --per-vehicle-day {plain(policy.per_vehicle_day)}"
    delta = f" --delta {plain(policy.delta)}" if policy.delta else ""
    limit = f" --per-vehicle {plain(policy.per_vehicle)}"
    return (
        "choose a lower epsilon or fewer HATs, or an administrator raises the limit; it is now"
        f" {_command('set-limit', policy.population)}{limit}{day}{delta}"
    )


def _command(*words: str) -> str:
    verb, *names = words
    return " ".join([program_name(), "ledger", verb, *map(_quoted, names)])


def _quoted(name: str) -> str:
    return shlex.quote(name) if set(name) & set('"\\$`!') else f'"{name}"'
