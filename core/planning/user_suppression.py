"""Who stays in which HAT when users are suppressed before planning; a unit with nothing to suppress."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.contributions import Contributions, UserTable
from core.errors import InputError
from core.grouping.suppression_field import SUPPRESS_USERS
from core.privacy import Confidential, Unit
from core.progress import Progress, silent
from core.statistics.base import AnyQuestion, SuppressionRule
from core.statistics.suppression import Occupancy, suppress


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RetainedUsers(Confidential):
    """Who stays where. `before` and `after` are public in relation `values`; who lost what is not."""

    users: NDArray[np.bool_]
    """Shape (rows,): rows of the user table."""
    rows: NDArray[np.bool_]
    """Shape (P,): rows of the contributions."""
    before: int
    """The most HATs of a user at first."""
    after: int
    """The most HATs of a user at last."""


def rule_if_asked(question: AnyQuestion, upper_bound: int) -> SuppressionRule | None:
    """What users would leave HATs by if the question asked for it; None where its method knows no such thing.

    Raises InputError for parameters that do not fit U, in thousandths of km/h.
    """
    if not hasattr(question.params, SUPPRESS_USERS):
        return None
    params = dataclasses.replace(question.params, **{SUPPRESS_USERS: True})
    return question.statistic.suppression(dataclasses.replace(question, params=params), upper_bound)


def published_hats(
    index: NDArray[np.int64], vehicles: NDArray[np.int64], minimum_vehicles: int
) -> NDArray[np.bool_]:
    """Shape (G,): the HATs that a query publishes while nobody is suppressed.

    index: of the selected HATs, -1 where there are no records; vehicles: shape (G,), distinct ones.
    """
    published = np.zeros(vehicles.size, bool)
    published[index[index >= 0]] = True
    published &= vehicles >= minimum_vehicles
    return published


def pairs_of_users(contributions: Contributions, users: UserTable) -> NDArray[np.int64]:
    """Shape (rows,): (vehicle, day) pairs of each user in its HAT; 1 unless users are vehicles."""
    pairs = np.ones(users.hat.size, np.int64)
    if users.unit is Unit.VEHICLE:
        hat, vehicle, days = contributions.vehicle_days()
        vehicles = len(contributions.vehicles)
        known = hat.astype(np.int64) * vehicles + vehicle  # rising, as the rows are ordered
        pairs = days[np.searchsorted(known, users.hat.astype(np.int64) * vehicles + users.vehicle)]
    return pairs


def occupancy_of(
    users: UserTable, published: NDArray[np.bool_], counts: NDArray[np.int64] | None = None
) -> tuple[Occupancy, NDArray[np.int64]]:
    """Who occupies the published HATs, and which rows of the user table that are; published: shape (G,).

    counts: shape (rows,), what each user gives; None: its records. Raises InputError for unit
    `vehicle-hat-day`, whose users occupy one HAT each.
    """
    if users.unit is Unit.VEHICLE_HAT_DAY:
        raise InputError(
            "With unit vehicle-hat-day every vehicle is in one hexagon slot, so there is nothing to "
            "suppress.",
            where="query.parameters, suppress_users",
            mend="choose unit vehicle or vehicle-day, or leave the suppression out",
        )
    rows = np.flatnonzero(published[users.hat])
    number = np.cumsum(published) - 1
    places, user = np.unique(users.place[rows], return_inverse=True)
    return (
        Occupancy(
            hat=number[users.hat[rows]].astype(np.int32),
            user=user.astype(np.int64),
            counts=(users.counts if counts is None else counts)[rows],
            rank=np.arange(places.size),
        ),
        rows,
    )


def suppress_users(
    contributions: Contributions,
    users: UserTable,
    published: NDArray[np.bool_],
    micro_epsilons: NDArray[np.int64],
    rule: SuppressionRule,
    progress: Progress = silent,
) -> RetainedUsers:
    """Drop users from the published HATs at these epsilons; micro_epsilons: shape (G,), of 1e-6."""
    counts = pairs_of_users(contributions, users) if rule.of_pairs else None
    occupancy, rows = occupancy_of(users, published, counts)
    epsilon = np.asarray(micro_epsilons[published] * float(EPSILON_STEP), np.float64)
    found = suppress(occupancy, rule.m_ub, epsilon, rule.errors, rule.cap, progress)
    retained = np.ones(users.hat.size, bool)
    retained[rows] = found.retained
    return RetainedUsers(
        users=retained, rows=_rows_of(contributions, users, retained), before=found.before, after=found.after
    )


def _rows_of(
    contributions: Contributions, users: UserTable, retained: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The same for rows of the contributions: a user's rows lie together, from its first value on."""
    order = np.argsort(users.starts)
    owner = np.searchsorted(users.starts[order], contributions.start[:-1], side="right") - 1
    return retained[order[owner]]
