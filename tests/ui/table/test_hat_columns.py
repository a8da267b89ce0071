"""ui.table.hat_columns: each column once, and none of what is not there."""

from __future__ import annotations

import pytest

from ui.table.hat_columns import hat_columns, is_shown
from ui.table.rows import NOISY_WEIGHT, RELEASED, SMOOTHED, no_rows


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("smoothed", [False, True])
def test_each_column_has_a_heading_and_stands_once(smoothed: bool) -> None:
    columns = hat_columns(no_rows(), smoothed=smoothed)
    keys = [column.key for column in columns]
    assert len(set(keys)) == len(keys)
    assert all(column.title for column in columns)
    assert set(SMOOTHED if smoothed else RELEASED) <= set(keys)


@pytest.mark.usefixtures("qapp")
def test_before_a_release_nothing_released_is_told_and_counts_are_confidential() -> None:
    rows = no_rows()
    told = {column.key: column for column in hat_columns(rows, smoothed=False) if is_shown(column, rows)}
    assert not {*RELEASED, *SMOOTHED, NOISY_WEIGHT} & set(told)
    assert told["vehicles"].confidential
    assert told["records"].confidential
    assert not told["slot"].confidential
