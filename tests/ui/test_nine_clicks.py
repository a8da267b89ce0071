"""From a city on the screen to a verified release in nine clicks, each a click of the mouse, counted."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from tests.ui.user_actions import LEFT
from tests.ui.whole_window import settle, whole_window
from ui.release.dialog import Phase
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow

WAIT = 60_000
PASSPHRASE = "nine clicks of a mouse"


class Mouse:
    """The only one in the story: it counts."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.clicks = 0

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Press and let go, on what is seen and can be pressed."""
        assert widget.isVisible()
        assert widget.isEnabled()
        self._qtbot.mouseClick(widget, LEFT, pos=at or QPoint(12, widget.height() // 2))
        self.clicks += 1


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """A city is loaded; the office has released before, so that its key and its name are known."""
    with whole_window(qapp, tmp_path) as made:
        made.resize(1366, 768)
        workspace = made.workspace
        assert workspace is not None
        workspace.session.edit("As at first", relation=None, unit=None)
        generate_key(made.home.default_key.with_suffix(""), PASSPHRASE)
        settings = Settings(made.home)
        for name, text in (
            ("publisher", "City"),
            ("contact", "opendata@city.example"),
            ("licence", "CC-BY-4.0"),
        ):
            settings.set_publisher_text(name, text)
        settings.set_last_folder("release", tmp_path)
        workspace.release.folder.setText(str(settings.folder_for("release")))
        workspace.session.fill_open_texts(settings.publisher_texts)
        settle(made)
        yield made


def test_nine_clicks_to_a_verified_release(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    workspace = window.workspace
    assert workspace is not None
    session, steps, mouse = workspace.session, workspace.steps, Mouse(qtbot)
    click = mouse.click

    def step(row: int) -> None:
        click(steps.viewport(), steps.visualItemRect(steps.item(row)).center())

    step(1)  # 1: Parameters
    page = workspace.parameters
    click(page.protected.relations[Relation.VALUES])  # 2
    click(page.protected.units[Unit.VEHICLE])  # 3
    settle(window)
    click(page.protected.limit.name)  # 4: population and limit are typed
    qtbot.keyClicks(page.protected.limit.name, "City buses")
    qtbot.keyClick(page.protected.limit.name, Qt.Key.Key_Return)
    qtbot.keyClicks(page.protected.limit.limit, "100")
    qtbot.keyClick(page.protected.limit.limit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.ledger.population is not None, timeout=WAIT)
    settle(window)
    click(page.protected.confirmed)  # 5
    step(3)  # 6: Release
    release = workspace.release
    click(release.fields["title"])  # 7: the name follows from it
    qtbot.keyClicks(release.fields["title"], "Bus speeds")
    qtbot.keyClick(release.fields["title"], Qt.Key.Key_Return)
    qtbot.waitUntil(release.start.isEnabled, timeout=WAIT)
    click(release.start)  # 8: review; the name and the passphrase are typed
    dialog = release.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT)
    qtbot.keyClicks(dialog.typed, "bus-speeds-1.0.0")
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    qtbot.keyClick(dialog.passphrase, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT)
    view = dialog.result_view
    qtbot.waitUntil(lambda: "✓ Verified immediately with your own key" in view.verified.text(), timeout=WAIT)
    click(dialog.close_button)  # 9
    assert mouse.clicks == 9
    assert (tmp_path / "bus-speeds-1.0.0" / "privacy.json").is_file()
    (population,) = Ledger.open(window.home.ledger).populations()
    assert (population.name, population.per_vehicle) == ("City buses", Decimal(100))
    assert population.spent > 0
    assert Settings(window.home).publisher_text("publisher") == "City"
