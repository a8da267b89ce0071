"""User suppression against the words of method 7, taken literally, and at its edges."""

from __future__ import annotations

import time
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from core.errors import InputError
from core.grouping.m_ub import RULES
from core.progress import Cancelled
from core.statistics.moments import constant_error, hat_errors
from core.statistics.suppression import Occupancy, Stop, Suppression, suppress
from tests.core.statistics.literal_suppression import (
    CAP,
    UPPER,
    array_errors,
    literal_suppression,
    mean_and_variance_error,
    random_occupancy,
)


@st.composite
def occupancies(draw: st.DrawFn) -> Occupancy:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return random_occupancy(
        rng,
        hats=draw(st.integers(1, 8)),
        users=draw(st.integers(1, 8)),
        share=draw(st.sampled_from((0.3, 0.6, 1.0))),
        most=draw(st.sampled_from((1, 3, 9, 50))),
    )


def occupancy_of(rows: list[tuple[int, int, int]], rank: list[int]) -> Occupancy:
    """Rows (HAT, user, count)."""
    hat, user, counts = np.array(rows, np.int64).T
    return Occupancy(hat=hat.astype(np.int32), user=user, counts=counts, rank=np.array(rank))


def run(occupancy: Occupancy, m_ub: str | int = 1000, epsilon: float = 1.0, cap: float = CAP) -> Suppression:
    hats = np.unique(occupancy.hat).size
    return suppress(occupancy, m_ub, np.full(hats, epsilon), array_errors, cap)


@given(data=st.data())
def test_it_is_the_literal_algorithm(data: st.DataObject) -> None:
    occupancy = data.draw(occupancies())
    hats = np.unique(occupancy.hat).size
    levels = st.sampled_from(("0.000001", "0.3", "1", "2", "7.5", "1000000")).map(Decimal)
    epsilon = data.draw(st.lists(levels, min_size=hats, max_size=hats))
    cap = data.draw(st.sampled_from((5.0, 20.0, CAP, 1e9)))
    for rule in (*RULES, 1, 4, 1000):
        note(str(rule))
        ours = suppress(occupancy, rule, np.array(epsilon, np.float64), array_errors, cap)
        literal = literal_suppression(occupancy, rule, epsilon, mean_and_variance_error, cap)
        assert (ours.retained.tolist(), ours.before, ours.after, ours.threshold) == literal


def one_real_error(retained: int, largest: int, records: int, epsilon: float) -> float:
    numbers = (np.array([retained]), np.array([largest]), np.array([records]), np.array([epsilon]))
    return float(hat_errors(UPPER, *numbers)[0])


@pytest.mark.parametrize("rule", [*RULES, 20])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("level", ["0.5", "3"])
def test_the_real_errors_give_the_literal_result(rule: str | int, seed: int, level: str) -> None:
    """Crowded HATs and counts of many sizes, with the errors and the cap of a release."""
    occupancy = random_occupancy(np.random.default_rng(seed), hats=14, users=40, share=0.5, most=60)
    epsilon = [Decimal("0.1"), *[Decimal(level)] * 13]
    errors, cap = partial(hat_errors, UPPER), constant_error(UPPER)
    ours = suppress(occupancy, rule, np.array(epsilon, np.float64), errors, cap)
    literal = literal_suppression(occupancy, rule, epsilon, one_real_error, cap)
    assert (ours.retained.tolist(), ours.before, ours.after, ours.threshold) == literal


@pytest.mark.parametrize("rule", ["median", "sqrt", "simplified", 20])
def test_many_users_who_crowd_into_few_hats(rule: str | int) -> None:
    """Enough users in one round that they leave one HAT several times."""
    occupancy = random_occupancy(np.random.default_rng(3), hats=12, users=60, share=0.5, most=40)
    epsilon = [Decimal("0.2"), *[Decimal(10)] * 11]
    ours = suppress(occupancy, rule, np.array(epsilon, np.float64), array_errors, CAP)
    literal = literal_suppression(occupancy, rule, epsilon, mean_and_variance_error, CAP)
    assert (ours.retained.tolist(), ours.before, ours.after, ours.threshold) == literal
    assert rule == "median" or ours.dropped > 30


