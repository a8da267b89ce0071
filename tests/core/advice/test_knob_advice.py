"""core.advice.knob_advice: one line beside each parameter, from the same three grids as everywhere."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.advice.adviser import Advice
from core.advice.knob_advice import (
    EpsilonBands,
    Sign,
    epsilon_advice,
    mechanism_advice,
    place_advice,
    timeslot_advice,
)
from core.hats.slots import ALL
from tests.core.advice.test_city_advice import advice_of, option

GOOD = option(7, 60, 1.9)
ADVICE = advice_of(option(8, 60, 4.6, hats=900), GOOD, option(7, 240, 1.1), option(6, ALL, 0.5))


def test_the_recommended_grid_is_called_so_and_what_is_next_is_said() -> None:
    place, slot = place_advice(ADVICE, 7, 60), timeslot_advice(ADVICE, 7, 60)
    assert (place.sign, place.text) == (Sign.RECOMMENDED, "Recommended: the finest that is good.")
    assert (slot.sign, slot.text) == (Sign.RECOMMENDED, "Recommended. With 4 hours: error 1.1 km/h.")
    assert place.grid is slot.grid is None


def test_another_place_or_timeslot_is_taken_beside_what_it_is_about() -> None:
    place = place_advice(ADVICE, 8, 60)
    assert (place.sign, place.grid, place.both) == (Sign.BETTER, GOOD, False)
    assert place.text == "Recommended: resolution 7, error 1.9."
    slot = timeslot_advice(ADVICE, 7, 240)
    assert (slot.sign, slot.grid, slot.text) == (Sign.BETTER, GOOD, "Recommended: 1 hour, error 1.9.")
    assert place_advice(ADVICE, 7, 240).grid is None, "it is said of the timeslot"
    both = place_advice(ADVICE, 6, ALL)
    assert (both.grid, both.both, both.text) == (GOOD, True, "Better: resolution 7 with 1 hour.")
    assert timeslot_advice(ADVICE, 6, ALL).grid is None


def test_where_no_grid_is_of_use_none_is_to_be_taken() -> None:
    useless = advice_of(option(8, 60, 9.0, hats=900), option(7, 60, 8.0))
    for resolution in (7, 8):
        place, slot = place_advice(useless, resolution, 240), timeslot_advice(useless, resolution, 240)
        assert (place.text, place.grid) == ("No grid is useful at epsilon 10.", None)
        assert place.sign is Sign.NEITHER, "nothing better is there to be taken"
        assert (slot.text, slot.grid) == ("", None)


def test_epsilon_says_what_a_good_release_needs() -> None:
    bands = EpsilonBands(good_error="2 km/h", rough=Decimal(3), good=Decimal(9))
    text = "Error 2 km/h needs 9; smaller protects more."
    for amount, sign in ((Decimal(9), Sign.RECOMMENDED), (Decimal(3), Sign.NEITHER)):
        said = epsilon_advice(bands, amount)
        assert (said.sign, said.text) == (sign, text)
    assert epsilon_advice(bands, Decimal(1)).text == "This grid needs 3 to be rough."
    hopeless = EpsilonBands(good_error="2 km/h", rough=None, good=None)
    assert epsilon_advice(hopeless, Decimal(10)).sign is Sign.NEITHER


def test_a_mechanism_is_recommended_with_its_error_or_named_with_the_next_best() -> None:
    errors = {"tokens": 1.2, "two-step-clipping": 2.5}
    advice = Advice(mechanism="tokens", params={}, reason="", typical_errors=errors)
    assert mechanism_advice(advice, "tokens", "km/h").text == "Next best: Two-step clipping, 2.5."
    other = mechanism_advice(advice, "levy", "km/h")
    assert (other.sign, other.text) == (Sign.BETTER, "Recommended: Tokens, error 1.2 km/h.")


@pytest.mark.parametrize(
    ("rival", "sign", "said"),
    [
        (62.0, Sign.RECOMMENDED, "Recommended; Two-step clipping gains little."),
        (32.0, Sign.NEITHER, "Two-step clipping misses less: 32."),
    ],
)
def test_half_of_an_error_is_not_called_little(rival: float, sign: Sign, said: str) -> None:
    errors = {"tokens": 65.0, "two-step-clipping": rival}
    advice = Advice(mechanism="tokens", params={}, reason="", typical_errors=errors)
    found = mechanism_advice(advice, "tokens", "km/h")
    assert (found.sign, found.text) == (sign, said)


def test_places_that_are_no_hexagons_have_no_resolution() -> None:
    best = ADVICE.balanced
    assert best is not None
    grids = tuple(dataclasses.replace(one, resolution=0) if one == best else one for one in ADVICE.grids)
    advice = dataclasses.replace(ADVICE, grids=grids)
    assert place_advice(advice, 0, best.window.slot_length).sign is Sign.RECOMMENDED
    told = place_advice(advice, 9, best.window.slot_length).text
    assert "the places asked for" in told
    assert "resolution" not in told
