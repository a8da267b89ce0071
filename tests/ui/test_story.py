"""The whole job as a person does it: from a dropped file to a verified bundle, in the real window."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.fingerprint import keyed_hash
from core.accounting.ledger import Ledger
from core.contributions import Contributions
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from core.release.prepare_publish import prepare
from core.release.request_identity import table_bytes
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import write_records
from tests.taxis import CELLS, write_taxis
from tests.ui.release_story import release_in_window
from tests.ui.user_actions import open_sections, texts
from ui.budget.limit_dialog import LimitDialog
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import Mode, Theme
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton
WAIT = 30_000
PASSPHRASE = "a story of a city"
NAME = "story-bus-speed"


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The real window at 1366x768, its engine loaded and the sample shown."""
    home = find_home()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    made = MainWindow(home, Settings(home), Theme(application, Mode.LIGHT))
    qtbot.addWidget(made)
    made.resize(1366, 768)
    made.show()
    made.prepare()
    qtbot.waitUntil(lambda: made.workspace is not None, timeout=WAIT)
    at_rest(qtbot, inside(made))
    yield made
    cancel_all()
    assert wait_for_all(30)
    made.leave()
    made.dispose()


def inside(window: MainWindow) -> Workspace:
    assert window.workspace is not None
    return window.workspace


def at_rest(qtbot: QtBot, workspace: Workspace) -> None:
    session = workspace.session
    qtbot.waitUntil(
        lambda: session.forecast is not None and not session.busy and workspace.map.view.is_ready,
        timeout=WAIT,
    )