def test_the_counts_of_hats_follow_from_the_mask() -> None:
    occupancy = random_occupancy(np.random.default_rng(5), hats=10, users=20, share=0.5, most=9)
    done = suppress(occupancy, 1000, np.array([0.2, *[50.0] * 9]), array_errors, CAP)
    users = occupancy.rank.size
    assert done.hats_before.tolist() == np.bincount(occupancy.user, minlength=users).tolist()
    assert done.hats_after.tolist() == np.bincount(occupancy.user[done.retained], minlength=users).tolist()
    assert (done.before, done.after) == (done.hats_before.max(), done.hats_after.max())
    assert done.dropped == (done.hats_before - done.hats_after).sum() > 0
    assert np.unique(occupancy.hat[done.retained]).size == 10


def test_the_order_of_rows_means_nothing() -> None:
    rng = np.random.default_rng(6)
    occupancy = random_occupancy(rng, hats=10, users=20, share=0.5, most=9)
    order = rng.permutation(occupancy.hat.size)
    moved = replace(
        occupancy,
        hat=occupancy.hat[order],
        user=occupancy.user[order],
        counts=occupancy.counts[order],
    )
    assert run(moved).retained.tolist() == run(occupancy).retained[order].tolist()


def test_one_user_alone_everywhere_is_never_dropped() -> None:
    done = run(occupancy_of([(0, 0, 3), (1, 0, 2)], [0]))
    assert (done.retained.tolist(), done.before, done.after, done.dropped) == ([True, True], 2, 2, 0)


def test_one_hat_keeps_its_last_user() -> None:
    """The first round takes one of two, cannot take the other, and gives the first back."""
    done = run(occupancy_of([(0, 0, 3), (0, 1, 3)], [0, 1]), cap=1e9, epsilon=1e-6)
    assert (done.retained.tolist(), done.before, done.after) == ([True, True], 1, 1)


def test_ties_go_to_the_smallest_hat_and_turns_follow_the_rank() -> None:
    """By hand: two alike HATs of three alike users, whose turns are 1, 2, 0; HAT 2 is the worst.

    User 1 leaves HAT 0 of two equal ones, user 2 the fuller HAT 1, user 0 again HAT 0. In the second
    round user 2 is alone in HAT 0, so that user 1, who had left HAT 1, comes back.
    """
    rows = [(hat, user, 4) for user in range(3) for hat in (1, 0)]
    occupancy = occupancy_of([*rows, (2, 3, 1)], [2, 0, 1, 3])
    done = suppress(occupancy, 1000, np.array([1.0, 1.0, 0.01]), array_errors, 1e9)
    left = {row[:2] for row, retained in zip(rows, done.retained[:-1].tolist(), strict=True) if not retained}
    assert left == {(0, 1), (1, 2), (0, 0)}
    assert (done.before, done.after, done.dropped, bool(done.retained[-1])) == (2, 1, 3, True)


def test_all_users_the_same_get_the_same_number_of_hats() -> None:
    rows = [(hat, user, 5) for hat in range(6) for user in range(8)]
    occupancy = occupancy_of([*rows, (6, 8, 5)], list(range(9)))
    done = suppress(occupancy, 1000, np.array([*[20.0] * 6, 0.01]), array_errors, CAP)
    assert len(set(done.hats_after[:8].tolist())) == 1
    assert done.after < done.before == 6


def test_the_threshold_is_the_largest_initial_error_or_the_cap() -> None:
    occupancy = occupancy_of([(0, 0, 3), (0, 1, 1), (1, 0, 2)], [0, 1])
    largest = max(mean_and_variance_error(4, 3, 4, 10.0), mean_and_variance_error(2, 2, 2, 10.0))
    assert run(occupancy, epsilon=10.0, cap=1e9).threshold == largest
    assert run(occupancy, epsilon=10.0, cap=7.0).threshold == 7.0


def test_huge_epsilon_drops_nobody_as_any_bias_is_worse_than_no_noise() -> None:
    occupancy = random_occupancy(np.random.default_rng(7), hats=10, users=20, share=0.6, most=9)
    assert run(occupancy, epsilon=1e6).dropped == 0


