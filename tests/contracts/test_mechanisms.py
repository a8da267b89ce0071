"""What every mechanism promises, checked on each discovered one with each of its options.

Neighbours (relation `values`) are run with equal private selections: then no selection's scores and
no noise's centre may move further than the sensitivity that was declared for them.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, note, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.grouping.assignment import Assignment
from core.grouping.groupings import BESTFIT, GROUPINGS, WRAPAROUND
from core.grouping.plan_cache import PlanCache
from core.mechanisms import projection
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import LinearMechanism, Mechanism, Plan
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.parameter_fields import Parameter, build, declared
from core.privacy import Relation
from tests.core.grouping.literal import as_printed
from tests.fakes import Recorded, RecordingNoise, ScriptedNoise, Selected, secure_noise
from tests.strategies import U, counts, hat_data, hat_users, values

ONE = Decimal(1)
ODD_U = 64_999
"""No whole number of km/h: array means of U are then no integers of 2^-30."""
SMALL_COUNTS = ([1], [3], [1, 1], [2, 1], [4, 1], [2, 2, 1], [3, 2, 1], [3, 1, 1, 1], [1] * 5, [2, 2, 2])
STRADDLING = ([3, 2, 2, 2], [60, 40, 40, 40])
"""Under WrapAround with m_UB = m_1 the third user has equal parts in two full arrays."""
SCRIPTS = ((0.0, 1.0), (0.02, 0.1), (1.0, 0.9))
"""Which candidates are selected, as fractions of the list: whole range, a narrow one, the other end."""
ROUNDING = 0.00051
"""Published means are rounded to 0.001 km/h."""
KEPT = PlanCache()
"""For plans of the same counts again and again: `test_a_cache_changes_no_plan`."""
LINEAR = ("array-averaging", "baseline", "opt-array-averaging")
PROJECTING = ("epsilon-quantile", "fixed-quantile", "levy")


def numbers(parameter: Parameter) -> list[float]:
    """Where a parameter is a number: its smallest, its largest and one between."""
    if parameter.low is None:
        return []
    high = parameter.low + 10**6 if parameter.high is None else parameter.high
    return [parameter.low, parameter.low + (1 if parameter.whole else (high - parameter.low) / 3), high]


def refused(parameter: Parameter) -> list[object]:
    """Values outside the declared range."""
    found: list[object] = ["", None, True, float("nan"), float("inf"), [1]]
    found += [] if parameter.text else ["no such option"]
    if parameter.flag:
        return [*(value for value in found if value is not True), 1, "true"]
    if parameter.low is None:
        return [*found, 1]
    found += [parameter.low - 1, -(10**30)]
    found += [] if parameter.high is None else [parameter.high + 1]
    return [*found, parameter.low + 0.5] if parameter.whole else found


def variants(mechanism: Mechanism) -> Iterator[Any]:
    """Every combination of options; and each number at its ends, one at a time, with each grouping.

    Plans that are paid in epsilon do not look at the noise that is asked for: that is test_gaussian_hats.py.
    """
    known = declared(mechanism.Params)
    unseen = {NOISE_FIELD} if isinstance(mechanism, LinearMechanism) else set()
    options = [(one.options if one.name not in unseen else ()) or (one.default,) for one in known]
    chosen = [
        dict(zip([one.name for one in known], found, strict=True)) for found in itertools.product(*options)
    ]
    groupings = {one.name: one.options for one in known}.get("grouping", (None,))
    for parameter, grouping in itertools.product(known, groupings):
        extra = {} if grouping is None else {"grouping": grouping}
        chosen += [extra | {parameter.name: value} for value in numbers(parameter)]
    for given_values in chosen:
        yield build(mechanism.Params, given_values, where="test")


VARIANTS = {key: list(variants(mechanism)) for key, mechanism in mechanisms_of(Relation.VALUES).items()}
numbers_of_variants = st.integers(0, 9_999)


def each_with_variant(number: int) -> Iterator[tuple[Mechanism, Any]]:
    """Every mechanism, each with one of its variants: drawing a HAT takes longer than most of what is tried
    on it. The last note of a failure tells by which it failed.
    """
    for key, found in VARIANTS.items():
        params = found[number % len(found)]
        note(f"{key}: {params}")
        yield all_mechanisms()[key], params


each_mechanism = pytest.mark.parametrize(
    "mechanism",
    [pytest.param(one, id=key) for key, one in mechanisms_of(Relation.VALUES).items()],
)
each_variant = pytest.mark.parametrize(
    ("mechanism", "params"),
    [
        pytest.param(
            all_mechanisms()[key],
            params,
            id=f"{key}-{number}",
            marks=[pytest.mark.audit] if number % 3 else [],
        )
        for key, found in VARIANTS.items()
        for number, params in enumerate(found)
    ],
)
each_linear = pytest.mark.parametrize("key", LINEAR)
each_projecting = pytest.mark.parametrize("key", PROJECTING)
each_grouping = pytest.mark.parametrize("grouping", list(GROUPINGS))


def params_of(mechanism: Mechanism, **wanted: object) -> Any:
    """The mechanism's parameters, as far as it has those wanted."""
    names = {parameter.name for parameter in declared(mechanism.Params)}
    return mechanism.Params(**{name: value for name, value in wanted.items() if name in names})


