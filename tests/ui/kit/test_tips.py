"""ui.kit.tips: no tip is one line as wide as the window."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import press, show
from ui.kit import tips
from ui.kit.glossary import explain, glossary
from ui.kit.info_sign import InfoSign
from ui.kit.tips import LONGEST, in_lines

ROOT = Path(__file__).resolve().parents[3]
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
    assert sign.told == LONG


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
    explain("HAT", term)
    assert sign.told == LONG
    for widget in (sign, term):
        assert max(map(len, widget.toolTip().split("\n"))) <= LONGEST
    assert any(len(meaning) > LONGEST for meaning in glossary().values())


def _long_tips(path: Path) -> Iterator[int]:
    """Lines where a long text becomes a tip as it is."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr != QWidget.setToolTip.__name__:
            continue
        (given,) = node.args
        broken = (
            isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "in_lines"
        )
        texts = [one.value for one in ast.walk(given) if isinstance(one, ast.Constant)]
        if not broken and any(isinstance(text, str) and len(text) > LONGEST for text in texts):
            yield node.lineno


def test_no_long_text_becomes_a_tip_as_it_is() -> None:
    found = {path.name: list(_long_tips(path)) for path in (ROOT / "ui").rglob("*.py")}
    assert {name: lines for name, lines in found.items() if lines} == {}
