"""Write every page and state of the window as PNG files, for eyes: `make screenshots`.

    python tests/ui/screenshots.py FOLDER

Runs offscreen, in a temporary home, light and dark, at 1366x768 and 1920x1080.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QDialog

from core.accounting.ledger import Ledger
from core.paths import Home
from core.privacy import Relation, Unit
from core.release.sign import generate_key
from core.synthesize import synthesize
from ui.app import prepare_process
from ui.help import AboutDialog, GlossaryDialog, ShortcutsDialog
from ui.main_window import MainWindow
from ui.pages.release_dialog import Stage
from ui.settings import Settings
from ui.theme import Mode, Theme
from ui.widgets.limit_dialog import LimitDialog
from ui.workspace import Workspace

SIZES = ((1366, 768), (1920, 1080))
MODES = (Mode.LIGHT, Mode.DARK)
PASSPHRASE = "for pictures only"
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
        """The window, once for each size and theme."""
        for width, height in SIZES:
            self.window.resize(width, height)
            for mode in MODES:
                self.theme.set_mode(mode)
                pause(350)
                self.window.grab().save(str(self.folder / f"{name}-{width}-{mode}.png"))

    def take_dialog(self, name: str, dialog: QDialog) -> None:
        """A dialog, once for each theme."""
        for mode in MODES:
            self.theme.set_mode(mode)
            pause(350)
            dialog.grab().save(str(self.folder / f"{name}-{mode}.png"))

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
        self.window.log_dock.hide()
        self.release()
        self.dialogs()

    def release(self) -> None:
        """The review, a refusal in place, the result, and the released map."""
        session = self.workspace.session
        session.edit(
            "Texts",
            name="sample-speed",
            title="Bus speeds of the sample",
            publisher="City",
            contact="opendata@city.example",
        )
        wait_until(lambda: not session.busy)
        self.workspace.steps.choose("release")
        page = self.workspace.release
        page.folder.setText(str(session.home.folder / "releases"))
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.stage is Stage.READY)
        self.take_dialog("a-review", dialog)
        dialog.typed.setText("sample-speed-1.0.0")
        dialog.passphrase.setText("wrong")
        dialog.release.click()
        wait_until(lambda: dialog.stage is Stage.READY and not dialog.message.isHidden())
        self.take_dialog("b-wrong-passphrase", dialog)
        dialog.typed.setText("sample-speed-1.0.0")
        dialog.passphrase.setText(PASSPHRASE)
        dialog.release.click()
        wait_until(lambda: dialog.stage is Stage.DONE)
        self.take_dialog("c-released", dialog)
        dialog.accept()
        self.take("d-released-map")
        assert session.published is not None
        self.workspace.open_dropped([session.published.bundle])
        wait_until(lambda: self.workspace.verify.result is not None)
        self.take("e-verified")

    def dialogs(self) -> None:
        """Dialogs that open from buttons and menus."""
        records = self.workspace.session.home.folder / "records.csv"
        synthesize(records, records=2000)
        self.workspace.open_dropped([records])
        wait_until(lambda: self.workspace.data.dialog is not None)
        dialog = self.workspace.data.dialog
        assert dialog is not None
        wait_until(lambda: dialog.model.columnCount() > 0)
        self.take_dialog("f-import", dialog)
        dialog.reject()
        for name, made in (
            ("g-limit", LimitDialog(self.workspace.session, self.window)),
            ("h-glossary", GlossaryDialog(self.window)),
            ("i-shortcuts", ShortcutsDialog(self.window)),
            ("j-about", AboutDialog(self.workspace.session.home, self.window)),
        ):
            made.show()
            self.take_dialog(name, made)
            made.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    prepare_process()
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place))
        Ledger.open(home.ledger).set_limit("City buses", per_vehicle=Decimal(50))
        generate_key(home.default_key.with_suffix(""), PASSPHRASE)
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