def groupings_of(mechanism: Mechanism, sizes: Sequence[int]) -> list[Any]:
    """Every assignment of these counts: both groupings, with every m_UB that any rule may give."""
    every = itertools.product(GROUPINGS, range(1, max(sizes) + 1))
    found = [params_of(mechanism, grouping=grouping, m_ub=m_ub) for grouping, m_ub in every]
    return list(dict.fromkeys(found))


def hat_of(
    sizes: Iterable[int], flat: Iterable[int], *, backwards: bool = False, upper_bound: int = U
) -> HatData:
    """A HAT from the users' values one after another; `backwards` stores the last user first."""
    listed = np.array(list(sizes), np.int64)
    ends, values = np.cumsum(listed), np.array(list(flat), np.int32)
    starts = ends - listed
    if backwards:
        values, starts = np.concatenate(np.split(values, ends[:-1])[::-1]), listed.sum() - ends
    return HatData(counts=listed, starts=starts, values=values, upper_bound=upper_bound)


def changed(hat: HatData, user: int, new: Iterable[int]) -> HatData:
    """The neighbour in which one user has other values."""
    flat = hat.values.copy()
    begin = int(hat.starts[user])
    flat[begin : begin + int(hat.counts[user])] = list(new)
    return dataclasses.replace(hat, values=flat)


def plan_of(
    mechanism: Mechanism,
    params: Any,
    hat: HatData,
    *,
    epsilon: Decimal = ONE,
    upper_bound: int = U,
    cache: PlanCache = KEPT,
) -> Plan:
    return mechanism.plan(hat.public, epsilon, upper_bound, params, cache)


def plan_for(
    mechanism: Mechanism, sizes: Sequence[int], params: Any, *, epsilon: Decimal = ONE, upper_bound: int = U
) -> Plan:
    """Of counts alone."""
    users = HatUsers(counts=np.array(sizes, np.int64))
    return mechanism.plan(users, epsilon, upper_bound, params, KEPT)


def recorded(mechanism: Mechanism, plan: Plan, hat: HatData, script: Sequence[float] = ()) -> RecordingNoise:
    """The noise source after a run that selected by the script."""
    noise = RecordingNoise(script=script)
    mechanism.run(plan, hat, noise)
    return noise


def noiseless(mechanism: Mechanism, plan: Plan, hat: HatData, script: Sequence[float] = ()) -> int:
    """The estimate without noise, thousandths."""
    return int(mechanism.run(plan, hat, RecordingNoise(script=script)).estimates[0])


def move(one: Recorded | Selected, other: Recorded | Selected) -> float:
    """How far a centre, or some score, moved: as a part of the sensitivity that the request declares."""
    assert (one.sensitivity, one.spend) == (other.sensitivity, other.spend)
    if isinstance(one, Recorded):
        assert isinstance(other, Recorded)
        return abs(one.centre - other.centre) / one.sensitivity
    assert isinstance(other, Selected)
    moved = np.abs(np.array(one.scores) - np.array(other.scores)).max()
    return float(moved / one.sensitivity)


