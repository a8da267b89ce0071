"""core.bundle.protection_texts: what is said of each unit, of what stays open, and before confirming."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from core.accounting.exact_loss import BY_PROFILE, StatedLoss
from core.accounting.privacy_loss import NO_LOSS, PrivacyLoss
from core.bundle.protection_texts import PROTECTED, confirmation_sentence, left_open, protected_by
from core.privacy import Relation, Unit

GAUSSIAN, DELTA = PrivacyLoss(rho=Decimal("0.5")), Decimal("1e-6")


def of_loss(loss: PrivacyLoss, delta: Decimal = DELTA) -> StatedLoss:
    return StatedLoss(loss, delta, BY_PROFILE)


def of_values(unit: Unit, single_vehicle: int, hats: int) -> str:
    return confirmation_sentence(Relation.VALUES, unit, single_vehicle, hats, of_loss(NO_LOSS), dwell=True)


def presence(epsilon: str) -> str:
    stated = of_loss(PrivacyLoss(Decimal(epsilon)))
    return confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0, stated, dwell=True)


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
    assert left_open(dwell=False, rate=True) == (*without, rate)


def test_the_sentence_tells_how_many_hats_hold_one_vehicle() -> None:
    sentence = of_values(Unit.VEHICLE_DAY, 3, 20)
    assert "Of 20 hexagon slots, 3 hold a single vehicle; its presence" in sentence
    assert "vehicle-day" in sentence
    one = of_values(Unit.VEHICLE, 1, 1)
    assert "Of 1 hexagon slot, 1 holds a single vehicle; its presence" in one


def test_where_no_hat_holds_one_vehicle_nobody_s_presence_is_said_to_become_public() -> None:
    sentence = of_values(Unit.VEHICLE, 0, 48)
    assert sentence.endswith("None of 48 hexagon slots holds only one vehicle.")
    assert "its presence" not in sentence


@pytest.mark.parametrize(
    ("epsilon", "hidden", "times"),
    [
        ("0.5", "is hidden", "makes a guess that it was at most 1.65 times"),
        ("3", "is only partly hidden", "makes a guess that it was at most 20.1 times"),
        ("10", "is hardly hidden", "may make a guess that it was up to 22,100 times"),
        ("50", "is hardly hidden", "may make a guess that it was likelier by a factor of up to 22 digits"),
    ],
)
def test_with_presence_protected_the_sentence_promises_no_more_than_this_epsilon_does(
    epsilon: str, hidden: str, times: str
) -> None:
    """It said of epsilon 10 that presence is hidden, beside an attacker who finds out 100 of 100."""
    # the odds between with and without: those of a result itself may change by e^(2 epsilon)
    said = f"Whether a vehicle was there at all {hidden}: at epsilon {epsilon} this release {times}"
    assert presence(epsilon) in (f"{said} likelier.", f"{said}.")


@pytest.mark.parametrize("epsilon", ["0.5", "3", "10", "50"])
def test_values_are_called_protected_as_well_as_epsilon_says_and_no_better(epsilon: str) -> None:
    """Of any epsilon it was said that they are protected; another budget asks for no other confirmation."""
    stated = of_loss(PrivacyLoss(Decimal(epsilon)))
    text = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48, stated, dwell=True)
    assert "timeslot, are protected as well as epsilon says; how many records" in text
    assert text == of_values(Unit.VEHICLE, 0, 48)


def test_odds_that_nobody_can_read_are_said_by_their_digits() -> None:
    assert presence("30") == (
        "Whether a vehicle was there at all is hardly hidden: at epsilon 30 this release may make a guess "
        "that it was likelier by a factor of up to 14 digits."
    )
    assert len(f"{math.exp(30):.0f}") == 14
    unknown = "Whether a vehicle was there at all is hidden as well as epsilon says."
    assert confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0, None, dwell=True) == unknown
    without = confirmation_sentence(
        Relation.USER, Unit.VEHICLE, 0, 0, of_loss(GAUSSIAN, Decimal(0)), dwell=True
    )
    assert without == unknown, "Gaussian noise without a delta has no epsilon"


def test_with_gaussian_noise_the_sentence_says_how_often_the_promise_may_fail() -> None:
    gaussian = confirmation_sentence(Relation.USER, Unit.VEHICLE, 0, 0, of_loss(GAUSSIAN), dwell=True)
    assert gaussian.endswith(" times likelier, but for a chance of 1 in a million.")
    values = confirmation_sentence(Relation.VALUES, Unit.VEHICLE, 0, 48, of_loss(GAUSSIAN), dwell=True)
    assert values == of_values(Unit.VEHICLE, 0, 48)
