"""What a bundle measured, by its privacy.json: odd bounds, names, units or subjects (method 14)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from core.codec import ShapeError, from_json
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.quantity import MOST_OF_VALUE, SPEED, Quantity
from core.signed.findings import Finding, require
from core.subject import VEHICLE, Subject

_BOUND = re.compile(r"(?!-0\.000$)-?(0|[1-9][0-9]{0,8})\.[0-9]{3}")
_NAMES = ("name", "column_unit", "unit")


def stated_bounds(document: Mapping[str, Any], where: str) -> tuple[int, int]:
    """Lower and upper bound of the value, thousandths. Raises Finding unless they leave a range."""
    bounds = document.get("bounds")
    texts = [bounds.get(name) if isinstance(bounds, dict) else None for name in ("lower", "upper")]
    lower, upper = (_thousandths(text, where) for text in texts)
    require(lower < upper, "{where}: the bounds leave no range", where=where)
    return lower, upper


def stated_quantity(document: Mapping[str, Any], where: str) -> Quantity:
    """What the value is, and whose. Raises Finding for names and bounds that no release has."""
    quantity, subject = _quantity(document, where), stated_subject(document, where)
    return quantity if subject == VEHICLE else dataclasses.replace(quantity, subject=subject)


def stated_subject(document: Mapping[str, Any], where: str) -> Subject:
    """Who is protected. Raises Finding for what no release calls them, or states though it is usual."""
    stated = document.get("subject")
    if stated is None:
        return VEHICLE
    try:
        subject = from_json(Subject, stated)
    except (InputError, ShapeError):
        raise Finding("{where}: no release has such a subject", where=where) from None
    require(subject != VEHICLE, "{where}: no release has such a subject", where=where)
    return subject


def _quantity(document: Mapping[str, Any], where: str) -> Quantity:
    lower, upper = stated_bounds(document, where)
    bounds = document["bounds"]
    if not {"name", "column_unit"} & bounds.keys():
        require(lower == 0, "{where}: a speed is bounded from 0", where=where)
        require(
            bounds.get("unit") == SPEED.unit, "{where}: a speed is in {unit}", where=where, unit=SPEED.unit
        )
        return SPEED
    texts = {name: bounds.get(name) for name in _NAMES}
    most = MOST_OF_VALUE * THOUSAND
    require(-most <= lower and upper <= most, "{where}: the bounds are out of range", where=where)
    if not all(isinstance(text, str) for text in texts.values()):
        raise Finding("{where}: the value has no name or no unit", where=where)
    try:
        return Quantity(lower=lower, **texts)
    except InputError:
        raise Finding("{where}: no release has such a name or unit", where=where) from None


def _thousandths(text: object, where: str) -> int:
    if not isinstance(text, str) or not _BOUND.fullmatch(text):
        raise Finding("{where}: a bound is malformed", where=where)
    return int(Decimal(text) * THOUSAND)
