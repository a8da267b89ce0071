"""core.grouping.groupings: both groupings by key, and the fields that choose between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from core.errors import InputError
from core.grouping.bestfit import bestfit
from core.grouping.groupings import BESTFIT, GROUPINGS, WRAPAROUND, grouping_field, m_ub_field
from core.grouping.m_ub import MEDIAN, RULES, SQRT
from core.grouping.wraparound import wraparound
from core.parameter_fields import build, declared


@dataclass(frozen=True)
class Params:
    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


def test_each_key_names_its_grouping() -> None:
    assert {BESTFIT: bestfit, WRAPAROUND: wraparound} == GROUPINGS


def test_a_grouping_says_how_many_arrays_a_user_may_touch() -> None:
    counts = np.array([5, 4, 3, 1])
    touched = {key: pack(counts, 3).touched for key, pack in GROUPINGS.items()}
    assert touched == {BESTFIT: 1, WRAPAROUND: 2}


def test_the_fields_offer_every_grouping_and_rule() -> None:
    grouping, m_ub = declared(Params)
    assert set(grouping.options) == set(GROUPINGS)
    assert set(m_ub.options) == set(RULES)
    assert (Params().grouping, Params().m_ub) == (BESTFIT, SQRT)


@pytest.mark.parametrize("given", [{"grouping": WRAPAROUND, "m_ub": MEDIAN}, {"m_ub": 7}])
def test_what_is_offered_is_accepted(given: dict[str, object]) -> None:
    built = build(Params, given, where="here")
    assert all(getattr(built, name) == value for name, value in given.items())


@pytest.mark.parametrize("given", [{"grouping": "worst-fit"}, {"m_ub": 0}, {"m_ub": "mean"}])
def test_anything_else_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(InputError):
        build(Params, given, where="here")
