"""What the window begins with: the sample, or what was named to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.keys.notice import publish_notice
from core.signed.bundle_names import MANIFEST, SIGNATURE
from core.system.paths import Home, find_home, resources
from core.verify.pack_bundle import pack_bundle
from core.verify.values import bundle_values
from resources.installer.screen import MAP_AREA, SECOND_STEP, STEP_AREA, Pixels, shows_table, tab_titles
from tests.builders import NOW, make_bundle, make_key
from tests.layer_files import picture, write_mbtiles
from tests.published_pair import write_pair
from tests.ui.user_actions import press, show, texts
from tests.ui.whole_window import bare_window, whole_window
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import Mode, Theme
from ui.layout.window_columns import DECIDE_WIDTH, PAGE_WIDTH
from ui.session.error_sources import Source
from ui.session.session import Session
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow
from ui.shell.workspace import MarksButton, Workspace, bundle_of

WAIT = 30_000
Opener = Callable[[Path], Workspace]


@pytest.fixture
def opening(qtbot: QtBot) -> Iterator[Opener]:
    """A real window that begins with a path; its workspace once the engine is loaded."""
    made: list[MainWindow] = []

    def open_with(path: Path) -> Workspace:
        home = find_home()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        window = MainWindow(home, Settings(home), Theme(application, Mode.LIGHT), opened=path)
        made.append(window)
        qtbot.addWidget(window)
        window.show()
        window.prepare()
        qtbot.waitUntil(lambda: window.workspace is not None, timeout=WAIT)
        assert window.workspace is not None
        return window.workspace

    yield open_with
    cancel_all()
    assert wait_for_all(30)
    for window in made:
        window.leave()
        window.dispose()


@pytest.fixture(scope="module")
def workspace(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Of a window with a small city, at rest."""
    with whole_window(qapp, tmp_path_factory.mktemp("window")) as made:
        assert made.workspace is not None
        yield made.workspace


def pixels_of(window: MainWindow) -> Pixels:
    """What the smoke run would read from the screen."""
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    # of its own: what `constBits` gives does not keep the picture's memory
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4)


def test_a_spec_is_opened_with_its_data_as_the_smoke_run_clicks_and_looks_at_it(
    qtbot: QtBot, opening: Opener
) -> None:
    workspace = opening(resources() / "sample" / "sample.toml")
    session = workspace.session
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT)
    assert session.draft.name == "surat-synthetic-bus-speed"
    assert session.draft.resolution == 6
    assert workspace.stack.currentIndex() == list(workspace.pages).index("release")
    window, tabs, steps = workspace.window, workspace.tabs, workspace.steps
    second = steps.indexAt(steps.viewport().mapFrom(window, QPoint(*SECOND_STEP)))
    assert second.row() == 1
    workspace.choose_step("parameters")
    _, page, decide, _ = workspace.widget.sizes()
    # a tab whose least width is too large would take it from the columns beside it
    assert (page, decide) == (PAGE_WIDTH, DECIDE_WIDTH)
    qtbot.waitUntil(lambda: len(tab_titles(pixels_of(window))) == tabs.count(), timeout=WAIT)
    bar = tabs.tabBar()
    found = [bar.tabAt(bar.mapFrom(window, QPoint(*title))) for title in tab_titles(pixels_of(window))]
    assert found == list(range(tabs.count()))
    assert tabs.widget(found[0]) is workspace.map
    assert tabs.widget(found[-1]) is workspace.table
    for area, widget in ((MAP_AREA, workspace.map.view), (STEP_AREA, workspace.stack)):
        rows, columns = area
        place = QRect(QPoint(columns.start, rows.start), QPoint(columns.stop, rows.stop))
        assert QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).contains(place)
    assert not shows_table(pixels_of(window))
    tabs.setCurrentWidget(workspace.table)
    qtbot.waitUntil(lambda: shows_table(pixels_of(window)), timeout=WAIT)
    assert workspace.compare.page is None  # nothing of it is loaded before somebody comes


