"""What every mechanism promises, checked on each discovered one with each of its options."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from core.contributions import HatData
from core.errors import InputError
from core.mechanisms.base import Mechanism, Plan
from core.mechanisms.registry import all_mechanisms
from core.params import Parameter, build, declared
from core.privacy import Relation
from core.values import THOUSAND
from tests.fakes import Recorded, RecordingNoise, secure_noise
from tests.strategies import U, counts, hat_data, values

ONE = Decimal(1)
ODD_U = 64_999
"""No whole number of km/h: array means of U are then no integers of 2^-30."""
SMALL_COUNTS = ([1], [3], [1, 1], [2, 1], [4, 1], [2, 2, 1], [3, 2, 1], [3, 1, 1, 1], [1] * 5, [2, 2, 2])
ROUNDING = 0.00051
"""Published means are rounded to 0.001 km/h."""


def options(parameter: Parameter) -> list[object]:
    """The default, every option, and where it is a number its smallest, its largest and some between."""
    found: list[object] = [parameter.default, *parameter.options]
    if parameter.low is not None:
        high = parameter.low + 10**6 if parameter.high is None else parameter.high
        found += [parameter.low, min(parameter.low + 1, high), (parameter.low + high) // 2, high]
    return list(dict.fromkeys(found))


def refused(parameter: Parameter) -> list[object]:
    """Values outside the declared range."""
    found: list[object] = ["no such option", "", None, True, float("nan"), float("inf"), [1]]
    if parameter.low is None:
        return [*found, 1]
    found += [parameter.low - 1, -(10**30)]
    found += [] if parameter.high is None else [parameter.high + 1]
    return [*found, parameter.low + 0.5] if parameter.whole else found


def variants(mechanism: Mechanism) -> Iterator[Any]:
    """Parameters of the mechanism: every combination of options."""
    known = declared(mechanism.Params)
    for chosen in itertools.product(*map(options, known)):
        given = {parameter.name: value for parameter, value in zip(known, chosen, strict=True)}
        yield build(mechanism.Params, given, where="test")


MECHANISMS = [pytest.param(mechanism, id=key) for key, mechanism in all_mechanisms().items()]
VARIANTS = [
    pytest.param(mechanism, params, id=f"{key}-{number}")
    for key, mechanism in all_mechanisms().items()
    for number, params in enumerate(variants(mechanism))
]
each_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS)
each_variant = pytest.mark.parametrize(("mechanism", "params"), VARIANTS)


def hat_of(
    sizes: Iterable[int], flat: Iterable[int], *, backwards: bool = False, upper_bound: int = U
) -> HatData:
    """A HAT from the users' values one after another; `backwards` stores the last user first."""
    listed = np.array(list(sizes), np.int64)
    parts = np.split(np.array(list(flat), np.int32), np.cumsum(listed)[:-1])
    starts = np.cumsum(listed) - listed
    if backwards:
        parts, starts = parts[::-1], listed.sum() - np.cumsum(listed)
    return HatData(counts=listed, starts=starts, values=np.concatenate(parts), upper_bound=upper_bound)


def changed(hat: HatData, user: int, new: Iterable[int]) -> HatData:
    """The neighbour in which one user has other values."""
    flat = hat.values.copy()
    begin = int(hat.starts[user])
    flat[begin : begin + int(hat.counts[user])] = list(new)
    return dataclasses.replace(hat, values=flat)


def plan_of(
    mechanism: Mechanism, params: Any, hat: HatData, *, epsilon: Decimal = ONE, upper_bound: int = U
) -> Plan:
    return mechanism.plan(hat.counts, epsilon, upper_bound, params)


def requests(mechanism: Mechanism, plan: Plan, hat: HatData) -> list[Recorded]:
    """What a run asks of its noise."""
    noise = RecordingNoise()
    mechanism.run(plan, hat, noise)
    return noise.draws


def noiseless(mechanism: Mechanism, plan: Plan, hat: HatData) -> int:
    """The estimate without noise, thousandths."""
    return int(mechanism.run(plan, hat, RecordingNoise()).estimates[0])


def largest_move(mechanism: Mechanism, plan: Plan, hat: HatData, neighbour: HatData) -> float:
    """The largest move of a centre, as a part of the sensitivity that the request declares."""
    pairs = zip(requests(mechanism, plan, hat), requests(mechanism, plan, neighbour), strict=True)
    moves = []
    for one, other in pairs:
        assert (one.sensitivity, one.spend) == (other.sensitivity, other.spend)
        moves.append(abs(one.centre - other.centre) / one.sensitivity)
    return max(moves)


