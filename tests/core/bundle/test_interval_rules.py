"""Each rule has a name that is stored and a text that is published."""

from __future__ import annotations

import re

from core.bundle.interval_rules import (
    COVERS,
    COVERS_BIAS,
    COVERS_NOISE,
    EXTREMES,
    INTERVAL_RULES,
    NEWEST_RULE,
    NOISE_ONLY,
    WITHIN_NOISE,
    covers,
)


def test_every_rule_is_a_part_of_a_sentence() -> None:
    assert list(INTERVAL_RULES) == [NOISE_ONLY, NEWEST_RULE, EXTREMES, WITHIN_NOISE]
    for rule, text in INTERVAL_RULES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule)
        assert text[0].islower()
        assert not text.endswith(".")
        assert "95 %" in text


def test_modelled_bias_is_said_where_it_is_modelled() -> None:
    assert {covers(models_bias=False), covers(models_bias=True)} == {COVERS_NOISE, COVERS_BIAS} == set(COVERS)
