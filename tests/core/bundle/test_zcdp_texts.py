"""The conversion that a bundle states is the one that is computed, for whoever works it out by hand."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest

from core.accounting.zcdp import epsilon_of
from core.bundle.zcdp_texts import EXPLAINED, RUNNING_TOTAL


@pytest.mark.parametrize(("pure", "rho", "delta"), [("0", "0.1", "1e-6"), ("2.5", "3", "1e-9")])
def test_the_stated_formula_gives_the_epsilon(pure: str, rho: str, delta: str) -> None:
    """Taken from the text, letter by letter."""
    stated = re.search(r"least over a in \{(.*?)\} of (.*), where R", RUNNING_TOTAL)
    assert stated
    formula = stated[2].replace("a R", "a * R").replace("a ln", "a * ln").replace("ln(", "math.log(")
    least = min(
        eval(formula, {"math": math, "a": float(order), "R": float(rho), "delta": float(delta)})
        for order in stated[1].split(", ")
    )
    found = epsilon_of(Decimal(pure), Decimal(rho), Decimal(delta))
    assert 0 <= float(found) - (float(pure) + least) <= 1.001e-6


def test_it_is_said_what_delta_means() -> None:
    assert "at most delta" in EXPLAINED
    assert "zero-concentrated" in EXPLAINED
