"""ui.shell.exception_handler: what nobody caught comes to one place, from wherever it was raised."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer, qInstallMessageHandler, qWarning
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.records import SECRET
from ui.shell.exception_handler import ExceptionHandler


class _Caught(QObject):
    def __init__(self, handler: ExceptionHandler) -> None:
        super().__init__()
        self.errors: list[BaseException] = []
        self.lines: list[str] = []
        handler.caught.connect(self.errors.append)
        handler.warned.connect(self.lines.append)


@pytest.fixture
def caught(qapp: QApplication) -> Iterator[_Caught]:  # noqa: ARG001 - signals need it
    handler = ExceptionHandler()
    made = _Caught(handler)
    handler.install()
    yield made
    handler.uninstall()


def fail() -> None:
    raise ValueError(SECRET)


def test_an_exception_in_a_slot(qtbot: QtBot, caught: _Caught, caplog: pytest.LogCaptureFixture) -> None:
    QTimer.singleShot(0, fail)
    qtbot.waitUntil(lambda: bool(caught.errors))
    assert isinstance(caught.errors[0], ValueError)
    assert "in fail" in caplog.text
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text


def test_an_exception_in_a_thread(qtbot: QtBot, caught: _Caught) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: [type(error) for error in caught.errors] == [ValueError])


def test_an_exception_where_an_object_ends(qtbot: QtBot, caught: _Caught) -> None:
    class Ends:
        def __del__(self) -> None:
            fail()

    made = Ends()
    del made
    qtbot.waitUntil(lambda: [type(error) for error in caught.errors] == [ValueError])


def test_what_qt_complains_of(caught: _Caught, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        qWarning("a widget is unhappy")
    assert caught.lines == ["a widget is unhappy"]
    assert "a widget is unhappy" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        "Failed to load vulkan: Cannot load library vulkan: vulkan: cannot open shared object file",
        "QVulkanInstance: Failed to initialize Vulkan",
        "Failed to create platform Vulkan instance",
    ],
)
def test_a_graphics_driver_that_is_missing_is_no_warning(
    caught: _Caught, caplog: pytest.LogCaptureFixture, line: str
) -> None:
    with caplog.at_level(logging.DEBUG):
        qWarning(line)
        qWarning("QVulkanWindow: Failed to create image: -1")
    assert caught.lines == ["QVulkanWindow: Failed to create image: -1"]
    assert [record.levelno for record in caplog.records] == [logging.DEBUG, logging.WARNING]
    assert line in caplog.text


def test_who_shows_it_and_fails_is_not_told_of_that() -> None:
    handler = ExceptionHandler()
    told: list[BaseException] = []
    handler.caught.connect(told.append)
    handler.caught.connect(lambda _: handler.receive(KeyError()))
    handler.receive(ValueError())
    assert [type(error) for error in told] == [ValueError]


def test_every_place_is_given_back() -> None:
    hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    handler = ExceptionHandler()
    handler.install()
    assert sys.excepthook is not hooks[0]
    handler.uninstall()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == hooks
    handler.uninstall()
    ours = qInstallMessageHandler(None)
    qInstallMessageHandler(ours)
    assert getattr(ours, "__self__", None) is not handler
