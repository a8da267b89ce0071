"""core.catalogue: a `.po` file is read as it is written, and core is said by its templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.advice.adviser import Advice, advise_joint
from core.catalogue import (
    ENGLISH,
    Catalogue,
    as_spoken,
    indian_groups,
    read_catalogue,
    read_entries,
    shipped_catalogue,
)
from core.counted import count_of
from core.place_words import of_places
from core.subject import VEHICLE, Subject
from core.texts import Name, joined, text_of

HEAD = 'msgid ""\nmsgstr ""\n"Language: xx\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'
TEXTS = """\
# for translators
#, python-brace-format
msgid "{n} row"
msgid_plural "{n} rows"
msgstr[0] "{n} xrow"
msgstr[1] "{n} xrows"

msgid "a text "
"in two pieces, with a \\"quote\\""
msgstr "xtext"

msgid "not yet"
msgstr ""

msgctxt "core"
msgid "The file cannot be written: {strerror}."
msgstr "{strerror} (xwrite)"

msgctxt "core"
msgid "no permission"
msgstr "xpermission"

msgctxt "core"
msgid "More than {most} cells."
msgstr "x>{most}"

msgctxt "core"
msgid "and {rows} more"
msgstr "x+{rows}"

msgctxt "core"
msgid "{n} row"
msgid_plural "{n} rows"
msgstr[0] "{n} crow"
msgstr[1] "{n} crows"
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    path = tmp_path / "xx.po"
    path.write_text(HEAD + TEXTS, encoding="utf-8")
    return read_catalogue(path, lambda digits: digits.replace(",", "_"))


def test_texts_of_the_window(catalogue: Catalogue) -> None:
    assert catalogue.language == "xx"
    assert catalogue.text('a text in two pieces, with a "quote"') == "xtext"
    assert catalogue.text("not yet") is None
    assert catalogue.text("no permission") is None  # only core says it


@pytest.mark.parametrize(("count", "form"), [(0, "{n} xrow"), (1, "{n} xrow"), (2, "{n} xrows")])
def test_the_rule_of_the_language_chooses_the_form(catalogue: Catalogue, count: int, form: str) -> None:
    assert catalogue.counted("{n} row", "{n} rows", count) == form


@pytest.mark.parametrize(("count", "form"), [(0, "many"), (1, "one"), (2, "many")])
def test_what_is_not_translated_keeps_the_forms_of_english(
    count: int, form: str, catalogue: Catalogue
) -> None:
    assert catalogue.counted("one", "many", count) == form
    assert ENGLISH.counted("one", "many", count) == form


WRITTEN, MORE = "The file cannot be written: {strerror}.", " and {rows} more"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no permission", "xpermission"),
        (text_of(WRITTEN, strerror="Disk full"), "Disk full (xwrite)"),
        (text_of(WRITTEN, strerror="no permission"), "xpermission (xwrite)"),
        (text_of(WRITTEN, strerror=Name("no permission")), "no permission (xwrite)"),
        (text_of(WRITTEN, strerror="{strerror} {0.real}"), "{strerror} {0.real} (xwrite)"),
        (text_of("More than {most} cells.", most="12,345"), "x>12_345"),
        (text_of("More than {most} cells.", most="2026-11-23"), "x>2026-11-23"),
        (text_of(MORE, rows=count_of(1, "row")), " x+1 crow"),
        ("no permission" + text_of(MORE, rows=count_of(12_345, "row")), "xpermission x+12_345 crows"),
        (joined("\n", ("no permission", "Disk full")), "xpermission\nDisk full"),
        (text_of("unknown {what}", what="no permission"), "unknown xpermission"),
        (text_of("More than {most} cells.", most=9) + "", "x>9"),
        (count_of(2, "cell"), "2 cells"),
        ("somebody else's sentence", "somebody else's sentence"),
    ],
)
def test_a_sentence_of_core_is_said_by_its_template(catalogue: Catalogue, text: str, said: str) -> None:
    assert catalogue.of_core(text) == said
    assert ENGLISH.of_core(text) == text


