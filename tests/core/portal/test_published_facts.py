"""core.portal.published_facts: what documents say, or a finding."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from core.accounting.epsilon_rounding import glance
from core.bundle.protection_texts import PRACTICE
from core.portal.published_facts import PublishedFacts, contact_url, published_facts
from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    DATAPACKAGE,
    FIFTH_MAP_FORMAT,
    FOURTH_MAP_FORMAT,
    MAP_FORMAT,
    MAP_PAGE,
    PRIVACY,
    README,
    REPORT,
    THIRD_MAP_FORMAT,
)
from core.signed.findings import Finding
from tests.builders import make_documents, make_exact_release, make_mixed_release, make_texts

DOCUMENTS = {name: json.loads(make_documents()[name]) for name in (DATAPACKAGE, PRIVACY)}


def facts(**texts: str) -> PublishedFacts:
    made = make_documents(texts=make_texts(**texts))
    return published_facts(json.loads(made[DATAPACKAGE]), json.loads(made[PRIVACY]))


def test_they_are_those_of_the_release() -> None:
    found = facts()
    assert (found.release, found.publisher) == ("austin-bus-speed-1.0.0", "City of Example")
    assert (found.first, found.last, found.hours) == ("2024-03-01", "2024-03-09", ("09:00", "11:00"))
    assert (found.licence_url, found.practice) == ("https://creativecommons.org/licenses/by/4.0/", "")
    assert found.privacy_sentence == "epsilon 3.5 per vehicle, relation values; protected unit: vehicle"


def test_delta_and_practice_are_told() -> None:
    made = make_documents(make_mixed_release())
    found = published_facts(json.loads(made[DATAPACKAGE]), json.loads(made[PRIVACY]))
    assert "at delta 0.000001 per vehicle" in found.privacy_sentence
    assert facts(name="practice-one").practice == PRACTICE


def test_mu_stands_beside_the_loss_of_one_release_on_its_pages_and_in_its_records() -> None:
    """It stood in privacy.json alone."""
    made = make_documents(make_exact_release(), make_texts(languages=("en", "hi")))
    package, privacy = (json.loads(made[name]) for name in (DATAPACKAGE, PRIVACY))
    mu = glance(Decimal(privacy["headline"]["mu"]))
    assert f"delta 0.000001, mu {mu} per vehicle" in published_facts(package, privacy).privacy_sentence
    assert published_facts(package, privacy | {"map_files": FIFTH_MAP_FORMAT}).mu == ""
    for name, said in (
        (README, f"0.000001, mu {mu} per vehicle, relation values (from "),
        ("README.hi.md", f", mu {mu} |"),
        (REPORT, f"μ = {mu}<"),
        (MAP_PAGE, f'"mu":"{mu}"'),
        (CATALOGUE_RECORD, f", mu {mu} per vehicle"),
    ):
        assert said in made[name].decode(), name
    pure = make_documents()
    assert all("mu " not in pure[name].decode() for name in (README, CATALOGUE_RECORD))


def test_delta_is_a_chance_in_words_but_in_older_maps_which_are_compared_by_figures() -> None:
    made = make_documents(make_exact_release())
    package, privacy = (json.loads(made[name]) for name in (DATAPACKAGE, PRIVACY))
    forms = (
        (MAP_FORMAT, "1 in a million"),
        (FOURTH_MAP_FORMAT, "1 in a million"),
        (FIFTH_MAP_FORMAT, "1 in a million"),
        (THIRD_MAP_FORMAT, "0.000001"),
    )
    for form, chance in forms:
        stated = privacy | {"map_files": form}
        likelihood, _ = published_facts(package, stated).meaning
        assert likelihood.endswith(f", but for a chance of {chance}.")


@pytest.mark.parametrize(
    ("contact", "url"),
    [
        ("opendata@city.example", "mailto:opendata@city.example"),
        ("https://city.example/data", "https://city.example/data"),
        ("Room 12, town hall", ""),
        ("javascript:alert(1)", ""),
        ("https://city.example and more", ""),
    ],
)
def test_a_contact_is_an_address_or_a_text(contact: str, url: str) -> None:
    assert contact_url(contact) == url


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", None),
        ("licenses", []),
        ("licenses", [{"title": "x", "path": 7}]),
        ("contributors", "nobody"),
        ("keywords", [1]),
        ("temporal", {"hours": ["09:00"]}),
        ("created", 5),
    ],
)
def test_what_is_missing_is_a_finding(name: str, value: Any) -> None:
    with pytest.raises(Finding):
        published_facts(DOCUMENTS[DATAPACKAGE] | {name: value}, DOCUMENTS[PRIVACY])


def test_an_address_of_a_licence_is_one_of_the_web() -> None:
    licence = [{"name": "x", "title": "x", "path": "javascript:alert(1)"}]
    found = published_facts(DOCUMENTS[DATAPACKAGE] | {"licenses": licence}, DOCUMENTS[PRIVACY])
    assert found.licence_url == ""
