"""README.md tells the public what it is and how to check it."""

from __future__ import annotations

import dataclasses
import re

import pytest

from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.interval_rules import INTERVAL_RULES
from core.bundle.protection_texts import EVALUATED
from core.bundle.query_sentence import query_sentence
from core.bundle.readme_md import epsilon_text, readme
from core.bundle.smoothed_facts import caveat
from core.bundle.zcdp_texts import EXPLAINED
from core.hats.places import LABELLED, PlaceChoice
from core.place_words import said_to_people
from core.privacy import Relation, Unit
from core.signed.bundle_names import PRIVACY, README, REPORT
from tests.builders import (
    NOW,
    SPEED_BY_HAT,
    make_city_query,
    make_documents,
    make_key,
    make_mixed_release,
    make_release,
    make_texts,
)

BY_ROUTE = PlaceChoice(place_kind=LABELLED, place_column="route")
TEXT = readme(make_release(), make_texts(), make_key().public, NOW.date()).decode()


@pytest.mark.parametrize(
    "line",
    [
        "minisign -Vm SHA256SUMS -P KEY",
        "sha256sum -c --strict SHA256SUMS",
        "frictionless validate datapackage.json",
        "hexveil verify . --public-key KEY",
        "proves nothing by itself",
        "release:austin-bus-speed-1.0.0",
        make_key().fingerprint,
        make_key().public_text,
    ],
)
def test_it_says_how_to_verify(line: str) -> None:
    assert line in TEXT


def test_every_epsilon_has_unit_and_relation_beside_it() -> None:
    numbers = re.findall(r"epsilon [0-9.]+ (.*)", TEXT)
    assert len(numbers) == 4
    words = re.compile(r"per vehicle(, hexagon slot)?( and day)?, relation values")
    assert all(words.match(text) for text in numbers)
    assert epsilon_text(make_release(), Unit.VEHICLE) == "epsilon 3.5 per vehicle, relation values"


@pytest.mark.parametrize("name", [README, REPORT])
def test_a_place_in_a_timeslot_is_a_slot_of_it_and_no_word_is_ours(name: str) -> None:
    """Titles and descriptions of datapackage.json, which stay as published, say hexagon and timeslot."""
    for release, slot in ((make_release(), "hexagon slot"), (make_release(place=BY_ROUTE), "place slot")):
        release = dataclasses.replace(release, evaluated=True)
        text = make_documents(release)[name].decode().partition("<body>" if name == REPORT else "#")[2]
        assert slot in text
        assert not re.search(r"(?<!which )(hexagon|place) and timeslot\b|records kept|\btold\b", text)


@pytest.mark.parametrize("name", [README, REPORT])
def test_units_and_the_rule_are_said_in_words(name: str) -> None:
    """They were the keys of privacy.json and of tables, which stay there."""
    by_day = make_release(unit=Unit.VEHICLE_DAY)
    for release, slot in ((by_day, "hexagon"), (make_release(place=BY_ROUTE), "place")):
        documents = make_documents(release)
        text = documents[name].decode().partition("<body>" if name == REPORT else "#")[2]
        assert f"vehicle, {slot} slot and day" in text
        assert not re.search(r"vehicle(-hat)?-days?\b|\brule every-slot\b", text)
        assert ("<dd>Busy in every slot, threshold 10, at least 2" in text) is (name == REPORT)
        assert b"vehicle-hat-day" in documents[PRIVACY]


def test_every_column_is_explained() -> None:
    for table in (SPEED_BY_HAT, EPSILON_SUMMARY):
        for column in table.columns:
            assert f"| `{column.name}` |" in TEXT


def test_what_made_each_query_is_told_and_how_intervals_came_about() -> None:
    release = make_release()
    sentence = said_to_people(query_sentence(release, release.queries[0]), hexagons=True)
    assert f"- `mean_speed`: {sentence}" in TEXT.replace("\\_", "_")
    for rule, text in INTERVAL_RULES.items():
        told = readme(make_release(interval_rule=rule), make_texts(), make_key().public, NOW.date()).decode()
        assert text[1:] in told


def test_free_text_cannot_become_markup() -> None:
    texts = make_texts(title="[x](https://evil.example) <b>")
    text = readme(make_release(), texts, make_key().public, NOW.date()).decode()
    assert "# \\[x\\](https://evil.example) \\<b\\>" in text


def test_relation_user_claims_nothing_open() -> None:
    text = readme(make_release(relation=Relation.USER), make_texts(), make_key().public, NOW.date()).decode()
    assert "Not protected" not in text
    assert "present or absent" in text


def test_an_evaluation_is_said_in_one_sentence() -> None:
    text = readme(make_release(evaluated=True), make_texts(), make_key().public, NOW.date()).decode()
    assert EVALUATED in text
    assert text.replace(f"{EVALUATED}\n\n", "") == TEXT


def test_an_epsilon_of_gaussian_noise_never_stands_without_delta_and_rho() -> None:
    release = make_mixed_release()
    assert epsilon_text(release, Unit.VEHICLE) == (
        "epsilon 5.106 at delta 0.000001 per vehicle, relation values (from pure epsilon 3.5 and rho 0.05)"
    )
    gaussian = make_release(
        queries=release.queries[:1],
        charge=release.queries[0].charge,
        delta=release.delta,
        cumulative_parts=release.cumulative_parts,
    )
    assert epsilon_text(gaussian, Unit.VEHICLE_DAY).endswith("relation values (from rho 0.03)")
    text = readme(release, make_texts(), make_key().public, NOW.date()).decode()
    assert f"An (epsilon, delta) guarantee. {EXPLAINED}" in text
    assert "| `rho` | number |" in text
    pure = readme(make_release(), make_texts(), make_key().public, NOW.date()).decode()
    assert "delta)" not in pure
    assert "rho" not in pure


def test_raw_and_smoothed_numbers_are_told_apart_with_the_caveat() -> None:
    release = make_release(queries=(make_city_query(),))
    text = readme(release, make_texts(), make_key().public, NOW.date()).decode()
    assert "## Raw and smoothed: `mean_speed`" in text
    assert "- `speed_mean_kmh` is the raw number: what was measured, with the noise that protects." in text
    assert f"- `speed_smoothed_kmh` is {caveat()} (`ci95_low_kmh` to `ci95_high_kmh`)." in text
    told = "typical error about 0.91 km/h in the median hexagon slot (between 0.607 and 1.36) and 1.72 km/h"
    assert f"{told} in the least accurate." in text
    for column in ("speed_smoothed_kmh", "smoothed_low_kmh", "effective_vehicles", "modelled_bias_kmh"):
        assert f"| `{column}` | " in text
    assert "covers unusually fast hexagons less often |" in text
    assert "moothed" not in TEXT
