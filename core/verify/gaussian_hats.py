"""Verify: Gaussian noise of HATs drawn one by one against the total and the bundle (method 7.5).

`check_queries` calls this last.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.accounting.budgets import EQUAL
from core.accounting.epsilon_rounding import is_plain
from core.accounting.exact_loss import is_stated_epsilon
from core.accounting.zcdp import RHO_STEP, rho_of
from core.bundle.stated import StatedMadeBy, StatedQuery
from core.errors import InputError
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO, GAUSS
from core.signed.findings import Finding, require
from core.statistics.gaussian_noise import RHO_OF_HATS, deviation_of

_BETWEEN = " to "
_ROUNDING = 1e-8
"""How far Gaussian noise may be off what rho says: figures are stated to nine digits."""
_ROOT = 1e-6
"""How far a Gaussian scale may be off: a root above sqrt(2) 2^20 is rounded up to a whole number."""


def check_gaussian_hats(query: StatedQuery, made_by: StatedMadeBy, epsilons: Sequence[Decimal]) -> None:
    """Rho of the HATs, epsilons of their rows, charges and scales are computed from each other.

    made_by: what is stated of the query; epsilons: of the published rows. Raises Finding.
    """
    query_id = query.query_id
    require_fit(made_by.parameters.get(NOISE_FIELD) in (GAUSS, AUTO), query_id, NOISE_FIELD)
    require_fit(made_by.details.get("noise") == GAUSS, query_id, "noise")
    least, most = _rho_of_hats(query_id, made_by)
    delta = query.delta
    require_fit(bool(epsilons), query_id, RHO_OF_HATS)
    extremes = (min(epsilons), least), (max(epsilons), most)
    fits = (is_stated_epsilon(stated, Decimal(0), rho, delta, query.formula) for stated, rho in extremes)
    require_fit(all(fits), query_id, RHO_OF_HATS)
    charges = query.charges_rho
    require_fit(
        charges is not None
        and charges.vehicle_hat_day == most
        and most <= charges.vehicle_day <= charges.vehicle <= _most_of(query_id, made_by, delta),
        query_id,
        "charges_rho",
    )
    for measure in made_by.measures:
        rounding = _ROUNDING + float(RHO_STEP / least)
        sensitivities, scales = (list(map(float, one)) for one in (measure.sensitivity, measure.noise_scale))
        if query.budget_division == EQUAL:
            require_fit(least == most, query_id, RHO_OF_HATS)
            expected = [deviation_of(sensitivity, most) for sensitivity in sensitivities]
        else:  # more rho goes where the sensitivity is larger
            ends = sorted((deviation_of(sensitivities[0], least), deviation_of(sensitivities[-1], most)))
            expected, scales = ends, [scales[0], scales[-1]]
            rounding += _ROOT
        alike = all(abs(one - two) <= rounding * two for one, two in zip(scales, expected, strict=True))
        require_fit(alike, query_id, "noise_scale")


def _rho_of_hats(query_id: str, made_by: StatedMadeBy) -> tuple[Decimal, Decimal]:
    """The least and the most that a HAT costs; both above 0."""
    text = made_by.details.get(RHO_OF_HATS)
    parts = text.split(_BETWEEN) if isinstance(text, str) else []
    require_fit(len(parts) in (1, 2) and all(map(is_plain, parts)), query_id, RHO_OF_HATS)
    least, most = Decimal(parts[0]), Decimal(parts[-1])
    require_fit(0 < least <= most, query_id, RHO_OF_HATS)
    return least, most


def _most_of(query_id: str, made_by: StatedMadeBy, delta: Decimal) -> Decimal:
    """The rho that the total comes to."""
    try:
        return rho_of(made_by.asked[1], delta)
    except InputError:
        raise Finding(
            "{privacy}: the total of the query {query_id} buys no Gaussian noise", query_id=query_id
        ) from None


def require_fit(holds: bool, query_id: str, what: str) -> None:
    """Raise a Finding where what is stated of a query does not fit the rest."""
    require(
        holds,
        "{privacy}: {what} of the query {query_id} does not fit the rest of the bundle",
        what=what,
        query_id=query_id,
    )
