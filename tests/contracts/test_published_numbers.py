"""What is published follows from public counts and from what the noise source returned, from nothing else.

A source that returns the same results whatever it is asked stands in for the noise. Then other values, with
the same counts, may not move a single published number: not a value, an end of an interval, a bias, a label
or a status. Every statistic and every mechanism of the registries is tried with all of its options.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.budgets import Budget
from core.contributions import Contributions, HatData, UserTable
from core.mechanisms.noise_field import LAPLACE
from core.mechanisms.registry import mechanisms_of
from core.parameter_fields import Parameter, declared
from core.planning import joint
from core.planning.counted_city import CountedCity
from core.planning.joint_shares import JointShares
from core.planning.query_plan import DrawnRows, Query
from core.planning.values_query import plan_query
from core.privacy import Relation, Unit
from core.statistics.base import AnyQuestion, AnyStatistic, Estimate, HatRecords
from core.statistics.question import question_of
from core.statistics.registry import all_statistics
from tests.draws import draw_query
from tests.fakes import ScriptedResults
from tests.neighbours import all_of, data_of, with_new_values
from tests.strategies import U, contributions, presence, values

SMALL = {"bins": 13, "limits": (20.0, 40.0)}
"""Instead of defaults that would take long, and limits that values lie on both sides of."""
LEFT_OUT: tuple[dict[str, Any], ...] = (
    {"noise": "laplace", "zoom": True},
    {"noise": "gauss", "suppress_users": True},
    {"regions": True},
)
"""Options that exclude each other, and what `test_region_release` holds."""
DELTA = Decimal("0.1")
"""Of the population: so large that the smallest epsilon buys Gaussian noise."""
EPSILONS = st.sampled_from(("0.5", "8", "300")).map(Decimal)
"""The largest leaves intervals that no bound cuts."""
AWAY = st.lists(st.floats(-2, 2), min_size=1, max_size=3)
SCRIPTS = st.lists(st.floats(0, 1), min_size=1, max_size=3)


def options(parameter: Parameter) -> tuple[object, ...]:
    """All that may be chosen; of a number its default."""
    if parameter.flag:
        return (False, True)
    return parameter.options or (SMALL.get(parameter.name, parameter.default),)


def questions() -> Iterator[tuple[str, AnyQuestion]]:
    """(id, question) of every statistic, or mechanism where it takes one, with all options."""
    for statistic in all_statistics().values():
        for mechanism in [None] if statistic.method else mechanisms_of(Relation.VALUES).values():
            known = declared((mechanism or statistic).Params)
            for chosen in itertools.product(*map(options, known)):
                given_values = dict(zip([one.name for one in known], chosen, strict=True))
                if any(one.items() <= given_values.items() for one in LEFT_OUT):
                    continue
                name = f"{statistic.key}, {mechanism.key}" if mechanism else statistic.key
                yield name, question_of(statistic, mechanism, given_values)


VARIANTS: dict[str, list[AnyQuestion]] = {}
for _name, _question in questions():
    VARIANTS.setdefault(_name, []).append(_question)
EVERY = pytest.mark.parametrize("name", VARIANTS)


def published(
    contributed: Contributions, question: AnyQuestion, unit: Unit, epsilon: Decimal, noise: ScriptedResults
) -> list[tuple[Any, ...]]:
    """All that a release says of each HAT: whether it is published, for how much, its numbers and noise."""
    data = data_of(contributed, unit)
    shared = question.joint or question.noise_of_hats != LAPLACE
    budget = Budget(total=epsilon) if shared else Budget(per_hat=epsilon)
    query = Query(id="query", question=question, budget=budget)
    plan = plan_query(
        CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1, delta=DELTA), query
    )
    drawn = draw_query(plan, data.users, data.pairs, noise)
    hats = [
        (hat.name, hat.plan is None, hat.plan and hat.plan.epsilon, estimates)
        for hat, estimates in zip(plan.hats, drawn.rows, strict=True)
    ]
    return [*hats, () if drawn.scales is None else tuple(drawn.scales.tolist())]


def unit_of(question: AnyQuestion, unit: Unit) -> Unit:
    """To suppress users, or to share a total out, takes users that occupy several HATs."""
    several = question.joint or getattr(question.params, "suppress_users", False)
    return Unit.VEHICLE if several and unit is Unit.VEHICLE_HAT_DAY else unit


def test_every_statistic_and_every_mechanism_is_tried() -> None:
    tried = {(one.statistic.key, one.key) for found in VARIANTS.values() for one in found}
    wanted = {(one.key, one.method) for one in all_statistics().values() if one.method}
    assert tried == wanted | {("mean", key) for key in mechanisms_of(Relation.VALUES)}
    assert len(VARIANTS["mean, levy"]) >= 10
    noises = [one.params.noise for one in VARIANTS["query2"]]
    # both ways to answer limits; users leave with Laplace noise alone
    assert {noise: noises.count(noise) for noise in noises} == {"laplace": 4, "gauss": 2, "auto": 4}


@EVERY
@given(data=st.data(), epsilon=EPSILONS, away=AWAY, script=SCRIPTS, unit=st.sampled_from(list(Unit)))
def test_other_values_move_no_published_number(
    name: str, data: st.DataObject, epsilon: Decimal, away: list[float], script: list[float], unit: Unit
) -> None:
    question = data.draw(st.sampled_from(VARIANTS[name]))
    contributed = data.draw(contributions())
    size = contributed.values.size
    new = data.draw(st.sampled_from(([0] * size, [U] * size)) | values(size))
    other = with_new_values(contributed, np.ones(contributed.hat.size, bool), new)
    noise = ScriptedResults(away, script)
    asked = (question, unit_of(question, unit), epsilon)
    assert published(contributed, *asked, noise) == published(other, *asked, noise.again())


def true_mean(users: HatData) -> int:
    """Thousandths of km/h."""
    return round(int(users.sums().sum()) / int(users.counts.sum()))


def centred_on_the_truth(one: Estimate, mean: int) -> Estimate:
    """The bug that this file was written for: right widths, about the true mean."""
    half = (one.high - one.low) // 2
    return dataclasses.replace(one, low=max(mean - half, 0), high=mean + half)


PLANTED: dict[str, Callable[[Estimate, int], Estimate]] = {
    "interval": centred_on_the_truth,
    "value": lambda one, mean: dataclasses.replace(one, value=one.value + mean // 1_000),
    "low": lambda one, mean: dataclasses.replace(one, low=one.low - mean // 1_000),
    "high": lambda one, mean: dataclasses.replace(one, high=one.high + mean // 1_000),
    "bias": lambda one, mean: dataclasses.replace(one, bias_bound=mean // 1_000),
    "label": lambda one, mean: dataclasses.replace(one, label=mean),
}


def spoiled(found: tuple[Estimate, ...], bug: str, users: HatData) -> tuple[Estimate, ...]:
    """The numbers of one HAT after another look at its values."""
    if bug == "status":
        return found if true_mean(users) > U // 2 else ()
    return tuple(PLANTED[bug](one, true_mean(users)) for one in found)


def planted(statistic: AnyStatistic, bug: str) -> Callable[..., tuple[Estimate, ...]]:
    """The statistic's `draw` with a bug that looks at values once more."""
    right = type(statistic).draw

    def draw(self: AnyStatistic, plan: Any, data: HatRecords, noise: Any) -> tuple[Estimate, ...]:
        return spoiled(right(self, plan, data, noise), bug, data.users)

    return draw


