"""The declared columns: names that portals take, and a schema that says what they mean."""

from __future__ import annotations

import dataclasses
import re

import pytest

from core.bundle.csv_columns import (
    EPSILON_SUMMARY,
    FIRST_WORDING,
    DataTable,
    data_tables,
    epsilon_summary,
    require_own_columns,
    summary_of_content,
    table_of_content,
    tables_for,
)
from core.bundle.release_result import QueryResult
from core.errors import InputError
from core.quantity import SPEED
from core.statistics.base import Estimate
from core.statistics.registry import all_statistics, published_statistics
from tests.builders import DATA_PATHS, SPEED_BY_HAT, make_release

tables = pytest.mark.parametrize(
    "table",
    [*data_tables().values(), EPSILON_SUMMARY, epsilon_summary(with_rho=True)],
    ids=lambda table: table.name,
)


@tables
def test_names_are_short_unique_snake_case(table: DataTable) -> None:
    assert len(set(table.header)) == len(table.header)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,62}", name) for name in table.header)


@tables
def test_every_column_says_what_it_means(table: DataTable) -> None:
    schema = table.schema()
    assert all(field["description"] for field in schema["fields"])
    assert [field["name"] for field in schema["fields"]] == list(table.header)
    assert set(schema["primaryKey"]) <= set(table.header)
    assert schema["missingValues"] == [""]


def test_the_columns_are_those_of_the_contract() -> None:
    assert ", ".join(SPEED_BY_HAT.header) == (
        "h3_cell, h3_resolution, slot_start, slot_end, speed_mean_kmh, ci95_low_kmh, ci95_high_kmh, "
        "bias_bound_kmh, epsilon, mechanism, status"
    )
    assert ", ".join(EPSILON_SUMMARY.header) == (
        "query_id, statistic, mechanism, unit, relation, epsilon, delta, sensitivity, lower_bound, "
        "upper_bound, contribution_cap, noise_scale, composition, period_start, period_end, "
        "epsilon_cumulative, epsilon_limit"
    )


def test_speeds_name_their_unit() -> None:
    for column in SPEED_BY_HAT.columns:
        assert (column.unit == "km/h") == column.name.endswith("_kmh")


def test_constraints_follow_the_declaration() -> None:
    fields = {field["name"]: field for field in SPEED_BY_HAT.schema()["fields"]}
    assert fields["status"]["constraints"] == {
        "required": True,
        "enum": ["published", "suppressed", "no_information"],
    }
    assert fields["h3_resolution"]["constraints"] == {"required": True, "minimum": 5, "maximum": 10}
    assert "required" not in fields["speed_mean_kmh"]["constraints"]
    assert DATA_PATHS == ("data/speed_by_hat.csv", "data/epsilon_summary.csv", "data/cells.geojson")


def query_with(statistic: str, estimate: Estimate) -> QueryResult:
    (release,) = make_release().queries
    row = dataclasses.replace(release.rows[0], estimates=(estimate,))
    return dataclasses.replace(release, statistic=statistic, rows=(row,))


@pytest.mark.parametrize(
    ("statistic", "column"), [("query1", "bias_bound_kmh"), ("query2", "bias_bound_vehicles")]
)
def test_a_bias_that_only_a_suppression_makes_has_a_column_only_then(statistic: str, column: str) -> None:
    measure = all_statistics()[statistic].measures[0]
    plain = Estimate(measure=measure.name, value=3, low=2, high=4)
    usual = tables_for(query_with(statistic, plain))[statistic]
    biased = tables_for(query_with(statistic, dataclasses.replace(plain, bias_bound=1)))[statistic]
    assert usual == data_tables()[statistic]
    assert set(biased.header) - set(usual.header) == {column}
    assert biased.header.index(column) == biased.header.index(measure.high) + 1
    for table in (usual, biased):
        content = ",".join(table.header).encode() + b"\n1,2\n"
        assert table_of_content(statistic, content) == table
    assert table_of_content(statistic, b"nonsense") == usual


