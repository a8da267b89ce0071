"""Users that leave HATs at no larger worst error; refuses an epsilon, constant or table that is none (P4).

In relation `values` all of it depends on public counts and on the keyed order of users, never on a
value, so that neighbouring data sets have the same suppression: the most HATs of a user, before and
after, may be published. Who lost what stays confidential. In relation `user` counts are not public,
and nothing here may be used for a release.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.arrays import Floats, Ints
from core.errors import InputError
from core.grouping.m_ub import resolve_m_ub
from core.privacy import Confidential
from core.progress import Progress, silent
from core.statistics.hat_errors import Errors, HatErrors
from core.statistics.leave_one_out import HatClasses, exact_epsilon, leave_one_out

_TICK_S = 0.05
_TABLES = "Tables of hexagon slots and users"
_HATS = "Errors of hexagon slots"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Occupancy(Confidential):
    """Who occupies which published HAT: one row per (HAT, user), in any order."""

    hat: NDArray[np.int32]
    """Shape (P,): 0..H-1; every HAT has a row."""
    user: Ints
    """Shape (P,): code of a user, an index into `rank`; never twice in one HAT."""
    counts: Ints
    """Shape (P,): m_l, at least 1."""
    rank: Ints
    """Shape (codes,): place of each user in the order of the keyed hash (method 4)."""


class Stop(Enum):
    """Why nobody else could leave: what stopped the first of those in the most HATs who could not."""

    LAST = "last"
    """Nobody else is in any of its HATs, and the last user of a HAT stays."""
    CONSTANT = "constant"
    """Its HATs would do worse than a constant, which is what limits the errors here."""
    WORST = "worst"
    """Its HATs would do worse than any HAT did at first."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Suppression(Confidential):
    """Who stays where. `before`, `after` and `threshold` are public in relation `values`."""

    retained: NDArray[np.bool_]
    """Shape (P,), in the order of the rows of `Occupancy`."""
    before: int
    """The most HATs of a user at first."""
    after: int
    """The most HATs of a user at last."""
    hats_before: Ints
    """Shape (codes,): HATs of each user at first."""
    hats_after: Ints
    """Shape (codes,): HATs of each user at last."""
    threshold: float
    """The largest error of a HAT that a drop may cause, in the unit of the errors."""
    stop: Stop

    @property
    def dropped(self) -> int:
        """Rows that are suppressed."""
        return int(self.retained.size - np.count_nonzero(self.retained))


def suppress(
    occupancy: Occupancy,
    m_ub: str | int,
    epsilon: Floats,
    errors: Errors,
    cap: float,
    progress: Progress = silent,
) -> Suppression:
    """Drop users from HATs, round by round, while no HAT's error passes the threshold.

    m_ub: a rule by name, or a number; evaluated anew on the users who stay. epsilon: shape (H,),
    multiples of 1e-6. errors: finite. cap: error of publishing a constant, in the unit of `errors`.

    The threshold is the largest initial error, at most `cap`. In a round each of the users who now
    occupy the most HATs leaves, in keyed-hash order, the HAT whose error is then the smallest (ties:
    the smallest HAT number); M stays and the last user of a HAT stays. The first who cannot leave
    any within the threshold ends it all, and what its round has dropped so far is taken back.

    Raises InputError for tables and numbers that do not fit, and whatever `progress` raises.
    Source: P4, CHOP-USER. Differs: several users may leave in one round, and m_UB clips those who stay.
    """
    _check(occupancy, epsilon, cap)
    clock = _Clock(progress)
    table = _Table(occupancy, epsilon, clock)
    hats = table.hats()
    worst = float(_initial_errors(hats, table, m_ub, errors, clock).max())
    threshold = min(cap, worst)
    work = _Work(table, hats, m_ub, errors, clock)
    hats_before = np.bincount(occupancy.user, minlength=occupancy.rank.size)
    hats_after = hats_before.copy()
    before = int(hats_before.max())
    most = before
    while True:
        users = np.flatnonzero(hats_after == most)
        users = users[np.argsort(occupancy.rank[users], kind="stable")]
        if not work.round(users, threshold, 1.0 - most / before):
            break
        hats_after[users] -= 1
        most -= 1
    clock.end()
    retained = np.empty(occupancy.hat.size, bool)
    retained[table.order] = work.alive
    return Suppression(
        retained=retained,
        before=before,
        after=most,
        hats_before=hats_before,
        hats_after=hats_after,
        threshold=threshold,
        stop=Stop.LAST if work.alone else Stop.CONSTANT if cap < worst else Stop.WORST,
    )


