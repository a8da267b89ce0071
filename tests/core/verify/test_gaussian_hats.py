"""Rho, epsilons, charges and scales of Gaussian noise HAT by HAT are held against each other."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from core.accounting.zcdp import epsilon_of
from core.bundle.stated import StatedQuery
from core.codec import from_json
from core.signed.findings import Finding
from core.verify.gaussian_hats import check_gaussian_hats

DELTA = "0.000001"
EQUAL: dict[str, Any] = {
    "query_id": "mean_speed",
    "statistic": "mean",
    "mechanism": "baseline",
    "mechanism_reference": "",
    "noise": "discrete Gaussian",
    "charges": {"vehicle": "6", "vehicle-day": "6", "vehicle-hat-day": "3"},
    "sensitivity": "3",
    "noise_scale": "15",
    "unit_of_value": "km/h",
    "contribution_cap": None,
    "interval_covers": "noise",
    "budget_division": "equal",
    "delta": DELTA,
    "charges_rho": {"vehicle": "0.04", "vehicle-day": "0.04", "vehicle-hat-day": "0.02"},
    "made_by": {
        "asked": {"total": "6"},
        "m_ub": None,
        "dwell_correction": False,
        "suppression": None,
        "day_epsilons": None,
        "parameters": {"noise": "auto"},
        "details": {"noise": "gauss", "rho_of_a_hat": "0.02"},
        "measures": [
            {
                "measure": "speed_mean_kmh",
                "sensitivity": {"smallest": "1", "median": "2", "largest": "3"},
                "noise_scale": {"smallest": "5", "median": "10", "largest": "15"},
            }
        ],
    },
}
OPTIMAL = copy.deepcopy(EQUAL)
OPTIMAL["budget_division"] = "optimal"
OPTIMAL["made_by"]["details"]["rho_of_a_hat"] = "0.02 to 0.18"
OPTIMAL["charges_rho"] = dict.fromkeys(EQUAL["charges_rho"], "0.18")
OPTIMAL["made_by"]["measures"][0]["noise_scale"] = dict.fromkeys(("smallest", "median", "largest"), "5")
LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a smaller scale": lambda told: told["made_by"]["measures"][0]["noise_scale"].update(smallest="4.9"),
    "a larger sensitivity": lambda told: told["made_by"]["measures"][0]["sensitivity"].update(largest="3.1"),
    "less rho in a hexagon slot": lambda told: told["made_by"]["details"].update(rho_of_a_hat="0.01"),
    "no amount": lambda told: told["made_by"]["details"].update(rho_of_a_hat="little"),
    "no rho": lambda told: told["made_by"]["details"].update(rho_of_a_hat="0"),
    "another noise": lambda told: told["made_by"]["details"].pop("noise"),
    "Laplace noise asked for": lambda told: told["made_by"].update(parameters={}),
    "less in all than in a hexagon slot": lambda told: told["charges_rho"].update(vehicle="0.001"),
    "more than was asked for": lambda told: told["charges_rho"].update(vehicle="6"),
    "a total that buys nothing": lambda told: told["made_by"]["asked"].update(total="0.01"),
}


def check(told: dict[str, Any], rhos: tuple[str, ...]) -> None:
    query = from_json(StatedQuery, told)
    assert query.made_by is not None
    check_gaussian_hats(
        query, query.made_by, [epsilon_of(Decimal(0), Decimal(rho), Decimal(DELTA)) for rho in rhos]
    )


def test_what_fits_holds() -> None:
    check(EQUAL, ("0.02", "0.02"))
    check(OPTIMAL, ("0.02", "0.05", "0.18"))


def test_roots_that_are_rounded_up_fit_whichever_hat_has_the_largest_scale() -> None:
    """One, two and three pairs at most, of which the second is rounded least (two limits, method 8.4)."""
    told, unit = copy.deepcopy(OPTIMAL), 1 << 20
    roots = [(math.isqrt(2 * (pairs * unit) ** 2 - 1) + 1) / unit for pairs in (1, 2, 3)]
    scales = sorted(root / (pairs * math.sqrt(2 * 0.02)) for pairs, root in enumerate(roots, start=1))
    ends = ("smallest", "median", "largest")
    told["made_by"]["measures"][0] |= {
        "sensitivity": {end: f"{root:.10g}" for end, root in zip(ends, roots, strict=True)},
        "noise_scale": {end: f"{scale:.10g}" for end, scale in zip(ends, scales, strict=True)},
    }
    check(told, ("0.02", "0.08", "0.18"))


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("told", [EQUAL, OPTIMAL], ids=["equal", "optimal"])
def test_a_lie_is_found(told: dict[str, Any], lie: str) -> None:
    changed = copy.deepcopy(told)
    LIES[lie](changed)
    with pytest.raises(Finding, match="mean_speed"):
        check(changed, ("0.02", "0.02") if told is EQUAL else ("0.02", "0.18"))


def test_rows_that_cost_otherwise_are_found() -> None:
    for rhos in (("0.02", "0.03"), ("0.01", "0.02"), ()):
        with pytest.raises(Finding, match="rho_of_a_hat"):
            check(EQUAL, rhos)
