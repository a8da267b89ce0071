"""core.portal.shown_layers: the smoothed number before the raw one, with classes that fit it."""

from __future__ import annotations

from core.bundle.data_files import data_files
from core.bundle.public_tables import PublicTable, public_tables
from core.bundle.release_result import QueryResult
from core.portal.shown_layers import ShownLayer, shown_layers
from core.quantity import SPEED
from tests.builders import (
    make_city_query,
    make_mixed_release,
    make_open_row,
    make_query,
    make_release,
    make_row,
)


def table_of(query: QueryResult) -> PublicTable:
    (public,) = public_tables(data_files(make_release(queries=(query,))), SPEED)
    return public


def layers_of(query: QueryResult) -> tuple[ShownLayer, ...]:
    return shown_layers(table_of(query), SPEED, 65_000)


def test_a_smoothed_number_is_shown_with_the_raw_one_behind_it() -> None:
    (layer,) = layers_of(make_city_query())
    assert layer.raw is not None
    assert (layer.shown.name, layer.raw.name) == ("speed_smoothed_kmh", "speed_mean_kmh")
    (alone,) = layers_of(make_query())
    assert (alone.shown.name, alone.raw) == ("speed_mean_kmh", None)


def test_slow_is_strong_and_its_means_may_be_averaged() -> None:
    """The strongest colour is the darkest: the last of the ramp, here of the first class."""
    (layer,) = layers_of(make_query())
    assert layer.slow_is_strong and layer.is_speed and layer.averages  # noqa: PT018
    assert layer.colours[0] == "#563272"
    counts = public_tables(data_files(make_mixed_release()), SPEED)[1]
    (other,) = shown_layers(counts, SPEED, 65_000)
    assert other.shown.name.startswith("vehicle_day_speed")


def test_rows_without_information_move_no_limit() -> None:
    cells = [row.cell for row in make_query().rows[::2]]
    rows = tuple(
        make_row(cell, hour, mean=1000 * (10 + hour), low=0, high=65_000, bias_bound=0)
        for cell in cells
        for hour in (9, 10)
    )
    open_row = make_open_row(cells[0], 11)
    assert (
        layers_of(make_query(rows=rows))[0].classes
        == layers_of(make_query(rows=(*rows, open_row)))[0].classes
    )
