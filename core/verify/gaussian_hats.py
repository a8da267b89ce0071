"""Whether Gaussian noise of HATs drawn one by one is as large, and costs, as is said (method 7.5).

What is told of a query has its shape by then: `verify_queries` calls this last.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from core.accounting.budgets import EQUAL
from core.accounting.zcdp import RHO_STEP, epsilon_of, rho_of
from core.errors import InputError
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO, GAUSS
from core.privacy import Unit
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, require
from core.statistics.gaussian_noise import RHO_OF_HATS, deviation_of
from core.verify.tables import is_plain

_BETWEEN = " to "
_ROUNDING = 1e-8
"""Figures are told to nine digits."""


def check_gaussian_hats(told: dict[str, Any], epsilons: Sequence[Decimal]) -> None:
    """Rho of the HATs, epsilons of their rows, charges and scales are worked out from each other.

    told: a query of privacy.json; epsilons: of the published rows. Raises Finding.
    """
    query_id, made_by = told["query_id"], told["made_by"]
    _holds(made_by["parameters"].get(NOISE_FIELD) in (GAUSS, AUTO), query_id, NOISE_FIELD)
    _holds(made_by["details"].get("noise") == GAUSS, query_id, "noise")
    least, most = _rho_of_hats(told)
    delta = Decimal(told["delta"])
    converted = [epsilon_of(Decimal(0), rho, delta) for rho in (least, most)]
    _holds(bool(epsilons) and [min(epsilons), max(epsilons)] == converted, query_id, RHO_OF_HATS)
    charges = {unit: Decimal(told["charges_rho"][unit.value]) for unit in Unit}
    _holds(charges[Unit.VEHICLE_HAT_DAY] == most, query_id, "charges_rho")
    _holds(
        most <= charges[Unit.VEHICLE_DAY] <= charges[Unit.VEHICLE] <= _most_of(told, delta),
        query_id,
        "charges_rho",
    )
    for measure in made_by["measures"]:
        sensitivities, scales = (
            list(map(float, measure[one].values())) for one in ("sensitivity", "noise_scale")
        )
        if told["budget_division"] == EQUAL:
            _holds(least == most, query_id, RHO_OF_HATS)
            expected = [deviation_of(sensitivity, most) for sensitivity in sensitivities]
        else:  # more rho goes where the sensitivity is larger
            ends = sorted((deviation_of(sensitivities[0], least), deviation_of(sensitivities[-1], most)))
            expected, scales = ends, [scales[0], scales[-1]]
        rounding = _ROUNDING + float(RHO_STEP / least)
        alike = all(abs(one - two) <= rounding * two for one, two in zip(scales, expected, strict=True))
        _holds(alike, query_id, "noise_scale")


def _rho_of_hats(told: dict[str, Any]) -> tuple[Decimal, Decimal]:
    """The least and the most that a HAT costs; both above 0."""
    text = told["made_by"]["details"].get(RHO_OF_HATS)
    parts = text.split(_BETWEEN) if isinstance(text, str) else []
    _holds(len(parts) in (1, 2) and all(map(is_plain, parts)), told["query_id"], RHO_OF_HATS)
    least, most = Decimal(parts[0]), Decimal(parts[-1])
    _holds(0 < least <= most, told["query_id"], RHO_OF_HATS)
    return least, most


def _most_of(told: dict[str, Any], delta: Decimal) -> Decimal:
    """The rho that the total comes to."""
    try:
        return rho_of(Decimal(told["made_by"]["asked"]["total"]), delta)
    except InputError:
        raise Finding(
            f"{PRIVACY}: the total of the query {told['query_id']} buys no Gaussian noise"
        ) from None


def _holds(holds: bool, query_id: str, what: str) -> None:
    require(holds, f"{PRIVACY}: {what} of the query {query_id} does not fit the rest of the bundle")
