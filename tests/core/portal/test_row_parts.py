"""core.portal.row_parts: what is compared follows from released rows, and what is missing is said."""

from __future__ import annotations

import dataclasses

import h3
import numpy as np
import pytest

from core.errors import InputError
from core.portal.row_parts import FIXED_PAIRS, fixed_pairs, part_named, thirds
from tests.compared_city import CENTRE, compared_release, compared_rows

ROWS = compared_rows()


def test_thirds_lie_by_their_distance_from_the_weighted_centre() -> None:
    """On both sides of the date line; the heavy place pulls the centre."""
    middles = np.array(
        [[0.0, 179.9], [0.0, -179.9], [0.0, -179.5], [0.0, 179.0], [0.0, 178.0], [0.0, -178.0]]
    )
    near, far, away = thirds(middles, np.array([1.0, 9.0, 1.0, 1.0, 1.0, 1.0]))
    assert sorted(near.tolist()) == [0, 1]
    assert sorted(far.tolist()) == [4, 5]
    assert away[1] < away[0] < away[3]
    assert away[4] - away[1] == pytest.approx(2.1 * 111.32, rel=0.2)


@pytest.mark.parametrize(
    ("name", "title", "where", "detail"),
    [
        ("middle", "Middle", "in the middle of the network", "Middle: 12 hexagons within "),
        ("edge", "Edge", "at its edge", "Edge: 12 hexagons farther than "),
        ("evening-peak", "Evening peak", "from 16:00 to 19:00", "16:00 to 19:00"),
        ("10:00-12:00", "10:00 to 12:00", "from 10:00 to 12:00", "10:00 to 12:00"),
        (CENTRE, CENTRE, f"in {CENTRE}", CENTRE),
    ],
)
def test_parts_have_names(name: str, title: str, where: str, detail: str) -> None:
    part = part_named(ROWS, name)
    assert (part.title, part.where) == (title, where)
    assert part.detail.startswith(detail)
    assert part.of_places is (name in ("middle", "edge", CENTRE))


def test_middle_is_near_and_hours_are_whole() -> None:
    places = {
        place for place, chosen in zip(ROWS.places, part_named(ROWS, "middle").chosen, strict=True) if chosen
    }
    assert max(h3.grid_distance(CENTRE, place) for place in places) <= 2
    rows = [row for row, chosen in zip(ROWS.rows, part_named(ROWS, "late").chosen, strict=True) if chosen]
    assert {row["slot_start"] for row in rows} == {"19:00", "20:00"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("2024-03-02", "of all its dates together"),
        ("before", "of all its dates together"),
        ("morning-peak", "do not cover 07:00 to 10:00 whole"),
        ("10:30-12:00", "No row of data/speed_by_hat.csv is of '10:30-12:00'"),
        ("weekday", "No row of"),
    ],
)
def test_what_rows_do_not_have_is_said(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        part_named(ROWS, name)


def test_labels_of_groups_are_parts() -> None:
    """Both are compared on the page where there are weekdays and weekends."""
    table = dataclasses.replace(ROWS.public.table, groups=("day_kind",))
    rows = [{**row, "day_kind": ("weekday", "weekend")[number % 2]} for number, row in enumerate(ROWS.rows)]
    grouped = dataclasses.replace(ROWS, rows=rows, public=dataclasses.replace(ROWS.public, table=table))
    part = part_named(grouped, "weekend")
    assert part.chosen.tolist() == [bool(number % 2) for number in range(len(rows))]
    assert (part.title, part.where) == ("Weekend", "(weekend)")
    assert [(one.key, other.key) for one, other in fixed_pairs(grouped)] == [*FIXED_PAIRS[:3], FIXED_PAIRS[4]]


def test_labels_stand_as_the_rows_have_them() -> None:
    """`DN` was called `dN` behind another part, and `up` was called `Up`; only our own words change."""
    table = dataclasses.replace(ROWS.public.table, groups=("direction",))
    rows = [{**row, "direction": ("up", "DN")[number % 2]} for number, row in enumerate(ROWS.rows)]
    grouped = dataclasses.replace(ROWS, rows=rows, public=dataclasses.replace(ROWS.public, table=table))
    up, down = part_named(grouped, "up"), part_named(grouped, "DN")
    assert (up.title, up.detail, down.title_behind) == ("up", "up", "DN")
    assert [part_named(ROWS, name).title_behind for name in ("edge", "midday")] == ["edge", "midday"]


def test_the_comparisons_of_a_page_are_those_that_rows_have() -> None:
    assert [(one.key, other.key) for one, other in fixed_pairs(ROWS)] == [*FIXED_PAIRS[:3]]
    morning = compared_rows(compared_release(hours=(7, 16), rings=0))
    assert [(one.key, other.key) for one, other in fixed_pairs(morning)] == [FIXED_PAIRS[3]]
