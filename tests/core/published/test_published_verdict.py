"""core.published.published_verdict: what is said of numbers that are out, from their rows alone."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.published.published_verdict import rows_that_came
from tests.builders import SPEED_MEAN, make_query, make_rows
from tests.core.advice.test_verdict import planned


def test_the_verdict_is_of_the_rows_that_have_numbers() -> None:
    came = rows_that_came(make_query(), SPEED_MEAN)
    assert came is not None
    out = [row.first for row in make_rows() if row.first is not None]
    width = float(np.median([(one.high - one.low) / 10**SPEED_MEAN.decimals for one in out]))
    assert (came.rows, came.published, came.width) == (len(make_rows()), len(out), width)
    before = verdict_of(planned("30"))
    after = came.verdict(before)
    assert (after.error, after.empty) == (0.2 * width, 1 - len(out) / len(make_rows()))
    assert came.sentences(before)[0].startswith(f"{len(out)} of {len(make_rows())} numbers were published")


def test_without_a_number_it_is_of_no_use() -> None:
    rows = tuple(dataclasses.replace(row, estimates=()) for row in make_rows())
    came = rows_that_came(make_query(rows=rows), SPEED_MEAN)
    assert came is not None
    assert came.sentence == f"None of the {len(rows)} numbers was published."
    assert came.verdict(verdict_of(planned("30"))).usefulness is Usefulness.NO_USE


def test_a_query_without_rows_has_no_verdict_of_its_own() -> None:
    assert rows_that_came(make_query(rows=()), SPEED_MEAN) is None
