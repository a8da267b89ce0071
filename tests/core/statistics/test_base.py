"""What a measure declares, and what a question is called by."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.mechanisms.registry import require_mechanism
from core.noise.source import NoiseSource
from core.planning.values_query import counts_of
from core.privacy import Relation, Unit
from core.statistics.base import (
    LARGEST_VARIANCE,
    UPPER_BOUND,
    AnyQuestion,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Measure,
    MeasurePlan,
    Question,
    Statistic,
)
from core.statistics.mean import MeanQuestion
from core.statistics.registry import require_statistic
from tests.neighbours import data_of
from tests.strategies import presence

ONE, OTHER = (
    MeasurePlan(sensitivity=size, noise_scale=size, bias_bound=0.0, typical_error=size, error_at_worst=size)
    for size in (1.0, 2.0)
)


def test_a_word_among_labels_is_no_number_and_comes_last() -> None:
    label = require_statistic("share_percentiles").label
    rows = [{label.name: text} for text in ("mean", "5.000", "15.000")]
    assert label.sorted_texts(rows) == ["5.000", "15.000", "mean"]
    assert [label.is_word(row) for row in rows] == [True, False, False]
    assert not require_statistic("share").label.is_word({"range_low_kmh": ""})


def measure(largest: str | int | None, decimals: int = 3) -> Measure:
    return Measure(
        name="value",
        low="low",
        high="high",
        bias="",
        unit="km/h",
        decimals=decimals,
        description="A value",
        largest=largest,
    )


@pytest.mark.parametrize(
    ("largest", "decimals", "expected"),
    [
        (UPPER_BOUND, 3, 65_000),
        (UPPER_BOUND, 0, 65),
        (LARGEST_VARIANCE, 3, 1_056_250),
        (1, 6, 1_000_000),
        (None, 3, None),
    ],
)
def test_the_largest_value_in_the_last_decimal(
    largest: str | int | None, decimals: int, expected: int | None
) -> None:
    assert measure(largest, decimals).largest_for(65_000) == expected


def test_a_largest_value_between_two_decimals_is_rounded_down() -> None:
    assert measure(LARGEST_VARIANCE, 0).largest_for(1_001) == 0
    assert measure(UPPER_BOUND, 0).largest_for(1_999) == 1


def test_a_question_goes_by_its_mechanism_where_there_is_one() -> None:
    mechanism = require_mechanism("levy")
    mean = MeanQuestion(statistic=require_statistic("mean"), mechanism=mechanism, params=mechanism.Params())
    assert (mean.key, mean.title, mean.reference) == ("levy", mechanism.title, mechanism.reference)
    assert mean.version == mechanism.version
    statistic = require_statistic("query1")
    query = Question(statistic=statistic, params=statistic.Params())
    assert (query.key, query.title, query.version) == ("query1", statistic.title, statistic.version)
    assert query.reference == statistic.reference


def test_records_show_sizes_only() -> None:
    data = data_of(presence((0, 0, 0), (0, 1, 0)), Unit.VEHICLE)
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    assert repr(records).startswith("<confidential HatRecords")


def test_what_a_statistic_leaves_out_has_a_default() -> None:
    class Newcomer(Statistic[AnyQuestion, None]):
        """Plans and draws, no more."""

        def plan(self, _: HatCounts, epsilon: Decimal, __: AnyQuestion) -> HatPlan[None]:
            return HatPlan(epsilon=epsilon, measures=(ONE, OTHER), m_ub=None, detail=None)

        def draw(self, _: HatPlan[None], __: HatRecords, ___: NoiseSource) -> tuple[Estimate, ...]:
            return ()

    newcomer = Newcomer()
    question = Question(statistic=newcomer, params=None)
    counts = counts_of(presence((0, 0, 0)), data_of(presence((0, 0, 0)), Unit.VEHICLE).users)(0)
    assert (newcomer.version, newcomer.relations, newcomer.label) == (1, {Relation.VALUES}, None)
    assert (newcomer.takes_noise_scale, newcomer.centred) == (False, False)
    assert newcomer.scale(counts, question) is None
    assert newcomer.numbers(counts, question) is None
    assert newcomer.suppression(question, 65_000) is None
    plan = newcomer.plan(counts, Decimal(2), question)
    assert plan.epsilon == 2
    assert plan.lead is ONE, "of several measures the first leads"
    estimate = Estimate(measure="value", value=3, low=1, high=5)
    assert (estimate.unclamped, estimate.informative) == (None, True), "as older draws are read"


@pytest.mark.parametrize(
    ("largest", "decimals", "constant"),
    [(UPPER_BOUND, 3, 7.0), (LARGEST_VARIANCE, 3, 65**2 / 8), (1, 6, 0.5), (None, 6, None)],
)
def test_what_a_constant_typically_misses(
    largest: str | int | None, decimals: int, constant: float | None
) -> None:
    """Means of HATs scatter by 7* km/h; of a variance half the range is U^2 / 8, of a share a half."""
    assert measure(largest, decimals).constant_error(65_000) == constant
    if largest == UPPER_BOUND:
        assert measure(largest).constant_error(130_000) == 14.0


def test_counts_tell_visits_of_the_users_that_are_kept() -> None:
    table = dataclasses.replace(presence((0, 0, 0), (0, 1, 0), (0, 1, 1)), visits=np.array([1, 1, 1]))
    users = data_of(table, Unit.VEHICLE).users
    public = counts_of(table, users)(0).public
    assert public.counts.tolist() == [2, 1]
    assert public.visits is not None
    assert public.visits.tolist() == [2, 1]
    assert counts_of(presence((0, 0, 0)), data_of(presence((0, 0, 0)), Unit.VEHICLE).users)(0).visits is None
