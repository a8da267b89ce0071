"""ui.session.shown_release: rows are found, and nothing is said of a release of what is chosen."""

from __future__ import annotations

import pytest

from tests.builders import CELLS, make_query, make_release
from ui.session.shown_release import (
    practice_remark,
    released_distribution,
    released_query,
    released_row,
    settings_remark,
)


def test_each_remark_is_said_where_it_holds_and_nowhere_else() -> None:
    assert practice_remark(practice=False) == settings_remark(otherwise=False) == ()
    assert practice_remark(practice=True) == ("PRACTICE: this is no release.",)
    assert settings_remark(otherwise=True) == ("Made with other settings than those chosen now.",)


def test_a_row_is_found_by_its_hat() -> None:
    release = make_release()
    query = released_query(release, "mean")
    assert query is release.queries[0]
    found = released_row(release, query, (CELLS[1], 9))
    assert found is query.rows[2]
    assert released_row(release, query, (CELLS[1], 11)) is None
    assert released_query(release, "cdf") is None
    assert released_query(None, "mean") is None


@pytest.mark.parametrize("statistic", ["cdf", "cdf_of_vehicles"])
def test_a_distribution_is_found_whatever_it_is_over(statistic: str) -> None:
    query = make_query(statistic=statistic, mechanism="cdf")
    assert released_distribution(make_release(queries=(make_query(), query))) is query
    assert released_distribution(make_release()) is None
    assert released_distribution(None) is None
