"""The `app:` scheme has to be known before the first QApplication: this file is read before."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from gc import isenabled
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QObject, QSize, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.subject import VEHICLE
from tests.ui.holding_bot import HoldingBot
from tests.ui.languages import pseudo_language, spoken
from tests.ui.small_city import planned_session
from tests.ui.whole_window import settle, whole_window
from ui.kit.garbage_collection import GarbageCollector
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import Mode, Theme
from ui.kit.wheel_guard import WheelGuard
from ui.language.translation import call_protected, catalogue_of, languages
from ui.layout.scroll_areas import FocusFollower
from ui.session.session import Session
from ui.shell.main_window import MainWindow
from ui.web_map.app_scheme import register_scheme

register_scheme()
_NOT_OURS = re.compile("Q[A-Z]|(Form|PlotItem|ViewBox|GraphicsScene)$")
"""Contexts of Qt's texts, and of those of its plots."""


@pytest.fixture(autouse=True, scope="session")
def garbage(qapp: QApplication) -> Iterator[GarbageCollector]:
    """As in the program: no worker thread destroys what a test has left behind.

    By Python's own thresholds: a window that is kept longer than it would be makes later tests slower.
    """
    seldom = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    collector = GarbageCollector(qapp)
    yield collector
    collector.stop()
    gc.freeze()  # what stays to the end is not looked at once more
    gc.set_threshold(*seldom)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:  # noqa: ARG001 - windows need it
    """In place of pytest-qt's own."""
    return HoldingBot(request)


@pytest.fixture(autouse=True, scope="session")
def _wheel_and_keyboard(qapp: QApplication) -> None:
    """As in the program."""
    WheelGuard(qapp)
    FocusFollower(qapp)


@pytest.fixture(autouse=True)
def _collected(garbage: GarbageCollector) -> Iterator[None]:
    """A test that never enters the event loop has its garbage collected all the same.

    And none leaves Python's own collection on: a worker of any later test may destroy windows, and the run.
    """
    yield
    garbage.collect()
    assert not isenabled()


@pytest.fixture(autouse=True)
def _drawn_soundly(qtlog: Any) -> Iterator[None]:
    """No painter is left open or unbalanced, and nothing is put twice into a layout."""
    yield
    said = [record.message for record in qtlog.records]
    assert [line for line in said if line.startswith(("QPainter", "QPaintDevice", "QLayout"))] == []


class _Unknown(QTranslator):
    """Texts that the program asks for and no catalogue has: in another language they would stay English."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.known = {entry.text for entry in catalogue_of("hi").entries}
        self.asked: set[tuple[str, str | None]] = set()
        app.installTranslator(self)

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False

    def translate(
        self, context: str, text: str, _disambiguation: str | None = None, _number: int = -1
    ) -> str | None:
        if text not in self.known and not _NOT_OURS.match(context):
            self.asked.add((context, text))
        return None


@pytest.fixture(autouse=True, scope="session")
def unknown_texts(qapp: QApplication) -> Iterator[_Unknown]:
    """`tr` of a widget asks no translator for a text that is none: its place would stay without words."""
    unknown, ask = _Unknown(qapp), vars(QObject)["tr"]

    def tr(widget: QObject, text: str | None, *rest: Any) -> str:
        if not text:
            unknown.asked.add((type(widget).__name__, text))
        return str(ask.__get__(widget)(text, *rest))

    with pytest.MonkeyPatch.context() as watched:
        watched.setattr(QObject, "tr", tr)
        yield unknown


@pytest.fixture(autouse=True)
def _every_text_is_in_the_catalogue(unknown_texts: _Unknown) -> Iterator[None]:
    yield
    asked = frozenset(unknown_texts.asked)  # those of a window that is a whole file's too
    unknown_texts.asked.clear()
    assert asked == set()


@pytest.fixture(autouse=True)
def _english_numbers() -> None:
    """As the program writes them in English, whatever the machine's locale and earlier tests."""
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture(autouse=True)
def _usual_words() -> Iterator[None]:
    """What a draft of a test calls places and vehicles is no other test's."""
    yield
    call_protected(VEHICLE)


@pytest.fixture(autouse=True)
def _no_job_outlives_its_test() -> Iterator[None]:
    yield
    cancel_all()
    assert wait_for_all(30)


@pytest.fixture
def _no_work_left(qapp: QApplication) -> Iterator[None]:  # noqa: ARG001 - jobs need it
    """For what must come to its end by itself, without being told to stop."""
    yield
    assert wait_for_all(10)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, Mode.LIGHT)


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    """On the small city, planned; a file whose tests start elsewhere has its own."""
    return planned_session(qtbot, tmp_path)


@pytest.fixture(scope="module")
def disguised_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """A whole window that speaks the made-up language."""
    with (
        spoken(qapp, pseudo_language(catalogue_of("hi").entries)),
        whole_window(qapp, tmp_path_factory.mktemp("window")) as made,
    ):
        made.resize(QSize(1366, 768))
        settle(made)
        yield made


@pytest.fixture(
    scope="module",
    params=[one if one == "hi" else pytest.param(one, marks=pytest.mark.audit) for one in languages()],
)
def spoken_window(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[MainWindow]:
    """A whole window in each language that ships; the suite looks at the one whose words are longest."""
    with (
        spoken(qapp, catalogue_of(request.param)),
        whole_window(qapp, tmp_path_factory.mktemp("window")) as made,
    ):
        yield made
