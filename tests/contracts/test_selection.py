"""What every discovered selection rule must keep: which HATs are published follows from counts alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import SelectionRequest
from core.selection.registry import all_rules, select
from tests.neighbours import with_new_values
from tests.selections import THRESHOLDS, check_index, places
from tests.strategies import CELLS, contributions, values

EVERY_RULE = pytest.mark.parametrize("rule", all_rules())
Chosen = list[tuple[int, int]] | None


def chosen(table: Contributions, rule: str, threshold: int) -> Chosen:
    """(cell, slot) of the HATs; None where the rule leaves none."""
    takes_cells = all_rules()[rule].cell_file is not None
    request = SelectionRequest(
        rule=rule,
        threshold=None if takes_cells else threshold,
        cells=CELLS[:3] if takes_cells else (),
    )
    try:
        selection = select(table, request)
    except InputError:
        return None
    check_index(selection, table)
    return places(selection)


@EVERY_RULE
@given(table=contributions(), threshold=THRESHOLDS, new=st.data())
def test_the_choice_never_depends_on_values(
    rule: str, table: Contributions, threshold: int, new: st.DataObject
) -> None:
    everything = np.ones(table.hat.size, bool)
    other = with_new_values(table, everything, new.draw(values(table.values.size)))
    assert chosen(table, rule, threshold) == chosen(other, rule, threshold)


@EVERY_RULE
@given(table=contributions(), threshold=THRESHOLDS)
def test_hats_come_sorted_and_each_once(rule: str, table: Contributions, threshold: int) -> None:
    found = chosen(table, rule, threshold) or []
    assert found == sorted(set(found))
