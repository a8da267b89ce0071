"""ui.plots.plot_section: made when first shown, at work only while shown, in the colours of the theme."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.progress import Progress
from tests.ui.user_actions import show
from ui.kit.message_bar import Message
from ui.kit.theme import DARK, LIGHT, Colours, Mode, Theme
from ui.plots.plot_canvas import PlotCanvas
from ui.plots.plot_section import PlotSection

pytestmark = pytest.mark.usefixtures("_no_work_left")


class Painted(PlotCanvas):
    """Notes the colours that it was given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, paint=self._note, read=lambda value: (round(value), f"at {value}"))
        self.colours: list[Colours] = []

    def _note(self, colours: Colours) -> None:
        self.colours.append(colours)


class Page(QWidget):
    """Holds a section that holds it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.plot = PlotSection(theme, lambda: Painted, [self._make], parent=self)
        QVBoxLayout(self).addWidget(self.plot)

    def _make(self, canvas_class: type[Painted]) -> Painted:
        return canvas_class(self)


class Heard:
    """What a section tells, in order, and what it loaded and made."""

    def __init__(self, theme: Theme, *, count: int = 1, page: QWidget | None = None) -> None:
        self.told: list[str] = []
        self.threads: list[int] = []
        self.errors: list[object] = []
        place = page.layout().addWidget if page is not None else None
        self.section = PlotSection(theme, self._load, [self._make] * count, page=page, place=place)
        for name in ("wanted", "built", "explained", "rested"):
            getattr(self.section, name).connect(lambda name=name: self.told.append(name))
        self.section.failed.connect(self.errors.append)

    def _load(self) -> type[Painted]:
        self.told.append("load")
        self.threads.append(threading.get_ident())
        return Painted

    def _make(self, canvas_class: type[Painted]) -> Painted:
        self.told.append("make")
        self.threads.append(threading.get_ident())
        return canvas_class(self.section)


def settled(qtbot: QtBot, heard: Heard) -> None:
    qtbot.waitUntil(lambda: heard.section.ready and not heard.section.due)


def test_nothing_is_loaded_or_asked_for_while_it_is_hidden(qtbot: QtBot, theme: Theme) -> None:
    heard = Heard(theme)
    qtbot.addWidget(heard.section)
    heard.section.refresh()
    heard.section.refresh_soon()
    qtbot.wait(20)
    assert heard.told == []
    assert not heard.section.ready


def test_it_is_loaded_in_a_worker_and_made_here_once(qtbot: QtBot, theme: Theme) -> None:
    heard = Heard(theme)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    heard.section.hide()
    heard.section.show()
    settled(qtbot, heard)
    assert [word for word in heard.told if word in ("load", "make", "built")] == ["load", "make", "built"]
    loading, making = heard.threads
    assert loading != making == threading.get_ident()
    assert heard.told[-1] == "wanted"


def test_several_changes_of_one_event_are_one_look(qtbot: QtBot, theme: Theme) -> None:
    heard = Heard(theme)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    heard.told.clear()
    for _ in range(3):
        heard.section.refresh_soon()
    assert heard.told == []
    settled(qtbot, heard)
    assert heard.told == ["wanted"]
    heard.section.refresh()
    assert heard.told == ["wanted"] * 2


def test_hidden_it_rests_and_shown_again_it_looks_anew(qtbot: QtBot, theme: Theme) -> None:
    heard, started, stopped = Heard(theme), threading.Event(), threading.Event()
    tabs = QTabWidget()
    tabs.addTab(heard.section, "plot")
    tabs.addTab(QWidget(), "other")
    show(qtbot, tabs)
    settled(qtbot, heard)

    def endless(progress: Progress) -> None:
        started.set()
        try:
            while True:
                progress(0.5)
        finally:
            stopped.set()

    heard.section.computing.start(endless)
    qtbot.waitUntil(started.is_set)
    heard.told.clear()
    tabs.setCurrentIndex(1)
    assert heard.told == ["rested"]
    assert not heard.section.computing.running
    assert stopped.wait(10)
    heard.section.refresh()
    assert heard.told == ["rested"]
    tabs.setCurrentIndex(0)
    settled(qtbot, heard)
    assert heard.told == ["rested", "wanted"]


def test_a_message_takes_the_place_of_the_plot(qtbot: QtBot, theme: Theme) -> None:
    heard = Heard(theme)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    heard.section.show_plot()
    assert isinstance(heard.section.currentWidget(), Painted)
    heard.section.explain(Message(what="No data", where="there", mend="open some"))
    assert heard.section.currentWidget() is heard.section.empty
    assert heard.section.empty.reason.text() == "No data"
    assert heard.section.empty.advice.text() == "there\nopen some"
    assert heard.told[-1] == "explained"


@pytest.mark.parametrize("expected", [True, False])
def test_a_failure_is_explained_in_place_if_it_can_be(qtbot: QtBot, theme: Theme, expected: bool) -> None:
    heard = Heard(theme)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    heard.section.show_plot()
    error: Exception = InputError("too many", mend="take fewer") if expected else KeyError("secret")

    def fail(_: Progress) -> None:
        raise error

    heard.told.clear()
    heard.section.computing.start(fail)
    qtbot.waitUntil(lambda: "rested" in heard.told)
    assert heard.errors == ([] if expected else [error])
    assert (heard.section.currentWidget() is heard.section.empty) is expected
    assert heard.section.empty.reason.text() == ("too many" if expected else "")


def test_canvases_follow_the_theme(qtbot: QtBot, theme: Theme) -> None:
    heard = Heard(theme)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    (canvas,) = heard.section.findChildren(Painted)
    assert canvas.colours == [LIGHT]
    theme.set_mode(Mode.DARK)
    assert canvas.colours == [LIGHT, DARK]
    heard.section.hide()
    theme.set_mode(Mode.LIGHT)
    assert canvas.colours == [LIGHT, DARK], "what nobody sees waits"
    heard.section.show()
    assert canvas.colours == [LIGHT, DARK, LIGHT]
    heard.section.hide()
    heard.section.show()
    assert canvas.colours == [LIGHT, DARK, LIGHT], "once is enough"


def test_a_page_may_hold_several_canvases(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    QVBoxLayout(page)
    heard = Heard(theme, count=2, page=page)
    show(qtbot, heard.section)
    settled(qtbot, heard)
    assert heard.told.count("make") == 2
    assert heard.told.count("built") == 1
    canvases = page.findChildren(Painted)
    assert [canvas.colours for canvas in canvases] == [[LIGHT], [LIGHT]]
    heard.section.show_plot()
    assert heard.section.currentWidget() is page


def test_a_visible_section_that_is_garbage_goes_in_peace(qtbot: QtBot, theme: Theme) -> None:
    """Python empties the attributes of what it collects before Qt hides the children of the window."""

    def shown() -> weakref.ref[Page]:
        page = Page(theme)
        page.show()
        qtbot.waitExposed(page)
        qtbot.waitUntil(lambda: page.plot.ready)
        return weakref.ref(page)

    gone = shown()
    with qtbot.captureExceptions() as errors:
        gc.collect()
    assert gone() is None
    assert errors == []
