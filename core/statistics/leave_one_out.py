"""m_UB of one HAT once any one of its users leaves: by its rule, on the users who stay.

Users with one count are alike, so they are one *class*. Neighbouring classes mostly leave the same
m_UB behind: results are *runs* of classes. They are those of `core.grouping.m_ub.resolve_m_ub`, to
the integer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.arrays import Floats, Ints
from core.grouping.m_ub import ALL_RECORDS, MEDIAN, OPTIMAL, OPTIMAL_LAPLACE, SIMPLIFIED, SQRT, resolve_m_ub
from core.privacy import Confidential

_Runs = list[tuple[int, int]]
"""(class after the last one, m_UB) of each run, in the order of the classes; the first begins at 0."""

_CLOSE = 1e-11
"""Scores of m_UB without one user that are nearer go to the exact rule: far above the floats' rounding."""
_FACTORS = {OPTIMAL: np.sqrt(2.0), OPTIMAL_LAPLACE: 1.0}


@dataclass(slots=True, kw_only=True, repr=False)
class HatClasses(Confidential):
    """Users of one HAT as C classes (count, users). Changes as users leave; a class may be empty."""

    count: Ints
    """Shape (C,): records of each user of the class, increasing."""
    running_users: Ints
    """Shape (C,): users of this class and all before."""
    running_records: Ints
    """Shape (C,): records of the same."""
    top: int
    """The last class that holds a user."""
    epsilon: float
    """A multiple of 1e-6."""

    @property
    def users(self) -> int:
        """L."""
        return int(self.running_users[-1])

    @property
    def records(self) -> int:
        """Records of the users."""
        return int(self.running_records[-1])

    def leave(self, index: int) -> None:
        """One user of class `index` leaves."""
        self.running_users[index:] -= 1
        self.running_records[index:] -= self.count[index]
        while self.top and self.users_of(self.top) == 0:
            self.top -= 1

    def users_of(self, index: int) -> int:
        """Users of class `index`."""
        before = int(self.running_users[index - 1]) if index else 0
        return int(self.running_users[index]) - before

    def class_at(self, position: int) -> int:
        """The class of the user at `position` by increasing count."""
        return int(self.running_users.searchsorted(position, side="right"))

    def classes_below(self, m_ub: int) -> int:
        """Classes whose users have fewer records than m_UB."""
        return int(self.count.searchsorted(m_ub))

    def retained(self, m_ub: int, below: int) -> int:
        """`sum min(m_l, m_UB)` over all users; below: `classes_below(m_ub)`."""
        if not below:
            return m_ub * int(self.running_users[-1])
        above = int(self.running_users[-1]) - int(self.running_users[below - 1])
        return int(self.running_records[below - 1]) + m_ub * above

    def counts(self) -> Ints:
        """Counts of the users, non-increasing."""
        return np.repeat(self.count, np.diff(self.running_users, prepend=0))[::-1]

    def counts_without(self, index: int) -> Ints:
        """Counts of the users who stay, non-increasing, once one of class `index` leaves."""
        users = np.diff(self.running_users, prepend=0)
        users[index] -= 1
        return np.repeat(self.count, users)[::-1]


def leave_one_out(rule: str | int, hat: HatClasses) -> _Runs:
    """m_UB, at most the largest count that stays, when a user of a class leaves; for every class.

    rule: name of a rule for m_UB, or m_UB itself. hat: of two users at least. What is given for a
    class without users means nothing.
    """
    if not isinstance(rule, str):
        return _given(rule, hat)
    return _RULES[rule](hat)


def exact_epsilon(epsilon: float) -> Decimal:
    """A float as the multiple of 1e-6 that it stands for, which is what rules for m_UB take."""
    return Decimal(repr(epsilon)).quantize(EPSILON_STEP)


def _by_largest(hat: HatClasses, runs: Callable[[int, int, int], _Runs]) -> _Runs:
    """`runs(begin, end, largest count that stays)` for the classes that leave the same largest count."""
    classes, top = hat.top + 1, int(hat.count[hat.top])
    if hat.users_of(hat.top) > 1:
        return runs(0, classes, top)
    second = int(hat.count[hat.class_at(hat.users - 2)])
    return runs(0, hat.top, top) + runs(hat.top, classes, second)


def _given(m_ub: int, hat: HatClasses) -> _Runs:
    """Rule (e). A largest count below m_UB takes nothing from anyone."""
    if 1 <= m_ub <= hat.count[hat.class_at(hat.users - 2)]:
        return [(hat.count.size, m_ub)]
    return _by_largest(hat, lambda _, end, largest: [(end, max(1, min(m_ub, largest)))])


def _all(hat: HatClasses) -> _Runs:
    """Rule (f): the largest count that stays."""
    return _by_largest(hat, lambda _, end, largest: [(end, largest)])


def _median(hat: HatClasses) -> _Runs:
    """Rule (a): only two counts can be the median, whichever user leaves."""
    position = (hat.users + 1) // 2 - 1
    low, high = hat.class_at(position), hat.class_at(position + 1)
    return [(low + 1, int(hat.count[high])), (hat.count.size, int(hat.count[low]))]


def _simplified(hat: HatClasses) -> _Runs:
    """Rule (d), in integers."""
    return _by_largest(hat, lambda begin, end, largest: _simplified_runs(hat, begin, end, largest))


