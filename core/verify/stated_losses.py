"""Verify: the headline and losses follow from pure epsilon and rho (method 13.8).

From the third format on: epsilons by the formula that is named, `mu`, and what the best attacker finds.
"""

from __future__ import annotations

from decimal import Decimal

from core.accounting.exact_loss import StatedLoss
from core.accounting.privacy_loss import PrivacyLoss
from core.bundle.stated import ThirdQuery, ThirdStatement
from core.privacy import Unit
from core.signed.findings import require
from core.verify.statement_reader import PrivacyStatement


def check_stated_losses(statement: PrivacyStatement) -> None:
    """Raises Finding where a figure is another one than its parts come to.

    Of an earlier format nothing is looked at here.
    """
    stated = statement.stated
    if not isinstance(stated, ThirdStatement):
        return
    delta = stated.headline.delta
    _check("the charges", stated, delta, statement.conversion)
    for query in stated.queries:
        _check(query.query_id, query, query.delta, query.formula)
    head = stated.headline
    figures = (stated.charges_mu, stated.charges_power_at_1_percent)
    of_vehicle = tuple(None if one is None else one.vehicle for one in figures)
    require(
        (head.mu, head.power_at_1_percent) == of_vehicle,
        "{privacy}: the headline is not the charge of a vehicle",
    )


def _check(what: str, stated: ThirdStatement | ThirdQuery, delta: Decimal, conversion: str) -> None:
    pure, rho = stated.charges_pure or stated.charges, stated.charges_rho
    mu, power = stated.charges_mu, stated.charges_power_at_1_percent
    for unit in Unit:
        loss = PrivacyLoss(pure.by_unit[unit], Decimal(0) if rho is None else rho.by_unit[unit])
        holds = StatedLoss(loss, delta, conversion).may_be(
            epsilon=stated.charges.by_unit[unit],
            mu=None if mu is None else mu.by_unit[unit],
            power=None if power is None else power.by_unit[unit],
        )
        require(
            holds,
            "{privacy}: what {what} lose per {value} does not follow from the parts",
            what=what,
            value=unit.value,
        )