def _check(occupancy: Occupancy, epsilon: Floats, cap: float) -> None:
    if not (np.isfinite(epsilon).all() and float(epsilon.min(initial=np.inf)) >= float(EPSILON_STEP)):
        raise InputError(
            "An epsilon is finite and at least {epsilon_step}.", epsilon_step=f"{EPSILON_STEP:f}"
        )
    if not (np.isfinite(cap) and cap > 0):
        raise InputError("The error of publishing a constant is a finite number above zero.")
    hat = occupancy.hat
    if not hat.size or hat.min() < 0 or not np.array_equal(np.bincount(hat) > 0, np.ones(epsilon.size, bool)):
        raise InputError(
            "Suppression takes one epsilon for each published hexagon slot, and at least one hexagon slot."
        )
    if int(occupancy.counts.min()) < 1:
        raise InputError("A user of a hexagon slot has at least one record there.")


class _Clock:
    """Passes progress on, but not more often than anyone looks at it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._due = 0.0

    def tick(self, done: float, text: str) -> None:
        if time.monotonic() >= self._due:
            self._progress(done, text)
            self._due = time.monotonic() + _TICK_S

    def end(self) -> None:
        self._progress(1.0, "Vehicles suppressed")


class _Table:
    """The rows by (HAT, count), the classes that they form, and where each user's own rows are."""

    def __init__(self, occupancy: Occupancy, epsilon: Floats, clock: _Clock) -> None:
        self.order = _sorted_by(occupancy.hat, occupancy.counts, clock)
        self.hat: Ints = occupancy.hat[self.order].astype(np.int64)
        self.user: Ints = occupancy.user[self.order]
        self.counts: Ints = occupancy.counts[self.order]
        self.epsilon = epsilon
        clock.tick(0.0, _TABLES)
        every_hat = np.arange(epsilon.size + 1)
        first_row = np.searchsorted(self.hat, every_hat)
        self.records: Ints = np.add.reduceat(self.counts, first_row[:-1])
        new = np.ones(self.hat.size, bool)
        new[1:] = (np.diff(self.hat) != 0) | (np.diff(self.counts) != 0)
        start = np.flatnonzero(new)
        self.row_class: Ints = np.cumsum(new) - 1
        self.class_count: Ints = self.counts[start]
        self.class_users: Ints = np.diff(np.append(start, self.hat.size))
        self.first_class: Ints = np.searchsorted(self.hat[start], every_hat)
        clock.tick(0.0, _TABLES)
        # one user's rows lie together and by HAT, so that the first least error is the smallest HAT's
        self.by_user = _sorted_by(self.user, self.hat, clock)
        codes = np.arange(occupancy.rank.size + 1)
        users, hats = self.user[self.by_user], self.hat[self.by_user]
        if bool(((np.diff(users) == 0) & (np.diff(hats) == 0)).any()):
            raise InputError("A user occupies a hexagon slot once.")
        self.first_of_user: Ints = np.searchsorted(users, codes)
        clock.tick(0.0, _TABLES)

    def hats(self) -> list[HatClasses]:
        """The classes of each HAT, with all its users."""
        spans = list(zip(self.first_class[:-1].tolist(), self.first_class[1:].tolist(), strict=True))
        return [
            HatClasses(
                count=self.class_count[begin:end],
                running_users=np.cumsum(self.class_users[begin:end]),
                running_records=np.cumsum(self.class_users[begin:end] * self.class_count[begin:end]),
                top=end - begin - 1,
                epsilon=epsilon,
            )
            for (begin, end), epsilon in zip(spans, self.epsilon.tolist(), strict=True)
        ]


