"""The sentences that say what a loss means: the factor itself, and figures as people read them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.exact_loss import BY_PROFILE, RUNNING, StatedLoss
from core.accounting.privacy_loss import PrivacyLoss
from core.bundle.loss_texts import attacker_sentence, charged_sentence, likelihood_sentence, loss_sentences
from core.bundle.readme_md import readme
from core.privacy import Relation, Unit
from tests.builders import NOW, make_charge, make_exact_release, make_key, make_release, make_texts

MILLIONTH = Decimal("0.000001")
TEN = StatedLoss(PrivacyLoss(rho=Decimal("1.330353000902")), MILLIONTH, BY_PROFILE)


@pytest.mark.parametrize(
    ("epsilon", "factor"), [("0", "1"), ("1", "2.72"), ("5", "149"), ("10", "22,100"), ("20", "486,000,000")]
)
def test_the_factor_itself_is_said_and_never_too_small(epsilon: str, factor: str) -> None:
    said = likelihood_sentence(Relation.VALUES, Unit.VEHICLE, Decimal(epsilon), Decimal(0), "speeds")
    assert said == (
        f"With other speeds from one vehicle, any result here would have been at most {factor} times more "
        "or less likely."
    )


@pytest.mark.parametrize(("epsilon", "written"), [("20.7", True), ("20.8", False)], ids=["below", "above"])
def test_from_a_billion_on_the_factor_is_said_in_words_to_who_releases(epsilon: str, written: bool) -> None:
    asked = (Relation.VALUES, Unit.VEHICLE, Decimal(epsilon), MILLIONTH)
    said = likelihood_sentence(*asked, in_words=True)
    assert (said == likelihood_sentence(*asked)) is written
    assert ("more than a billion times" in said) is not written
    assert ("promises next to nothing" in likelihood_sentence(*asked)) is not written
    assert "next to nothing" not in likelihood_sentence(*asked, as_figure=True)


def test_a_delta_is_a_chance_and_relation_user_speaks_of_presence() -> None:
    said = likelihood_sentence(Relation.USER, Unit.VEHICLE, Decimal(1), MILLIONTH)
    assert said.startswith("With one vehicle more or less, any result")
    assert said.endswith("likely, but for a chance of 1 in a million.")
    figure = likelihood_sentence(Relation.USER, Unit.VEHICLE, Decimal(1), MILLIONTH, as_figure=True)
    assert figure.endswith("likely, but for a chance of 0.000001.")


def test_a_chance_is_never_said_smaller_than_it_is() -> None:
    for delta, many in (("0.000003", "333,333"), ("1e-9", "1,000,000,000"), ("0.001", "1,000")):
        said = likelihood_sentence(Relation.USER, Unit.VEHICLE, Decimal(1), Decimal(delta))
        assert said.endswith(f", but for a chance of 1 in {many}.")


def test_both_figures_of_gaussian_noise_are_said() -> None:
    assert charged_sentence(TEN) == "Charged 10 of the limit; by itself epsilon 8.618."
    assert charged_sentence(StatedLoss(TEN.loss, MILLIONTH, RUNNING)) == ""
    assert charged_sentence(StatedLoss(PrivacyLoss(pure=Decimal(3)), Decimal(0), BY_PROFILE)) == ""
    assert "at most 24.4 of a hundred cases" in attacker_sentence(TEN.power)
    assert len(loss_sentences(Relation.VALUES, TEN)) == 3


def test_six_nines_are_read_as_the_number_that_was_typed() -> None:
    charge = make_charge(per_vehicle=Decimal("9.999994"))
    text = readme(make_release(charge=charge), make_texts(), make_key().public, NOW.date()).decode()
    assert "epsilon 10 per vehicle" in text
    assert "9.999994" not in text


def test_the_readme_says_both_figures_and_the_factor() -> None:
    release = make_exact_release()
    text = readme(release, make_texts(), make_key().public, NOW.date()).decode()
    for sentence in release.loss_sentences:
        assert sentence in text
    assert "Charged 5.106 of the limit; by itself epsilon 4.868." in text
