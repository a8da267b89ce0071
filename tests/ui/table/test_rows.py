"""ui.table.rows: the chosen number of a release stands in its columns, with the lines of its file."""

from __future__ import annotations

import numpy as np
import pytest

from core.bundle.release_result import Release
from tests.builders import CELLS, make_release
from tests.core.release.test_value_query import share_query
from ui.session.session import Session
from ui.table.rows import HatRows, hat_rows


def rows_of(session: Session, chosen: int) -> tuple[HatRows, Release]:
    release = make_release(queries=(share_query(),))
    assert session.overview is not None
    rows = hat_rows(session.overview, release.grid, None, release, planned=False, chosen_number=chosen)
    return rows, release


@pytest.mark.parametrize(
    ("chosen", "unit", "raw", "smoothed"), [(0, "%", 30, 35), (1, "%", 70, 65), (2, "km/h", 41, 40)]
)
def test_a_share_is_shown_in_percent_and_a_percentile_in_the_unit(
    session: Session, chosen: int, unit: str, raw: float, smoothed: float
) -> None:
    rows, _ = rows_of(session, chosen)
    assert rows.value_unit == unit
    assert set(rows.numbers["mean"][np.isfinite(rows.numbers["mean"])]) == {raw}
    assert set(rows.numbers["smoothed_mean"][np.isfinite(rows.numbers["mean"])]) == {smoothed}


@pytest.mark.parametrize(
    ("chosen", "column", "text"), [(0, "range_high_kmh", "10.000"), (2, "percentile", "85.000")]
)
def test_what_may_be_copied_is_the_line_of_the_number(
    session: Session, chosen: int, column: str, text: str
) -> None:
    rows, release = rows_of(session, chosen)
    published = rows.published
    assert published is not None
    place = published.header.index(column)
    assert {line[place] for line in published.lines.values()} == {text}
    assert len(published.lines) == len(release.queries[0].rows)
    assert {cell for cell, _ in published.lines} == set(CELLS)
