"""core.contributions.finest_cells: each record in one hexagon, against a literal count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import h3
import numpy as np
import pytest

from core.contributions import Contributions, contributions_of, runs
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.contributions.finest_cells import in_finest_cells
from core.hats import cell_codes
from core.hats.places import PlaceChoice
from core.selection.base import SelectionRequest
from core.selection.finer_hats import counted_where_chosen
from core.selection.registry import select
from tests.mixed_city import DAYS, MIXED, WINDOW, Counted, counted_by_hand, drives
from tests.records import make_records

Rows = dict[tuple[str, int, str, int], tuple[int, list[int]]]
BUSY = SelectionRequest(rule="hat", threshold=2)


def rows_of(table: Contributions) -> Rows:
    """(Cell, slot, vehicle, day) -> visits and values."""
    found: Rows = {}
    assert table.visits is not None
    for row in range(table.hat.size):
        hat = int(table.hat[row])
        key = h3.int_to_str(int(table.cell[hat])), int(table.slot[hat])
        own = (*key, table.vehicles[int(table.vehicle[row])], int(table.day[row]))
        assert own not in found
        values = table.values[int(table.start[row]) : int(table.start[row + 1])]
        found[own] = int(table.visits[row]), values.tolist()
    hats = [*zip(table.cell.tolist(), table.slot.tolist(), strict=True)]
    assert hats == sorted(set(hats))
    return found


def expected_rows(records: Sequence[Counted]) -> Rows:
    found: dict[tuple[str, int, str, int], tuple[int, list[int]]] = defaultdict(lambda: (0, []))
    for one in records:
        visits, values = found[one[:4]]
        found[one[:4]] = visits + one.visit, [*values, one.value]
    return dict(found)


def busy(_: str, __: int, vehicle_days: int) -> bool:
    return vehicle_days >= DAYS * 2


@pytest.mark.parametrize("resolutions", [(6, 8), (5, 6), (7, 9), (6, 8, 9)])
def test_each_record_counts_once_in_its_finest_chosen_hexagon(
    resolutions: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = coarse = crossed = 0
    for seed in range(8):
        block = (1 << 18, 7)[seed % 2]
        monkeypatch.setattr(runs, "_BLOCK", block)
        monkeypatch.setattr(cell_codes, "_BLOCK", block)
        pings = drives(seed)
        joined = contributions_of(
            make_records(pings), resolutions[-1], WINDOW, choice=PlaceChoice(mixed=resolutions)
        )
        table = counted_where_chosen(joined, BUSY)
        expected = expected_rows(counted_by_hand(pings, resolutions, busy))
        assert rows_of(table) == expected
        assert len(table.values) == len(joined.values)
        sizes = [h3.get_resolution(cell) for cell, *_ in expected]
        fine, coarse = fine + sizes.count(resolutions[-1]), coarse + sizes.count(resolutions[0])
        held = {
            (h3.latlng_to_cell(p.latitude, p.longitude, 8), h3.latlng_to_cell(p.latitude, p.longitude, 6))
            for p in pings
        }
        crossed += len(held) - len({cell for cell, _ in held})
        # what is chosen of the result is what was chosen of the fine hexagons, and by the rule of the rest
        picked = select(table, BUSY)
        days = np.bincount(table.hat, minlength=table.hats)
        assert picked.index.tolist() == np.flatnonzero(days >= DAYS * 2).tolist()
        assert {h3.get_resolution(h3.int_to_str(int(cell))) for cell in table.cell[days < DAYS * 2]} <= {
            resolutions[0]
        }
    assert min(fine, coarse, crossed) > 0


def test_hexagons_alike_and_empty_tables_stay_as_they_are() -> None:
    table = contributions_of(make_records(drives(0)), 7, WINDOW)
    assert counted_where_chosen(table, BUSY) is table
    nobody = contributions_of(make_records([]), 8, WINDOW, choice=MIXED, empty_allowed=True)
    assert counted_where_chosen(nobody, SelectionRequest(rule="cells", cells=(1,))).hats == 0


def test_a_table_from_a_file_is_that_of_the_records_but_for_visits_and_the_order_within_rows(
    tmp_path: Path,
) -> None:
    joined = contributions_of(make_records(drives(5)), 8, WINDOW, choice=MIXED)
    write_contributions(joined, tmp_path / "table.parquet")
    read = read_contributions(tmp_path / "table.parquet")
    assert read.choice == MIXED
    assert read.visits is None
    one, other = (counted_where_chosen(table, BUSY) for table in (joined, read))
    for name in ("cell", "slot", "hat", "vehicle", "day", "start"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    for first, last in zip(one.start, one.start[1:], strict=False):
        assert sorted(one.values[first:last]) == sorted(other.values[first:last])


def test_the_coarse_hexagon_of_a_record_is_its_own_and_not_the_parent_of_its_fine_one() -> None:
    pings = drives(1)
    places = [(one.latitude, one.longitude) for one in pings]
    parents = [h3.cell_to_parent(h3.latlng_to_cell(*place, 8), 6) for place in places]
    assert parents != [h3.latlng_to_cell(*place, 6) for place in places]
    joined = contributions_of(make_records(pings), 8, WINDOW, choice=MIXED)
    coarse = in_finest_cells(joined, lambda _: np.zeros(0, np.int64))
    assert rows_of(coarse) == expected_rows(counted_by_hand(pings, (6, 8), lambda *_: False))
