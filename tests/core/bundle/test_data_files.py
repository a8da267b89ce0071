"""The data files, byte for byte."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from decimal import Decimal
from itertools import pairwise

import h3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.data_files import (
    cell_ring,
    cells_geojson,
    composition,
    csv_bytes,
    data_files,
    in_unit,
    neutral,
)
from core.privacy import Relation, Unit
from core.signed.bundle_names import CELLS_PATH
from tests.builders import (
    CELLS,
    SPEED_BY_HAT,
    make_mixed_release,
    make_open_row,
    make_query,
    make_release,
    make_rows,
)

SPEED = """\
h3_cell,h3_resolution,slot_start,slot_end,speed_mean_kmh,ci95_low_kmh,ci95_high_kmh,bias_bound_kmh,epsilon,mechanism,status
8742d9d69ffffff,7,09:00,10:00,20.668,18.001,23.335,1.500,1,array-averaging,published
8742d9d69ffffff,7,10:00,11:00,0.500,0.000,3.167,0.000,1,array-averaging,published
8742d9d6bffffff,7,09:00,10:00,31.000,29.222,32.778,2.000,1.5,array-averaging,published
8742d9d6bffffff,7,10:00,11:00,,,,,0,array-averaging,suppressed
"""
FACTS = "0,0.890411,0.000,65.000,46,0.890411"
SUMMARY = f"""\
{",".join(EPSILON_SUMMARY.header)}
mean_speed,mean,array-averaging,vehicle-hat-day,values,1.5,{FACTS},\
maximum over HATs,2024-03-01,2024-03-09,1.5,
mean_speed,mean,array-averaging,vehicle-day,values,2.5,{FACTS},\
sum over the HATs of a vehicle-day; maximum over vehicle-days,2024-03-01,2024-03-09,2.5,
mean_speed,mean,array-averaging,vehicle,values,3.5,{FACTS},\
sum over the HATs of a vehicle; maximum over vehicles,2024-03-01,2024-03-09,7,10
"""


def test_places_stand_beside_their_hexagons_and_start_no_formula() -> None:
    places = {CELLS[0]: "near Udhna Junction", CELLS[1]: '=HYPERLINK("x")'}
    rows = list(
        csv.DictReader(io.StringIO(data_files(make_release(places=places))[SPEED_BY_HAT.path].decode()))
    )
    assert {(row["h3_cell"], row["place"]) for row in rows} == {
        (CELLS[0], "near Udhna Junction"),
        (CELLS[1], """'=HYPERLINK("x")"""),
    }
    named_by_none = data_files(make_release(places={}))[SPEED_BY_HAT.path].decode()
    assert "place" in named_by_none.partition("\n")[0].split(","), "a layer was named, whatever it holds"
    assert [row["place"] for row in csv.DictReader(io.StringIO(named_by_none))] == [""] * len(rows)


def test_the_tables_are_golden() -> None:
    files = data_files(make_release())
    assert files[SPEED_BY_HAT.path].decode() == SPEED
    assert files[EPSILON_SUMMARY.path].decode() == SUMMARY


def test_a_row_that_tells_nothing_says_so() -> None:
    rows = (*make_rows()[:3], make_open_row(CELLS[1], 10))
    lines = (
        data_files(make_release(queries=(make_query(rows=rows),)))[SPEED_BY_HAT.path].decode().splitlines()
    )
    assert lines[:4] == SPEED.splitlines()[:4]
    assert lines[4].endswith(",10:00,11:00,65.000,0.000,65.000,0.000,1,array-averaging,no_information")


def test_the_order_of_rows_does_not_matter() -> None:
    shuffled = make_release(queries=(make_query(rows=make_rows()[::-1]),))
    assert data_files(shuffled) == data_files(make_release())


@given(st.integers(-(10**12), 10**12))
def test_speeds_have_exactly_three_decimals(thousandths: int) -> None:
    text = in_unit(thousandths)
    assert len(text.partition(".")[2]) == 3
    assert Decimal(text) * 1000 == thousandths


def test_epsilons_are_plain() -> None:
    rows = (dataclasses.replace(make_rows()[0], epsilon=Decimal("1E-6")),)
    text = data_files(make_release(queries=(make_query(rows=rows),)))[SPEED_BY_HAT.path].decode()
    assert ",0.000001,array-averaging," in text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", " =x", "=a\rb\nc"])
def test_no_text_becomes_a_formula(text: str) -> None:
    assert neutral(text).startswith("'")
    summary = data_files(make_release(queries=(make_query(query_id=text),)))[EPSILON_SUMMARY.path]
    assert b"\r" not in summary
    first = next(csv.DictReader(io.StringIO(summary.decode(), newline="")))
    assert first["query_id"] == neutral(text)


def test_harmless_text_stays() -> None:
    assert neutral("mean-speed") == "mean-speed"


def test_commas_and_quotes_come_back() -> None:
    cells = ["a,b", 'c"d'] + ["x"] * (len(EPSILON_SUMMARY.columns) - 2)
    lines = list(csv.reader(io.StringIO(csv_bytes(EPSILON_SUMMARY, [cells]).decode())))
    assert lines[1] == cells


