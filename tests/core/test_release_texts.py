"""The texts of a release."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.release_texts import (
    LONGEST_NAME_OF_PLACE,
    RegistryTexts,
    ReleaseTexts,
    one_line,
    require_languages,
    require_said,
)
from tests.records import assert_tells

GOOD = {
    "name": "austin-bus-speed",
    "version": "1.0.0",
    "title": "Bus speeds by hexagon and hour",
    "publisher": "City",
    "contact": "opendata@city.example",
    "licence": "CC-BY-4.0",
}
BAD = {
    "name": ["", "Austin", "a b", "a_b", "-a", "a-", "a--b", "ä", "a\n", "../a", "a/b", "x" * 81],
    "version": ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-rc1", "1.0.0\n", "١.٠.٠", "1.0.x"],
    "title": ["", "  ", "two\nlines", "tab\there", "bell\a"],
    "publisher": ["", "\u200b\u200e", "\u200d", "City\u200d", "\u200cCity", "Ci\u200d\u200dty", "Ci\u202ety"],
    "contact": ["", "a\r\nb"],
    "licence": ["", "\0"],
}


def test_good_texts_name_the_folder() -> None:
    assert ReleaseTexts(**GOOD).folder == "austin-bus-speed-1.0.0"
    assert ReleaseTexts(**(GOOD | {"title": "Geschwindigkeiten – Größe", "name": "x" * 80}))


@pytest.mark.parametrize("text", ["पक्\u200dकी सड़कें", "نمی\u200cخواهم", "Buses 👩\u200d🔧"])
def test_joiners_that_belong_to_words_are_kept(text: str) -> None:
    assert ReleaseTexts(**(GOOD | {"title": text})).title == text


@pytest.mark.parametrize(("field", "text"), [(field, text) for field, texts in BAD.items() for text in texts])
def test_bad_texts_are_refused_by_field(field: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        ReleaseTexts(**(GOOD | {field: text}))
    assert_tells(caught.value)
    assert caught.value.where == f"release.{field}"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("Udhna Junction", "Udhna Junction"),
        ("  two\r\n lines\there ", "two lines here"),
        ("right\u202eto left", "rightto left"),
        ("\0\a\u200b", ""),
        ("x" * 100, "x" * (LONGEST_NAME_OF_PLACE - 1) + "…"),
        ("उधना जंक्शन", "उधना जंक्शन"),
    ],
)
def test_names_of_strangers_become_one_printable_line(given: str, line: str) -> None:
    assert one_line(given) == line
    assert line.isprintable()


@pytest.mark.parametrize("field", ["title", "publisher", "contact", "licence"])
@pytest.mark.parametrize("text", ["", "  "])
def test_a_text_that_nobody_wrote_is_said_to_be_missing(field: str, text: str) -> None:
    with pytest.raises(InputError, match=f"The {field} is missing") as caught:
        ReleaseTexts(**(GOOD | {field: text}))
    assert_tells(caught.value)


@pytest.mark.parametrize("languages", [("hi",), ("hi", "en"), ("en", "fr"), ("en", "en"), ("en", "hi", "hi")])
def test_english_comes_first_and_others_are_known(languages: tuple[str, ...]) -> None:
    assert require_languages(("en", "hi")) == ("en", "hi")
    assert ReleaseTexts(**GOOD, languages=("en", "hi")).beside_english == ("hi",)
    with pytest.raises(InputError, match="one of: hi"):
        require_languages(languages)


def test_what_may_be_left_out_is_one_line_where_it_is_said() -> None:
    assert require_said("registry.region", "") == ""
    missing = RegistryTexts(region="Austin", access="files").missing
    assert missing == ("description", "domain", "actors", "data_source", "justification")
    with pytest.raises(InputError, match=r"one line"):
        require_said("registry.region", "two\nlines")
