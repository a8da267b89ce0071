from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.bounding.bounding_facts import (
    NOISY_WEIGHTS,
    BoundingFacts,
)
from core.bounding.weight_columns import RECORDS_DP
from core.codec import from_json, to_json


def test_without_a_weight_every_candidate_is_published() -> None:
    facts = BoundingFacts(
        hats_per_vehicle=4,
        days_per_vehicle=2,
        candidate_hats=21,
        listed_hats=21,
        threshold=None,
        weight=None,
        noise="laplace",
        spend=Decimal(7),
        weight_noise_scale=None,
    )
    assert from_json(BoundingFacts, to_json(facts)) == facts
    assert "on at most 2 of its days" in facts.sentence("vehicle")
    assert facts.sentence("vehicle").endswith("is published")
    assert facts.errors_known_of == "in every hexagon slot"


@pytest.mark.parametrize("weight", list(NOISY_WEIGHTS))
def test_they_are_stored_whole_and_said_in_a_sentence(weight: str) -> None:
    facts = BoundingFacts(
        hats_per_vehicle=4,
        candidate_hats=21,
        listed_hats=20,
        threshold=5,
        weight=weight,
        noise="laplace",
        spend=Decimal("7.5"),
        weight_noise_scale=Decimal("1.23456789"),
    )
    assert "days_per_vehicle" not in to_json(facts)
    assert from_json(BoundingFacts, to_json(facts)) == facts
    said = facts.sentence("vehicle")
    assert "21 candidate hexagon slots" in said
    assert f"{weight}, noise scale up to 1.23" in said
    assert said.endswith("at least 5")
    assert "derived_speed" not in to_json(facts)
    derived = dataclasses.replace(facts, derived=True)
    assert from_json(BoundingFacts, to_json(derived)) == derived
    assert derived.sentence("vehicle") == f"{said}; speeds follow from consecutive positions of a vehicle"


def test_regions_are_counted_and_named() -> None:
    facts = BoundingFacts(
        hats_per_vehicle=4,
        candidate_hats=21,
        listed_hats=20,
        regions=6,
        threshold=5,
        weight=RECORDS_DP,
        noise="gauss",
        spend=Decimal(1),
        weight_noise_scale=Decimal(2),
    )
    assert to_json(facts)["regions"] == 6
    assert from_json(BoundingFacts, to_json(facts)) == facts
    assert facts.sentence("vehicle").startswith(
        "20 of 21 candidate hexagon slots lie in 6 regions, by public counts"
    )
    assert "a region is published where" in facts.sentence("vehicle")
    assert facts.errors_known_of == "in every region if public counts are right"