@pytest.mark.parametrize(
    ("protected", "days"),
    [(Unit.VEHICLE, ""), (Unit.VEHICLE_DAY, " and days"), (Unit.VEHICLE_HAT_DAY, " and days")],
)
def test_days_add_up_where_the_unit_is_smaller_than_a_vehicle(protected: Unit, days: str) -> None:
    assert (
        composition(Unit.VEHICLE, protected, Relation.VALUES)
        == f"sum over the HATs{days} of a vehicle; maximum over vehicles"
    )


def test_cells_are_closed_counter_clockwise_polygons() -> None:
    document = json.loads(data_files(make_release())[CELLS_PATH])
    assert [feature["properties"] for feature in document["features"]] == [
        {"h3_cell": cell} for cell in CELLS
    ]
    for cell, feature in zip(CELLS, document["features"], strict=True):
        (ring,) = feature["geometry"]["coordinates"]
        assert ring[0] == ring[-1]
        assert len(ring) == 7
        assert _doubled_area(ring) > 0
        latitude, longitude = h3.cell_to_latlng(cell)
        assert min(lon for lon, _ in ring) < longitude < max(lon for lon, _ in ring)
        assert min(lat for _, lat in ring) < latitude < max(lat for _, lat in ring)


def _doubled_area(ring: list[list[float]]) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))


def test_coordinates_have_seven_decimals() -> None:
    line = cells_geojson([CELLS[0]]).decode().splitlines()[1]
    numbers = line.partition("[[[")[2].partition("]]]")[0].replace("],[", ",").split(",")
    assert all(len(number.partition(".")[2]) == 7 for number in numbers)


@given(st.floats(-80, 80), st.floats(-180, 180), st.integers(5, 10))
def test_every_cell_is_one_small_polygon(latitude: float, longitude: float, resolution: int) -> None:
    ring = cell_ring(h3.latlng_to_cell(latitude, longitude, resolution))
    assert max(lon for lon, _ in ring) - min(lon for lon, _ in ring) < 10
    assert _doubled_area([list(point) for point in ring]) > 0


def test_a_cell_across_the_date_line_stays_whole() -> None:
    ring = cell_ring(h3.latlng_to_cell(-17.0, 180.0, 5))
    assert max(lon for lon, _ in ring) > 180


MIXED_FACTS = "0.890411,0.000,65.000,46,0.890411"
GAUSSIAN_FACTS = "0.890411,0.000,65.000,46,4.452055"
MIXED_SUMMARY = f"""\
query_id,statistic,mechanism,unit,relation,epsilon,epsilon_pure,rho,delta,sensitivity,lower_bound,upper_bound,\
contribution_cap,noise_scale,composition,period_start,period_end,epsilon_cumulative,epsilon_limit
mean_speed,mean,array-averaging,vehicle-hat-day,values,1.01668,0,0.02,0.000001,{GAUSSIAN_FACTS},\
maximum over HATs,2024-03-01,2024-03-09,5.174433,
mean_speed,mean,array-averaging,vehicle-day,values,1.265735,0,0.03,0.000001,{GAUSSIAN_FACTS},\
sum over the HATs of a vehicle-day; maximum over vehicle-days,2024-03-01,2024-03-09,6.264433,
mean_speed,mean,array-averaging,vehicle,values,1.605735,0,0.05,0.000001,{GAUSSIAN_FACTS},\
sum over the HATs of a vehicle; maximum over vehicles,2024-03-01,2024-03-09,7.444433,10
pair_means,query1,query1,vehicle-hat-day,values,1.5,1.5,0,0.000001,{MIXED_FACTS},\
maximum over HATs,2024-03-01,2024-03-09,5.174433,
pair_means,query1,query1,vehicle-day,values,2.5,2.5,0,0.000001,{MIXED_FACTS},\
sum over the HATs of a vehicle-day; maximum over vehicle-days,2024-03-01,2024-03-09,6.264433,
pair_means,query1,query1,vehicle,values,3.5,3.5,0,0.000001,{MIXED_FACTS},\
sum over the HATs of a vehicle; maximum over vehicles,2024-03-01,2024-03-09,7.444433,10
"""


def test_a_summary_with_rho_is_golden() -> None:
    assert data_files(make_mixed_release())[EPSILON_SUMMARY.path].decode() == MIXED_SUMMARY


def test_rho_of_earlier_releases_adds_no_column() -> None:
    """What all releases come to is stated; the release itself is pure."""
    mixed = make_mixed_release()
    parts = {"cumulative": mixed.cumulative, "cumulative_parts": mixed.cumulative_parts, "delta": mixed.delta}
    lines = data_files(make_release(**parts))[EPSILON_SUMMARY.path].decode().splitlines()
    assert lines[0] == ",".join(EPSILON_SUMMARY.header)
    assert lines[1] == SUMMARY.splitlines()[1].replace("-09,1.5,", "-09,5.174433,")
