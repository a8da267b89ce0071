"""The audits of method 17: they pass every mechanism, step by step, and catch noise that is too small.

The final number alone is blind to mechanisms of several steps. Therefore each selection is audited
with its own share, the final noise with its own share given the interval, and the whole transcript.
`make audit` runs the long ones and prints a table of them; the longest stand first, so that two
processes end at about the same time.
"""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from core.contributions import HatData, HatUsers
from core.fixed_point import FINE
from core.grouping.groupings import BESTFIT, GROUPINGS
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Mechanism, Plan
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.noise.selection_law import selection_law
from core.parameter_fields import declared
from core.privacy import Relation
from tests.audit import (
    Event,
    ReplayNoise,
    SharedNoise,
    VectorNoise,
    certify,
    choose_event,
    clopper_pearson,
    epsilon_lower_bound,
    transcript_losses,
)
from tests.audit_table import WHOLE, Audits, Subject, expected
from tests.core.mechanisms.test_two_step_clipping_plan import two_step_for
from tests.fakes import RecordingNoise, Selected, secure_noise
from tests.strategies import U, hat_data, hat_of, values

ALPHA = 1e-6
EPSILON = Decimal(1)
COUNTS = np.repeat([4, 3, 2, 1], [20, 30, 40, 50])
"""One HAT of 140 vehicles: noise is far smaller than U, so that clamping hides little."""
USERS = HatUsers(counts=COUNTS)
PROJECTING = ("epsilon-quantile", "fixed-quantile", "levy")
QUANTILES = PROJECTING[:2]
TWO_STEP = "two-step-clipping"


def plan_of(
    mechanism: Mechanism,
    users: HatUsers,
    *,
    epsilon: Decimal = EPSILON,
    upper_bound: int = U,
    params: Any = None,
) -> Plan:
    """With default parameters unless others are given."""
    return mechanism.plan(users, epsilon, upper_bound, params or mechanism.Params(), PlanCache())


def stepwise_plan(key: str, hat: HatData, epsilon: Decimal, **wanted: Any) -> Plan:
    """With all steps of the mechanism, also where two-step clipping would choose LINEAR for so few users."""
    if key == TWO_STEP:
        users = hat.public
        return two_step_for(users.counts, str(epsilon), visits=users.visits, upper_bound=hat.upper_bound)
    mechanism = all_mechanisms()[key]
    params = params_of(mechanism, **wanted)
    return plan_of(mechanism, hat.public, epsilon=epsilon, upper_bound=hat.upper_bound, params=params)


SINGLE_STEP = [
    pytest.param(mechanism, id=key)
    for key, mechanism in mechanisms_of(Relation.VALUES).items()
    if len(plan_of(mechanism, USERS).budget_shares) == 1
]
each_single = pytest.mark.parametrize("mechanism", SINGLE_STEP)
FEW, MANY = 20_000, 1_000_000
"""Draws on each neighbour in the normal suite, and in `make audit`."""
CATCHING = 100_000
"""As many must do for `make audit` to catch spoiled noise: an audit that needs fewer is the sharper one."""
HALF_NOISE = "noise halved"
METERED, BY_LAW = "metered, one by one", "by its law"
"""Draws of the source of a release; and many at once by the law that it is tested to follow."""
Pair = tuple[HatData, HatData]


def one_user(counts: list[int], user: int, low: int, high: int, others: list[int], upper_bound: int) -> Pair:
    """A user whose records are all `low`, or all `high`; the other users' records are one value each."""
    pair = []
    for value in (low, high):
        flat = [*others[:user], value, *others[user:]]
        pair.append(hat_of(np.array(counts), np.repeat(flat, counts), upper_bound))
    return pair[0], pair[1]


def extreme_pair(others: int) -> Pair:
    """The busiest vehicle at 0, and at U; every other vehicle at `others`."""
    return one_user(COUNTS.tolist(), 0, 0, U, [others] * (COUNTS.size - 1), U)