def test_tiny_epsilon_lets_nobody_leave_as_every_hat_is_worse_than_a_constant() -> None:
    occupancy = random_occupancy(np.random.default_rng(7), hats=10, users=20, share=0.6, most=9)
    done = run(occupancy, epsilon=1e-6)
    assert (done.dropped, done.threshold) == (0, CAP)


def test_work_can_be_cancelled_within_a_fifth_of_a_second() -> None:
    """The longest silence between two reports, with every rule that searches."""
    occupancy = random_occupancy(np.random.default_rng(8), hats=150, users=100, share=0.4, most=200)
    times: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert 0.0 <= done <= 1.0
        assert text
        times.append(time.thread_time())

    suppress(occupancy, "sqrt", np.ones(150), array_errors, CAP, note)
    assert len(times) > 2
    assert max(np.diff(times)) < 0.2


def test_cancelling_ends_it() -> None:
    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - one shape for every progress
        raise Cancelled

    occupancy = random_occupancy(np.random.default_rng(8), hats=5, users=5, share=0.5, most=9)
    with pytest.raises(Cancelled):
        suppress(occupancy, "median", np.ones(5), array_errors, CAP, stop)


def test_who_lost_what_is_not_shown() -> None:
    occupancy = random_occupancy(np.random.default_rng(9), hats=5, users=5, share=0.5, most=9)
    for shown in (repr(occupancy), repr(run(occupancy))):
        assert shown.startswith("<confidential ")
        assert "array" not in shown


GOOD = [(0, 0, 3), (0, 1, 1), (1, 0, 2)]


@pytest.mark.parametrize(
    ("rows", "epsilon", "cap", "message"),
    [
        (GOOD, [1.0], CAP, "one epsilon for each"),
        (GOOD, [1.0, 1.0, 1.0], CAP, "one epsilon for each"),
        ([(0, 0, 3), (2, 1, 1)], [1.0, 1.0], CAP, "one epsilon for each"),
        ([(0, 0, 3), (0, 0, 1)], [1.0], CAP, "once"),
        ([(0, 0, 3), (0, 1, 0)], [1.0], CAP, "at least one record"),
        (GOOD, [1.0, 1e-7], CAP, "epsilon is finite"),
        (GOOD, [1.0, float("inf")], CAP, "epsilon is finite"),
        (GOOD, [1.0, 1.0], 0.0, "constant"),
        (GOOD, [1.0, 1.0], float("inf"), "constant"),
    ],
)
def test_what_does_not_fit_is_refused(
    rows: list[tuple[int, int, int]], epsilon: list[float], cap: float, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        suppress(occupancy_of(rows, [0, 1]), 1000, np.array(epsilon), array_errors, cap)


def test_the_error_of_the_tests_is_the_same_in_arrays() -> None:
    retained, largest, records = np.array([9, 4, 7, 6]), np.array([2, 3, 5, 3]), np.array([9, 9, 8, 30])
    expected = [
        mean_and_variance_error(*numbers, 0.5)
        for numbers in zip(retained.tolist(), largest.tolist(), records.tolist(), strict=True)
    ]
    assert array_errors(retained, largest, records, np.full(4, 0.5)).tolist() == expected
    assert expected[0] == UPPER * 2 / 9 * 4 + UPPER * UPPER * 2 * 7 / 81 * 4 / UPPER


def test_the_last_user_of_a_hat_is_what_stops_it() -> None:
    done = run(occupancy_of([(0, 0, 3), (1, 0, 2)], [0]))
    assert (done.dropped, done.stop) == (0, Stop.LAST)


def test_at_tiny_epsilons_a_constant_is_what_stops_it() -> None:
    occupancy = random_occupancy(np.random.default_rng(7), hats=10, users=20, share=0.6, most=9)
    done = run(occupancy, epsilon=1e-6)
    assert (done.dropped, done.stop) == (0, Stop.CONSTANT)


def test_at_huge_epsilons_the_worst_hat_is_what_stops_it() -> None:
    occupancy = random_occupancy(np.random.default_rng(7), hats=10, users=20, share=0.6, most=9)
    done = run(occupancy, epsilon=1e6)
    assert (done.dropped, done.stop) == (0, Stop.WORST)
    assert done.threshold < CAP
