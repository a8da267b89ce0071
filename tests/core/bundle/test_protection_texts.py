"""core.bundle.protection_texts: what is said of each unit, of what stays open, and before confirming."""

from __future__ import annotations

import math

import pytest

from core.bundle.protection_texts import PROTECTED, confirmation_sentence, left_open, protected_by
from core.privacy import Relation, Unit


def test_every_unit_says_what_it_protects_and_something_stays_open() -> None:
    assert set(PROTECTED) == set(Unit)
    assert len(set(PROTECTED.values())) == len(Unit)
    assert all(protected_by(Relation.USER, unit).endswith("even that it was there") for unit in Unit)


def test_values_leaves_open_the_numbers_that_a_release_follows_from_and_nothing_else() -> None:
    for unit in Unit:
        told = protected_by(Relation.VALUES, unit)
        assert told.startswith("every value that one vehicle reported")
        assert told.endswith("where inside the hexagon and when inside the timeslot")
    numbers, dropped, rate = left_open(dwell=True)
    assert numbers.startswith("how many records and visits each vehicle has in each hexagon slot on each day")
    assert "grids compared (resolutions 5 to 10, slots of 15 to 240 minutes or of all hours)" in numbers
    assert dropped == "which records were dropped as unusable or as repeats"
    assert rate == "whether records come at a fixed rate"
    without = left_open(dwell=False)
    assert without == (numbers.replace("records and visits", "records"), dropped)


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
    assert sentence == (
        "A guess that a vehicle was there: at most 2.7 times likelier at epsilon 1, 22,000 at 10."
    )
    assert (math.e, math.exp(10)) == pytest.approx((2.7, 22_000), rel=0.01)


def test_with_gaussian_noise_the_sentence_says_that_the_promise_may_fail() -> None:
    pure = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0)
    gaussian = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0, gaussian=True)
    assert gaussian == f"{pure.removesuffix('.')}, but for a chance of delta."
    values = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48, gaussian=True)
    assert values == confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48)
