"""What is told once a release is paid."""

from __future__ import annotations

import numpy as np

from core.release.said_afterwards import said_afterwards, why_unsmoothed
from tests.builders import make_query, make_release


def test_nothing_is_said_of_a_release_as_it_was_asked_for() -> None:
    assert said_afterwards(make_release()) == ()


def test_each_query_without_smoothed_numbers_is_named_with_the_reason() -> None:
    queries = (make_query(), make_query(query_id="night", unsmoothed=why_unsmoothed(MemoryError("31.7"))))
    assert said_afterwards(make_release(queries=queries)) == (
        "The smoothed numbers of night are missing: this computer ran out of memory. Its raw numbers "
        "are published whole, and the budget is spent.",
    )


def test_a_reason_repeats_nothing_of_the_error() -> None:
    for error in (ValueError("31.7"), np.linalg.LinAlgError("31.7"), FloatingPointError("31.7")):
        assert why_unsmoothed(error) == "the model of the city found no answer for these noisy numbers."
