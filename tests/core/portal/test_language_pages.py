"""core.portal.language_pages: what the public reads first is said in Hindi, with what was typed as it was."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from pathlib import Path

import pytest

from core.bundle.public_words import public_words
from core.bundle.release_result import Release
from core.portal.language_pages import language_pages
from core.privacy import Relation
from core.quantity import SPEED
from core.subject import Subject
from core.verify.verify import verify_bundle
from tests.builders import (
    DAY,
    make_bundle,
    make_charge,
    make_city_query,
    make_key,
    make_limits_query,
    make_mixed_release,
    make_release,
    make_texts,
    resign,
)

TEXTS = make_texts(languages=("en", "hi"), title="<b>Buses</b> of Example")
ENGLISH = re.compile(r"\b(the|of|and|is|are|with|from|each)\b")


@pytest.mark.parametrize(
    "release",
    [
        make_release(queries=(make_city_query(),)),
        make_release(queries=(make_limits_query(),)),
        make_mixed_release(),
        dataclasses.replace(make_release(), relation=Relation.USER),
        dataclasses.replace(
            make_release(charge=make_charge(per_vehicle=Decimal(40))), relation=Relation.USER
        ),
        make_release(charge=make_charge(per_vehicle=Decimal(40))),
    ],
)
def test_no_sentence_stays_english(release: Release) -> None:
    pages = language_pages(release, TEXTS, DAY, "hi")
    assert list(pages) == ["README.hi.md", "report.hi.html"]
    text = pages["README.hi.md"].decode()
    for typed in ("\\<b\\>Buses\\</b\\> of Example", "City of Example"):
        text = text.replace(typed, "")
    assert ENGLISH.search(text) is None, ENGLISH.search(text)
    assert b"<b>" not in pages["report.hi.html"]
    for figure in re.findall(r"\d+\.\d+", " ".join(public_words(release, TEXTS).can_say)):
        assert figure in text


def test_units_are_said_in_words() -> None:
    text = language_pages(make_release(), TEXTS, DAY, "hi")["README.hi.md"].decode()
    assert "| वाहन, षट्भुज-स्लॉट और दिन |" in text


def test_what_is_protected_is_called_as_it_was_typed() -> None:
    sensors = Subject(name="sensor", plural="sensors")
    release = make_release(quantity=dataclasses.replace(SPEED, subject=sensors))
    text = language_pages(release, TEXTS, DAY, "hi")["README.hi.md"].decode()
    assert "sensor" in text
    assert "वाहन" not in text


def test_a_bundle_holds_what_it_says_that_it_holds(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, make_release(), TEXTS)
    found = verify_bundle(bundle)
    assert found.ok
    assert [one.detail for one in found.checks if one.name == "languages"] == [
        "README, report and map page are in hi too"
    ]
    assert "`README.hi.md`, `report.hi.html`" in (bundle / "README.md").read_text("utf-8")


def test_a_page_that_is_gone_is_missed(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, make_release(), TEXTS)
    (bundle / "report.hi.html").unlink()
    resign(bundle, make_key())
    failed = {one.name: one.detail for one in verify_bundle(bundle).checks if not one.passed}
    assert failed == {"languages": "report.hi.html is missing"}