def draws(mechanism: Mechanism, hat: HatData, noise: VectorNoise) -> NDArray[np.int64]:
    """Published means in thousandths, shape (trials,)."""
    plan = plan_of(mechanism, USERS)
    return mechanism.run(plan, hat, noise).estimates


def bound(mechanism: Mechanism, pair: Pair, trials: int, *, stretch: float = 1.0) -> float:
    """All mechanisms and pairs get the same noise; the two neighbours of a pair never do."""
    samples = []
    for neighbour, hat in enumerate(pair):
        noise = SharedNoise(trials, neighbour, stretch=stretch)
        samples.append(draws(mechanism, hat, noise))
    return epsilon_lower_bound(*samples, ALPHA)


def seen(pair: Pair) -> Pair:
    """The same with visits: the user who varies stood, the others passed by, and shifts tell them apart."""
    low, high = (
        dataclasses.replace(hat, visits=np.where(np.arange(hat.counts.size) == 0, 1, hat.counts))
        for hat in pair
    )
    return low, high


PAIRS = {"others at 0": extreme_pair(0), "others in the middle": extreme_pair(U // 2)}


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in PAIRS.items()])
@each_single
def test_no_mechanism_costs_more_than_it_says(mechanism: Mechanism, pair: Pair) -> None:
    assert 0.5 < bound(mechanism, pair, FEW) <= float(EPSILON)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in PAIRS.items()])
@each_single
def test_halved_noise_is_caught(mechanism: Mechanism, pair: Pair) -> None:
    assert bound(mechanism, pair, FEW, stretch=0.5) > float(EPSILON)