PERCENTILE_COLUMNS = (
    "h3_cell,h3_resolution,slot_start,slot_end,percentile,speed_kmh,ci95_low_kmh,ci95_high_kmh"
)


@pytest.mark.parametrize(
    ("more", "label", "group", "type_"),
    [
        ("", "50.000", "", "number"),
        ("", "mean", "", "string"),
        (",visits", "mean", "", "number"),
        ("", "50.000", "mean", "number"),
        ("", "mean", "mean", "string"),
    ],
)
def test_percentiles_are_texts_where_one_row_is_a_mean_and_only_there(
    more: str, label: str, group: str, type_: str
) -> None:
    """A group called `mean` is none; nor is a file that no release writes."""
    header = PERCENTILE_COLUMNS.replace("slot_end,", f"slot_end,{'kind,' if group else ''}")
    row = f"87,7,09:00,10:00,{group and group + ','}{label},1.000,0.000,5.000"
    content = f"{header}{more},epsilon,mechanism,status\n{row},1,tokens,published\n".encode()
    columns = {one.name: one for one in table_of_content("share_percentiles", content).columns}
    assert columns["percentile"].type == type_
    counted = content.replace(b",epsilon", b",vehicles,visits,records,days,epsilon")
    if not more:
        columns = {one.name: one for one in table_of_content("share_percentiles", counted).columns}
        assert "visits" in columns
        assert columns["percentile"].type == type_
    if type_ == "string":
        assert columns["percentile"].pattern
        assert "speed_mean_from_shares_kmh" in columns["percentile"].description


@pytest.mark.parametrize("statistic", ["mean", "mean_variance", "cdf"])
def test_other_tables_are_the_same_with_and_without_suppression(statistic: str) -> None:
    header = ",".join(data_tables()[statistic].header).encode()
    assert table_of_content(statistic, header) == data_tables()[statistic]


def test_a_summary_with_rho_tells_the_parts_beside_epsilon() -> None:
    """method 14.2"""
    usual, with_rho = epsilon_summary(), epsilon_summary(with_rho=True)
    assert [name for name in with_rho.header if name not in usual.header] == ["epsilon_pure", "rho"]
    assert with_rho.header[5:9] == ("epsilon", "epsilon_pure", "rho", "delta")
    assert [name for name in with_rho.header if name in usual.header] == list(usual.header)
    assert usual.columns == EPSILON_SUMMARY.columns


def test_the_header_tells_which_summary_it_is() -> None:
    with_rho = epsilon_summary(with_rho=True)
    content = (",".join(with_rho.header) + "\nrows\n").encode()
    assert summary_of_content(content) == with_rho
    assert summary_of_content(content, FIRST_WORDING) == epsilon_summary(), "the first format never had it"
    assert summary_of_content(b"query_id\n") == epsilon_summary()


@pytest.mark.parametrize("statistic", sorted(data_tables()))
def test_names_of_places_have_a_column_only_where_there_are_any(statistic: str) -> None:
    query = dataclasses.replace(make_release().queries[0], statistic=statistic, rows=())
    usual, placed = (tables_for(query, placed=placed)[query.statistic] for placed in (False, True))
    by_hexagon = not published_statistics()[statistic].by_region
    assert set(placed.header) - set(usual.header) == ({"place"} if by_hexagon else set())
    assert table_of_content(statistic, ",".join(placed.header).encode()).header == placed.header


_TAKEN = ("epsilon", "status", "slot_start", "period", "place_id", "h3_cell", "vehicles", "visits", "records")
_BESIDE = ("days", "geometry", "bbox", "release", "remark", "before", "after")


@pytest.mark.parametrize("name", [*_TAKEN, *_BESIDE])
def test_a_group_that_is_called_as_a_column_of_the_files_is_refused(name: str) -> None:
    require_own_columns(("direction", "day_kind"), SPEED)
    with pytest.raises(InputError, match=f"called {name} already") as caught:
        require_own_columns(("direction", name), SPEED)
    assert caught.value.where == "hats.group"
    assert caught.value.mend