@pytest.mark.parametrize(
    ("english", "hindi"),
    [
        (
            of_places(text_of("Mean {value} of every hexagon and timeslot", value="speed")),
            "हर स्थान और स्लॉट की औसत गति",
        ),
        (of_places("in every hexagon slot"), "हर स्थान-स्लॉट में"),
        (of_places(count_of(2, "hexagon")), "2 स्थान"),
        (joined(" and ", ("speed", Name("hexagon"))), "गति और hexagon"),
    ],
)
def test_what_is_said_of_places_and_what_joins_texts_is_no_english_in_hindi(english: str, hindi: str) -> None:
    """On the map of a bundle by routes the title was English, and between two areas stood `and`."""
    assert shipped_catalogue("hi").of_core(english) == hindi


def test_a_text_without_its_template_is_not_searched_for(catalogue: Catalogue) -> None:
    """What a person wrote is never taken for a sentence of ours."""
    english = "The file cannot be written: Disk full."
    assert catalogue.of_core(english) == english


def test_the_field_of_a_sentence_does_not_reach_over_the_next_one() -> None:
    """The advice of the tokens ends in a field; of how many are suppressed a sentence of its own follows."""
    advice = Advice(
        mechanism="two-step-clipping", params={}, reason="", typical_errors={"two-step-clipping": 9.2}
    )
    told = shipped_catalogue("hi").of_core(advise_joint(284, advice, 3.2, suppressed=4, empty=36).reason)
    assert "वाहन बहुत कम होने से रोके गए: चुने गए 288 षट्भुज-स्लॉट में से 4 हैं।" in told
    assert told.endswith("ख़ाली: 36 और षट्भुज-स्लॉट।")
    assert set(re.findall("[A-Za-z]+", told)) == {"km", "h"}


@pytest.mark.parametrize("broken", ['msgid "a\n', "text\n", '"alone"\n'])
def test_a_malformed_file_is_refused_with_its_line(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "xx.po"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(ValueError, match="line 1 is malformed"):
        list(read_entries(path))


def test_a_catalogue_without_a_rule_of_plurals_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text('msgid ""\nmsgstr "Language: xx\\n"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="names no rule of plurals"):
        read_catalogue(path)


@pytest.mark.parametrize(
    ("publisher", "said"),
    [
        ("नगर", "प्रकाशक: नगर।"),
        ("पंक्तियाँ", "प्रकाशक: पंक्तियाँ।"),
        ("नगर (सूरत)", "प्रकाशक: नगर (सूरत)।"),
        ("City 11", "प्रकाशक: City 11\u00a0।"),
    ],
)
def test_a_hindi_sentence_of_core_ends_right_after_a_word_and_apart_from_a_figure(
    publisher: str, said: str
) -> None:
    assert shipped_catalogue("hi").of_core(text_of("Publisher: {publisher}.", publisher=publisher)) == said


@pytest.mark.parametrize(
    ("digits", "grouped"),
    [("999", "999"), ("1,204", "1,204"), ("123,456", "1,23,456"), ("1,234,567", "12,34,567")],
)
def test_whole_numbers_are_grouped_as_in_india(digits: str, grouped: str) -> None:
    assert indian_groups(digits) == grouped


def test_both_languages_say_what_is_protected_and_what_places_are() -> None:
    sensor = Subject(name="sensor", plural="sensors")
    assert as_spoken("हर वाहन, सब वाहनों के षट्भुज", sensor, hexagons=False) == "हर sensor, सब sensors के स्थान"
    assert as_spoken("a vehicle of City vehicle", sensor, ["City vehicle"]) == "a sensor of City vehicle"
    assert as_spoken("हर वाहन", VEHICLE) == "हर वाहन"
