"""What smoothing goes by, of published rows: anybody makes smoothed numbers again (city-release 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import h3
import numpy as np

from core.arrays import Floats, Ints
from core.bundle.csv_columns import DataTable
from core.bundle.smoothed_facts import SIGN
from core.city.smoothing import SmoothingFacts
from core.fixed_point import THOUSAND
from core.hats.places import HEXAGONS, PlaceIds
from core.mechanisms.covariate import Covariate, Slope

_HOUR = 60.0


def smoothing_of_rows(
    table: DataTable,
    rows: Sequence[Mapping[str, str]],
    deviations: Floats,
    middles: Mapping[str, tuple[float, float]],
    *,
    gaussian: bool,
    span: int,
    slope: Slope | None,
    expected_share: float | None = None,
) -> SmoothingFacts:
    """Of n rows, one of each HAT.

    deviations: of noise and bias, in the unit of the numbers, shape (n,); middles: latitude and longitude by
    id, of places that are no hexagons; span: U, thousandths; slope: of the public sign, None without one;
    expected_share: of shares, by the model.
    """
    cells, places = _places(table, rows, middles)
    hours = [sum(_hours(row[name]) for name in ("slot_start", "slot_end")) / 2.0 for row in rows]
    signs = np.array([float(row.get(SIGN) or 0.0) for row in rows])
    groups = [tuple(row[name] for name in table.groups) for row in rows]
    return SmoothingFacts(
        cells=cells,
        hours=np.array(hours),
        noise_variance=deviations**2,
        bias_variance=np.zeros(cells.size),
        gaussian=gaussian,
        upper_kmh=span / THOUSAND,
        ids=tuple("\n".join(row[name] for name in table.place) for row in rows),
        covariate=None if slope is None else Covariate(standardised=signs, slope=slope),
        places=places,
        group=_numbered(groups) if table.groups else None,
        expected_share=expected_share,
    )


def _places(
    table: DataTable, rows: Sequence[Mapping[str, str]], middles: Mapping[str, tuple[float, float]]
) -> tuple[Ints, PlaceIds]:
    """Number of each row's place, and where places lie."""
    if not table.by_place:
        return np.array([h3.str_to_int(row["h3_cell"]) for row in rows], np.int64), HEXAGONS
    listed = tuple(sorted({row["place_id"] for row in rows}))
    places = PlaceIds(kind="", ids=listed).lying_at(middles)
    return np.array([places.numbers[row["place_id"]] for row in rows], np.int64), places


def _numbered(labels: list[tuple[str, ...]]) -> Ints:
    numbers = {one: number for number, one in enumerate(sorted(set(labels)))}
    return np.array([numbers[one] for one in labels], np.int64)


def _hours(clock: str) -> float:
    return int(clock[:2]) + int(clock[3:]) / _HOUR
