"""Names typed in Devanagari, and every text in Hindi, are drawn with letters that are there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QApplication, QGroupBox, QLabel, QTabBar
from pytestqt.qtbot import QtBot

from core.signed.bundle_names import REPORT
from tests.builders import make_documents, make_texts
from ui.kit.labels import keep_tops, label
from ui.language.translation import catalogue_of

NAMES = ("सूरत नगर बसें", "क्षेत्रीय परिवहन कार्यालय, श्रीनगर", "राष्ट्रीय राजमार्ग ४८")
UNASSIGNED = "\U00050000"
"""No typeface draws it."""


def missing_glyphs(text: str) -> int:
    """How many glyphs of a text are the box that stands for none."""
    layout = QTextLayout(text, QApplication.font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return sum(glyph == 0 for run in layout.glyphRuns() for glyph in run.glyphIndexes())


def test_a_letter_that_no_typeface_has_is_noticed() -> None:
    assert missing_glyphs(UNASSIGNED) > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_all_its_letters(name: str) -> None:
    assert missing_glyphs(name) == 0


def test_every_text_in_hindi_has_all_its_letters() -> None:
    words = {word for entry in catalogue_of("hi").entries for form in entry.said for word in form.split()}
    letters = "".join(sorted({letter for word in words for letter in word} - {"\ufffd"}))
    assert missing_glyphs(letters) == 0
    assert missing_glyphs(" ".join(sorted(words))[:20_000].replace("\ufffd", "")) == 0


def test_conjuncts_are_shaped() -> None:
    """`क्ष` is one letter, not `क`, a stroke and `ष`: fewer glyphs than code points."""
    layout = QTextLayout("क्ष", QApplication.font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    assert sum(len(run.glyphIndexes()) for run in layout.glyphRuns()) < 3


def test_a_picture_shows_the_name_and_not_boxes() -> None:
    """By its pixels: two names of as many letters would be the same row of boxes."""

    def drawn(text: str) -> QImage:
        image = QImage(400, 60, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        font = QFont(QApplication.font())
        font.setPointSize(20)
        painter.setFont(font)
        painter.drawText(QPointF(10, 40), text)
        painter.end()
        return image

    assert drawn("बस") != drawn("नग")
    assert drawn("बस") != drawn(UNASSIGNED * 2)


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("look", ["title", "heading", "badge"])
def test_what_is_bold_in_english_is_bold_in_hindi(qtbot: QtBot, look: str) -> None:
    """A typeface of one weight is made bolder by Qt from 700 on, not at 600."""

    def ink(style: str) -> int:
        label = QLabel("औसत गति")
        qtbot.addWidget(label)
        label.setProperty("look", look)
        label.setStyleSheet(f"color: black; background: white; border: none; {style}")
        image = label.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        return sum(255 - value for value in image.constBits())

    assert ink("") > 1.1 * ink("font-weight: 400")


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("place", ["tab", "frame"])
def test_titles_keep_their_tops(qtbot: QtBot, place: str) -> None:
    """The dot over `जाँ` is above what the typeface of the window calls its height."""

    def rows_of_ink(text: str) -> int:
        bar, box = QTabBar(), QGroupBox(text)
        for widget in (bar, box):
            qtbot.addWidget(widget)
            widget.setStyleSheet("color: black; border: none; background: white;")
        bar.addTab(text)
        box.resize(200, 60)
        bar.resize(bar.sizeHint())
        image = (bar if place == "tab" else box).grab().toImage()
        dark = [
            any(image.pixelColor(x, y).lightness() < 128 for x in range(image.width()))
            for y in range(image.height())
        ]
        return sum(dark)

    assert rows_of_ink("जाँच") >= rows_of_ink("जाच") + 3


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("look", ["title", "figure"])
def test_large_words_keep_their_tops(qtbot: QtBot, look: str) -> None:
    """Qt cuts text that can be selected at its first line's top, and `में` in a large size is higher."""

    def rows_of_ink(shown: QLabel) -> int:
        qtbot.addWidget(shown)
        shown.setStyleSheet("color: black; background: white;")
        shown.resize(300, shown.sizeHint().height())
        shown.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        shown.show()
        image = shown.grab().toImage()
        return sum(
            any(image.pixelColor(x, y).lightness() < 250 for x in range(image.width()))
            for y in range(image.height())
        )

    roomy, words = QLabel("में हैं याँ"), label("में हैं याँ", look)
    roomy.setProperty("look", look)
    roomy.setContentsMargins(0, 8, 0, 8)
    if look == "figure":
        keep_tops(words)
    assert rows_of_ink(words) == rows_of_ink(roomy)


@pytest.mark.parametrize("text", ["Choose &packed ones…", "Choose a pac&ked one…", "Choose a b&undle…"])
def test_the_letter_of_a_button_stands_before_its_dots(text: str) -> None:
    (entry,) = (entry for entry in catalogue_of("hi").entries if entry.text == text)
    assert entry.said[0].endswith(")…")


def test_the_report_keeps_typed_names_and_asks_for_any_typeface_that_has_them() -> None:
    texts = make_texts(title=NAMES[0], publisher=NAMES[1])
    page = make_documents(texts=texts)[REPORT].decode("utf-8")
    assert '<meta charset="utf-8">' in page
    assert NAMES[0] in page
    assert NAMES[1] in page
    assert "sans-serif" in page  # the generic family at the end of the list falls back to what the system has
    assert QFontDatabase.families(QFontDatabase.WritingSystem.Devanagari)


@pytest.mark.parametrize(
    ("text", "field", "identity"),
    [
        ("Key {key}, fingerprint\n{fingerprint}", "key", "207167A6858E1661"),
        ("Signed by your own key, {key}.", "key", "207167A6858E1661"),
        ("Signed by the key that you gave, {key}.", "key", "207167A6858E1661"),
        ("It says that key {key} signed it. Give the publisher's key to be sure.", "key", "207167A6858E1661"),
        ("✓ Verified immediately with your own key {key}: {n} check passed.", "key", "207167A6858E1661"),
        ("{manifest} signed by key {key_id}, {value}", "key_id", "207167A6858E1661"),
        ("signed by the given key, fingerprint {fingerprint}", "fingerprint", "9316 63f2 162d 921b"),
        ("Hexagon {cell}", "cell", "8642d98a7ffffff"),
        ("Hexagon {cell} at {time}", "cell", "8642d98a7ffffff"),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_an_id_is_drawn_in_one_typeface(text: str, field: str, identity: str) -> None:
    """Digits take the script of what stands before them: behind a word in Devanagari, another typeface."""
    (entry,) = (entry for entry in catalogue_of("hi").entries if entry.text == text)
    for form in entry.said:
        told = form.replace(f"{{{field}}}", identity)
        layout = QTextLayout(told, QApplication.font())
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        runs = layout.glyphRuns(told.index(identity), len(identity))
        assert len({run.rawFont().familyName() for run in runs}) == 1
