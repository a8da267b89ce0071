"""What a measure declares, and what a question is called by."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.mechanisms.registry import require_mechanism
from core.noise.source import NoiseSource
from core.planning.query_plan import counts_of
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
    Question,
    Statistic,
)
from core.statistics.mean import MeanQuestion
from core.statistics.registry import require_statistic
from tests.neighbours import data_of
from tests.strategies import presence


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
            return HatPlan(
                epsilon=epsilon,
                sensitivity=1.0,
                noise_scale=1.0,
                bias_bound=0.0,
                expected_error=1.0,
                m_ub=None,
                detail=None,
            )

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
    assert newcomer.plan(counts, Decimal(2), question).epsilon == 2
