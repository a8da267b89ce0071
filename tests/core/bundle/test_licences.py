"""Licences by their keys, and the text that points to them."""

from __future__ import annotations

import pytest

from core.bundle.licences import KNOWN, Licence, attribution, find_licence, licence_text
from tests.builders import make_texts


@pytest.mark.parametrize("licence", KNOWN, ids=lambda licence: licence.key)
def test_a_known_licence_is_found_and_pointed_to(licence: Licence) -> None:
    assert find_licence(f" {licence.key.lower()} ") == licence
    text = licence_text(make_texts(licence=licence.key), 2024).decode()
    assert licence.title in text
    assert licence.url in text
    assert attribution(make_texts(), 2024) in text
    assert "opendata@city.example" in text
    assert licence.descriptor()["name"] == licence.key


def test_another_licence_keeps_its_name() -> None:
    licence = find_licence("Open Government Licence v3")
    assert licence.descriptor() == {
        "name": "Open-Government-Licence-v3",
        "title": "Open Government Licence v3",
    }
    assert "Open Government Licence v3" in licence_text(make_texts(licence=licence.key), 2024).decode()


def test_an_address_is_a_licence_of_its_own() -> None:
    address = "https://city.example/terms"
    assert find_licence(address).descriptor()["path"] == address
    assert licence_text(make_texts(licence=address), 2024).decode().count(address) == 1


def test_a_licence_in_another_script_has_a_name_too() -> None:
    assert find_licence("खुला").descriptor()["name"] == "other"
