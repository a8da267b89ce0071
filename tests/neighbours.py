"""Neighbouring contributions, and what a whole release tells of their difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import sub

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions, PairTable, UserTable, pairs_of, users_of
from core.planning.query_plan import QueryPlan
from core.privacy import Unit
from core.selection.base import Selection
from tests.draws import draw_query
from tests.fakes import Recorded, RecordedGaussian, RecordedVector, RecordingNoise, Selected
from tests.strategies import CELLS

KEY = bytes(range(32))
Rows = NDArray[np.bool_]
Request = Recorded | RecordedVector | Selected


def all_of(contributed: Contributions) -> Selection:
    """Every HAT with records, and before them one without."""
    return Selection(
        cell=np.insert(contributed.cell, 0, CELLS[0]),
        slot=np.insert(contributed.slot, 0, 23).astype(np.int16),
        index=np.arange(-1, contributed.hats),
    )


@dataclasses.dataclass(frozen=True)
class Data:
    """What is drawn from."""

    users: UserTable
    pairs: PairTable


def data_of(contributed: Contributions, unit: Unit) -> Data:
    return Data(users=users_of(contributed, unit, KEY), pairs=pairs_of(contributed))


def with_new_values(contributed: Contributions, rows: Rows, new: list[int]) -> Contributions:
    """The neighbour whose values in these rows are taken from `new`."""
    changes = np.repeat(rows, contributed.counts)
    flat = np.where(changes, np.array(new, np.int32), contributed.values[:])
    return dataclasses.replace(contributed, values=flat)


def joint_loss(
    plan: QueryPlan, data: Data, neighbour: Contributions, script: Sequence[float] = ()
) -> Fraction:
    """The pure epsilon of `joint_losses`; none of the noise may be Gaussian."""
    pure, rho = joint_losses(plan, data, neighbour, script)
    assert rho == 0
    return pure


def joint_losses(
    plan: QueryPlan, data: Data, neighbour: Contributions, script: Sequence[float] = ()
) -> tuple[Fraction, Fraction]:
    """What the joint release costs on these neighbours, for equal outputs: pure epsilon, and rho. Exactly.

    By the laws of Laplace noise and of permute-and-flip the largest log-ratio: the sum over all requests of
    the move of the centre, or of the score that moves furthest, over sensitivity, x epsilon. Of Gaussian
    noise the squared distance of the centres over twice its variance, which is `sensitivity^2 / rho`.
    """
    return _losses(plan, _drawn(plan, data, script), data_of(neighbour, data.users.unit))


def _losses(plan: QueryPlan, here: RecordingNoise, other: Data) -> tuple[Fraction, Fraction]:
    there = RecordingNoise(replay=here.choices, answers=here.centres)
    draw_query(plan, other.users, other.pairs, there)
    return losses_of(here.requests, there.requests)


def losses_of(here: Sequence[Request], there: Sequence[Request]) -> tuple[Fraction, Fraction]:
    """What two runs cost that asked for the same noise on their own centres: pure epsilon, and rho.

    There it chose and gave the same as here: what follows from earlier outputs is the same on both, and every
    request pays for what its own centres move.
    """
    pure = rho = Fraction(0)
    for one, two in zip(here, there, strict=True):
        assert (type(one), one.scope, one.sensitivity, one.spend) == (
            type(two),
            two.scope,
            two.sensitivity,
            two.spend,
        )
        if isinstance(one, RecordedGaussian):
            assert isinstance(two, RecordedGaussian)
            square = sum((here - there) ** 2 for here, there in zip(one.centres, two.centres, strict=True))
            rho += Fraction(square, one.sensitivity**2) * Fraction(one.spend)
        else:
            pure += Fraction(moved(one, two), one.sensitivity) * Fraction(one.spend)
    return pure, rho


def _drawn(plan: QueryPlan, data: Data, script: Sequence[float] = ()) -> RecordingNoise:
    """All that was asked of the noise."""
    noise = RecordingNoise(script=script)
    draw_query(plan, data.users, data.pairs, noise)
    return noise


def neighbours_of(contributed: Contributions, row: int, new: list[int], planned: Unit) -> dict[Unit, Data]:
    """What varies with this row -> the neighbour in which that has the new values, by users of `planned`."""
    return {
        unit: data_of(with_new_values(contributed, rows_of(contributed, row), new), planned)
        for unit, rows_of in VARYING.items()
    }


def assert_neighbours_covered(
    plan: QueryPlan, data: Data, neighbours: Mapping[Unit, Data]
) -> Sequence[Request]:
    """Whatever of a row varies (its vehicle, its day, its HAT of that day), the charge covers the loss.

    That is in pure epsilon and in rho, and whatever unit was planned. Gives what was asked of the noise.
    """
    here = _drawn(plan, data)
    for unit, other in neighbours.items():
        pure, rho = _losses(plan, here, other)
        assert pure <= Fraction(plan.charge.of(unit)), unit
        assert rho <= Fraction(plan.charge.rho.of(unit)), unit
    return here.requests


def spent_of(requests: Sequence[Request]) -> dict[str, tuple[Decimal, Decimal]]:
    """Scope -> the pure epsilon and the rho that were asked for in it."""
    spent: dict[str, tuple[Decimal, Decimal]] = {}
    for one in requests:
        pure, rho = spent.get(one.scope, (Decimal(0), Decimal(0)))
        squared = isinstance(one, RecordedGaussian)
        spent[one.scope] = (pure, rho + one.spend) if squared else (pure + one.spend, rho)
    return spent


def moved(one: Request, two: Request) -> int:
    """How far the centre moved, all centres of a vector together, or the score that moved furthest."""
    if isinstance(one, Recorded):
        assert isinstance(two, Recorded)
        return abs(one.centre - two.centre)
    if isinstance(one, RecordedVector):
        assert isinstance(two, RecordedVector)
        return sum(abs(here - there) for here, there in zip(one.centres, two.centres, strict=True))
    assert isinstance(two, Selected)
    assert len(one.scores) == len(two.scores)
    return max(map(abs, map(sub, one.scores, two.scores)))


def vehicle_rows(contributed: Contributions, row: int) -> Rows:
    return contributed.vehicle == contributed.vehicle[row]


def vehicle_day_rows(contributed: Contributions, row: int) -> Rows:
    return vehicle_rows(contributed, row) & (contributed.day == contributed.day[row])


def vehicle_hat_day_rows(contributed: Contributions, row: int) -> Rows:
    return vehicle_day_rows(contributed, row) & (contributed.hat == contributed.hat[row])


VARYING: Mapping[Unit, Callable[[Contributions, int], Rows]] = {
    Unit.VEHICLE: vehicle_rows,
    Unit.VEHICLE_DAY: vehicle_day_rows,
    Unit.VEHICLE_HAT_DAY: vehicle_hat_day_rows,
}
