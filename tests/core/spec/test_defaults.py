"""Defaults fit what may be written, and are those of the papers."""

from __future__ import annotations

from core.fixed_point import THOUSAND
from core.mechanisms.registry import require_mechanism
from core.spec import defaults
from core.spec.keys import default_of
from core.spec.limits import MOST_KMH


def test_the_declared_keys_start_from_them() -> None:
    assert default_of("selection.threshold") == defaults.DEFAULT_THRESHOLD == 10
    assert default_of("selection.minimum_vehicles") == defaults.DEFAULT_MINIMUM_VEHICLES == 2


def test_the_papers_bound_may_be_written() -> None:
    assert defaults.DEFAULT_UPPER_BOUND == 65 * THOUSAND
    assert defaults.DEFAULT_UPPER_BOUND < MOST_KMH * THOUSAND


def test_a_new_query_starts_from_a_mechanism_that_there_is() -> None:
    assert require_mechanism(defaults.DEFAULT_MECHANISM).key == defaults.DEFAULT_MECHANISM
