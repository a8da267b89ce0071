"""ui.language.catalogue: a `.po` file is read as it is written, and sentences of core find their template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.advice.adviser import Advice, advise_joint
from ui.language.catalogue import ENGLISH, Catalogue, read_catalogue, read_entries
from ui.language.translation import catalogue_of

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
msgid "The {what} cannot be written: {strerror}."
msgstr "x{what}: {strerror}"

msgctxt "core"
msgid "no permission"
msgstr "xpermission"

msgctxt "core"
msgid "More than {most} cells."
msgstr "x>{most}"

msgctxt "core"
msgid "named {column}"
msgstr "xnamed {column}"
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


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("no permission", "xpermission"),
        ("The file cannot be written: Disk full.", "Disk full (xwrite)"),
        ("The file cannot be written: no permission.", "xpermission (xwrite)"),
        ("The key cannot be written: no permission.", "xkey: xpermission"),
        ("More than 12,345 cells.", "x>12_345"),
        ("More than 2026-11-23 cells.", "x>2026-11-23"),
        ("named no permission", "xnamed no permission"),  # a column of that name
        ("no permission\nDisk full", "xpermission\nDisk full"),
        ("somebody else's sentence", "somebody else's sentence"),
    ],
)
def test_a_sentence_of_core_is_said_by_its_template(catalogue: Catalogue, english: str, said: str) -> None:
    assert catalogue.of_core(english) == said
    assert ENGLISH.of_core(english) == english


def test_a_column_is_called_as_in_its_file() -> None:
    """`time` is also a word that core says."""
    hindi = catalogue_of("hi")
    assert hindi.of_core("time") == "समय"
    assert hindi.of_core("named time") == "नाम time"


def test_the_field_of_a_sentence_does_not_reach_over_the_next_one() -> None:
    """The advice of the tokens ends in a field; of how many are suppressed a sentence of its own follows."""
    advice = Advice(
        mechanism="two-step-clipping", params={}, reason="", typical_errors={"two-step-clipping": 9.2}
    )
    told = catalogue_of("hi").of_core(advise_joint(284, advice, 3.2, suppressed=4, empty=36).reason)
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


def test_a_hindi_sentence_of_core_ends_right_after_a_word_and_apart_from_a_figure() -> None:
    hindi = catalogue_of("hi")
    assert hindi.of_core("Publisher: नगर.") == "प्रकाशक: नगर।"
    assert hindi.of_core("Publisher: नगर (सूरत).") == "प्रकाशक: नगर (सूरत)।"
    assert hindi.of_core("Publisher: City 11.") == "प्रकाशक: City 11\u00a0।"


def test_an_advice_ends_with_the_rival_that_it_names() -> None:
    """The last field of its first half swallowed the second, and Hindi puts words after that field."""
    english = (
        "Levy: for 217 users with 1 to 1,656 records each, an error of about 0.16 km/h is typical at epsilon "
        "2.5, against 0.74 km/h with the next best that takes each hexagon slot by itself, Baseline."
    )
    assert catalogue_of("hi").of_core(english) == (
        "Levy: 217 वाहनों के लिए, हर एक के 1 से 1,656 रिकॉर्ड, epsilon 2.5 पर सामान्य त्रुटि लगभग 0.16 km/h, "
        "जबकि हर षट्भुज-स्लॉट अलग लेने वालों में अगले सबसे अच्छे, Baseline, से 0.74 km/h\u00a0।"
    )
