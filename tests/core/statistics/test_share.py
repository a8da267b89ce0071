"""What statistic `share` asks for and publishes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, InternalError
from core.parameter_fields import build
from core.quantity import Quantity
from core.statistics.question import question_of
from core.statistics.share import PERCENTILES, STATISTIC, ShareParams, asked_ranges, ends_of, range_label
from tests.strategies import U

DELAY = Quantity(name="delay", column_unit="min", unit="min", lower=-60_000)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_a_label_is_both_ends(low: int, width: int) -> None:
    assert ends_of(range_label(low, low + width)) == (low, low + width)


def test_labels_are_published_in_the_values_unit() -> None:
    labels = STATISTIC.of(DELAY).labels_of({"ranges": ((-60.0, 5.0),)}, 130_000)
    assert [ends_of(label) for label in labels] == [(-60_000, 5_000)]
    assert len(STATISTIC.labels_of({"ranges": ()}, U)) == 7


def test_columns_are_called_after_the_value() -> None:
    delay = STATISTIC.of(DELAY)
    assert delay.label.names == ("range_low_min", "range_high_min")
    assert (delay.table, PERCENTILES.of(DELAY).table) == ("delay_share_by_hat", "delay_percentiles_by_hat")
    assert PERCENTILES.of(DELAY).measures[0].name == "delay_min"


def test_ranges_are_those_that_are_asked_for_or_tile() -> None:
    assert asked_ranges(ShareParams(), 0, U).tile
    assert asked_ranges(ShareParams(ranges=((0.0, 10.0),)), 0, U).listed == ((0, 10_000),)


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ({"percentiles": [0, 50]}, "number 1 of the list"),
        ({"percentiles": [50, 100]}, "number 2 of the list"),
        ({"percentiles": [85, 15]}, "does not rise"),
        ({"ranges": [[0, 10], 5]}, "number 2 of the list is not a range"),
        ({"ranges": [[0, 10, 20]]}, "not a range"),
        ({"ranges": ["0:10"]}, "not a range"),
        ({"zoom": True}, "no parameter 'zoom'"),
        ({"counts": True}, "no parameter 'counts'"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        build(ShareParams, parameters, where="query.parameters")
    assert caught.value.where.startswith("query.parameters")
    assert caught.value.mend


def test_it_is_one_release_of_a_whole_city() -> None:
    question = question_of(STATISTIC, None, {})
    assert (question.joint, question.key, question.uses_visits, question.corrects_dwell) == (
        True,
        "tokens",
        True,
        True,
    )
    assert not question_of(STATISTIC, None, {"mode": "exact"}).corrects_dwell
    with pytest.raises(InternalError, match="together"):
        STATISTIC.draw(None, None, None)