def largest_move_of_all(mechanism: Mechanism, plan: Plan, sizes: list[int], upper_bound: int) -> float:
    """The largest move over all assignments of 0 and U and all their neighbours."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    centres = {}
    for flat in itertools.product((0, upper_bound), repeat=owner.size):
        hat = hat_of(sizes, flat, upper_bound=upper_bound)
        (request,) = requests(mechanism, plan, hat)
        centres[flat] = request.centre
    largest = 0
    for user in range(len(sizes)):
        span: dict[tuple[int, ...], list[int]] = {}
        for flat, centre in centres.items():
            rest = tuple(value for value, who in zip(flat, owner, strict=True) if who != user)
            span.setdefault(rest, []).append(centre)
        largest = max(largest, *(max(reached) - min(reached) for reached in span.values()))
    return largest / plan.sensitivity


@st.composite
def neighbours(draw: st.DrawFn, upper_bound: int) -> tuple[HatData, HatData]:
    """Two HATs that differ in the values of one user, with runs of 0 and U."""
    hat = draw(hat_data(upper_bound=upper_bound))
    user = draw(st.integers(0, hat.counts.size - 1))
    size = int(hat.counts[user])
    new = draw(st.sampled_from(([0] * size, [upper_bound] * size)) | values(size, upper_bound))
    return hat, changed(hat, user, new)


@each_mechanism
def test_a_mechanism_says_what_it_is(mechanism: Mechanism) -> None:
    texts = (mechanism.key, mechanism.title, mechanism.reference, mechanism.summary)
    assert all(isinstance(text, str) and text for text in texts)
    assert mechanism.relations <= frozenset(Relation)
    assert mechanism.relations
    assert mechanism.version >= 1


@each_mechanism
def test_default_parameters_are_valid(mechanism: Mechanism) -> None:
    assert build(mechanism.Params, {}, where="test") == mechanism.Params()
    for parameter in declared(mechanism.Params):
        assert parameter.accept(parameter.default, where="test") == parameter.default


@each_mechanism
def test_values_outside_declared_ranges_are_refused(mechanism: Mechanism) -> None:
    cases = [(one.name, value) for one in declared(mechanism.Params) for value in refused(one)]
    for name, value in [*cases, ("no_such_parameter", 1)]:
        with pytest.raises(InputError):
            build(mechanism.Params, {name: value}, where="test")


@each_variant
@pytest.mark.parametrize("epsilon", ["0.001", "0.123457", "1", "100"])
def test_a_run_spends_exactly_its_epsilon(mechanism: Mechanism, params: Any, epsilon: str) -> None:
    hat = hat_of([3, 2, 1], [0, U, 5, 7, U, U])
    plan = plan_of(mechanism, params, hat, epsilon=Decimal(epsilon))
    assert plan.epsilon == Decimal(epsilon)
    assert sum(one.spend for one in requests(mechanism, plan, hat)) == Decimal(epsilon)


@each_variant
@pytest.mark.parametrize("epsilon", ["0.001", "1", "100"])
@pytest.mark.parametrize(
    ("sizes", "flat"),
    [
        ([1], [12_345]),
        ([5], [0, U, 1, 2, 3]),
        ([1, 1, 1], [7_000] * 3),
        ([3, 2, 2], [20_667] * 7),
        ([4, 3, 1], [0] * 8),
        ([4, 3, 1], [U] * 8),
    ],
    ids=["one-record", "one-user", "one-record-each", "equal", "all-0", "all-U"],
)
def test_real_estimates_are_sane(
    mechanism: Mechanism, params: Any, epsilon: str, sizes: list[int], flat: list[int]
) -> None:
    hat = hat_of(sizes, flat)
    plan = plan_of(mechanism, params, hat, epsilon=Decimal(epsilon))
    estimates = mechanism.run(plan, hat, secure_noise(plan.epsilon)).estimates
    assert estimates.shape == (1,)
    assert estimates.dtype == np.int64
    assert 0 <= estimates[0] <= U


@each_variant
@pytest.mark.parametrize("value", [0, 1, 20_667, U])
def test_equal_values_are_their_own_mean(mechanism: Mechanism, params: Any, value: int) -> None:
    hat = hat_of([4, 3, 3, 1], [value] * 11)
    assert noiseless(mechanism, plan_of(mechanism, params, hat), hat) == value


@each_variant
def test_noise_beyond_the_bounds_is_clamped(mechanism: Mechanism, params: Any) -> None:
    """At the smallest budget noise is a thousand times U: estimates are then mostly 0 and U."""
    hat = hat_of([1, 1], [30_000, 30_000])
    plan = plan_of(mechanism, params, hat, epsilon=Decimal("0.000001"))
    drawn = [int(mechanism.run(plan, hat, secure_noise(plan.epsilon)).estimates[0]) for _ in range(60)]
    assert set(drawn) >= {0, U}
    assert all(0 <= estimate <= U for estimate in drawn)


@each_variant
@settings(max_examples=40)
@given(data=st.data())
def test_where_values_are_stored_does_not_matter(
    mechanism: Mechanism, params: Any, data: st.DataObject
) -> None:
    sizes = data.draw(counts())
    flat = data.draw(values(int(sizes.sum())))
    forward, backward = hat_of(sizes, flat), hat_of(sizes, flat, backwards=True)
    plan = plan_of(mechanism, params, forward)
    assert requests(mechanism, plan, forward) == requests(mechanism, plan, backward)


@each_variant
@settings(max_examples=40)
@given(data=st.data())
def test_the_plan_depends_on_counts_only(mechanism: Mechanism, params: Any, data: st.DataObject) -> None:
    """The no-op pair: same counts, other values. Only centres may differ."""
    hat = data.draw(hat_data())
    other = dataclasses.replace(hat, values=np.array(data.draw(values(hat.values.size)), np.int32))
    first, second = plan_of(mechanism, params, hat), plan_of(mechanism, params, other)
    assert repr(first) == repr(second)
    assert first.expected_error == second.expected_error
    assert [(one.sensitivity, one.spend) for one in requests(mechanism, first, hat)] == [
        (one.sensitivity, one.spend) for one in requests(mechanism, second, other)
    ]


@each_variant
@pytest.mark.parametrize("sizes", SMALL_COUNTS, ids=str)
def test_the_bias_bound_is_the_worst_case_exactly(
    mechanism: Mechanism, params: Any, sizes: list[int]
) -> None:
    """Over all assignments of 0 and U; both statistics are linear, so that no other values do worse."""
    plan = mechanism.plan(np.array(sizes, np.int64), ONE, U, params)
    errors = [
        abs(noiseless(mechanism, plan, hat_of(sizes, flat)) - sum(flat) / sum(sizes)) / THOUSAND
        for flat in itertools.product((0, U), repeat=sum(sizes))
    ]
    assert max(errors) == pytest.approx(plan.bias_bound, abs=ROUNDING)


@each_variant
@settings(max_examples=40)
@given(hat=hat_data())
def test_no_values_exceed_the_bias_bound(mechanism: Mechanism, params: Any, hat: HatData) -> None:
    plan = plan_of(mechanism, params, hat)
    assert abs(noiseless(mechanism, plan, hat) - hat.values.mean()) / THOUSAND <= plan.bias_bound + ROUNDING


@each_variant
@given(data=st.data())
def test_no_user_moves_a_centre_beyond_the_sensitivity(
    mechanism: Mechanism, params: Any, data: st.DataObject
) -> None:
    upper_bound = data.draw(st.sampled_from((U, ODD_U, 1)))
    hat, neighbour = data.draw(neighbours(upper_bound))
    plan = plan_of(mechanism, params, hat, upper_bound=upper_bound)
    assert all(one.sensitivity == plan.sensitivity for one in requests(mechanism, plan, hat))
    assert largest_move(mechanism, plan, hat, neighbour) <= 1


@each_variant
@pytest.mark.parametrize("upper_bound", [U, ODD_U])
@pytest.mark.parametrize("sizes", SMALL_COUNTS, ids=str)
def test_some_user_moves_a_centre_by_the_whole_sensitivity(
    mechanism: Mechanism, params: Any, sizes: list[int], upper_bound: int
) -> None:
    """Over all assignments of 0 and U; 0.1 % less sensitivity would not cover the same move."""
    plan = mechanism.plan(np.array(sizes, np.int64), ONE, upper_bound, params)
    assert 0.999 < largest_move_of_all(mechanism, plan, sizes, upper_bound) <= 1
    mutated = dataclasses.replace(plan, sensitivity=int(plan.sensitivity * 0.999))
    assert largest_move_of_all(mechanism, mutated, sizes, upper_bound) > 1


@each_variant
def test_a_sensitivity_a_thousandth_too_small_is_caught(mechanism: Mechanism, params: Any) -> None:
    """The very check of `test_no_user_moves_a_centre_beyond_the_sensitivity` finds the mutant."""

    def caught(pair: tuple[HatData, HatData]) -> bool:
        plan = plan_of(mechanism, params, pair[0])
        mutated = dataclasses.replace(plan, sensitivity=int(plan.sensitivity * 0.999))
        return largest_move(mechanism, mutated, *pair) > 1

    unshrunk = settings(max_examples=5_000, phases=[Phase.generate], database=None)
    hat, neighbour = find(neighbours(U), caught, settings=unshrunk)
    assert largest_move(mechanism, plan_of(mechanism, params, hat), hat, neighbour) <= 1


@each_variant
def test_the_published_scale_is_sensitivity_over_epsilon(mechanism: Mechanism, params: Any) -> None:
    hat = hat_of([3, 2, 1], range(6))
    plan = plan_of(mechanism, params, hat, epsilon=Decimal("0.5"))
    assert plan.noise_scale == pytest.approx(plan.sensitivity / plan.divisor / 0.5)
    assert plan.expected_error == min(plan.noise_scale + plan.bias_bound, U / THOUSAND)
