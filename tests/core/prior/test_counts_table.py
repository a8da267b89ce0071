"""Public counts as a CSV file."""

from __future__ import annotations

import numpy as np
import pytest

from core.bounding.candidates import candidate_hats
from core.bounding.public_counts import PublicCounts
from core.errors import InternalError
from core.hats.cells import cell_text
from core.prior.counts_table import counts_csv
from tests.bounding import constants_of
from tests.strategies import CELLS

LISTED = candidate_hats(constants_of())


def test_candidates_without_vehicles_are_left_out() -> None:
    units = np.zeros(len(LISTED), np.int64)
    units[[0, 4]] = 7, 2
    public = PublicCounts(units=units, records=np.full(units.size, 3), fleet=0)
    start = LISTED.window.grid.text
    assert counts_csv(LISTED, public).decode() == (
        "h3_cell,slot_start,vehicles,records\n"
        f"{cell_text(CELLS[0])},{start(int(LISTED.slot[0]))},7,3\n"
        f"{cell_text(CELLS[1])},{start(int(LISTED.slot[4]))},2,3\n"
    )


def test_counts_of_other_candidates_are_a_bug() -> None:
    public = PublicCounts(units=np.ones(2, np.int64), records=np.ones(2, np.int64), fleet=0)
    with pytest.raises(InternalError):
        counts_csv(LISTED, public)