def test_a_bundle_is_a_folder_its_zip_or_one_of_its_two_files(tmp_path: Path) -> None:
    assert bundle_of(tmp_path) is None
    (tmp_path / SIGNATURE).write_text("")
    assert bundle_of(tmp_path / SIGNATURE) is None
    (tmp_path / MANIFEST).write_text("")
    for path in (tmp_path, tmp_path / MANIFEST, tmp_path / SIGNATURE):
        assert bundle_of(path) == tmp_path
    (tmp_path / "other.csv").write_text("")
    assert bundle_of(tmp_path / "other.csv") is None
    packed = pack_bundle(make_bundle(tmp_path / "out"))
    assert bundle_of(packed) == packed


def verify_note(workspace: Workspace) -> str:
    """What the list of steps tells of *Verify*."""
    return workspace.steps.item(workspace.steps.count() - 1).toolTip()


def test_what_a_check_came_to_is_not_said_elsewhere(
    qtbot: QtBot, tmp_path: Path, workspace: Workspace
) -> None:
    bundle = make_bundle(tmp_path)
    session, note = workspace.session, workspace.window.note
    for leave in (
        lambda: workspace.choose_step("parameters"),
        lambda: workspace.places.to_ledger.setChecked(True),
        lambda: workspace.places.to_compare.setChecked(True),
    ):
        workspace.choose_step("verify")
        workspace.verify.verify(bundle)
        qtbot.waitUntil(lambda: note.text() == f"{bundle.name} is valid; signer not checked", timeout=WAIT)
        leave()
        assert note.text() == ""
        session.noted.emit("Another thing")
        workspace.choose_step("data")
        assert note.text() == "Another thing"


def test_true_errors_are_not_said_to_be_shown_where_none_are(workspace: Workspace) -> None:
    session, note = workspace.session, workspace.window.note
    workspace.show_methods()
    methods = workspace.methods
    assert methods is not None
    bar, section = methods.plot.bar, methods.sections.currentWidget()
    for number, leave in enumerate(
        (
            lambda: methods.sections.setCurrentWidget(methods.city),
            lambda: bar.show_source(Source.REPLICA),
            methods.close,
        )
    ):
        methods.sections.setCurrentWidget(section)
        bar.show_source(Source.LOADED)
        session.ledger.set_evaluated(f"Buses {number}")
        session.edit("Title", title=f"Other words {number}")
        assert note.text().startswith("True errors are shown")
        leave()
        assert note.text() == ""


def test_a_bundle_named_by_its_signature_is_verified_and_has_a_map_of_its_own(
    qtbot: QtBot, tmp_path: Path, opening: Opener
) -> None:
    bundle = make_bundle(tmp_path)
    workspace = opening(bundle / SIGNATURE)
    assert workspace.stack.currentIndex() == list(workspace.pages).index("verify")
    assert bundle.name in workspace.verify.subject.text()
    qtbot.waitUntil(lambda: workspace.verify.result is not None, timeout=WAIT)
    assert workspace.tabs.currentWidget() is workspace.bundle
    assert verify_note(workspace) == f"{bundle.name} is valid; signer not checked"
    assert workspace.bundle.values == bundle_values(bundle)
    view = workspace.bundle.view
    assert view is not None
    qtbot.waitUntil(lambda: view.is_ready, timeout=WAIT)
    assert view.sizeHint() == view.minimumSizeHint()  # it is as large as its place, never as it was before
    session = workspace.session
    qtbot.waitUntil(lambda: session.overview is not None, timeout=WAIT)
    assert session.overview is not None
    assert not set(workspace.bundle.values.cells) & set(session.overview.hexagons)
    assert workspace.tabs.currentWidget() is workspace.bundle
    with qtbot.waitSignal(session.data_changed, timeout=WAIT):
        workspace.open_sample()
    assert workspace.tabs.currentWidget() is workspace.map  # other data are shown, once they are there
    table = next((bundle / "data").glob("speed*.csv"))
    table.write_text(table.read_text(encoding="utf-8").replace("20.668", "10.668"), encoding="utf-8")
    workspace.verify.verify(bundle)
    assert workspace.bundle.values is None, "what is shown is of the one before"
    qtbot.waitUntil(lambda: "is not valid" in workspace.bundle.empty.reason.text(), timeout=WAIT)
    assert "is NOT valid" in verify_note(workspace)
    withdrawn = make_bundle(tmp_path / "withdrawn")
    publish_notice(withdrawn, reason="x", key=make_key(), now=NOW)
    workspace.verify.verify(withdrawn)
    qtbot.waitUntil(lambda: "withdrawn" in workspace.bundle.empty.reason.text(), timeout=WAIT)
    assert "Get it again" not in texts(workspace.bundle.empty)
    assert verify_note(workspace) == f"{withdrawn.name} was withdrawn"
    workspace.verify.verify(tmp_path)  # holds no bundle: what was found before is no longer shown
    assert verify_note(workspace) == "check any bundle"
    qtbot.waitUntil(lambda: not workspace.verify.message.isHidden(), timeout=WAIT)
    assert verify_note(workspace) == "check any bundle"
    assert workspace.bundle.empty.reason.text() == "No bundle is shown.", "nor that another one was withdrawn"