def moves(
    mechanism: Mechanism, plan: Plan, hat: HatData, neighbour: HatData, script: Sequence[float] = ()
) -> list[float]:
    """The move of each request, in order; both runs select the same candidates."""
    here = recorded(mechanism, plan, hat, script)
    there = RecordingNoise(replay=here.choices)
    mechanism.run(plan, neighbour, there)
    return [move(*pair) for pair in zip(here.requests, there.requests, strict=True)]


def moves_of_all(
    mechanism: Mechanism, plan: Plan, sizes: list[int], upper_bound: int, script: Sequence[float]
) -> list[float]:
    """The largest move of each request over all assignments of 0 and U and all their neighbours."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    flats = list(itertools.product((0, upper_bound), repeat=owner.size))
    seen = [
        recorded(mechanism, plan, hat_of(sizes, flat, upper_bound=upper_bound), script).requests
        for flat in flats
    ]
    return [
        max(
            largest_span(table(requests), np.array(flats), owner == user) / requests[0].sensitivity
            for user in range(len(sizes))
        )
        for requests in zip(*seen, strict=True)
    ]


def table(requests: Sequence[Recorded | Selected]) -> NDArray[np.int64]:
    """One row for each request: its centre, or its scores."""
    assert len({(one.sensitivity, one.spend) for one in requests}) == 1
    return np.array([one.scores if isinstance(one, Selected) else (one.centre,) for one in requests])


def largest_span(rows: NDArray[np.int64], flats: NDArray[np.int64], own: NDArray[np.bool_]) -> int:
    """The largest move of any column among rows that agree in the values of all other users."""
    _, rest = np.unique(flats[:, ~own], axis=0, return_inverse=True)
    groups = [rows[rest.ravel() == number] for number in range(rest.max() + 1)]
    return max(int((group.max(axis=0) - group.min(axis=0)).max()) for group in groups)


def extreme_pairs(sizes: Sequence[int], upper_bound: int = U) -> Iterator[tuple[HatData, HatData]]:
    """Each user at 0, and at U; all others at 0, in the middle, or at U."""
    for others in (0, upper_bound // 2, upper_bound):
        hat = hat_of(sizes, [others] * sum(sizes), upper_bound=upper_bound)
        for user, size in enumerate(sizes):
            yield changed(hat, user, [0] * size), changed(hat, user, [upper_bound] * size)


@st.composite
def neighbours(draw: st.DrawFn, upper_bound: int) -> tuple[HatData, HatData]:
    """Two HATs that differ in the values of one user, with runs of 0 and U."""
    hat = draw(hat_data(upper_bound=upper_bound))
    user = draw(st.integers(0, hat.counts.size - 1))
    size = int(hat.counts[user])
    new = (
        [draw(st.sampled_from((0, upper_bound)))] * size
        if draw(st.booleans())
        else draw(values(size, upper_bound))
    )
    return hat, changed(hat, user, new)


scripts = st.lists(st.floats(0, 1), max_size=3)


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
def test_a_run_spends_exactly_its_epsilon(mechanism: Mechanism, params: Any) -> None:
    hat = hat_of([3, 2, 1], [0, U, 5, 7, U, U])
    for epsilon in map(Decimal, ("0.000001", "0.001", "0.123457", "1", "100")):
        plan = plan_of(mechanism, params, hat, epsilon=epsilon)
        assert plan.epsilon == epsilon
        assert spends_as_planned(mechanism, plan, hat)


def spends_as_planned(mechanism: Mechanism, plan: Plan, hat: HatData) -> bool:
    """What the noise source saw is what the plan says, step by step, and together epsilon."""
    seen = [one.spend for one in recorded(mechanism, plan, hat).requests]
    return seen == [share for _, share in plan.budget_shares] and sum(seen) == plan.epsilon


@each_mechanism
def test_a_budget_used_twice_is_caught(mechanism: Mechanism) -> None:
    """Every step at the whole epsilon: the plan is found out, and real noise refuses."""
    hat = hat_of([1] * 60, [U // 3] * 60)
    plan = plan_of(mechanism, mechanism.Params(), hat, epsilon=Decimal(4))
    if len(plan.budget_shares) == 1:
        plan = dataclasses.replace(plan, budget_shares=((plan.budget_shares[0][0], 2 * plan.epsilon),))
        mutant = dataclasses.replace(plan, epsilon=2 * plan.epsilon)
    else:
        mutant = plan = dataclasses.replace(
            plan, budget_shares=tuple((name, plan.epsilon) for name, _ in plan.budget_shares)
        )
    assert not (
        sum(share for _, share in plan.budget_shares) == plan.epsilon
        and spends_as_planned(mechanism, plan, hat)
    )
    with pytest.raises(InternalError, match="more noise budget"):
        mechanism.run(mutant, hat, secure_noise(Decimal(4)))


SANE = {
    "one-record": ([1], [12_345]),
    "one-user": ([5], [0, U, 1, 2, 3]),
    "one-record-each": ([1, 1, 1], [7_000] * 3),
    "equal-counts": ([4, 4, 4], [1, 2, 3, U] * 3),
    "equal-values": ([3, 2, 2], [20_667] * 7),
    "all-0": ([4, 3, 1], [0] * 8),
    "all-U": ([4, 3, 1], [U] * 8),
    "uneven": ([30, 1], [U] * 30 + [0]),
    "many": ([2] * 100, [0, U] * 100),
}


@each_variant
def test_real_estimates_are_sane(mechanism: Mechanism, params: Any) -> None:
    for (sizes, flat), epsilon in itertools.product(SANE.values(), ("0.001", "1", "100")):
        hat = hat_of(sizes, flat)
        plan = plan_of(mechanism, params, hat, epsilon=Decimal(epsilon))
        assert np.isfinite([plan.noise_scale, plan.bias_bound, plan.error_at_worst]).all()
        assert 0 <= plan.bias_bound <= plan.error_at_worst + 1e-9 <= U / THOUSAND + 1e-9
        accuracy = mechanism.accuracy(plan, hat.public, KEPT)
        assert 0 < accuracy.typical_error <= U / THOUSAND
        assert 0 < accuracy.half_width < math.inf
        draw = mechanism.run(plan, hat, secure_noise(plan.epsilon))
        assert np.clip(draw.unclamped, 0, U).tolist() == draw.estimates.tolist()
        assert draw.half_width is None or draw.half_width.shape == (1,)
        assert (draw.estimates.shape, draw.estimates.dtype) == ((1,), np.int64)
        assert 0 <= draw.estimates[0] <= U
        assert draw.noise_scale.shape == (1,)
        assert 0 <= draw.noise_scale[0] <= plan.noise_scale


@each_linear
@pytest.mark.parametrize("value", [0, 1, 20_667, U])
def test_equal_values_are_their_own_mean(key: str, value: int) -> None:
    mechanism = all_mechanisms()[key]
    hat = hat_of([4, 3, 3, 1], [value] * 11)
    for params in VARIANTS[key]:
        assert noiseless(mechanism, plan_of(mechanism, params, hat), hat) == value


@each_mechanism
@pytest.mark.parametrize("offset", [1 << 60, -(1 << 60)])
def test_noise_beyond_the_bounds_is_clamped(
    mechanism: Mechanism, offset: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without the clamp the check fails."""
    hat = hat_of([2, 1], [30_000] * 3)
    plan = plan_of(mechanism, mechanism.Params(), hat)

    def drawn() -> int:
        choices = [0, 1] if len(plan.budget_shares) == 3 else [0] * (len(plan.budget_shares) - 1)
        return int(mechanism.run(plan, hat, ScriptedNoise(offset, choices=choices)).estimates[0])

    assert drawn() == (U if offset > 0 else 0)
    monkeypatch.setattr(np, "clip", lambda value, *_: value)
    assert not 0 <= drawn() <= U


