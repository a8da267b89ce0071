"""The report's histograms, of a small table."""

from __future__ import annotations

from core.contributions import Contributions
from core.figures.histogram_figures import histogram_charts
from core.planning.resolution_table import resolution_row
from tests.strategies import presence

CITY: Contributions = presence(
    *(
        (hat, vehicle, day)
        for hat in range(3)
        for vehicle in range(4)
        for day in range(2)
        if vehicle <= hat + day
    )
)


def test_bars_hold_every_hat_and_day_and_every_vehicle_and_day() -> None:
    row = resolution_row(CITY)
    vehicles, hats = histogram_charts(row, "Two days.")
    assert vehicles.name == f"vehicles-per-hat-day-r{row.resolution}"
    assert [(bar.first, bar.last, bar.items) for bar in vehicles.bars] == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 2),
        (4, 4, 1),
    ]
    assert sum(bar.items for bar in hats.bars) == len(
        {(vehicle, day) for vehicle, day in zip(CITY.vehicle.tolist(), CITY.day.tolist(), strict=True)}
    )
    assert hats.bars[-1].last == row.k_day
    assert "K_day" in hats.note
    assert "Two days." in vehicles.note


def test_wide_bars_say_how_many_values_they_hold() -> None:
    many = presence(*((0, vehicle, 0) for vehicle in range(130)), days=1)
    vehicles, _ = histogram_charts(resolution_row(many), "")
    assert "Each bar holds 3 values." in vehicles.note
    assert vehicles.bars[-1].last >= 130