def drop(window: MainWindow, files: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    at = QPointF(window.width() / 2, window.height() / 2)
    window.dropEvent(QDropEvent(at, Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier))


def pick(qtbot: QtBot, box: QComboBox, data: object) -> None:
    """Choose an entry with the keyboard."""
    box.setFocus()
    target = box.findData(data) if box.findData(data) >= 0 else box.findText(str(data))
    assert target >= 0
    while box.currentIndex() != target:
        key = Qt.Key.Key_Down if box.currentIndex() < target else Qt.Key.Key_Up
        qtbot.keyClick(box, key)


def write(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Tab)


def press(qtbot: QtBot, button: QWidget) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(
        button, LEFT, pos=button.rect().center() if button.width() < 40 else None or _left(button)
    )


def _left(button: QWidget) -> object:
    """Near the left edge: where a radio button or check box has its mark."""
    point = button.rect().center()
    point.setX(10)
    return point


def load_files(qtbot: QtBot, window: MainWindow, files: list[Path], unit: str) -> None:
    workspace = inside(window)
    drop(window, files)
    qtbot.waitUntil(lambda: workspace.data.dialog is not None, timeout=WAIT)
    dialog = workspace.data.dialog
    assert dialog is not None
    qtbot.waitUntil(
        lambda: dialog.model.columnCount() > 0 and dialog.form.grid.unit.isEnabled(), timeout=WAIT
    )
    pick(qtbot, dialog.form.grid.unit, unit)
    qtbot.waitUntil(lambda: dialog.load.isEnabled(), timeout=WAIT)
    with qtbot.waitSignal(workspace.session.data_changed, timeout=WAIT):
        qtbot.mouseClick(dialog.load, LEFT)
    at_rest(qtbot, workspace)


def choose_parameters(qtbot: QtBot, workspace: Workspace, *, threshold: int) -> None:
    session = workspace.session
    workspace.steps.choose("parameters")
    page = workspace.parameters
    open_sections(page)
    page.hexagons.threshold.setFocus()
    page.hexagons.threshold.selectAll()
    qtbot.keyClicks(page.hexagons.threshold, str(threshold))
    qtbot.keyClick(page.hexagons.threshold, Qt.Key.Key_Tab)
    at_rest(qtbot, workspace)
    press(qtbot, page.protected.relations[Relation.VALUES])
    press(qtbot, page.protected.units[Unit.VEHICLE])
    at_rest(qtbot, workspace)
    pick(qtbot, page.knobs.mechanism, "array-averaging")
    page.knobs.mechanism.activated.emit(page.knobs.mechanism.currentIndex())
    number = page.knobs.epsilon._number
    write(qtbot, number, "10")
    qtbot.keyClick(number, Qt.Key.Key_Return)  # a window that is not active leaves no field
    at_rest(qtbot, workspace)
    assert session.draft.leading.budget.total == Decimal(10)
    press(qtbot, page.protected.confirmed)
    assert session.draft.confirmed


def set_limit(qtbot: QtBot, workspace: Workspace, name: str, amount: str) -> None:
    qtbot.mouseClick(workspace.budget.set_limit, LEFT)
    dialog = workspace.budget.findChild(LimitDialog)
    assert dialog is not None
    dialog.population.setCurrentText("")
    qtbot.keyClicks(dialog.population.lineEdit(), name)
    write(qtbot, dialog.per_vehicle, amount)
    with qtbot.waitSignal(dialog.accepted, timeout=WAIT):
        qtbot.keyClick(dialog.per_vehicle, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: workspace.session.ledger.population is not None, timeout=WAIT)


def click_a_hexagon(qtbot: QtBot, workspace: Workspace) -> None:
    """Click, with the mouse, the hexagon that lies nearest to the middle of the map."""
    workspace.tabs.setCurrentWidget(workspace.map)
    view = workspace.map.view
    qtbot.wait(400)
    places: list[str] = []
    view._page.runJavaScript(
        "JSON.stringify([...document.querySelectorAll('.leaflet-overlay-pane path')].map(p => "
        "{ const b = p.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }))",
        places.append,
    )
    qtbot.waitUntil(lambda: bool(places), timeout=WAIT)
    middle = (view.width() / 2, view.height() / 2)
    x, y = min(json.loads(places[0]), key=lambda at: math.dist(at, middle))
    with qtbot.waitSignal(workspace.session.hat_chosen, timeout=WAIT):
        qtbot.mouseClick(view._web.focusProxy(), LEFT, pos=QPoint(round(x), round(y)))
    overview = workspace.session.overview
    assert overview is not None
    assert workspace.session.chosen.hat is not None
    assert workspace.session.chosen.hat[0] in overview.cells


def same_as_the_command_line(workspace: Workspace, spec: Path, contributions: Contributions) -> None:
    """The saved spec gives the command line the same contributions and charges."""
    session = workspace.session
    assert session.release.published is not None
    prepared = prepare(load_spec(spec), Ledger.open(find_home().ledger))
    mine, theirs = (
        keyed_hash(b"key", *table_bytes(table)) for table in (prepared.contributions, contributions)
    )
    assert mine == theirs
    assert prepared.review.charge == session.release.published.release.charge
    assert prepared.stored is not None


@pytest.mark.parametrize("source", [pytest.param("austin", marks=pytest.mark.audit), "made-up"])
def test_from_dropped_files_to_a_verified_bundle(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    source: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if source == "austin":
        folder = request.getfixturevalue("shared_data") / "austin-buses"
        files = sorted(folder.glob("vehicle_positions_2016-11-2[4567].csv.gz"))
        unit, threshold = "m/s", 3
    else:
        files = [write_records(tmp_path / "records.csv")]
        unit, threshold = "km/h", 2
    generate_key(find_home().default_key.with_suffix(""), PASSPHRASE)
    workspace = inside(window)
    load_files(qtbot, window, files, unit)
    choose_parameters(qtbot, workspace, threshold=threshold)
    set_limit(qtbot, workspace, "Story buses", "100")
    click_a_hexagon(qtbot, workspace)
    contributions = workspace.session.contributions
    assert contributions is not None
    dialog = release_in_window(qtbot, workspace, tmp_path / "out", NAME, PASSPHRASE)
    dialog.accept()
    bundle = tmp_path / "out" / f"{NAME}-1.0.0"
    assert workspace.session.release.published is not None
    assert workspace.map.layer.currentData() == "released-mean"
    (population,) = Ledger.open(find_home().ledger).populations()
    assert population.spent == workspace.session.release.published.release.charge.per_vehicle <= Decimal(10)

    drop(window, [bundle])
    qtbot.waitUntil(lambda: workspace.verify.result is not None, timeout=WAIT)
    result = workspace.verify.result
    assert result is not None
    assert len(result.lines) >= 8
    assert "✗" not in "".join(result.lines)

    spec = tmp_path / "saved.toml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_, **__: (str(spec), ""))
    workspace.questions.save_project_as()
    qtbot.waitUntil(spec.exists, timeout=WAIT)
    same_as_the_command_line(workspace, spec, contributions)
    assert workspace.map.view.guard.blocked == []


def enter(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    """Type and press Return: a window that is not active leaves no field."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def type_constants(qtbot: QtBot, workspace: Workspace, cells: Path) -> None:
    """Relation user, then what nobody may take from the records, all of it by hand."""
    session, page = workspace.session, workspace.parameters
    workspace.steps.choose("parameters")
    open_sections(page)
    press(qtbot, page.protected.relations[Relation.USER])
    press(qtbot, page.protected.units[Unit.VEHICLE])
    enter(qtbot, page.dates.zone.edit, "Asia/Kolkata")
    enter(qtbot, page.dates.typed_first.edit, "2022-01-03")
    enter(qtbot, page.dates.typed_last.edit, "2022-01-04")
    pick(qtbot, page.hexagons.candidates.way, "typed")
    page.hexagons.candidates.way.activated.emit(page.hexagons.candidates.way.currentIndex())
    enter(qtbot, page.hexagons.candidates.typed, " ".join(CELLS))
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT)
    assert session.draft.cells_file != str(cells)
    page.dates.end.setCurrentText("12:00")
    page.dates.end.activated.emit(page.dates.end.currentIndex())
    at_rest(qtbot, workspace)
    box = page.constants
    for number, text in ((box.prior.numbers["fleet"], "60"), (box.prior.numbers["vehicles"], "20")):
        enter(qtbot, number.lineEdit(), text)
    enter(qtbot, box.hats.lineEdit(), "4")
    qtbot.waitUntil(lambda: box.outlook is not None and box.use_best.isVisible(), timeout=WAIT)
    press(qtbot, box.use_best)
    enter(qtbot, page.knobs.epsilon._number, "40")
    at_rest(qtbot, workspace)
    press(qtbot, page.protected.confirmed)
    assert session.draft.confirmed
    sentence = page.protected.sentence.text()
    assert sentence.startswith(
        "Whether a vehicle was there at all is hardly hidden: at epsilon 40 this release"
    )


def test_taxis_are_released_with_their_presence_protected(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = write_taxis(tmp_path / "city").parent / "records.csv"
    generate_key(find_home().default_key.with_suffix(""), PASSPHRASE)
    workspace, session = inside(window), inside(window).session
    load_files(qtbot, window, [records], "km/h")
    type_constants(qtbot, workspace, tmp_path / "city" / "cells.txt")
    set_limit(qtbot, workspace, "Story taxis", "100")
    dialog = release_in_window(qtbot, workspace, tmp_path / "out", NAME, PASSPHRASE)
    told = texts(dialog)
    assert (
        "candidates in 7 hexagons: a row each, with vehicles or without" in told or session.release.published
    )
    dialog.accept()
    published = session.release.published
    assert published is not None
    assert published.release.relation is Relation.USER
    assert published.release.charge.per_vehicle == Decimal(40)
    candidates = {(cell, slot) for cell in CELLS for slot in (9, 10, 11)}
    workspace.tabs.setCurrentWidget(workspace.table)
    qtbot.waitUntil(lambda: workspace.table.model.has_release, timeout=WAIT)
    model = workspace.table.model
    assert {model.hat_at(row) for row in range(model.shown)} == candidates
    copied, rows = model.copy_text(range(model.shown), session.draft.relation)
    assert rows == len(candidates)
    assert "vehicles_dp" in copied.splitlines()[0]
    assert not {"vehicles", "records"} & set(copied.splitlines()[0].split("\t"))

    drop(window, [published.bundle])
    qtbot.waitUntil(lambda: workspace.verify.result is not None, timeout=WAIT)
    result = workspace.verify.result
    assert result is not None
    assert "✗" not in "".join(result.lines)

    # beside the records: a request of this relation is known by the names of its files alone
    spec = tmp_path / "city" / "saved.toml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_, **__: (str(spec), ""))
    workspace.questions.save_project_as()
    qtbot.waitUntil(spec.exists, timeout=WAIT)
    contributions = session.contributions
    assert contributions is not None
    same_as_the_command_line(workspace, spec, contributions)
    before = session.draft
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        workspace.project.open(spec)
    at_rest(qtbot, workspace)
    assert session.draft.queries[0].mechanism == before.queries[0].mechanism
    for name in ("relation", "unit", "hats_per_vehicle", "zone", "date_ranges", "cells_file", "threshold"):
        assert getattr(session.draft, name) == getattr(before, name), name


def test_a_dropped_file_that_is_none_of_ours_leaves_everything_and_undo_brings_a_grid_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    workspace = inside(window)
    assert window.focusWidget() is workspace.data.open_button, "the keyboard begins where files are opened"
    session = workspace.session
    loaded, before = session.loaded, session.draft
    stranger = tmp_path / "photo.jpg"
    stranger.write_bytes(b"\xff\xd8\xff")
    drop(window, [stranger])
    qtbot.waitUntil(lambda: not workspace.data.message.isHidden(), timeout=WAIT)
    assert "unknown" in workspace.data.message.text
    assert session.loaded is loaded
    session.edit("Resolution", resolution=6)
    at_rest(qtbot, workspace)
    undo = next(
        action for action in window.menuBar().actions()[1].menu().actions() if "Undo" in action.text()
    )
    undo.trigger()
    at_rest(qtbot, workspace)
    assert session.draft == before
    assert session.contributions is not None
    assert session.contributions.resolution == before.resolution


def test_shares_and_percentiles_from_the_panel_to_a_verified_bundle(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    generate_key(find_home().default_key.with_suffix(""), PASSPHRASE)
    workspace, session = inside(window), inside(window).session
    load_files(qtbot, window, [write_records(tmp_path / "records.csv")], "km/h")
    choose_parameters(qtbot, workspace, threshold=2)
    page = workspace.parameters
    (add,) = (one for one in page.published.add.menu().actions() if one.data() == "share")
    add.trigger()
    page.published.choose(0)
    press(qtbot, page.published.remove)
    page.ranges.propose.menu().actions()[3].trigger()
    at_rest(qtbot, workspace)
    (query,) = session.draft.queries
    assert query.parameters == {"percentiles": (15.0, 50.0, 85.0)}
    assert "percentage points" in texts(workspace.decide)
    if not session.draft.confirmed:
        press(qtbot, page.protected.confirmed)
    set_limit(qtbot, workspace, "Story buses", "100")
    dialog = release_in_window(qtbot, workspace, tmp_path / "out", NAME, PASSPHRASE)
    dialog.accept()
    published = session.release.published
    assert published is not None
    names = [workspace.map.number.itemText(row) for row in range(workspace.map.number.count())]
    assert names[0] == "share below 1 km/h"
    assert names[-2:] == ["speed, percentile 85", "mean speed from shares"]
    assert workspace.map.layer.currentData() == "smoothed-mean", "of shares the smoothed ones stand in front"
    chart = workspace.map.strip.chart
    workspace.map.number.activated.emit(len(names) - 1)
    # a mean has no smoothed number: the raw one is shown
    qtbot.waitUntil(lambda: "mean speed from shares" in chart.accessibleName(), timeout=WAIT)
    assert workspace.map.layer.currentData() == "released-mean"
    workspace.map.number.activated.emit(len(names) - 2)
    qtbot.waitUntil(lambda: "percentile 85" in chart.accessibleName(), timeout=WAIT)
    workspace.tabs.setCurrentWidget(workspace.table)
    qtbot.waitUntil(lambda: workspace.table.model.has_release, timeout=WAIT)
    assert workspace.table.number.currentIndex() == len(names) - 2
    rows = workspace.table.model.shown
    copied, lines = workspace.table.model.copy_text(range(rows), session.draft.relation)
    assert lines == len(published.release.queries[0].rows)
    header, *body = (line.split("\t") for line in copied.splitlines())
    assert {line[header.index("percentile")] for line in body} == {"85.000"}
    drop(window, [published.bundle])
    qtbot.waitUntil(lambda: workspace.verify.result is not None, timeout=WAIT)
    result = workspace.verify.result
    assert result is not None
    assert "✗" not in "".join(result.lines)
