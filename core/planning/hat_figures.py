"""What is shown of each HAT of a joint plan before its release: vehicles that count, bias."""

from __future__ import annotations

from dataclasses import dataclass

from core.city.city_plan import CityPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class HatFigures:
    """Of one published HAT."""

    effective_vehicles: float
    modelled_bias: float
    """In the value's unit."""


def hat_figures(city: CityPlan) -> dict[int, HatFigures]:
    """Number of a HAT in the contributions -> its figures; HATs of a region share those of the region."""
    vehicles, biases = city.effective_vehicles.tolist(), city.expected_bias.typical.tolist()
    columns = city.columns(int(city.hat_index.max()) + 1)
    return {
        index: HatFigures(effective_vehicles=vehicles[column], modelled_bias=biases[column])
        for index, column in enumerate(columns.tolist())
        if column >= 0
    }
