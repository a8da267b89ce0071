"""Write every page and state of the window as PNG files, for eyes: `make screenshots`.

    python tests/ui/screenshots.py FOLDER [records.csv.gz ...]

Runs offscreen, in a temporary home, light and dark, at 1366x768 and 1920x1080.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from core.accounting.ledger import Ledger
from core.paths import Home
from core.privacy import Relation, Unit
from ui.app import prepare_process
from ui.main_window import MainWindow
from ui.settings import Settings
from ui.theme import Mode, Theme
from ui.workspace import Workspace

SIZES = ((1366, 768), (1920, 1080))
MODES = (Mode.LIGHT, Mode.DARK)
_PATIENCE_MS = 30_000


def wait_until(done: Callable[[], bool]) -> None:
    """Run the event loop until `done`, or give up after half a minute."""
    loop = QEventLoop()
    poll = QTimer()
    poll.timeout.connect(lambda: done() and loop.quit())
    poll.start(20)
    QTimer.singleShot(_PATIENCE_MS, loop.quit)
    loop.exec()
    if not done():
        raise SystemExit("the window did not get there in time")


def pause(milliseconds: int) -> None:
    """Let the page paint."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Photographer:
    """Walks through the window and takes a picture at each stop."""

    def __init__(self, window: MainWindow, theme: Theme, folder: Path) -> None:
        self.window = window
        self.theme = theme
        self.folder = folder

    @property
    def workspace(self) -> Workspace:
        assert self.window.workspace is not None
        return self.window.workspace

    def take(self, name: str) -> None:
        """One picture for each size and theme."""
        for width, height in SIZES:
            self.window.resize(width, height)
            for mode in MODES:
                self.theme.set_mode(mode)
                pause(350)
                self.window.grab().save(str(self.folder / f"{name}-{width}-{mode}.png"))

    def walk(self) -> None:
        """Every page and state."""
        session = self.workspace.session
        wait_until(lambda: session.preview is not None and self.workspace.map.view.is_ready)
        self.take("1-data")
        self.workspace.steps.choose("hexagons")
        self.take("2-hexagons")
        self.workspace.steps.choose("parameters")
        self.take("3-parameters-open")
        session.edit("Resolution", resolution=6, threshold=20)
        wait_until(lambda: not session.busy and self.workspace.map.view.is_ready)
        session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
        session.edit("Population", population="City buses", confirmed=True)
        wait_until(lambda: not session.busy)
        self.workspace.map.layer.setCurrentIndex(2)
        self.take("4-parameters-chosen")
        overview = session.overview
        assert overview is not None
        session.choose_hat(overview.cells[0], int(overview.slots[0]))
        self.workspace.steps.choose("errors")
        self.take("5-errors")
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("6-table")
        self.workspace.steps.choose("release")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        self.take("7-release")
        self.workspace.steps.choose("verify")
        self.take("8-verify")
        self.window.log_dock.show()
        self.take("9-log")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    prepare_process()
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place))
        Ledger.open(home.ledger).set_limit("City buses", per_vehicle=Decimal(50))
        theme = Theme(app, Mode.LIGHT)
        window = MainWindow(home, Settings(home), theme)
        window.show()
        window.prepare()
        wait_until(lambda: window.workspace is not None)
        Photographer(window, theme, folder).walk()
        window.close()
        window.dispose()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
