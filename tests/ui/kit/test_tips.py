"""ui.kit.tips: no tip is one line as wide as the window, and none is read as HTML."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import press, show
from ui.kit import labels, tips
from ui.kit.glossary import explain, glossary
from ui.kit.info_sign import InfoSign
from ui.kit.tips import LONGEST, in_lines

ROOT = Path(__file__).resolve().parents[3]
_PLACES = {QWidget.setToolTip.__name__: 0, QToolTip.showText.__name__: 1}
"""What shows a tip -> where its text stands."""
LONG = "A long reason that goes on and on, " * 6


def test_long_lines_are_broken_between_words_and_short_ones_stay() -> None:
    assert in_lines("") == ""
    assert in_lines("Short.\n\nTwo lines.") == "Short.\n\nTwo lines."
    broken = in_lines(f"Short.\n{LONG}")
    assert broken.startswith("Short.\nA long")
    assert max(map(len, broken.split("\n"))) <= LONGEST
    assert broken.split() == f"Short. {LONG}".split()


def test_a_click_shows_a_sign_s_reason_in_lines_too(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mouse over it did; pressed, it told all in one line as wide as the screen."""
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _, text, __: told.append(text))
    sign = InfoSign("Why")
    show(qtbot, sign)
    sign.tell(LONG)
    press(qtbot, sign)
    assert told == [in_lines(LONG)]
    assert sign.explanation == LONG


def test_a_line_that_is_told_again_is_not_broken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """At each choice the window's thread sets the same tips again."""
    told = in_lines(LONG)
    monkeypatch.setattr(tips.textwrap, "fill", lambda *_, **__: pytest.fail("broken again"))
    assert in_lines(LONG) == told


def test_a_path_stays_whole() -> None:
    path = "/" + "a-folder/" * 20
    assert in_lines(path) == path


@pytest.mark.usefixtures("qapp")
def test_signs_and_terms_have_such_tips() -> None:
    sign, term = InfoSign("why"), QLabel()
    sign.tell(LONG)
    explain("Hexagon slot", term)
    assert sign.explanation == LONG
    for widget in (sign, term):
        assert max(map(len, widget.toolTip().split("\n"))) <= LONGEST
    assert any(len(meaning) > LONGEST for meaning in glossary().values())


def _own_words(given: ast.expr) -> bool:
    """A short text of ours, or a choice of such."""
    if isinstance(given, ast.IfExp):
        return _own_words(given.body) and _own_words(given.orelse)
    if isinstance(given, ast.Call):
        called = given.func.attr if isinstance(given.func, ast.Attribute) else getattr(given.func, "id", "")
        return called in ("tr", "_tr") and all(map(_own_words, given.args))
    return isinstance(given, ast.Constant) and len(str(given.value)) <= LONGEST


def _bare_texts(path: Path) -> Iterator[int]:
    """Lines where a text becomes a tip as it is, or a label that guesses whether it is HTML is made."""
    tree, called = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called.add(node.func)
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            formats = [ast.unparse(one.value) for one in node.keywords if one.arg == "textFormat"]
            plain = formats == ["Qt.TextFormat.PlainText"]
            if name == QLabel.__name__ and not plain and path != Path(labels.__file__):
                yield node.lineno
            if name in _PLACES:
                given = node.args[_PLACES[name]]
                is_tip = isinstance(given, ast.Call) and getattr(given.func, "id", "") == "in_lines"
                if not is_tip and not _own_words(given):
                    yield node.lineno
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == QWidget.setToolTip.__name__
            and node not in called
        ):
            yield node.lineno  # handed to a signal


def test_no_long_text_and_none_of_a_stranger_s_becomes_a_tip_or_label_as_it_is() -> None:
    found = {path.name: list(_bare_texts(path)) for path in (ROOT / "ui").rglob("*.py")}
    assert {name: lines for name, lines in found.items() if lines} == {}


MARKUP = "<img src=zq7.png>"


@pytest.mark.parametrize(
    "text", [MARKUP, f"a {MARKUP}", "a < b > c", "&lt;b", f"one\n{MARKUP}", f"&lt;{MARKUP}"]
)
def test_markup_is_shown_letter_by_letter(text: str) -> None:
    """As HTML Qt would open the file that it names."""
    told = in_lines(text)
    assert told.replace("\N{WORD JOINER}", "") == text
    for shown in (told, in_lines(f"{told}\n{told}"), f"{told} and {told}"):
        assert not Qt.mightBeRichText(shown)
