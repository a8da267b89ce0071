"""core.portal.smoothing_rows: published rows make the facts that smoothing had."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.hats.places import HEXAGONS
from core.mechanisms.covariate import OF_RECORDS
from core.portal.smoothing_rows import smoothing_of_rows
from tests.compared_city import compared_rows

ROWS = compared_rows()
DEVIATIONS = np.arange(1.0, 1.0 + len(ROWS.rows))


def test_hexagons_say_where_they_lie() -> None:
    table = ROWS.public.table
    facts = smoothing_of_rows(table, ROWS.rows, DEVIATIONS, {}, gaussian=True, span=65_000, slope=OF_RECORDS)
    assert facts.places is HEXAGONS
    assert facts.noise_variance.tolist() == (DEVIATIONS**2).tolist()
    assert facts.hours[:2].tolist() == [10.5, 11.5]
    assert facts.ids[0] == f"{ROWS.rows[0]['h3_cell']}\n10:00"
    assert facts.covariate is not None
    assert facts.covariate.standardised.tolist() == [0.0] * len(ROWS.rows)
    assert facts.group is None


def test_other_places_are_numbered_and_lie_where_it_is_said() -> None:
    table = dataclasses.replace(ROWS.public.table, by_place=True, groups=("kind",))
    ids = {cell: f"p{number:02d}" for number, cell in enumerate(dict.fromkeys(ROWS.places))}
    rows = [
        {**row, "place_id": ids[row["h3_cell"]], "kind": "ab"[number % 2]}
        for number, row in enumerate(ROWS.rows)
    ]
    where = {place: (float(number), 2.0) for number, place in enumerate(ids.values())}
    facts = smoothing_of_rows(table, rows, DEVIATIONS, where, gaussian=False, span=65_000, slope=None)
    assert facts.cells[[0, 10, 11]].tolist() == [0, 0, 1]
    assert facts.places.middles([2]) == [(2.0, 2.0)]
    assert facts.group is not None
    assert facts.group[:3].tolist() == [0, 1, 0]
    nowhere = smoothing_of_rows(table, rows, DEVIATIONS, {}, gaussian=False, span=65_000, slope=None)
    assert nowhere.places.middles([0]) is None
