"""Source, confirmation and export of the error plot."""

from __future__ import annotations

import csv
import threading
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from core.charts.shapes import Picture
from core.errors import InternalError
from core.evaluate.compared_curves import series_of
from core.progress import silent
from core.system.paths import find_home
from tests.ui.small_city import TIMEOUT, planned_session
from ui.errors import picture
from ui.errors.curve_request import curve_request
from ui.errors.curves import CurveCache, CurveRequest, Curves, compute_curves, known_curves
from ui.errors.curves_csv import CURVES_HEADER, curves_csv
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.errors.source_bar import SourceBar
from ui.session.error_sources import Source, bundled_hat, public_users
from ui.session.session import Session


def made(qtbot: QtBot, session: Session) -> SourceBar:
    bar = SourceBar(session)
    qtbot.addWidget(bar)
    bar.show()
    return bar


def choose(bar: SourceBar, source: Source) -> None:
    index = bar.sources.findData(source)
    bar.sources.setCurrentIndex(index)
    bar.sources.activated.emit(index)


def tip_of(bar: SourceBar, row: int) -> str:
    return " ".join(bar.sources.itemData(row, Qt.ItemDataRole.ToolTipRole).split())


def replica_curves() -> Curves:
    request = curve_request(Session(find_home(None)), Source.REPLICA)
    assert isinstance(request, CurveRequest)
    keys = ("baseline", "levy/wraparound")
    few = {key: request.series[key] for key in keys}
    values = {name: getattr(request, name) for name in CurveRequest.__dataclass_fields__}
    return compute_curves(CurveRequest(**(values | {"series": few})), CurveCache(), silent)


@pytest.mark.parametrize("source", [source for source in Source if not source.is_loaded])
def test_counts_are_known_before_the_values(source: Source) -> None:
    assert (public_users(source).counts == bundled_hat(source).counts).all()