@given(number=numbers_of_variants, data=st.data())
def test_where_values_are_stored_does_not_matter(number: int, data: st.DataObject) -> None:
    sizes = data.draw(counts())
    flat = data.draw(values(int(sizes.sum())))
    forward, backward = hat_of(sizes, flat), hat_of(sizes, flat, backwards=True)
    for mechanism, params in each_with_variant(number):
        plan = plan_of(mechanism, params, forward)
        assert recorded(mechanism, plan, forward).requests == recorded(mechanism, plan, backward).requests


@given(number=numbers_of_variants, data=st.data())
def test_the_plan_depends_on_counts_only(number: int, data: st.DataObject) -> None:
    """The no-op pair: same counts, other values. Only centres, scores and what was selected may differ."""
    epsilon = Decimal(data.draw(st.sampled_from(("0.05", "1", "20"))))
    hat = data.draw(hat_data())
    other = dataclasses.replace(hat, values=np.array(data.draw(values(hat.values.size)), np.int32))
    for mechanism, params in each_with_variant(number):
        # each with a cache of its own, which would hide what depends on values
        first, second = (
            plan_of(mechanism, params, one, epsilon=epsilon, cache=PlanCache()) for one in (hat, other)
        )
        assert repr(first) == repr(second)
        assert first.error_at_worst == second.error_at_worst
        assert mechanism.accuracy(first, hat.public, PlanCache()) == mechanism.accuracy(
            second, other.public, PlanCache()
        )
        here, there = (recorded(mechanism, first, one, (0.1, 0.9)).requests for one in (hat, other))
        assert [(one.sensitivity, one.spend) for one in here] == [
            (one.sensitivity, one.spend) for one in there
        ]


