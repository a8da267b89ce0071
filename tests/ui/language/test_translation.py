"""ui.language.translation: a text is looked up under its context, in the language of the moment."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QColorDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QLabel,
    QSpinBox,
    QTreeView,
)
from pytestqt.qtbot import QtBot

from core.catalogue import ENGLISH, Catalogue, CatalogueEntry
from core.subject import VEHICLE, Subject
from core.texts import Name, text_of
from tests.ui.languages import spoken
from ui.language.translation import (
    call_protected,
    catalogue_of,
    core_text,
    counted,
    grouped,
    language_of,
    native_name,
    percent,
    rounded_to,
    sentence,
    speak,
    translator,
    whole,
    without_mnemonic,
)

ROOT = Path(__file__).resolve().parents[3]
_OWN_PERCENT = re.compile(r"\.\d%\}|\} %")
"""A format of Python's, or a sign behind a figure."""
_WORDS = (
    *("{caveat}", "{checks}", "{relation}", "{strerror}", "उपाय: {mend}", "सार्वजनिक: {what}"),
    *("संबंध: {value}", "वे {what}", "इसमें अलग हैं: {what}", "चुना हुआ: {words}"),
    *("C अभी सुझाया नहीं जा सकता: {what}", "{epsilon} पर: {values}", "हर एक: {what}", "हर वाहन: {what}"),
)
"""Fields that never end with a figure where a sentence ends with them."""
_FIGURE_AND_DANDA = re.compile(rf"({''.join(rf'(?<!{re.escape(word[:-1])})' for word in _WORDS)}}}|[\d%])।")
_BENT = re.compile(
    r"\{(length|slots|counted_(periods|rows|limits|parts|pairs|shares|tables|features|hours))\}[ \u00a0]"
    r"(के|में|से|को|पर|का|की|ने|तक|वाले|वाली|वाला)(?![\u0900-\u097f])"
)
"""Fields with such nouns as `घंटे` and `अवधियाँ`, and what would bend them."""
_TOLD_TWICE = re.compile(r"(.{12,}?)\s*\1", re.DOTALL)


