"""core.bundle.public_tables: rows of text as values of their columns' types."""

from __future__ import annotations

import pytest

from core.bundle.csv_columns import Column
from core.bundle.data_files import data_files
from core.bundle.public_tables import properties, property_value, public_tables
from core.quantity import SPEED
from tests.builders import CELLS, make_mixed_release, make_release


def test_every_statistic_of_the_data_is_a_table_with_its_rows() -> None:
    tables = public_tables(data_files(make_mixed_release()), SPEED)
    assert [one.statistic.key for one in tables] == ["mean", "query1"]
    assert [len(one.rows) for one in tables] == [4, 4]
    assert tables[0].drawn_places(tables[0].rows[0]) == (CELLS[0],)


def test_a_row_is_told_by_its_columns() -> None:
    (public,) = public_tables(data_files(make_release()), SPEED)
    assert properties(public.table, public.rows[0]) == {
        "h3_cell": CELLS[0],
        "h3_resolution": 7,
        "slot_start": "09:00",
        "slot_end": "10:00",
        "speed_mean_kmh": 20.668,
        "ci95_low_kmh": 18.001,
        "ci95_high_kmh": 23.335,
        "bias_bound_kmh": 1.5,
        "epsilon": 1.0,
        "mechanism": "array-averaging",
        "status": "published",
    }
    assert properties(public.table, public.rows[3])["speed_mean_kmh"] is None


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        ("integer", "7", 7),
        ("number", "0.500", 0.5),
        ("string", "007", "007"),
        ("date", "2024-03-01", "2024-03-01"),
    ],
)
def test_a_cell_has_the_type_of_its_column(kind: str, cell: str, value: object) -> None:
    column = Column(name="one", type=kind, description="")
    assert property_value(column, cell) == value
    assert type(property_value(column, cell)) is type(value)
    assert property_value(column, "") is None