def _simplified_runs(hat: HatClasses, begin: int, end: int, largest: int) -> _Runs:
    """The classes of one rank `floor(q) + 1` look for their tail at the same place."""
    runs: _Runs = []
    users, records = hat.users - 1, hat.records
    while begin < end:
        rank = (records - int(hat.count[begin])) // largest + 1
        last_count = records - (rank - 1) * largest
        stop = min(end, int(hat.count.searchsorted(last_count, side="right")))
        if rank > users:
            runs += _tail_or_mean(hat, begin, stop, largest, 0)
        else:
            low, high = hat.class_at(users - rank), hat.class_at(users - rank + 1)
            middle = min(max(low + 1, begin), stop)
            runs += _tail_or_mean(hat, begin, middle, largest, int(hat.count[high]))
            runs += _tail_or_mean(hat, middle, stop, largest, int(hat.count[low]))
        begin = stop
    return runs


def _tail_or_mean(hat: HatClasses, begin: int, end: int, largest: int, tail: int) -> _Runs:
    """The tail where it is the mean of those who stay or more, else the better whole number by the mean.

    With c the ceiling and b users of at least c: b / records against (c - mean) / m*, multiplied out.
    """
    if begin == end:
        return []
    users = hat.users - 1
    if tail * users >= hat.records - int(hat.count[begin]):
        return [(end, tail)]
    count = hat.count[begin:end]
    records = hat.records - count
    floor, rest = np.divmod(records, users)
    ceiling = floor + 1
    users_below = np.concatenate(([0], hat.running_users))[hat.count.searchsorted(ceiling)]
    above = hat.users - users_below - (count >= ceiling)
    take_floor = (rest == 0) | (above * largest * users <= (ceiling * users - records) * records)
    by_mean = np.where(take_floor, floor, ceiling)
    return _runs(np.where(tail * users >= records, tail, by_mean), begin)


def _sqrt(hat: HatClasses) -> _Runs:
    """Rule (b), by the least of `-retained / sqrt(m)`.

    Against the best count for one who leaves and has many records, each other count does best when
    someone with that best count leaves. So the count that loses then is never m_UB.
    """
    count, retained = _counts_and_retained(hat)
    root = np.sqrt(count)
    score = -retained / root
    best = int((score + root).argmin())
    least_excess = score + np.minimum(count, count[best]) / root
    asked = _close_to(least_excess, float(least_excess[best]))

    def scores(_: Ints, candidates: Ints, left: Ints) -> Floats:
        found: Floats = -left / np.sqrt(candidates)
        return found

    return _search(SQRT, hat, asked, retained, scores)


def _optimal(rule: str, hat: HatClasses) -> _Runs:
    """Rule (c), by the least of `factor m / (eps n) - n / M`, n records retained, M being of those who stay.

    A count is asked if its score may come down to that of the best count with all users, at the
    least noise and the most retained of the one and the most noise of the other.
    """
    count, retained = _counts_and_retained(hat)
    factor, records = float(_FACTORS[rule] / hat.epsilon), hat.records
    noise = factor * count / retained
    best = int((noise - retained / records).argmin())
    most_noise = factor * int(count[best]) / int(retained[best] - count[best])
    more = retained - retained[best] + np.maximum(count[best] - count, 0)
    share = more / np.where(more > 0, records - count[-1], records)
    least = noise - share - most_noise
    asked = _close_to(least, 0.0)

    def scores(leaving: Ints, candidates: Ints, left: Ints) -> Floats:
        found: Floats = factor * candidates / left - left / (records - leaving)
        return found

    return _search(rule, hat, asked, retained, scores)


def _counts_and_retained(hat: HatClasses) -> tuple[Ints, Ints]:
    """Counts up to the largest, and `sum min(m_l, m)` at each; counts without users are never best."""
    upto = slice(0, hat.top + 1)
    count = hat.count[upto]
    return count, hat.running_records[upto] + count * (hat.users - hat.running_users[upto])


def _close_to(scores: Floats, least: float) -> NDArray[np.intp]:
    return (scores <= least + _CLOSE * (1.0 + abs(least))).nonzero()[0]


def _search(
    rule: str,
    hat: HatClasses,
    asked: NDArray[np.intp],
    retained: Ints,
    scores: Callable[[Ints, Ints, Ints], Floats],
) -> _Runs:
    """The least of `scores(count that leaves, candidate, records retained)` among the classes asked.

    Scores too close for floats go to the rule itself.
    """
    if asked.size == 1:
        return [(hat.count.size, int(hat.count[asked[0]]))]
    leaving, candidates = hat.count[: hat.top + 1], hat.count[asked][:, None]
    found = scores(leaving, candidates, retained[asked][:, None] - np.minimum(leaving, candidates))
    best = found.argmin(axis=0)
    least = found.min(axis=0)
    m_ub = hat.count[asked[best]]
    several = (found <= least + _CLOSE * (1.0 + np.abs(least))).sum(axis=0) > 1
    for index in several.nonzero()[0].tolist():
        if hat.users_of(index):
            m_ub[index] = resolve_m_ub(rule, hat.counts_without(index), exact_epsilon(hat.epsilon))
    return _runs(m_ub, 0)


def _runs(m_ub: Ints, begin: int) -> _Runs:
    """Runs of equal m_UB, the first class being `begin`."""
    last = [*(m_ub[1:] != m_ub[:-1]).nonzero()[0].tolist(), m_ub.size - 1]
    return [(index + 1 + begin, int(m_ub[index])) for index in last]


_RULES: dict[str, Callable[[HatClasses], _Runs]] = {
    MEDIAN: _median,
    SQRT: _sqrt,
    OPTIMAL: lambda hat: _optimal(OPTIMAL, hat),
    OPTIMAL_LAPLACE: lambda hat: _optimal(OPTIMAL_LAPLACE, hat),
    SIMPLIFIED: _simplified,
    ALL_RECORDS: _all,
}
