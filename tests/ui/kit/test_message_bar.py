"""ui.kit.message_bar: three parts in place; of an unexpected exception only the kind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSlider, QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from core.errors import BudgetRefused, HexveilError, InputError, InternalError, LedgerError
from tests.records import SECRET
from tests.ui.languages import spoken
from tests.ui.user_actions import press, show, texts
from ui.kit.message_bar import Message, MessageBar, message_of
from ui.language.translation import catalogue_of
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling


@pytest.mark.parametrize(
    ("where", "mend", "place", "told"),
    [
        (
            "release.name",
            'write for instance name = "austin-bus-speed"',
            "Name",
            "Write for instance “austin-bus-speed” as Name.",
        ),
        ("release.title", 'write title = "..."', "Title", "Write a text as Title."),
        ("selection.threshold", "write threshold = 10.", "Threshold", "Write “10” as Threshold."),
        ("query.total", 'write for instance total = "10"', "Total", "Write for instance “10” as Total."),
        ("a.toml: release.name", "correct the line named", "a.toml: release.name", "Correct the line named."),
    ],
)
def test_fields_are_called_as_the_window_calls_them(where: str, mend: str, place: str, told: str) -> None:
    assert message_of(InputError("what", where=where, mend=mend)) == Message(
        what="what", where=place, mend=told
    )


@pytest.mark.parametrize("kind", [HexveilError, InputError, BudgetRefused, LedgerError])
def test_our_errors_keep_their_three_parts(kind: type[HexveilError]) -> None:
    assert message_of(kind("what", where="there", mend="so")) == Message(
        what="what", where="there", mend="So."
    )


@pytest.mark.parametrize(
    "error",
    [ValueError(SECRET), KeyError(SECRET), InternalError(SECRET), OSError(5, SECRET), MemoryError(SECRET)],
)
def test_unexpected_errors_tell_only_their_kind(qtbot: QtBot, error: Exception) -> None:
    bar = MessageBar()
    show(qtbot, bar, height=120)
    bar.show_error(error)
    shown = bar.text + bar.accessibleDescription() + bar.toolTip() + texts(bar)
    assert SECRET not in shown
    assert type(error).__name__ in shown


def test_the_kind_is_told_literally() -> None:
    odd = type("Odd%sError", (Exception,), {})
    assert "Odd%sError" in message_of(odd()).what


def test_the_place_of_a_mistake_is_told_in_the_language_of_the_window(qapp: QApplication) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        raise ZeroDivisionError
    with spoken(qapp, catalogue_of("hi")):
        told = message_of(caught.value).where
    assert told.startswith("tests/ui/kit/test_message_bar.py, पंक्ति ")
    assert " line " not in told


def test_it_is_hidden_until_there_is_something_to_say(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    assert not bar.isVisible()
    bar.show_error(InputError("what", where="there", mend="so"))
    assert bar.isVisible()
    assert bar.text == "what\nthere\nSo."
    assert bar.accessibleDescription() == bar.text
    bar.clear()
    assert not bar.isVisible()


def test_empty_parts_take_no_room(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_error(InputError("what"))
    assert bar.text == "what"
    assert [label.text() for label in bar.findChildren(QLabel) if label.isVisibleTo(bar)] == ["what"]


def test_the_look_follows_the_message(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_error(InputError("what"))
    assert bar.property("look") == "error"
    bar.show_message(Message(what="done"), look="good")
    assert bar.property("look") == "good"


def test_a_file_name_is_never_read_as_html(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_error(InputError("<b>bold</b> is no file", where="<img src='x'>", mend="<i>so</i>"))
    assert {label.textFormat() for label in bar.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


def test_it_can_be_closed(qtbot: QtBot) -> None:
    bar = MessageBar()
    show(qtbot, bar, height=120)
    bar.show_error(InputError("what"))
    close = bar.findChild(QToolButton)
    assert close.accessibleName()
    press(qtbot, close)
    assert not bar.isVisible()


def test_what_it_says_anew_comes_in_sight_and_what_it_said_before_does_not(qtbot: QtBot) -> None:
    """A second refusal, of another field, was said where nobody had scrolled to."""
    page, bar = QWidget(), MessageBar()
    above = QLabel("fields")
    above.setFixedHeight(900)
    in_column(page, above, bar)
    area = scrolling(page)
    show(qtbot, area, height=300)
    scrolled = area.verticalScrollBar()
    for what, seen in (("One.", True), ("One.", False), ("Another.", True)):
        scrolled.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
        bar.show_error(InputError(what, where="there", mend="so"))
        qtbot.wait(50)
        assert (scrolled.value() > 0) is seen, what
