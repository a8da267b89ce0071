"""ui.errors.method_tips: every method says what it does."""

from __future__ import annotations

import pytest

from core.evaluate.city_comparison import METHODS
from ui.errors.method_tips import method_tip

TIPS = {method.key: method_tip(method) for method in METHODS}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("equal-mean", "same share of the total"),
        ("equal-arrays", "Busy vehicles give fewer records"),
        ("optimal-mean", "the largest noise in any hexagon slot is as small as possible"),
        ("suppression", "leave the hexagon slots that need them least"),
        ("tokens-laplace", "no bias"),
        ("split-laplace", "a little modelled bias"),
        ("zoom-gauss", "finds where each hexagon slot's mean lies"),
        ("regions", "merged into regions"),
    ],
)
def test_it_says_what_the_method_does(key: str, said: str) -> None:
    assert said in TIPS[key]


def test_only_methods_that_differ_by_noise_say_the_same() -> None:
    alike = len(TIPS) - len(set(TIPS.values()))
    assert alike == sum(method.key in ("tokens-gauss", "split-gauss") for method in METHODS)