def test_several_bundles_are_compared(qtbot: QtBot, tmp_path: Path, workspace: Workspace) -> None:
    pair = write_pair(tmp_path, rings=1)
    workspace.places.to_ledger.setChecked(True)
    workspace.open_dropped(list(pair))
    assert not workspace.places.to_ledger.isChecked()  # one place at a time
    qtbot.waitUntil(lambda: workspace.compare.page is not None, timeout=WAIT)
    page = workspace.compare.page
    assert page is not None
    qtbot.waitUntil(lambda: page.found is not None, timeout=WAIT)
    assert page.isVisible()
    assert not workspace.widget.isVisible()
    page.back.click()
    assert workspace.widget.isVisible()
    workspace.places.to_compare.click()
    assert page.isVisible()
    assert workspace.compare.paths == pair
    workspace.choose_step("verify")
    assert workspace.widget.isVisible()


def test_a_dropped_map_becomes_a_layer_and_the_map_is_searched_from_anywhere(
    qtbot: QtBot, tmp_path: Path, workspace: Workspace
) -> None:
    tiles = write_mbtiles(tmp_path / "base.mbtiles", {(0, 0, 0): picture()})
    workspace.places.to_ledger.setChecked(True)
    workspace.open_dropped([tiles])
    assert not workspace.places.to_ledger.isChecked()
    qtbot.waitUntil(lambda: tiles in {layer.file for layer in workspace.session.draft.layers}, timeout=WAIT)
    assert workspace.map.overlays.panel.isVisible()
    workspace.show_layers()
    assert not workspace.map.overlays.panel.isVisible()
    workspace.tabs.setCurrentWidget(workspace.table)
    workspace.find_on_map()
    assert workspace.tabs.currentWidget() is workspace.map


def test_every_widget_goes_with_its_window(qapp: QApplication, tmp_path: Path) -> None:
    """What belongs to nobody would wait for a collection, and stay for good where none looks at it."""
    before = set(QApplication.allWidgets())
    with bare_window(qapp, Home(tmp_path)):
        assert len(set(QApplication.allWidgets()) - before) > 500
    assert [widget for widget in QApplication.allWidgets() if widget not in before] == []


def test_it_counts_and_clears(qtbot: QtBot) -> None:
    session = Session(find_home(None))
    button = MarksButton(session)
    show(qtbot, button, width=300, height=30)
    session.chosen.choose_hat("a", 0)
    assert not button.isVisibleTo(None)
    session.marked.add([("b", 0), ("b", 1)])
    assert button.isVisible()
    assert button.text().startswith("3 hexagon slots marked, 2 in this slot")
    session.chosen.show_slot(1)
    assert "1 in this slot" in button.accessibleName()
    press(qtbot, button)
    assert session.chosen.hat is None
    assert not session.marked.hats
    assert not button.isVisible()
