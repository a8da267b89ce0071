"""The audits of method 17 on every statistic: a user costs no more than epsilon; halved noise is caught.

What is audited is the whole transcript, all noisy numbers of a HAT together: the published ones are made
of these and of public counts alone. Of several requests for noise each is audited with its own share too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.mechanisms.registry import require_mechanism
from core.privacy import Unit
from core.statistics.base import Estimate, HatCounts, HatPlan, HatRecords
from core.statistics.cdf_design import BINARY, FLAT
from core.statistics.cdf_weights import RECORDS, USER
from core.statistics.question import question_of
from core.statistics.registry import all_statistics, require_statistic
from tests.audit import epsilon_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.core.statistics.cdf_reference import counts_of as counts_of_users
from tests.core.statistics.cdf_reference import records_of as records_of_users
from tests.fakes import secure_noise
from tests.pairs import (
    TranscriptNoise,
    counts_of,
    records_of,
    table_of,
    transcript_losses,
)
from tests.strategies import U, hat_of

ALPHA = 1e-6
ONE = Decimal(1)
FEW = 20_000
"""Draws on each neighbour in the normal suite."""
CATCHING = 100_000
"""So many must do for `make audit` to catch halved noise."""
Losses = NDArray[np.float64]
Pair = tuple[list[HatRecords], HatCounts]
"""The values on both neighbours, and the counts that are public."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A statistic with neighbours that it tells apart."""

    key: str
    setting: str
    pair: Callable[[], Pair]
    least: float
    """The part of epsilon that `make audit` certifies at least."""
    least_of_few: float | None = None
    """The same in the normal suite; None where it has no audit."""
    params: dict[str, Any] = field(default_factory=dict)
    mechanism: str = ""
    trials: int = 100_000


def planned(case: Case, counts: HatCounts, epsilon: Decimal = ONE) -> HatPlan:
    statistic = require_statistic(case.key)
    mechanism = require_mechanism(case.mechanism) if case.mechanism else None
    return statistic.plan(counts, epsilon, question_of(statistic, mechanism, case.params))


def unit_pair(unit: Unit, other: int) -> Pair:
    """A vehicle at 0, and at U, on three days where these are one user's; another at `other`."""
    days = 3 if unit is Unit.VEHICLE else 1
    tables = [table_of([[[value] * 2] * days, [[other]]]) for value in (0, U)]
    return [records_of(one, unit) for one in tables], counts_of(tables[0], unit)


def users_pair(sizes: list[int], others: list[int]) -> Pair:
    """The busiest user at 0, and at U; the records of the others are given."""
    hats = [hat_of(sizes, [value] * sizes[0] + others) for value in (0, U)]
    return [records_of_users(hat) for hat in hats], counts_of_users(sizes)


def cases_of(unit: Unit) -> Iterator[Case]:
    """One unit of privacy; the normal suite tries the vehicle."""
    few = unit is Unit.VEHICLE
    yield Case(
        key="mean",
        setting=f"{unit}, array-averaging",
        pair=partial(unit_pair, unit, 9_000),
        mechanism="array-averaging",
        least=0.7,
    )
    yield Case(
        key="query1",
        setting=unit,
        pair=partial(unit_pair, unit, 9_000),
        least=0.7,
        least_of_few=0.7 if few else None,
    )
    for way, limits in (("one by one", [40, 50]), ("histogram", [40])):
        yield Case(
            key="query2",
            setting=f"{unit}, {way}",
            pair=partial(unit_pair, unit, 45_000),
            params={"limits": limits, "histogram": way == "histogram"},
            least=0.6,
            least_of_few=0.6 if few else None,
        )


SIZES = [4] * 15 + [2] * 20 + [1] * 25
CASES = [
    # few bins make events frequent; extremes of several levels' numbers at once are rare all the same, so
    # that the bound of a few trials stays well below epsilon
    *(
        Case(
            key="cdf",
            setting=f"{tree}, {weights}",
            pair=partial(users_pair, [4, 3, 2, 1], [30_000] * 6),
            params={"bins": 4, "tree": tree, "weights": weights, "m_ub": 3},
            least=0.7,
            least_of_few=0.4,
            trials=1_000_000,
        )
        for tree in (FLAT, BINARY)
        for weights in (RECORDS, USER)
    ),
    *(
        Case(
            key="mean_variance",
            setting=f"others at {others}",
            pair=partial(users_pair, SIZES, [others] * (sum(SIZES) - 4)),
            params={"m_ub": 4},
            least=0.7,
            least_of_few=0.7,
            trials=200_000,
        )
        for others in (0, U)
    ),
    *(case for unit in Unit for case in cases_of(unit)),
]
BOTH_SUITES = [
    *(
        pytest.param(one, FEW, one.least_of_few, id=f"{one.key}, {one.setting}, few")
        for one in CASES
        if one.least_of_few is not None
    ),
    *(
        pytest.param(one, one.trials, one.least, id=f"{one.key}, {one.setting}", marks=pytest.mark.audit)
        for one in CASES
    ),
]