@given(data=st.data())
def test_a_cache_changes_no_plan(data: st.DataObject) -> None:
    """Whatever was planned before with the same cache: other parameters, counts, bounds and epsilons."""
    caches = {key: PlanCache() for key in VARIANTS}
    hats = [data.draw(hat_users()) for _ in range(2)]
    # equal counts with other visits: what follows from visits must not be taken for theirs
    sizes = hats[0].counts
    hats += [HatUsers(counts=sizes), HatUsers(counts=sizes, visits=np.ones_like(sizes))]
    for _ in range(6):
        users = data.draw(st.sampled_from(hats))
        epsilon = Decimal(data.draw(st.sampled_from(("0.05", "1", "20"))))
        upper_bound = data.draw(st.sampled_from((U, U // 2)))
        for mechanism, params in each_with_variant(data.draw(numbers_of_variants)):
            cache = caches[mechanism.key]
            plan = mechanism.plan(users, epsilon, upper_bound, params, cache)
            alone = mechanism.plan(users, epsilon, upper_bound, params, PlanCache())
            assert repr(plan) == repr(alone)
            assert mechanism.accuracy(plan, users, cache) == mechanism.accuracy(alone, users, PlanCache())


@given(number=numbers_of_variants, data=st.data())
def test_visits_enter_plans_only_where_a_mechanism_says_so(number: int, data: st.DataObject) -> None:
    """What tells two requests apart is declared, so that others stay the requests they were."""
    users = data.draw(hat_users())
    unseen = HatUsers(counts=users.counts)
    epsilon = Decimal(data.draw(st.sampled_from(("0.05", "1", "20"))))
    for mechanism, params in each_with_variant(number):
        plans = [mechanism.plan(one, epsilon, U, params, PlanCache()) for one in (users, unseen)]
        assert mechanism.uses_visits or repr(plans[0]) == repr(plans[1])


@each_mechanism
def test_a_smaller_budget_never_promises_more(mechanism: Mechanism) -> None:
    """Typical error and half-width fall with epsilon, but for the scatter of drawn models."""
    sizes = np.sort(np.random.default_rng(6).geometric(0.05, 80))[::-1]
    users = HatUsers(counts=sizes, visits=np.maximum(sizes // 4, 1))
    found = []
    for epsilon in ("0.05", "0.2", "1", "4", "16"):
        plan = mechanism.plan(users, Decimal(epsilon), U, mechanism.Params(), PlanCache())
        accuracy = mechanism.accuracy(plan, users, PlanCache())
        found.append((accuracy.typical_error, accuracy.half_width))
    for (error, width), (next_error, next_width) in itertools.pairwise(found):
        assert next_error <= 1.02 * error
        assert next_width <= 1.02 * width


@each_linear
@pytest.mark.parametrize("sizes", SMALL_COUNTS, ids=str)
def test_the_bias_bound_is_the_worst_case_exactly(key: str, sizes: list[int]) -> None:
    """Over all assignments of 0 and U; both statistics are linear, so that no other values do worse."""
    mechanism = all_mechanisms()[key]
    for params in groupings_of(mechanism, sizes):
        plan = plan_for(mechanism, sizes, params)
        errors = [
            abs(noiseless(mechanism, plan, hat_of(sizes, flat)) - sum(flat) / sum(sizes)) / THOUSAND
            for flat in itertools.product((0, U), repeat=sum(sizes))
        ]
        assert max(errors) == pytest.approx(plan.bias_bound, abs=ROUNDING)


@given(number=numbers_of_variants, data=st.data(), script=scripts)
def test_no_values_and_no_selections_exceed_the_bias_bound(
    number: int, data: st.DataObject, script: list[float]
) -> None:
    hat = data.draw(hat_data())
    epsilon = Decimal(data.draw(st.sampled_from(("0.05", "1", "20"))))
    for mechanism, params in each_with_variant(number):
        plan = plan_of(mechanism, params, hat, epsilon=epsilon)
        estimate = noiseless(mechanism, plan, hat, script)
        assert abs(estimate - hat.values.mean()) / THOUSAND <= plan.bias_bound + ROUNDING


@given(number=numbers_of_variants, data=st.data(), script=scripts)
def test_no_user_moves_anything_beyond_its_sensitivity(
    number: int, data: st.DataObject, script: list[float]
) -> None:
    upper_bound = data.draw(st.sampled_from((U, ODD_U, 100, 1)))
    epsilon = Decimal(data.draw(st.sampled_from(("0.05", "1", "20"))))
    hat, neighbour = data.draw(neighbours(upper_bound))
    for mechanism, params in each_with_variant(number):
        plan = plan_of(mechanism, params, hat, epsilon=epsilon, upper_bound=upper_bound)
        assert max(moves(mechanism, plan, hat, neighbour, script)) <= 1
        assert all(one.sensitivity <= plan.sensitivity for one in recorded(mechanism, plan, hat).draws)


@each_linear
@pytest.mark.parametrize("upper_bound", [U, ODD_U])
@pytest.mark.parametrize("sizes", SMALL_COUNTS, ids=str)
def test_some_user_moves_a_centre_by_the_whole_sensitivity(
    key: str, sizes: list[int], upper_bound: int
) -> None:
    """Over all assignments of 0 and U; 0.1 % less sensitivity would not cover the same move."""
    mechanism = all_mechanisms()[key]
    for params in groupings_of(mechanism, sizes):
        plan = plan_for(mechanism, sizes, params, upper_bound=upper_bound)
        (largest,) = moves_of_all(mechanism, plan, sizes, upper_bound, ())
        assert 0.999 < largest <= 1
        assert largest * plan.sensitivity > int(plan.sensitivity * 0.999)


@each_mechanism
@pytest.mark.parametrize("sizes", [sizes for sizes in SMALL_COUNTS if sum(sizes) < 6], ids=str)
def test_no_assignment_of_0_and_u_moves_anything_further(mechanism: Mechanism, sizes: list[int]) -> None:
    for params, script in itertools.product(groupings_of(mechanism, sizes), SCRIPTS):
        plan = plan_for(mechanism, sizes, params, epsilon=Decimal(20))
        assert max(moves_of_all(mechanism, plan, sizes, U, script)) <= 1


def tight_params(key: str, grouping: str, m_ub: int) -> Any:
    """Parameters under which an interval can be far narrower than U / 2."""
    return params_of(all_mechanisms()[key], grouping=grouping, m_ub=m_ub, gamma=1.0)


def largest_moves(key: str, grouping: str, *, touched: int | None = None) -> list[float]:
    """The largest move of each step over extreme pairs; `touched` spoils what a user is thought to move."""
    mechanism = all_mechanisms()[key]
    found = []
    for sizes in (*SMALL_COUNTS, *STRADDLING):
        plan = plan_for(mechanism, sizes, tight_params(key, grouping, max(sizes)))
        if touched is not None:
            assert isinstance(plan, ArrayPlan)
            plan = dataclasses.replace(plan, assignment=dataclasses.replace(plan.assignment, touched=touched))
        for (hat, neighbour), script in itertools.product(extreme_pairs(sizes), SCRIPTS):
            found.append(moves(mechanism, plan, hat, neighbour, script))
    return np.max(found, axis=0).tolist()


@each_grouping
@each_projecting
def test_some_user_moves_each_step_by_its_whole_sensitivity(key: str, grouping: str) -> None:
    *selections, centre = largest_moves(key, grouping)
    assert selections == [1.0] * len(selections)
    assert 0.999 < centre <= 1


@each_projecting
def test_unhalved_exponents_and_one_width_under_wraparound_are_caught(key: str) -> None:
    """As if a user moved one array: each selection's scores and the centre move twice as far."""
    *selections, centre = largest_moves(key, WRAPAROUND, touched=1)
    assert selections == [2.0] * len(selections)
    assert centre > 1.9


@each_grouping
@each_projecting
def test_a_projected_sensitivity_a_thousandth_too_small_is_caught(
    key: str, grouping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = projection.projected_sensitivity
    monkeypatch.setattr(
        projection, "projected_sensitivity", lambda *given: (right(*given) * 0.999).astype(int)
    )
    assert largest_moves(key, grouping)[-1] > 1


@each_linear
def test_a_sensitivity_a_thousandth_too_small_is_caught(key: str) -> None:
    """The very check of `test_no_user_moves_anything_beyond_its_sensitivity` finds the mutant."""
    mechanism = all_mechanisms()[key]
    for params in dict.fromkeys(params_of(mechanism, grouping=grouping) for grouping in GROUPINGS):

        def caught(pair: tuple[HatData, HatData], params: Any = params) -> bool:
            plan = plan_of(mechanism, params, pair[0])
            mutated = dataclasses.replace(plan, sensitivity=int(plan.sensitivity * 0.999))
            return max(moves(mechanism, mutated, *pair)) > 1

        unshrunk = settings(max_examples=5_000, phases=[Phase.generate], database=None)
        hat, neighbour = find(neighbours(U), caught, settings=unshrunk)
        assert max(moves(mechanism, plan_of(mechanism, params, hat), hat, neighbour)) <= 1


def packed_as_printed(assignment: Assignment, grouping: str, sizes: list[int], m_ub: int) -> bool:
    """Whether each array holds the very records that the paper's algorithm puts there, in order."""
    arrays: list[list[tuple[int, int]]] = [[] for _ in range(assignment.arrays)]
    segments = zip(assignment.user, assignment.first, assignment.taken, assignment.array, strict=True)
    for user, first, taken, array in segments:
        arrays[array] += [(int(user), record) for record in range(first, first + taken)]
    return arrays == as_printed(grouping, sizes, m_ub)


@each_grouping
@pytest.mark.parametrize(
    "key", [key for key in VARIANTS if key in (*LINEAR, *PROJECTING) and key != "baseline"]
)
def test_swapped_groupings_are_caught(key: str, grouping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, sizes, m_ub = all_mechanisms()[key], [5, 4, 4, 3, 1], 5

    def right() -> bool:
        plan = plan_for(mechanism, sizes, params_of(mechanism, grouping=grouping, m_ub=m_ub))
        assert isinstance(plan, ArrayPlan)
        return packed_as_printed(plan.assignment, grouping, sizes, m_ub)

    assert right()
    bestfit, wraparound = GROUPINGS[BESTFIT], GROUPINGS[WRAPAROUND]
    monkeypatch.setitem(GROUPINGS, BESTFIT, wraparound)
    monkeypatch.setitem(GROUPINGS, WRAPAROUND, bestfit)
    assert not right()


@each_mechanism
def test_the_published_scale_is_sensitivity_over_the_last_share(mechanism: Mechanism) -> None:
    hat = hat_of([3, 2, 1], range(6))
    plan = plan_of(mechanism, mechanism.Params(), hat, epsilon=Decimal("0.5"))
    share = float(plan.budget_shares[-1][1])
    assert plan.noise_scale == pytest.approx(plan.sensitivity / plan.divisor / share)
    least, most = mechanism.noise_factors
    assert least * (1 - 1e-9) <= float(plan.epsilon) / share <= most * (1 + 1e-9)
    assert plan.error_at_worst == min(plan.noise_scale + plan.bias_bound, U / THOUSAND)
    noise = RecordingNoise(script=(0.1, 0.3))
    draw = mechanism.run(plan, hat, noise)
    assert draw.noise_scale[0] == pytest.approx(noise.draws[-1].sensitivity / plan.divisor / share)