def _sorted_by(major: NDArray[np.integer], minor: Ints, clock: _Clock) -> NDArray[np.intp]:
    """Order of the rows by two numbers, neither below zero; as one key, which sorts much faster."""
    key = major.astype(np.int64) * (int(minor.max()) + 1) + minor
    clock.tick(0.0, _TABLES)
    order = np.argsort(key)
    clock.tick(0.0, _TABLES)
    return order


def _initial_errors(
    hats: list[HatClasses], table: _Table, m_ub: str | int, errors: Errors, clock: _Clock
) -> Floats:
    """Error of each HAT with all its users; shape (H,)."""
    retained, largest = np.empty_like(table.records), np.empty_like(table.records)
    for number, hat in enumerate(hats):
        largest[number] = resolve_m_ub(m_ub, hat.counts(), exact_epsilon(hat.epsilon))
        m = int(largest[number])
        retained[number] = hat.retained(m, hat.classes_below(m))
        clock.tick(0.0, _HATS)
    return errors(retained, largest, table.records, table.epsilon)


class _Work:
    """The rows still alive, and for each class of users the error of its HAT if one of them left."""

    def __init__(
        self, table: _Table, hats: list[HatClasses], m_ub: str | int, errors: Errors, clock: _Clock
    ) -> None:
        self._table = table
        self._hats = hats
        self._m_ub = m_ub
        self._clock = clock
        self.alone = False
        """The user who could not leave is the last one in each of its HATs."""
        self.alive = np.ones(table.hat.size, bool)
        self._class_of = table.row_class[table.by_user]
        """By user and HAT; the class after the last one, of infinite error, for rows that are dropped."""
        clock.tick(0.0, _TABLES)
        self._gone = table.class_count.size
        self._error = np.full(self._gone + 1, np.inf)
        """Shape (classes + 1,): infinite where nobody may leave."""
        self._first_class: list[int] = table.first_class.tolist()
        self._hat_errors = [
            HatErrors(errors=errors, records=records, epsilon=epsilon)
            for records, epsilon in zip(table.records.tolist(), table.epsilon.tolist(), strict=True)
        ]
        for hat in range(len(hats)):
            self._evaluate(hat)
            clock.tick(0.0, _HATS)

    def round(self, users: Ints, threshold: float, done: float) -> bool:
        """Drop each user from one HAT; False, with nothing dropped, where one cannot be dropped."""
        table = self._table
        firsts, lasts = table.first_of_user[users].tolist(), table.first_of_user[users + 1].tolist()
        dropped: list[int] = []
        for first, last in zip(firsts, lasts, strict=True):
            self._clock.tick(done, "Suppressing vehicles")
            errors = self._error.take(self._class_of[first:last])
            best = int(errors.argmin())
            if errors[best] > threshold:
                self.alone = bool(np.isinf(errors[best]))
                self.alive[dropped] = True
                return False
            dropped.append(self._drop(first + best))
        return True

    def _drop(self, place: int) -> int:
        """Drop the row at a place among the rows by user; which row it is."""
        table = self._table
        row = table.by_user.item(place)
        hat = table.hat.item(row)
        self.alive[row] = False
        self._class_of[place] = self._gone
        self._hats[hat].leave(table.row_class.item(row) - self._first_class[hat])
        self._evaluate(hat)
        return row

    def _evaluate(self, number: int) -> None:
        """Errors of a HAT after one user of a class leaves, for all its classes."""
        hat, begin = self._hats[number], self._first_class[number]
        by_class = self._error[begin : begin + hat.count.size]
        if hat.users == 1:
            by_class[:] = np.inf
            return
        start = 0
        for stop, m_ub in leave_one_out(self._m_ub, hat):
            below = hat.classes_below(m_ub)
            all_retained = hat.retained(m_ub, below)
            errors, fewest = self._hat_errors[number].window(m_ub, all_retained - m_ub, all_retained)
            # classes of m_UB and more take the same
            middle = min(max(below, start), stop)
            if start < middle:
                by_class[start:middle] = errors.take(all_retained - fewest - hat.count[start:middle])
            by_class[middle:stop] = errors[all_retained - fewest - m_ub]
            start = stop
