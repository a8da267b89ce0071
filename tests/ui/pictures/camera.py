"""A camera for the window: it waits until all is worked out and painted, then keeps what is seen as PNG."""

from __future__ import annotations

import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QDialog, QWidget

from core.accounting.budgets import Budget
from ui.kit.jobs import any_running
from ui.kit.theme import Mode, Theme
from ui.layout.scroll_areas import scroll_up_to
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace
from ui.web_map.map_view import MapView

SCREENS = ((1366, 768), (1920, 1080))
"""Pixels; where Qt scales, the window is that much smaller in its own units."""
MODES = (Mode.LIGHT, Mode.DARK)
_PATIENCE_MS = 900_000
_STILL_MS = 60
"""Between two pictures that have to be the same."""
_MOST_LOOKS = 80
_FRAMES = """
(() => {
  if (window.lookedAt !== LOOK) {
    window.lookedAt = LOOK;
    window.framesSeen = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => { window.framesSeen = 2; }));
  }
  return window.framesSeen === 2;
})()
"""
"""Of a page that is replaced meanwhile the frames are those of the new one."""
_looks = itertools.count()


def wait_until(done: Callable[[], bool]) -> None:
    """Run the event loop until `done`, or give up after a quarter of an hour."""
    loop = QEventLoop()
    reached: list[bool] = []  # once is enough: what starts meanwhile is another wait

    def look() -> None:
        if done():
            reached.append(True)
            loop.quit()

    poll = QTimer()
    poll.timeout.connect(look)
    poll.start(20)
    QTimer.singleShot(_PATIENCE_MS, loop, loop.quit)
    loop.exec()
    if not reached:
        waiting = inspect.stack()[1]
        raise SystemExit(f"the window did not get there in time: {waiting.function}, line {waiting.lineno}")


def wanted(name: str) -> bool:
    """Whether a picture is asked for."""
    return name.startswith(Camera.names or ("",))


def pause(milliseconds: int) -> None:
    """Let events come."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def painted(widget: QWidget) -> QImage:
    """The widget once nothing is under way in it and two looks at it are the same."""
    before = QImage()
    for _ in range(_MOST_LOOKS):
        wait_until(lambda: not any_running())
        for view in widget.findChildren(MapView):
            if view.isVisible():
                wait_until(lambda view=view: view.is_ready)  # type: ignore[misc]
        for web in widget.findChildren(QWebEngineView):
            if web.isVisible():
                _wait_for_frames(web)
        pause(_STILL_MS)
        now = widget.grab().toImage()
        if now == before and not any_running():
            return now
        before = now
    raise SystemExit(f"{type(widget).__name__} never came to rest")


def _wait_for_frames(web: QWebEngineView) -> None:
    """Until the page has drawn what it was told: two frames from now."""
    page, seen = web.page(), [False]
    script = _FRAMES.replace("LOOK", str(next(_looks)))

    def done() -> bool:
        page.runJavaScript(script, 0, lambda drawn: seen.__setitem__(0, bool(drawn)))
        return seen[0]

    wait_until(done)


class Camera:
    """Takes the window, or a dialog of it, in every size and theme, where the picture was asked for."""

    names: ClassVar[tuple[str, ...]] = ()
    """How the names of pictures begin that are taken; none: of all."""
    only: ClassVar[str] = ""
    """Of a walk that takes one picture of each state: its screen and theme, such as `1366-light`."""

    def __init__(self, window: MainWindow, theme: Theme, folder: Path) -> None:
        self.window = window
        self.theme = theme
        self.folder = folder

    @property
    def workspace(self) -> Workspace:
        assert self.window.workspace is not None
        return self.window.workspace

    @property
    def scale(self) -> float:
        """Pixels of a unit."""
        return self.window.devicePixelRatioF()

    def take(self, name: str, screens: tuple[tuple[int, int], ...] = SCREENS) -> None:
        """The window on each screen, in each theme; of narrow ones also what stands in the page's place."""
        result = self.workspace.places.to_result
        for width, height in screens if wanted(name) else ():
            if not self.modes_on(width):
                continue
            self.fill_screen(width, height)
            before, narrow = result.isChecked(), result.isVisible()
            for in_place in (False, True) if narrow else (before,):
                result.setChecked(in_place)
                shown = "-result" if narrow and in_place else ""
                for mode in self.modes_on(width):
                    self.theme.set_mode(mode)
                    self.keep(self.window, f"{name}-{width}{shown}-{mode}")
            result.setChecked(before)

    def modes_on(self, width: int | None = None) -> tuple[Mode, ...]:
        """The themes that are wanted of a screen so many pixels wide, or of what is as large on each."""
        screen = "" if width is None else f"{SCREENS[width >= SCREENS[-1][0]][0]}-"
        return tuple(mode for mode in MODES if not self.only or self.only.endswith(f"{screen}{mode}"))

    def take_dialog(self, name: str, dialog: QDialog) -> None:
        """A dialog, in each theme."""
        if wanted(name):
            self.keep_in_themes(dialog, name)

    def keep_in_themes(self, widget: QWidget, name: str) -> None:
        """A dialog or a menu, in each theme."""
        for mode in self.modes_on():
            self.theme.set_mode(mode)
            self.keep(widget, f"{name}-{mode}")

    def fill_screen(self, width: int, height: int) -> None:
        """As large as a screen of so many pixels."""
        self.window.resize(round(width / self.scale), round(height / self.scale))

    def keep(self, widget: QWidget, name: str) -> None:
        """Wait until it is painted, and write it; what is scaled says so in its name."""
        wait_until(lambda: not self.theme.polishing)
        scaled = f"-{round(100 * self.scale)}" if self.scale != 1 else ""
        painted(widget).save(str(self.folder / f"{name}{scaled}.png"))

    def show_layer(self, key: str) -> None:
        """By its key: the number of a layer is nobody's to know."""
        layer = self.workspace.map.layer
        layer.setCurrentIndex(layer.findData(key))

    def scroll_to(self, part: QWidget) -> None:
        """So that the part of a section of the step *Parameters* is seen from its top."""
        for section in self.workspace.parameters.sections.values():
            if section.isAncestorOf(part):
                section.open()
        pause(50)
        scroll_up_to(part)

    @contextlib.contextmanager
    def epsilon_that_tells_little(self) -> Iterator[None]:
        """So small that the numbers are no better than one constant."""
        session = self.workspace.session
        budget = session.draft.leading.budget
        session.set_budget("Epsilon", Budget(total=Decimal("0.05")))
        wait_until(lambda: not session.busy)
        yield
        session.set_budget("Epsilon", budget)
        wait_until(lambda: not session.busy)