class _Telling(QTranslator):
    """Under which context it is asked; fields stay, for windows of other tests that are still there."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        del disambiguation, n
        return f"{text} ({context})"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


def test_texts_say_what_is_protected_as_it_was_typed(qapp: QApplication) -> None:
    tell = translator("Shared")
    filled = text_of("{whose} of {n} vehicles", whose=Name("vehicle"), n=3)
    try:
        call_protected(Subject(name="air sensor", plural="air sensors"))
        assert (tell("vehicle"), core_text(filled)) == ("air sensor", "vehicle of 3 air sensors")
        assert counted("{n} vehicle", "{n} vehicles", 2) == "2 air sensors"
        speak(qapp, catalogue_of("hi"))
        call_protected(Subject(name="air sensor", plural="air sensors"))
        assert "air sensor" in counted("{n} vehicle", "{n} vehicles", 2)
    finally:
        speak(qapp, ENGLISH)
    assert (tell("vehicle"), core_text(filled)) == ("vehicle", str(filled))


def test_a_place_that_is_no_hexagon_is_never_called_one(qapp: QApplication) -> None:
    tell = translator("Shared")
    try:
        call_protected(VEHICLE, hexagons=False)
        assert tell("in {hexagons}: Hexagons") == "in {hexagons}: Places"
        assert counted("{n} hexagon", "{n} hexagons", 2) == "2 places"
        assert tell("Hexagon, place or slot") == "Place or slot"
        speak(qapp, catalogue_of("hi"))
        call_protected(VEHICLE, hexagons=False)
        assert "\u0937\u091f\u094d" not in tell("Map of hexagons")
        assert "vehicle" not in tell("Distinct vehicles")
        call_protected(VEHICLE)
        assert "\u0937\u091f\u094d" in tell("Map of hexagons")
    finally:
        speak(qapp, ENGLISH)


@pytest.fixture
def telling(qapp: QApplication) -> Iterator[None]:
    installed = _Telling(qapp)
    qapp.installTranslator(installed)
    yield
    qapp.removeTranslator(installed)


def test_without_a_translation_a_text_is_itself() -> None:
    assert translator("Steps")("needs data") == "needs data"


def test_a_language_that_comes_later_is_spoken(request: pytest.FixtureRequest) -> None:
    translate = translator("Steps")
    request.getfixturevalue("telling")
    assert translate("needs data") == "needs data (Steps)"


@pytest.fixture
def speaking(qapp: QApplication) -> Iterator[Callable[[Catalogue], None]]:
    before = QLocale()
    yield partial(speak, qapp)
    speak(qapp, ENGLISH)
    QLocale.setDefault(before)


def _catalogue(language: str, *entries: CatalogueEntry) -> Catalogue:
    return Catalogue(language, entries, lambda n: int(n > 1))


def test_texts_of_widgets_modules_and_core_are_in_the_language_that_is_spoken(
    qapp: QApplication, speaking: Callable[[Catalogue], None]
) -> None:
    speaking(
        _catalogue(
            "hi",
            CatalogueEntry(text="Data", said=("डेटा",)),
            CatalogueEntry(text="Sorting records", context="core", said=("रिकॉर्ड छाँटे जा रहे हैं",)),
        )
    )
    assert (qapp.tr("Data"), translator("Steps")("Data")) == ("डेटा", "डेटा")
    assert core_text("Sorting records") == "रिकॉर्ड छाँटे जा रहे हैं"
    speaking(ENGLISH)
    assert (qapp.tr("Data"), core_text("Sorting records")) == ("Data", "Sorting records")


def test_a_count_chooses_the_form_and_is_written_as_the_language_does(
    speaking: Callable[[Catalogue], None],
) -> None:
    assert counted("{n} row of {file}", "{n} rows of {file}", 1, file="a") == "1 row of a"
    row = CatalogueEntry(text="{n} row", many="{n} rows", said=("{n} पंक्ति", "{n} पंक्तियाँ"))
    speaking(_catalogue("hi", row))
    assert counted("{n} row", "{n} rows", 1) == "1 पंक्ति"
    assert counted("{n} row", "{n} rows", 1_234_567) == "12,34,567 पंक्तियाँ"


@pytest.mark.parametrize(("language", "written"), [("en", "1,234,567"), ("hi", "12,34,567")])
def test_spin_boxes_read_what_the_language_writes(
    qtbot: QtBot, speaking: Callable[[Catalogue], None], language: str, written: str
) -> None:
    speaking(_catalogue(language))
    assert (whole(1_234_567), grouped(1_234_567, 2)) == (written, f"{written}.00")
    box, decimal = QSpinBox(), QDoubleSpinBox()
    for one in (box, decimal):
        qtbot.addWidget(one)
        one.setRange(0, 10_000_000)
    box.setGroupSeparatorShown(True)
    box.setValue(1_234_567)
    assert (box.text(), box.valueFromText(written)) == (written, 1_234_567)
    assert decimal.valueFromText(f"{written}.25") == 1_234_567.25


@pytest.mark.parametrize(("chosen", "spoken"), [("en", "en"), ("", "en"), ("xx", "en")])
def test_a_language_that_is_not_there_is_english(chosen: str, spoken: str) -> None:
    assert language_of(chosen) == spoken
    assert catalogue_of(spoken) is ENGLISH
    assert native_name(spoken) == "English"


def test_what_ships_is_found_by_its_code_and_called_by_its_own_name() -> None:
    assert language_of("hi") == catalogue_of("hi").language == "hi"
    assert native_name("hi") == "हिन्दी"


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("&Vehicle", "Vehicle"),
        ("वाहन (&V)", "वाहन"),
        ("फ़ाइलें खोलें (&O)…", "फ़ाइलें खोलें…"),
        ("HAT (48)", "HAT (48)"),
    ],
)
def test_a_label_without_the_mark_of_its_letter(label: str, plain: str) -> None:
    assert without_mnemonic(label) == plain


@pytest.mark.parametrize(
    ("told", "whole"),
    [
        ("use the raw interval", "Use the raw interval."),
        ("मूल अंतराल लें", "मूल अंतराल लें।"),
        ("त्रुटि 2 km/h", "त्रुटि 2 km/h।"),
        ("लागत 10", "लागत 10\u00a0।"),
        ("it has one.", "It has one."),
        ("मूल अंतराल लें।", "मूल अंतराल लें।"),
        ("Planning…", "Planning…"),
    ],
)
def test_a_sentence_ends_as_its_script_does(told: str, whole: str) -> None:
    assert sentence(told) == whole


def test_no_hindi_sentence_ends_right_after_a_figure() -> None:
    """A danda there reads like one more 1: `लागत 10।`."""
    sentences = [form for entry in catalogue_of("hi").entries for form in entry.said]
    assert any("}\u00a0।" in form for form in sentences)
    assert [form for form in sentences if _FIGURE_AND_DANDA.search(form)] == []
    # after a space that may break, the danda can begin a line of its own
    assert [form for form in sentences if " ।" in form] == []


def test_what_changes_its_ending_in_hindi_stands_before_no_postposition() -> None:
    """`सभी घंटे के साथ` is to be `सभी घंटों के साथ`: what is filled in does not know what follows it."""
    forms = [form for entry in catalogue_of("hi").entries for form in entry.said]
    assert any("{slots}" in form for form in forms)
    assert [form for form in forms if _BENT.search(form) and "{all}" not in form] == []  # hexagon slots


@pytest.mark.parametrize("field", _WORDS)
def test_a_hindi_sentence_that_ends_with_a_word_is_ended_right_after_it(field: str) -> None:
    """`संबंध केवल मान ।` beside sentences that end with `है।`."""
    sentences = [form for entry in catalogue_of("hi").entries for form in entry.said]
    assert any(f"{field}।" in form for form in sentences)
    assert [form for form in sentences if f"{field}\u00a0।" in form] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Each vehicle has one budget, split over all the numbers it contributes to.", "हर वाहन"),
        (("Bold: the smallest error in a column. A longer bar means a larger error."), "मोटे अक्षर"),
        ("choose coarser hexagons, longer slots or fewer hexagon slots", "बड़े षट्भुज"),
    ],
)
def test_hindi_says_who_and_what_is_meant(text: str, said: str) -> None:
    """Not *everybody* for a vehicle, *fat* for bold type, and *fat* for large hexagons."""
    (entry,) = (entry for entry in catalogue_of("hi").entries if entry.text == text)
    assert said in entry.said[0]
    assert not any("मोटे षट्भुज" in form for one in catalogue_of("hi").entries for form in one.said)


def test_the_name_of_a_relation_is_told_from_the_words_around_it_in_hindi() -> None:
    """`संबंध उपस्थिति भी` alone reads as if the relation were there, too."""
    hindi = catalogue_of("hi")
    names = [hindi.text(f"“{title}”") for title in ("Values only", "Presence too")]
    assert names == [f"“{hindi.text(title)}”" for title in ("Values only", "Presence too")]


def test_no_hindi_text_is_told_twice() -> None:
    """A line that was pasted twice: the card of an error told its one sentence two times."""
    forms = [form for entry in catalogue_of("hi").entries for form in entry.said]
    assert len(forms) > 1000
    assert [form for form in forms if _TOLD_TWICE.fullmatch(form)] == []


def test_a_share_is_told_in_percent_in_one_way() -> None:
    assert percent(0.9762) == "98\u00a0%"
    assert percent(0.9762, 1) == "97.6\u00a0%"
    assert percent(12.0) == "1,200\u00a0%"


def test_a_large_number_is_told_without_a_power_of_ten() -> None:
    told = [rounded_to(number, 3) for number in (1_234_567.0, 999.6, 12.34, 0.001234)]
    assert told == ["1,230,000", "1,000", "12.3", "0.00123"]


def test_no_text_of_the_window_writes_percent_in_another_way() -> None:
    found = [
        f"{path.name}: {line.strip()}"
        for path in (ROOT / "ui").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if _OWN_PERCENT.search(line)
    ]
    assert found == []


def test_the_dialogs_of_qt_follow_the_language(qapp: QApplication, tmp_path: Path) -> None:
    """Ours where Qt ships no texts of a language, else Qt's own."""
    with spoken(qapp, Catalogue("de", ())):
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        assert [button.text() for button in buttons.buttons()] == ["Abbrechen"]
    with spoken(qapp, catalogue_of("hi")):
        of_files = QFileDialog(None, "", str(tmp_path))
        of_files.setOption(QFileDialog.Option.DontUseNativeDialog)
        asks_to_save = QFileDialog(None, "", str(tmp_path))
        asks_to_save.setOption(QFileDialog.Option.DontUseNativeDialog)
        asks_to_save.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        of_colours = QColorDialog()
        of_colours.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        said = {
            part.text()
            for dialog in (of_files, asks_to_save, of_colours)
            for kind in (QLabel, QAbstractButton)
            for part in dialog.findChildren(kind)
        }
        said |= {
            of_files.findChild(QTreeView).model().headerData(column, Qt.Orientation.Horizontal)
            for column in range(4)
        }
    english = {text for text in said if re.search("[A-Za-z]{2}", text)}
    assert len(said) > 20
    assert english == {"&HTML:"}


def test_no_whole_text_of_core_is_left_in_english() -> None:
    """A Hindi window said "Recommended.": of a single word with a full stop no catalogue knew."""
    hindi = catalogue_of("hi")
    said = {
        call.args[0].value
        for file in (ROOT / "core").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "text_of"
        and isinstance(call.args[0], ast.Constant)
    }
    whole = {text for text in said if isinstance(text, str) and "{" not in text}
    assert len(whole) > 15
    assert not [text for text in whole if hindi.of_core(text) == text]