@pytest.mark.parametrize(("stretch", "caught"), [(1.0, False), (0.5, True)])
@pytest.mark.parametrize("others", [0, U // 2])
def test_a_linear_release_with_visits_costs_no_more_than_it_says(
    others: int, stretch: float, caught: bool
) -> None:
    """The division by q comes after the noise: it cannot make it cheaper or dearer."""
    mechanism, samples = all_mechanisms()[TWO_STEP], []
    for neighbour, hat in enumerate(seen(extreme_pair(others))):
        noise = SharedNoise(FEW, neighbour, stretch=stretch)
        plan = plan_of(mechanism, hat.public)
        assert plan.divisor != FINE, "q is not 1"
        samples.append(mechanism.run(plan, hat, noise).estimates)
    found = epsilon_lower_bound(*samples, ALPHA)
    assert (found > float(EPSILON)) is caught
    assert found > 0.5


@pytest.mark.parametrize(
    ("trials", "least"), [(1_000, 0.05), pytest.param(100_000, 0.8, marks=pytest.mark.audit)]
)
@each_single
def test_the_very_source_of_a_release_passes(
    mechanism: Mechanism, trials: int, least: float, audits: Audits
) -> None:
    """One metered draw at a time, as a release makes them."""
    plan = plan_of(mechanism, USERS)
    samples = []
    for hat in extreme_pair(U // 2):
        noise = secure_noise(EPSILON * trials)
        samples.append(np.array([mechanism.run(plan, hat, noise).estimates[0] for _ in range(trials)]))
    found = epsilon_lower_bound(*samples, ALPHA)
    audits.holds(
        mechanism.key, WHOLE, setting=METERED, claimed=EPSILON, certified=found, trials=trials, least=least
    )


@pytest.mark.audit
@each_single
def test_no_mechanism_costs_more_than_it_says_in_a_million_draws(
    mechanism: Mechanism, audits: Audits
) -> None:
    """All pairs get the same noise; the two neighbours of a pair never do."""
    noises = SharedNoise(MANY, 0), SharedNoise(MANY, 1)
    for others, pair in PAIRS.items():
        samples = [draws(mechanism, hat, noise) for hat, noise in zip(pair, noises, strict=True)]
        found = epsilon_lower_bound(*samples, ALPHA)
        audits.holds(
            mechanism.key, WHOLE, setting=others, claimed=EPSILON, certified=found, trials=MANY, least=0.9
        )


BOUNDING = "worst-case-bounding"
BUSY_PAIR = one_user([12, *[3] * 30], 0, 0, U, [U // 2] * 30, U)
"""At epsilon 1 the values of the busiest vehicle are projected on the middle quarter."""


def projected_bound(trials: int, stretch: float) -> float:
    """What a user whose values are projected certainly loses."""
    mechanism, noise = all_mechanisms()[BOUNDING], VectorNoise(trials, stretch=stretch)
    plan = mechanism.plan(BUSY_PAIR[0].public, EPSILON, U, mechanism.Params(), PlanCache())
    assert plan.bias_bound > 0
    return epsilon_lower_bound(*(mechanism.run(plan, hat, noise).estimates for hat in BUSY_PAIR), ALPHA)


@pytest.mark.parametrize(
    ("trials", "catching", "least"),
    [(FEW, FEW, 0.5), pytest.param(MANY, CATCHING, 0.9, marks=pytest.mark.audit)],
)
def test_a_projected_user_costs_no_more_than_epsilon(
    trials: int, catching: int, least: float, audits: Audits
) -> None:
    setting = "busy vehicle projected"
    found = projected_bound(trials, 1.0)
    audits.holds(
        BOUNDING, WHOLE, setting=setting, claimed=EPSILON, certified=found, trials=trials, least=least
    )
    found = projected_bound(catching, 0.5)
    setting = f"{setting}, {HALF_NOISE}"
    audits.caught(BOUNDING, WHOLE, setting=setting, claimed=EPSILON, certified=found, trials=catching)


@pytest.mark.audit
@each_single
def test_a_tenth_less_noise_is_caught(mechanism: Mechanism, audits: Audits) -> None:
    trials, setting = 3 * CATCHING, "a tenth less noise"
    found = bound(mechanism, extreme_pair(U // 2), trials, stretch=0.9)
    audits.caught(mechanism.key, WHOLE, setting=setting, claimed=EPSILON, certified=found, trials=trials)


def params_of(mechanism: Mechanism, **wanted: object) -> Any:
    """The mechanism's parameters, as far as it has those wanted."""
    names = {parameter.name for parameter in declared(mechanism.Params)}
    return mechanism.Params(**{name: value for name, value in wanted.items() if name in names})


TINY_U = 100
"""Three candidates: 0, 0.05 and 0.1 km/h. One user lifts the score of one and lowers that of another."""
LOWER_PAIR = one_user([1] * 10, 9, 0, TINY_U, [50] + [TINY_U] * 8, TINY_U)
UPPER_PAIR = one_user([1] * 10, 9, 0, TINY_U, [0] * 8 + [50], TINY_U)
LEVY_PAIR = one_user([5] * 11, 10, 0, U, [0] * 5 + [U] * 5, U)
"""Two bins; the median is in one or the other."""
TWO_STEP_EPSILON = "5"
"""With 24 users: 5/3 for the centre, 1 for the spread, 7/3 for the noise."""
TIED_PAIR = one_user([3] * 24, 0, 0, U, [0] * 11 + [U] * 11 + [U // 2], U)
"""The user decides for the centre, and moves the sum from one end of the clip to the other."""
SPREAD_PAIR = one_user([3] * 24, 0, 33_000, U, [33_000] * 11 + [43_000] + [U] * 11, U)
"""Eleven at 33 km/h, one only within the widest spread: the user decides whether half are near."""
SEEN_SPREAD_PAIR = seen(one_user([3] * 24, 0, 22_577, U, [33_000] * 11 + [43_000] + [U] * 11, U))
"""The same where the user stood: 0.3 x 33 x ln 3 x 23/24 = 10.42 km/h are added to its mean there."""
INTERVALS = {"epsilon-quantile": (585, 689), "fixed-quantile": (585, 689), "levy": (4,), TWO_STEP: (16, 2)}
"""Candidates about U / 2: both arrays pass through the whole interval, or most of it (Levy)."""


@dataclasses.dataclass(frozen=True)
class Selection:
    """One selection of a mechanism, with neighbours that it tells apart."""

    key: str
    step: int
    pair: Pair
    epsilon: str
    earlier: tuple[int, ...] = ()
    """Candidates that earlier steps selected, where this one depends on them."""

    @property
    def shares(self) -> tuple[tuple[str, Decimal], ...]:
        return self.plan(self.pair[0]).budget_shares

    def plan(self, hat: HatData) -> Plan:
        return stepwise_plan(self.key, hat, Decimal(self.epsilon))

    @property
    def name(self) -> str:
        return self.shares[self.step][0]

    @property
    def share(self) -> Decimal:
        return self.shares[self.step][1]

    def asked(self) -> list[Selected]:
        """What the mechanism asks for on both neighbours."""
        mechanism, found = all_mechanisms()[self.key], []
        for hat in self.pair:
            recorded = RecordingNoise(replay=self.earlier)
            mechanism.run(self.plan(hat), hat, recorded)
            found.append(recorded.selections[self.step])
        return found


SELECTIONS = [
    *(pytest.param(Selection(key, 0, LOWER_PAIR, "4"), id=f"{key}-lower") for key in QUANTILES),
    *(pytest.param(Selection(key, 1, UPPER_PAIR, "4"), id=f"{key}-upper") for key in QUANTILES),
    pytest.param(Selection("levy", 0, LEVY_PAIR, "2"), id="levy-bin"),
]
TWO_STEP_SELECTIONS = [
    pytest.param(Selection(TWO_STEP, 0, SPREAD_PAIR, TWO_STEP_EPSILON), id="two-step-centre"),
    pytest.param(
        Selection(TWO_STEP, 1, SPREAD_PAIR, TWO_STEP_EPSILON, INTERVALS[TWO_STEP]), id="two-step-spread"
    ),
    pytest.param(
        Selection(TWO_STEP, 0, SEEN_SPREAD_PAIR, TWO_STEP_EPSILON), id="two-step-centre-with-visits"
    ),
    pytest.param(
        Selection(TWO_STEP, 1, SEEN_SPREAD_PAIR, TWO_STEP_EPSILON, INTERVALS[TWO_STEP]),
        id="two-step-spread-with-visits",
    ),
]
"""Short audits of these stand with the mechanism's own tests."""


def both(short: list[Any], few: tuple[Any, ...], many: tuple[Any, ...], long_only: list[Any]) -> list[Any]:
    """Parameters of an audit: `short` with `few` trials in the suite, all with `many` in `make audit`."""
    return [
        *(pytest.param(*one.values, *few, id=f"{one.id}-few") for one in short),
        *(
            pytest.param(*one.values, *many, id=f"{one.id}-many", marks=pytest.mark.audit)
            for one in [*short, *long_only]
        ),
    ]


@pytest.mark.parametrize(
    ("selection", "trials", "least"), both(SELECTIONS, (4_000, 0.0), (50_000, 0.6), TWO_STEP_SELECTIONS)
)
def test_the_very_selections_of_a_release_pass(
    selection: Selection, trials: int, least: float, audits: Audits
) -> None:
    """OpenDP's own draws for the scores that the mechanism asks with, one at a time."""
    samples = []
    for asked in selection.asked():
        noise, scores = secure_noise(asked.spend * trials), np.array(asked.scores)
        samples.append(
            np.array([noise.select(scores, asked.sensitivity, spend=asked.spend)[0] for _ in range(trials)])
        )
    audits.holds(
        selection.key,
        selection.name,
        setting=METERED,
        claimed=selection.share,
        certified=epsilon_lower_bound(*samples, ALPHA),
        trials=trials,
        least=least,
    )


def selection_bound(selection: Selection, trials: int, stretch: float) -> float:
    """What a selection alone certainly costs."""
    samples = []
    for seed, asked in enumerate(selection.asked()):
        noise = VectorNoise(trials, stretch=stretch, seed=seed)
        samples.append(noise.select(np.array(asked.scores), asked.sensitivity, spend=asked.spend))
    return epsilon_lower_bound(*samples, ALPHA)


@pytest.mark.parametrize(
    ("selection", "trials", "catching"),
    both(SELECTIONS, (FEW, FEW), (MANY, CATCHING), TWO_STEP_SELECTIONS),
)
def test_each_selection_costs_no_more_than_its_share(
    selection: Selection, trials: int, catching: int, audits: Audits
) -> None:
    """And with an exponent twice as large, as without the 1/2, it is caught."""
    key, name, share = selection.key, selection.name, selection.share
    found = selection_bound(selection, trials, 1.0)
    audits.holds(key, name, setting=BY_LAW, claimed=share, certified=found, trials=trials, least=0.4)
    found = selection_bound(selection, catching, 0.5)
    audits.caught(
        key, name, setting=f"{BY_LAW}, exponent doubled", claimed=share, certified=found, trials=catching
    )


@pytest.mark.parametrize("key", PROJECTING)
@given(data=st.data())
def test_the_law_of_each_selection_changes_by_its_share_at_most(key: str, data: st.DataObject) -> None:
    """Without trials: the probabilities themselves, for both groupings and any neighbours."""
    mechanism = all_mechanisms()[key]
    upper_bound = data.draw(st.sampled_from((TINY_U, 1_000, U)))
    hat = data.draw(hat_data(upper_bound=upper_bound))
    user = data.draw(st.integers(0, hat.counts.size - 1))
    size, begin = int(hat.counts[user]), int(hat.starts[user])
    flat = hat.values.copy()
    flat[begin : begin + size] = data.draw(st.just([0] * size) | values(size, upper_bound))
    neighbour = dataclasses.replace(hat, values=flat)
    params = params_of(
        mechanism,
        grouping=data.draw(st.sampled_from(list(GROUPINGS))),
        m_ub=data.draw(st.integers(1, 9)),
        gamma=1.0,
    )
    plan = plan_of(mechanism, hat.public, epsilon=Decimal(4), upper_bound=upper_bound, params=params)
    here = RecordingNoise()
    mechanism.run(plan, hat, here)
    there = RecordingNoise(replay=here.choices)
    mechanism.run(plan, neighbour, there)
    for one, other in zip(here.selections, there.selections, strict=True):
        laws = [
            selection_law(np.array(asked.scores), asked.sensitivity, float(asked.spend))
            for asked in (one, other)
        ]
        assert np.abs(np.log(laws[0]) - np.log(laws[1])).max() <= float(one.spend) * (1 + 1e-9)


STRADDLING = [60, 40, 40, 40]
"""Under WrapAround with m_UB = 60 the third vehicle has a third of two arrays; with BestFit its own."""
MIDDLE_PAIR = one_user(STRADDLING, 2, 0, U, [U // 2] * 3, U)
FINAL_NOISES = [
    pytest.param(key, grouping, MIDDLE_PAIR, "1", id=f"{key}-{grouping}")
    for key in PROJECTING
    for grouping in GROUPINGS
]
TWO_STEP_NOISE = [
    pytest.param(TWO_STEP, "not grouped", TIED_PAIR, TWO_STEP_EPSILON, id="two-step"),
    pytest.param(TWO_STEP, "with visits", seen(TIED_PAIR), TWO_STEP_EPSILON, id="two-step-with-visits"),
]
"""Its short audits stand with the mechanism's own tests."""


def noise_bound(plan: Plan, pair: Pair, trials: int, stretch: float) -> float:
    """What the final noise certainly costs given the interval."""
    samples = []
    for neighbour, hat in enumerate(pair):
        noise = SharedNoise(trials, neighbour, stretch=stretch, choices=INTERVALS[plan.mechanism])
        samples.append(all_mechanisms()[plan.mechanism].run(plan, hat, noise).estimates)
    return epsilon_lower_bound(*samples, ALPHA)


@pytest.mark.parametrize(
    ("key", "grouping", "pair", "epsilon", "trials", "catching"),
    both(FINAL_NOISES, (FEW, FEW), (MANY, CATCHING), TWO_STEP_NOISE),
)
def test_the_final_noise_costs_no_more_than_its_share(
    key: str, grouping: str, pair: Pair, epsilon: str, trials: int, catching: int, audits: Audits
) -> None:
    plan = stepwise_plan(key, pair[0], Decimal(epsilon), grouping=grouping, m_ub=60, gamma=1.0)
    share = plan.noise_epsilon
    found = noise_bound(plan, pair, trials, 1.0)
    audits.holds(key, NOISE, setting=grouping, claimed=share, certified=found, trials=trials, least=0.4)
    found = noise_bound(plan, pair, catching, 0.5)
    setting = f"{grouping}, {HALF_NOISE}"
    audits.caught(key, NOISE, setting=setting, claimed=share, certified=found, trials=catching)


WHOLES = [
    pytest.param(key, where, pair, "2", id=f"{key}-{where}")
    for key in QUANTILES
    for where, pair in (("lower", LOWER_PAIR), ("upper", UPPER_PAIR))
]
LONG_WHOLES = [
    pytest.param("levy", "bin", LEVY_PAIR, "2", id="levy"),
    pytest.param(TWO_STEP, "tied", TIED_PAIR, TWO_STEP_EPSILON, id="two-step"),
    pytest.param(TWO_STEP, "tied, with visits", seen(TIED_PAIR), TWO_STEP_EPSILON, id="two-step-with-visits"),
]


def transcript_bound(key: str, pair: Pair, epsilon: Decimal, trials: int, stretch: float) -> float:
    """What the selections and the noisy sum together certainly cost; and no transcript costs more."""
    mechanism = all_mechanisms()[key]
    plan = stepwise_plan(key, pair[0], epsilon, grouping=BESTFIT)
    samples = []
    for sign, (own, other) in ((1, pair), (-1, pair[::-1])):
        here = VectorNoise(trials, stretch=stretch, seed=sign + 1)
        mechanism.run(plan, own, here)
        there = ReplayNoise(here)
        mechanism.run(plan, other, there)
        losses = transcript_losses(here, there)
        assert np.abs(losses).max() <= float(epsilon) / stretch * (1 + 1e-6)
        samples.append(sign * losses)
    return epsilon_lower_bound(*samples, ALPHA)


@pytest.mark.parametrize(
    ("key", "where", "pair", "epsilon", "trials", "catching"),
    both(WHOLES, (FEW, FEW), (MANY, CATCHING), LONG_WHOLES),
)
def test_the_whole_transcript_costs_no_more_than_epsilon(
    key: str, where: str, pair: Pair, epsilon: str, trials: int, catching: int, audits: Audits
) -> None:
    claimed = Decimal(epsilon)
    found = transcript_bound(key, pair, claimed, trials, 1.0)
    audits.holds(key, WHOLE, setting=where, claimed=claimed, certified=found, trials=trials, least=0.4)
    found = transcript_bound(key, pair, claimed, catching, 0.5)
    setting = f"{where}, {HALF_NOISE}"
    audits.caught(key, WHOLE, setting=setting, claimed=claimed, certified=found, trials=catching)


def test_every_step_of_every_mechanism_is_audited() -> None:
    """A new mechanism of one step is by itself; for any other this file wants neighbours."""
    single = {(one.values[0].key, WHOLE) for one in SINGLE_STEP}
    selections = [one.values[0] for one in [*SELECTIONS, *TWO_STEP_SELECTIONS]]
    found = single | {(one.key, one.name) for one in selections}
    found |= {(one.values[0], NOISE) for one in [*FINAL_NOISES, *TWO_STEP_NOISE]}
    found |= {(one.values[0], WHOLE) for one in [*WHOLES, *LONG_WHOLES]}
    wanted: set[Subject] = {one for one in expected() if one[0] in all_mechanisms()}
    assert wanted <= found


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.audit) for seed in range(4, 9))]
)
def test_the_noisy_max_of_a_release_follows_the_selection_law(seed: int) -> None:
    """Chi-square of OpenDP's metered draws against `core.noise.selection_law`, on random scores with ties."""
    rng = np.random.default_rng(seed)
    scores, sensitivity, trials = -rng.integers(0, 12, 3 + 2 * seed), 1 + 2 * seed, 4_000
    noise = secure_noise(EPSILON * trials)
    drawn = [int(noise.select(scores, sensitivity, spend=EPSILON)[0]) for _ in range(trials)]
    law = selection_law(scores, sensitivity, float(EPSILON))
    assert chisquare(np.bincount(drawn, minlength=scores.size), trials * law).pvalue > 1e-6


def test_equal_data_certify_nothing() -> None:
    """The no-op pair: the same records on both sides."""
    mechanism = all_mechanisms()["array-averaging"]
    hat, _ = extreme_pair(U // 2)
    assert bound(mechanism, (hat, hat), 20_000) <= 0


def test_the_audit_raises_no_false_alarm_on_exact_laplace() -> None:
    rng = np.random.default_rng(20240708)
    bounds = [
        epsilon_lower_bound(rng.laplace(0.0, 1.0, 2_000), rng.laplace(1.0, 1.0, 2_000), 0.05)
        for _ in range(100)
    ]
    assert sum(found > 1.0 for found in bounds) <= 5


@pytest.mark.parametrize(("too_small", "least"), [(1.25, 1.0), (2.0, 1.7)])
def test_the_audit_catches_a_sensitivity_that_is_too_small(too_small: float, least: float) -> None:
    """method 17 at n = 20,000 and alpha 1e-3: 1.11 for 1.25, 1.83 for 2."""
    rng = np.random.default_rng(7)
    found = epsilon_lower_bound(rng.laplace(0.0, 1.0, 20_000), rng.laplace(too_small, 1.0, 20_000), 1e-3)
    assert least < found <= too_small


def test_clopper_pearson_bounds_hold_at_the_ends_and_in_the_middle() -> None:
    low, high = clopper_pearson(np.array([0, 10, 50, 100]), 100, 0.025)
    assert low == pytest.approx([0.0, 0.0490047, 0.3983211, 0.9637833], abs=1e-6)
    assert high == pytest.approx([0.0362167, 0.1762226, 0.6016789, 1.0], abs=1e-6)


def test_the_chosen_event_is_where_the_samples_differ() -> None:
    event = choose_event(np.repeat([0, 9], [900, 100]), np.repeat([0, 9], [100, 900]), 0.01)
    assert event.low <= 0 < event.high <= 9


def test_nothing_is_certain_about_an_event_that_never_happened() -> None:
    assert certify(Event(5.0, 6.0), np.zeros(10), np.zeros(10), 0.01) == -np.inf


def test_the_sampler_follows_the_discrete_laplace_law() -> None:
    """Chi-square on real metered draws at scale 3: P(k) = (1 - a) / (1 + a) a^|k|, a = exp(-1 / 3)."""
    trials, reach = 6_000, 10
    noise = secure_noise(EPSILON * trials)
    drawn = np.array([noise.laplace(5, 3, spend=EPSILON)[0] - 5 for _ in range(trials)])
    a = np.exp(-1 / 3)
    law = (1 - a) / (1 + a) * a ** np.abs(np.arange(-reach, reach + 1))
    tail = (1 - law.sum()) / 2
    seen = np.bincount(np.clip(drawn, -reach - 1, reach + 1) + reach + 1, minlength=2 * reach + 3)
    assert chisquare(seen, trials * np.concatenate(([tail], law, [tail]))).pvalue > 1e-6