def transcripts(case: Case, trials: int, stretch: float) -> list[TranscriptNoise]:
    """What is drawn on both neighbours; `stretch` spoils the scales of the noise."""
    records, counts = case.pair()
    plan, noises = planned(case, counts), []
    for seed, data in enumerate(records):
        noise = TranscriptNoise(trials, stretch=stretch, seed=seed)
        require_statistic(case.key).draw(plan, data, noise)
        noises.append(noise)
    return noises


def losses(here: TranscriptNoise, there: TranscriptNoise) -> tuple[Losses, Losses]:
    """One log-likelihood ratio, of `here` against `there`, in the draws of either; by requests."""
    return transcript_losses(here, there), -transcript_losses(there, here)


@pytest.mark.parametrize(("case", "trials", "least"), BOTH_SUITES)
def test_no_statistic_costs_more_than_it_says_and_halved_noise_is_caught(
    case: Case, trials: int, least: float, audits: Audits
) -> None:
    """By the likelihood ratio, the best test there is: it finds a good part of epsilon and no more."""
    right = transcripts(case, trials, 1.0)
    samples, shares = losses(*right), [answer.spend for answer in right[0].answers]
    wholes = [sample.sum(axis=0) for sample in samples]
    assert sum(shares) == ONE
    assert max(np.abs(whole).max() for whole in wholes) <= 1 + 1e-9
    found = epsilon_lower_bound(*wholes, ALPHA)
    about = {"setting": case.setting, "trials": trials}
    audits.holds(case.key, WHOLE, claimed=ONE, certified=found, least=least, **about)
    for number, share in enumerate(shares if len(shares) > 1 else []):
        found = epsilon_lower_bound(*(sample[number] for sample in samples), ALPHA)
        step = f"request {number + 1} of {len(shares)}"
        audits.holds(case.key, step, claimed=share, certified=found, least=0.5, **about)
    catching = min(trials, CATCHING)
    spoiled = [sample.sum(axis=0) for sample in losses(*transcripts(case, catching, 0.5))]
    found, setting = epsilon_lower_bound(*spoiled, ALPHA), f"{case.setting}, noise halved"
    audits.caught(case.key, WHOLE, setting=setting, claimed=ONE, certified=found, trials=catching)


def test_every_statistic_is_audited() -> None:
    """Here, or as a joint release (test_city_audit.py)."""
    assert {case.key for case in CASES} == {key for key, one in all_statistics().items() if not one.joint}


METERED = "metered, one by one"


def metered(case: Case, epsilon: Decimal, trials: int) -> Iterator[list[tuple[Estimate, ...]]]:
    """Releases of each neighbour, as they are published, from the very source of a release."""
    records, counts = case.pair()
    plan = planned(case, counts, epsilon)
    for data in records:
        noise = secure_noise(epsilon * trials)
        yield [require_statistic(case.key).draw(plan, data, noise) for _ in range(trials)]


@pytest.mark.audit
def test_the_very_source_of_a_distribution_passes(audits: Audits) -> None:
    """The published share of the lower half, about one half."""
    case = Case(
        key="cdf",
        setting=METERED,
        pair=partial(users_pair, [3] * 41, [0] * 60 + [U] * 60),
        params={"bins": 2, "tree": FLAT},
        least=0.3,
    )
    trials = 30_000
    samples = [np.array([first.value for first, *_ in drawn]) for drawn in metered(case, ONE, trials)]
    found = epsilon_lower_bound(*samples, ALPHA)
    audits.holds(
        case.key, WHOLE, setting=METERED, claimed=ONE, certified=found, trials=trials, least=case.least
    )


@pytest.mark.parametrize(
    ("trials", "least"), [(1_000, 0.05), pytest.param(10_000, 0.3, marks=pytest.mark.audit)]
)
def test_the_very_source_of_mean_and_variance_passes(trials: int, least: float, audits: Audits) -> None:
    """Published pairs; what differs most is the sum of both."""
    case = next(one for one in CASES if one.key == "mean_variance")
    epsilon = Decimal(2)
    samples = [
        np.array([mean.value * U + variance.value * 1_000 for mean, variance in drawn])
        for drawn in metered(case, epsilon, trials)
    ]
    found = epsilon_lower_bound(*samples, ALPHA)
    audits.holds(
        case.key, WHOLE, setting=METERED, claimed=epsilon, certified=found, trials=trials, least=least / 2
    )
