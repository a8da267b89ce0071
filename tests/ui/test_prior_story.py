"""Public counts of a timetable and of an older release in the whole window, up to the verified bundle."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import h3
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.draft.draft import draft_of
from core.keys.signing_key import generate_key
from core.prior.public_prior import PublicPrior
from core.privacy import Relation
from core.spec import load_spec
from core.system.paths import Home
from tests.builders import make_key
from tests.taxis import CELLS, POPULATION, ledger_in, released, write_taxis
from tests.timetables import write_timetable
from tests.ui.release_story import PASSPHRASE, release_in_window
from tests.ui.taxi_story import WAIT, rest, type_constants
from tests.ui.user_actions import open_sections, pick, press, texts, write
from tests.ui.whole_window import bare_window, wait_until
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace

STOPS = "stop_id,stop_lat,stop_lon\n" + "".join(
    f"s{number},{latitude},{longitude}\n"
    for number, (latitude, longitude) in enumerate(map(h3.cell_to_latlng, CELLS))
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Taxis with a population that may pay, and both sources of public counts beside them."""
    made = tmp_path_factory.mktemp("prior")
    spec = write_taxis(made / "city")
    released(spec, ledger_in(made / "other home"), make_key(), made / "older")
    write_timetable(made, stops=STOPS, zipped=True)
    return made


@pytest.fixture(scope="module")
def window(qapp: QApplication, folder: Path) -> Iterator[MainWindow]:
    home = Home(folder / "home")
    home.create()
    Ledger.open(home.ledger).set_limit(POPULATION, per_vehicle=Decimal(1000), delta=Decimal("1e-6"))
    generate_key(home.default_key.with_suffix(""), PASSPHRASE)
    with bare_window(qapp, home) as made:
        assert made.workspace is not None
        session = made.workspace.session
        session.ledger.read()
        session.load(draft_of(load_spec(folder / "city" / "release.toml"))[1])
        wait_until(
            lambda: not session.busy and session.loaded is not None and bool(session.ledger.populations)
        )
        yield made


@pytest.fixture
def workspace(qtbot: QtBot, window: MainWindow, folder: Path) -> Workspace:
    """In relation user, with everything typed but C and what is known beforehand."""
    assert window.workspace is not None
    type_constants(qtbot, window.workspace.session, folder, hats=None, prior=PublicPrior())
    return window.workspace


@pytest.mark.parametrize(
    ("kind", "place", "numbers"),
    [
        ("zip", "timetable.zip", {}),
        ("bundle", "older/taxi-speed-1.0.0", {"fleet": 40, "records": 3}),
    ],
    ids=["timetable", "older release"],
)
def test_public_counts_are_chosen_weighed_released_and_verified(
    kind: str,
    place: str,
    numbers: dict[str, int],
    qtbot: QtBot,
    workspace: Workspace,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, box = workspace.session, workspace.parameters.constants
    workspace.steps.choose("parameters")
    open_sections(workspace.parameters)
    assert "C cannot be suggested yet:" in box.best.text()
    assert not box.use_best.isVisible()

    pick(qtbot, box.prior.kind, kind)
    box.prior.kind.activated.emit(box.prior.kind.currentIndex())
    chosen = str(folder / place)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (chosen, ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: chosen)
    qtbot.waitUntil(lambda: box.prior.place.height() > 0, timeout=WAIT)  # laid out
    press(qtbot, box.prior.place)
    for name, number in numbers.items():
        write(qtbot, box.prior.numbers[name].lineEdit(), str(number))
    assert session.draft.prior.source.path == chosen
    assert box.prior.place.text() == Path(place).name
    qtbot.waitUntil(lambda: box.outlook is not None and box.use_best.isVisible(), timeout=WAIT)
    assert box.outlook is not None
    assert box.outlook.best.total == session.draft.leading.budget.total

    plot = workspace.error_views.constants
    workspace.steps.choose("errors")
    workspace.error_views.sections.setCurrentWidget(plot)
    qtbot.waitUntil(lambda: plot.canvas is not None and plot.canvas.outlook is not None, timeout=WAIT)
    qtbot.waitUntil(lambda: plot.summary.isVisible(), timeout=WAIT)
    for curve in box.outlook.curves:
        told = f"C = {curve.best.hats_per_vehicle}, {curve.best.error_kmh:.2f} km/h"
        qtbot.waitUntil(lambda told=told: told in texts(plot), timeout=WAIT)
    assert len(box.outlook.curves) == 2
    if kind == "zip":  # a block of two trips and a trip of an hour: two HATs each
        assert "Estimated hexagon slots per vehicle: 2." in plot.summary.text()

    workspace.steps.choose("parameters")
    press(qtbot, box.use_best)
    rest(qtbot, session)
    assert session.draft.hats_per_vehicle == box.outlook.best.hats_per_vehicle
    qtbot.waitUntil(lambda: "✓" in box.best.text(), timeout=WAIT)
    session.edit("Confirmed", confirmed=True)
    rest(qtbot, session)

    release_in_window(qtbot, workspace, tmp_path, f"known-{kind}", PASSPHRASE).accept()
    assert session.release.published is not None
    assert session.release.published.release.relation is Relation.USER
    (query,) = session.release.published.release.queries
    assert query.bounding is not None
    assert query.bounding.hats_per_vehicle == session.draft.hats_per_vehicle
    workspace.open_dropped([session.release.published.bundle])
    qtbot.waitUntil(lambda: workspace.verify.result is not None, timeout=WAIT)
    assert workspace.verify.result is not None
    assert "✗" not in "".join(workspace.verify.result.lines)
