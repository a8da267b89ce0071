"""ui.kit.stage: only the newest question is answered, and none is begun twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.progress import Progress
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.stage import Stage


class Heard:
    """What a stage tells whoever made it, and how often its work was begun."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.begun: list[object] = []
        self.stage = Stage(
            None, self.told.append, failed=self.told.append, stopped=lambda: self.told.append("stopped")
        )
        self.gate = threading.Event()

    def ask(self, key: object) -> bool:
        return self.stage.ask(key, self.answer(key))

    def answer(self, key: object) -> Callable[[Progress], object]:
        """Comes at once."""

        def work(_: Progress) -> object:
            self.begun.append(key)
            return f"answer to {key}"

        return work

    def ask_slowly(self, key: object) -> None:
        """Answered when the gate is opened; until then it can be stopped."""

        def work(progress: Progress) -> object:
            self.begun.append(key)
            while not self.gate.wait(0.001):
                progress(0.5, "waiting")
            return f"answer to {key}"

        self.stage.ask(key, work)

    def refuse(self, key: object, error: Exception) -> None:
        def work(_: Progress) -> Any:
            self.begun.append(key)
            raise error

        self.stage.ask(key, work)


@pytest.fixture
def heard(qapp: QApplication) -> Iterator[Heard]:
    assert qapp is not None
    yield Heard()
    cancel_all()
    assert wait_for_all(5)


def rest(qtbot: QtBot, heard: Heard) -> None:
    qtbot.waitUntil(lambda: not heard.stage.running, timeout=5000)


def test_an_answer_is_taken_once(qtbot: QtBot, heard: Heard) -> None:
    assert not heard.ask("a")
    assert heard.stage.running
    rest(qtbot, heard)
    assert heard.told == ["answer to a"]
    assert (heard.stage.asked, heard.stage.taken) == ("a", "a")


def test_a_question_that_is_under_way_is_not_begun_again(qtbot: QtBot, heard: Heard) -> None:
    heard.ask_slowly([1])
    qtbot.waitUntil(lambda: heard.begun == [[1]])
    assert not heard.ask([1])  # equal, not the same
    heard.gate.set()
    rest(qtbot, heard)
    assert heard.begun == [[1]]
    assert heard.told == ["answer to [1]"]


def test_a_question_that_is_answered_is_not_begun_again(qtbot: QtBot, heard: Heard) -> None:
    heard.ask("a")
    rest(qtbot, heard)
    assert heard.ask("a")
    assert not heard.stage.running
    assert heard.told == ["answer to a"]


def test_another_question_stops_the_one_before_and_nothing_is_heard_of_it(qtbot: QtBot, heard: Heard) -> None:
    heard.ask_slowly("old")
    qtbot.waitUntil(lambda: heard.begun == ["old"])
    heard.ask("new")
    rest(qtbot, heard)
    assert wait_for_all(5)
    qtbot.wait(20)
    assert heard.told == ["answer to new"]


def test_an_answer_that_waits_in_the_queue_is_not_taken_where_another_is_asked(
    qtbot: QtBot, heard: Heard
) -> None:
    heard.ask("old")
    QCoreApplication.processEvents()
    assert QThreadPool.globalInstance().waitForDone(5000)
    heard.ask("new")
    rest(qtbot, heard)
    assert heard.begun == ["old", "new"]
    assert heard.told == ["answer to new"]


def test_back_at_the_answered_question_the_other_is_stopped(qtbot: QtBot, heard: Heard) -> None:
    heard.ask("a")
    rest(qtbot, heard)
    heard.ask_slowly("b")
    assert heard.ask("a")
    assert not heard.stage.running
    heard.gate.set()
    assert wait_for_all(5)
    assert heard.told == ["answer to a"]


def test_of_what_is_asked_in_one_event_only_the_last_is_done(qtbot: QtBot, heard: Heard) -> None:
    for number in range(5):
        heard.ask(number)
    rest(qtbot, heard)
    assert heard.begun == [4]
    assert heard.told == ["answer to 4"]


def test_what_was_stopped_is_asked_no_more_and_the_answer_of_before_stands(
    qtbot: QtBot, heard: Heard
) -> None:
    heard.ask("a")
    rest(qtbot, heard)
    heard.ask_slowly("b")
    heard.stage.cancel()
    rest(qtbot, heard)
    assert heard.told == ["answer to a", "stopped"]
    assert (heard.stage.asked, heard.stage.taken) == (None, "a")
    heard.ask("b")
    rest(qtbot, heard)
    assert heard.told == ["answer to a", "stopped", "answer to b"]


def test_a_question_that_failed_is_told_once_and_nothing_counts_as_answered(
    qtbot: QtBot, heard: Heard
) -> None:
    heard.ask("a")
    rest(qtbot, heard)
    error = InputError("no", mend="mend")
    heard.refuse("b", error)
    rest(qtbot, heard)
    assert not heard.ask("b")
    assert not heard.stage.running
    assert heard.told == ["answer to a", error]
    assert not heard.ask("a")
    rest(qtbot, heard)
    assert heard.begun == ["a", "b", "a"]


def test_a_mistake_that_is_heard_is_not_told_twice(
    qtbot: QtBot, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.excepthook", lambda *_: heard.told.append("hook"))
    error = ZeroDivisionError("bug")
    heard.refuse("a", error)
    rest(qtbot, heard)
    assert heard.told == [error]


def test_nothing_is_heard_of_what_was_dropped(qtbot: QtBot, heard: Heard) -> None:
    heard.ask_slowly("a")
    qtbot.waitUntil(lambda: heard.begun == ["a"])
    heard.stage.drop()
    assert not heard.stage.running
    assert wait_for_all(5)
    assert heard.told == []
    heard.gate.set()
    heard.ask_slowly("a")
    rest(qtbot, heard)
    assert heard.told == ["answer to a"]


def test_what_was_dropped_keeps_its_answer_and_what_was_forgotten_does_not(
    qtbot: QtBot, heard: Heard
) -> None:
    heard.ask("a")
    rest(qtbot, heard)
    heard.stage.drop()
    assert heard.ask("a")
    heard.stage.forget()
    assert not heard.ask("a")
    rest(qtbot, heard)
    assert heard.begun == ["a", "a"]


def test_work_without_a_key_is_done_each_time(qtbot: QtBot, heard: Heard) -> None:
    for _ in range(2):
        heard.stage.start(heard.answer("anew"))
        rest(qtbot, heard)
    assert heard.begun == ["anew", "anew"]
    assert (heard.stage.asked, heard.stage.taken) == (None, None)


def test_a_listener_may_ask_the_next_question(qtbot: QtBot, heard: Heard) -> None:
    heard.stage.succeeded.connect(lambda _: heard.ask("b"))
    heard.ask("a")
    rest(qtbot, heard)
    assert heard.told == ["answer to a", "answer to b"]
    assert heard.ask("b")
