"""A release drawn once, in 64 HATs at most, before anything is spent, so that a failure costs nothing.

No value and, in relation `user`, no record has a part in it: whether it succeeds says nothing of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

import numpy as np

from core.accounting.epsilon_input import EPSILON_MAX
from core.accounting.ledger import Ledger
from core.codec import to_json
from core.contributions import Contributions, pairs_of
from core.noise.secure import SecureNoise
from core.privacy import Relation
from core.release.draw import drawn
from core.release.prepared import Prepared, request_for
from core.store.working_folders import temporary_place, working_folder

_MOST_SLOTS = 64
"""Hexagon slots of a rehearsal: a distribution of three thousand takes half a minute to draw."""


@contextmanager
def thrown_away_ledger(population: str, delta: Decimal) -> Iterator[Ledger]:
    """Has room for any release of the population; gone afterwards, with all that was noted in it.

    What is noted lies among temporary files with its key beside it: of a table that is `unnamed` alone.
    Raises InputError and OSError where nothing can be written there.
    """
    with working_folder(temporary_place()) as folder, Ledger.open(folder / "l") as ledger:
        ledger.set_limit(population, per_vehicle=EPSILON_MAX, delta=delta)
        yield ledger


def rehearse(prepared: Prepared, delta: Decimal) -> None:
    """Draw what will be drawn, of nothing that is confidential. delta: that the population allows.

    Where each hexagon slot is drawn alone some of them are enough. Smoothing is left out: where it finds no
    answer, raw numbers are published. Raises what stopped the draw.
    """
    spec, table = prepared.spec, prepared.contributions
    public = _without_values(table) if spec.relation is Relation.VALUES else _without_records(table)
    users = dataclasses.replace(prepared.users, values=public.values)
    plans = tuple(plan.sampled(_MOST_SLOTS) for plan in prepared.plans)
    rehearsed = dataclasses.replace(prepared, contributions=public, users=users, plans=plans)
    with thrown_away_ledger(spec.population, delta) as ledger:
        reservation = ledger.reserve(request_for(rehearsed, ledger))
        noise, key = SecureNoise(reservation), ledger.tie_key(spec.population)
        to_json(drawn(rehearsed, pairs_of(public), reservation, noise, key, smoothing=False))


def unnamed(table: Contributions) -> Contributions:
    """The same table without a vehicle's id."""
    numbered = tuple(f"made-up-{number:08}" for number in range(len(table.vehicles)))
    return dataclasses.replace(table, vehicles=numbered, other_texts={})


def _without_values(table: Contributions) -> Contributions:
    """Every value at the lower bound; that takes no memory."""
    lowest = np.broadcast_to(np.zeros(1, np.int32), (len(table.values),))
    return dataclasses.replace(unnamed(table), values=lowest)


def _without_records(table: Contributions) -> Contributions:
    return dataclasses.replace(
        table,
        vehicles=(),
        cell=table.cell[:0],
        slot=table.slot[:0],
        hat=table.hat[:0],
        vehicle=table.vehicle[:0],
        day=table.day[:0],
        start=table.start[:1],
        values=np.zeros(0, np.int32),
        visits=None if table.visits is None else table.visits[:0],
        other_texts={},
    )
