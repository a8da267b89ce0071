"""core.portal.readable_tables: of a distribution a page holds the rows that people are shown."""

from __future__ import annotations

import json

import pytest

from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID
from core.signed.bundle_names import MAP_PAGE, REPORT
from tests.builders import make_curve_query, make_documents, make_query, make_release


def test_a_page_holds_twelve_shares_of_a_hexagon_slot_in_percent_and_what_their_mean_needs() -> None:
    """It held all 650 edges of a distribution: 2.5 MB for 64 hexagon slots."""
    documents = make_documents(make_release(queries=(make_curve_query(bins=650),)))
    data = find_json(MAP_PAGE, documents[MAP_PAGE], MAP_DATA_ID)
    (table,) = data["tables"]
    (layer,) = table["layers"]
    assert [float(text) for text in table["labels"]["values"]] == [*range(5, 65, 5)]
    assert table["labels"]["values"][table["start"]] == "20.000"
    assert len(table["place"]) == len(table["deviations"]) == len(table["bounds"]) == 36
    assert (layer["unit"], layer["averages"], layer["ends"]) == ("%", True, [0.0, 100.0])
    assert set(table["deviations"]) == {5.0}
    assert set(table["bounds"]) == {2.0}
    assert json.dumps(data).count("30.769") == 1
    assert "20.000" in documents[REPORT].decode()


@pytest.mark.parametrize(("bins", "first"), [(2, 0), (3, 0), (4, 0), (13, 3)])
def test_the_limit_shown_first_is_one_of_all_that_are_shown(bins: int, first: int) -> None:
    """The last one was taken for the upper bound: with two bins none was left, and no bundle was written."""
    documents = make_documents(make_release(queries=(make_curve_query(bins=bins),)))
    (table,) = find_json(MAP_PAGE, documents[MAP_PAGE], MAP_DATA_ID)["tables"]
    assert len(table["labels"]["values"]) == bins - 1
    assert table["start"] == first


def test_what_is_no_distribution_is_shown_whole() -> None:
    documents = make_documents(make_release(queries=(make_query(),)))
    (table,) = find_json(MAP_PAGE, documents[MAP_PAGE], MAP_DATA_ID)["tables"]
    assert "start" not in table
    assert len(table["place"]) == len(make_query().rows)
