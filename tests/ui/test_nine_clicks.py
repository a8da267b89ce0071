"""From a city on the screen to a verified release: in nine clicks of the mouse, or by seven keys, counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
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

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.count = 0

    def press(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Press and let go, on what is seen and can be pressed."""
        assert widget.isVisible()
        assert widget.isEnabled()
        QTest.mouseClick(widget, LEFT, pos=at or QPoint(12, widget.height() // 2))
        self.count += 1

    come_to = press

    def step(self, number: int) -> None:
        assert self._window.workspace is not None
        steps = self._window.workspace.steps
        self.press(steps.viewport(), steps.visualItemRect(steps.item(number - 1)).center())

    def write(self, text: str) -> None:
        """Into what has the keyboard, ended by Return."""
        field = QApplication.focusWidget()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)


class Keys(Mouse):
    """In place of it: counted is what orders something; Tab goes on to the next part."""

    def _key(self, widget: QWidget, *key: Any) -> None:
        QTest.keyClick(widget.window().windowHandle(), *key)

    def press(self, widget: QWidget, at: QPoint | None = None) -> None:  # noqa: ARG002
        assert widget.isVisible()
        assert widget.isEnabled()
        marked = re.search(r"&(\w)", widget.text())
        if marked is None:
            self.come_to(widget)
            self._key(widget, Qt.Key.Key_Space)
        else:
            self._key(widget, getattr(Qt.Key, f"Key_{marked[1].upper()}"), Qt.KeyboardModifier.AltModifier)
        self.count += 1

    def come_to(self, widget: QWidget, at: QPoint | None = None) -> None:  # noqa: ARG002
        for _ in range(60):
            if QApplication.focusWidget() in (widget, widget.parentWidget()):  # or the list it belongs to
                return
            self._key(widget, Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not come to {widget.accessibleName()}")

    def step(self, number: int) -> None:
        keys = (getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        self._key(self._window, *keys)
        self.count += 1


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


@pytest.mark.parametrize(("hand", "orders"), [(Mouse, 9), (Keys, 7)], ids=["mouse", "keys"])
def test_nine_clicks_or_seven_keys_to_a_verified_release(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, hand: type[Mouse], orders: int
) -> None:
    workspace = window.workspace
    assert workspace is not None
    session, by = workspace.session, hand(window)
    by.step(2)  # Parameters
    page = workspace.parameters
    assert QApplication.focusWidget() is page.protected.relations[Relation.VALUES], "what is asked for first"
    by.press(page.protected.relations[Relation.VALUES])
    by.press(page.protected.units[Unit.VEHICLE])
    settle(window)
    by.come_to(page.protected.limit.name)  # population and limit are typed
    by.write("City buses")
    by.write("100")
    qtbot.waitUntil(lambda: session.ledger.population is not None, timeout=WAIT)
    settle(window)
    by.press(page.protected.confirmed)
    by.step(4)  # Release
    release = workspace.release
    by.come_to(release.fields["title"])  # the name follows from it
    by.write("Bus speeds")
    qtbot.waitUntil(release.start.isEnabled, timeout=WAIT)
    by.press(release.start)  # the review; the name and the passphrase are typed
    qtbot.waitUntil(lambda: release.dialog is not None, timeout=WAIT)
    dialog = release.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT)
    qtbot.keyClicks(dialog.typed, "bus-speeds-1.0.0")
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    qtbot.keyClick(dialog.passphrase, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT)
    view = dialog.result_view
    qtbot.waitUntil(lambda: "✓ Verified immediately with your own key" in view.verified.text(), timeout=WAIT)
    assert dialog.focusWidget() is dialog.close_button
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Return)
    by.count += 1
    assert not dialog.isVisible()
    assert by.count == orders
    assert (tmp_path / "bus-speeds-1.0.0" / "privacy.json").is_file()
    (population,) = Ledger.open(window.home.ledger).populations()
    assert (population.name, population.per_vehicle) == ("City buses", Decimal(100))
    assert population.spent > 0
    assert Settings(window.home).publisher_text("publisher") == "City"
