"""core.bundle.protection_texts: what is said of each unit, of what stays open, and before confirming."""

from __future__ import annotations

import math

import pytest

from core.bundle.protection_texts import PROTECTED, UNPROTECTED, confirmation_sentence
from core.privacy import Relation, Unit


def test_every_unit_says_what_it_protects_and_something_stays_open() -> None:
    assert set(PROTECTED) == set(Unit)
    assert len(set(PROTECTED.values())) == len(Unit)
    assert "which vehicles were where and when" in UNPROTECTED


def test_the_sentence_tells_how_many_hats_hold_one_vehicle() -> None:
    sentence = confirmation_sentence(Relation.VALUES, Unit.VEHICLE_DAY, 3, 20)
    assert "Of 20 hexagon slots, 3 hold a single vehicle; its presence" in sentence
    assert "vehicle-day" in sentence
    one = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 1, 1)
    assert "Of 1 hexagon slot, 1 holds a single vehicle; its presence" in one


def test_where_no_hat_holds_one_vehicle_nobody_s_presence_is_said_to_become_public() -> None:
    sentence = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48)
    assert sentence.endswith("None of 48 hexagon slots holds only one vehicle.")
    assert "its presence" not in sentence


def test_with_presence_protected_the_sentence_promises_no_more_than_epsilon_does() -> None:
    sentence = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0)
    # the odds between with and without: those of a result itself may change by e^(2 epsilon)
    assert sentence.startswith("Odds that one vehicle is there change at most e^epsilon-fold: ")
    assert sentence.endswith(": 2.7 at 1, 22,000 at 10.")
    assert (math.e, math.exp(10)) == pytest.approx((2.7, 22_000), rel=0.01)


def test_with_gaussian_noise_the_sentence_says_that_the_promise_may_fail() -> None:
    pure = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0)
    gaussian = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0, gaussian=True)
    assert gaussian == f"{pure} With Gaussian noise this may fail, with a probability of at most delta."
    values = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48, gaussian=True)
    assert values == confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48)