def test_true_errors_need_one_confirmation(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    session.edit("Population", population="City buses")
    bar = made(qtbot, session)
    listed = [(bar.sources.itemText(row), tip_of(bar, row)) for row in range(bar.sources.count())]
    assert listed == [
        ("Replica of the papers", "Rebuilt from published figures; contains no real records."),
        (
            "Replica with vehicle effects",
            "The same counts, but each vehicle has its own mean speed (sd 3 km/h).",
        ),
        (
            "Replica with dwell time",
            "The same counts, with visits: vehicles that stay long are slower, as in real feeds.",
        ),
        (
            "Replica, sample scaling ×10",
            "The replica with ten times as many records of each vehicle.",
        ),
        ("Replica, user scaling ×10", "The replica with ten times as many vehicles."),
        (
            "Loaded hexagon slot: true error (confidential)",
            "Errors against the true mean of your records. Keep them to yourself.",
        ),
    ]
    choose(bar, Source.LOADED)
    assert isinstance(bar.dialog, EvaluationDialog)
    bar.dialog.reject()
    assert bar.source is Source.REPLICA
    assert bar.sources.currentData() == Source.REPLICA
    assert not session.ledger.evaluated
    choose(bar, Source.LOADED)
    told: list[str] = []
    session.noted.connect(told.append)
    with qtbot.waitSignals([session.evaluated_changed, session.noted, bar.changed], timeout=TIMEOUT):
        bar.dialog.show_errors.click()
    assert session.ledger.evaluated_populations == {"City buses"}
    # what a window of 1366 pixels shows of it beside its three buttons
    assert bar.fontMetrics().horizontalAdvance(told[-1]) < 1366 - 290
    assert bar.source is Source.LOADED
    bar.dialog = None
    choose(bar, Source.REPLICA)
    choose(bar, Source.LOADED)
    assert bar.dialog is None
    assert bar.source is Source.LOADED
    session.edit("Population", population="Trams")
    choose(bar, Source.LOADED)
    assert bar.dialog is not None, "another population is another question"


def test_without_data_nothing_is_confirmed(qtbot: QtBot) -> None:
    session = Session(find_home(None))
    bar = made(qtbot, session)
    choose(bar, Source.LOADED)
    assert bar.dialog is None
    assert not session.ledger.evaluated


def test_loaded_curves_are_never_exported(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    bar = made(qtbot, session)
    bar.show_source(Source.LOADED)
    request = curve_request(session, Source.LOADED)
    assert isinstance(request, CurveRequest)
    curves = known_curves(request, CurveCache())
    bar.show_for(curves, frozenset())
    assert not bar.export.isEnabled()
    assert "only replica curves" in bar.export.toolTip()
    bar.export_to(tmp_path / "no.csv", "csv")
    assert not (tmp_path / "no.csv").exists()
    with pytest.raises(InternalError):
        curves_csv(curves)


def test_replica_curves_are_exported(qtbot: QtBot, tmp_path: Path) -> None:
    bar = made(qtbot, Session(find_home(None)))
    bar.show_for(replica_curves(), frozenset({"baseline"}))
    assert bar.export.isEnabled()
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF"), ("csv", b"source,")):
        bar.export_to(tmp_path / f"curves.{kind}", kind)
        qtbot.waitUntil((tmp_path / f"curves.{kind}").exists, timeout=TIMEOUT)
        assert (tmp_path / f"curves.{kind}").read_bytes().startswith(start)
    drawing = ElementTree.parse(tmp_path / "curves.svg").getroot()
    told = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert "Levy, WrapAround" in told
    assert "Baseline" not in told, "it is switched off"
    rows = list(csv.reader((tmp_path / "curves.csv").read_text("utf-8").splitlines()))
    assert tuple(rows[0]) == CURVES_HEADER
    assert len(rows) == 1 + 2 * 16
    qtbot.waitUntil(lambda: bar._settings.last_folder("plots") == tmp_path)
    with qtbot.waitSignal(bar.failed):
        bar.export_to(tmp_path / "missing" / "curves.csv", "csv")


def test_a_name_without_its_ending_replaces_no_other_file(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asks for the name as it was typed, of which there is no file."""
    bar = made(qtbot, Session(find_home(None)))
    bar.show_for(replica_curves(), frozenset())
    other = tmp_path / "curves.csv"
    other.write_bytes(b"another's")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "curves"), ""))
    with qtbot.waitSignal(bar.failed, timeout=TIMEOUT) as failed:
        bar.ask_export("csv")
    assert failed.args is not None
    assert "already" in str(failed.args[0])
    assert other.read_bytes() == b"another's"


def test_a_picture_is_drawn_beside_the_window_which_says_so(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = made(qtbot, Session(find_home(None)))
    bar.show_for(replica_curves(), frozenset())
    threads: list[threading.Thread] = []
    draw, told = picture.PICTURE_FORMATS["png"], []

    def noting(shapes: Picture) -> bytes:
        threads.append(threading.current_thread())
        return draw(shapes)

    monkeypatch.setitem(picture.PICTURE_FORMATS, "png", noting)
    bar.reported.connect(lambda message: told.append(message.what))
    bar.export_to(tmp_path / "curves.png", "png")
    qtbot.waitUntil(lambda: len(told) == 2, timeout=20_000)
    assert told == ["Saving the curves…", "The curves are saved."]
    assert threads
    assert threading.main_thread() not in threads


def test_without_a_visible_curve_nothing_is_exported(qtbot: QtBot) -> None:
    bar = made(qtbot, Session(find_home(None)))
    curves = replica_curves()
    bar.show_for(curves, frozenset(curves.errors))
    assert not bar.export.isEnabled()
    assert bar.export.toolTip() == "Every curve is switched off."
    bar.show_for(curves, frozenset({"baseline"}))
    assert bar.export.isEnabled()


def test_the_drafts_constants_shape_its_own_curves(qapp: QApplication) -> None:  # noqa: ARG001 - sessions need it
    session = Session(find_home(None))
    session.edit_query("m", mechanism="levy", parameters={"grouping": "wraparound"})
    request = curve_request(session, Source.REPLICA)
    assert isinstance(request, CurveRequest)
    assert request.strong == "levy/wraparound"
    assert request.series["levy/bestfit"] == series_of("levy", grouping="bestfit")
    assert request.epsilon == (session.draft.leading.budget.per_hat or Decimal(1))
