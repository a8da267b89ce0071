"""Medians by slot: of numbers alone, each slot by itself, every HAT counted once."""

from __future__ import annotations

import math
import statistics

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.advice.slot_figures import SlotFigure, slot_figures

NAN = math.nan


def test_a_slot_by_itself() -> None:
    figures = slot_figures(
        range(9, 12),
        np.array([9, 10, 9, 9, 12]),
        np.array([1.0, NAN, 4.0, NAN, 7.0]),
        np.array([False, True, False, True, False]),
    )
    assert figures == (
        SlotFigure(slot=9, median=2.5, numbers=2, suppressed=1),
        SlotFigure(slot=10, median=None, numbers=0, suppressed=1),
        SlotFigure(slot=11, median=None, numbers=0, suppressed=0),
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), st.floats(-1e6, 1e6)), st.booleans())))
def test_they_are_those_of_each_slot(hats: list[tuple[int, float | None, bool]]) -> None:
    figures = slot_figures(
        range(4),
        np.array([slot for slot, _, _ in hats], np.int64),
        np.array([NAN if value is None else value for _, value, _ in hats], np.float64),
        np.array([bare for _, _, bare in hats], bool),
    )
    for figure in figures:
        own = [(value, bare) for slot, value, bare in hats if slot == figure.slot]
        told = [value for value, _ in own if value is not None]
        assert figure.numbers == len(told)
        assert figure.suppressed == sum(bare for _, bare in own)
        assert figure.median == (statistics.median(told) if told else None)
