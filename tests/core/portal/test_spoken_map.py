"""core.portal.spoken_map: the map page in Hindi has the data of the English one, and its texts in Hindi."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.catalogue import shipped_catalogue
from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID
from core.portal.spoken_map import LANGUAGE, PAGE_TEXTS, page_entries
from core.quantity import SPEED
from core.signed.bundle_names import MAP_PAGE, map_in
from core.subject import Subject
from core.verify.verify import verify_bundle
from tests.builders import forge, make_bundle, make_documents, make_release, make_texts

SPOKEN = map_in("hi")
TEXTS_OF_RELEASE = make_texts(languages=("en", "hi"))


def test_the_data_are_those_of_the_english_page_and_texts_beside_them() -> None:
    documents = make_documents(make_release(), TEXTS_OF_RELEASE)
    english, hindi = (find_json(name, documents[name], MAP_DATA_ID) for name in (MAP_PAGE, SPOKEN))
    texts = hindi.pop(PAGE_TEXTS)
    assert hindi.pop(LANGUAGE) == "hi"
    assert hindi.pop("words")["pages"] == english.pop("words")["pages"] | {"en": MAP_PAGE}
    assert hindi == english
    assert texts["Whole network"] == "पूरा नेटवर्क"


def test_every_text_of_the_page_is_said() -> None:
    said = {entry.text for entry in shipped_catalogue("hi").entries if entry.said}
    found = [entry.text for entry in page_entries()]
    assert len(found) > 100
    assert set(found) <= said


def test_only_a_release_that_is_in_hindi_and_drawn_has_the_page() -> None:
    assert SPOKEN not in make_documents(make_release(), make_texts())


def test_what_is_protected_is_called_as_it_was_typed() -> None:
    sensors = Subject(name="sensor", plural="sensors")
    documents = make_documents(
        make_release(quantity=dataclasses.replace(SPEED, subject=sensors)), TEXTS_OF_RELEASE
    )
    texts = find_json(SPOKEN, documents[SPOKEN], MAP_DATA_ID)[PAGE_TEXTS]
    said = [text for english, text in texts.items() if "sensor" in english]
    assert len(said) > 2
    assert not [text for text in said if "वाहन" in text]


@pytest.mark.parametrize(("number", "holds"), [(b"20.668", True), (b"20.669", False)])
def test_a_number_that_the_table_has_not_is_found(number: bytes, holds: bool, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, make_release(), TEXTS_OF_RELEASE)
    page = (bundle / SPOKEN).read_bytes()
    assert b"20.668" in page
    forge(bundle, {SPOKEN: page.replace(b"20.668", number)})
    found = [check for check in verify_bundle(bundle).checks if check.name == "map"]
    assert [check.passed for check in found] == [holds]
    assert holds or SPOKEN in found[0].detail