def planted_joint(bug: str) -> Callable[..., Any]:
    """The same where all HATs are drawn as one."""
    right = joint.draw_city_query

    def draw(plan: Any, users: UserTable, *rest: Any) -> Any:
        found, drawn = right(plan, users, *rest)
        if bug == "scale":
            return found, dataclasses.replace(drawn, scale=drawn.scale * true_mean(users.hat_data(0)))
        return {index: spoiled(one, bug, users.hat_data(index)) for index, one in found.items()}, drawn

    return draw


def planted_shares(bug: str) -> Callable[..., Any]:
    """The same of shares of all HATs."""
    right = JointShares.draw

    def draw(self: JointShares, contributed: Contributions, users: UserTable, *rest: Any) -> DrawnRows:
        drawn = right(self, contributed, users, *rest)
        if bug == "scale":
            return dataclasses.replace(drawn, scales=np.array([float(true_mean(users.hat_data(0)))]))
        rows = zip(self.hats, drawn.rows, strict=True)
        spoilt = tuple(spoiled(row, bug, users.hat_data(hat.index)) if row else row for hat, row in rows)
        return dataclasses.replace(drawn, rows=spoilt)

    return draw


SLOW_AND_FAST = (8_000, 41_000)
"""Values of all records, in the two data sets of the planted bugs."""


BUGS = [
    pytest.param(name, bug, id=f"{name}-{bug}")
    for name, (first, *_) in VARIANTS.items()
    for bug in (*PLANTED, "status", *(["scale"] if first.joint else []))
]


@pytest.mark.parametrize(("name", "bug"), BUGS)
def test_a_planted_bug_is_caught(name: str, bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The very comparison of the test above, on one table; without the bug it finds nothing."""
    question = VARIANTS[name][0]
    table = city()
    pair = [
        with_new_values(table, np.ones(table.hat.size, bool), [value] * table.values.size)
        for value in SLOW_AND_FAST
    ]

    def moved() -> bool:
        noise = ScriptedResults([0.5, -0.5], [0.3])
        asked = (question, Unit.VEHICLE, Decimal(300))
        return published(pair[0], *asked, noise) != published(pair[1], *asked, noise.again())

    assert not moved()
    statistic = question.statistic
    if statistic.joint:
        monkeypatch.setattr(JointShares, "draw", planted_shares(bug))
    elif question.joint:
        monkeypatch.setattr(joint, "draw_city_query", planted_joint(bug))
    else:
        monkeypatch.setattr(type(statistic), "draw", planted(statistic, bug))
    assert moved()


def city() -> Contributions:
    """Two HATs with nine vehicles on two days."""
    return presence(*((hat, vehicle, day) for hat in range(2) for vehicle in range(9) for day in range(2)))
