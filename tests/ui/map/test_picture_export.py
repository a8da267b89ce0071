"""ui.map.picture_export: asks where to, writes there, and says why where there is no picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.system.paths import find_home
from tests.core.charts.test_hexagon_map import MAP
from ui.map.layer_picture import PictureOffer
from ui.map.picture_export import PictureExport
from ui.session.session import Session

OFFER = PictureOffer(name="surat-1.0.0-released-mean-0900", refusal="", make=lambda: MAP)


@pytest.fixture
def export(qtbot: QtBot) -> PictureExport:
    widget = QWidget()
    qtbot.addWidget(widget)
    return PictureExport(Session(find_home(None), widget), widget)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str) -> list[str]:
    """Let the dialog answer; what it proposed."""
    proposed: list[str] = []

    def ask(_parent: QWidget, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        proposed.append(Path(start).name)
        return str(path), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return proposed


def test_it_proposes_a_name_and_adds_the_ending(
    qtbot: QtBot, export: PictureExport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proposed = answer(monkeypatch, tmp_path / "surat", "PDF (*.pdf)")
    with qtbot.waitSignal(export._session.noted, timeout=10_000) as noted:
        export.ask(OFFER)
    assert proposed == ["surat-1.0.0-released-mean-0900.png"]
    assert noted.args == [f"The picture is in {tmp_path / 'surat.pdf'}"]
    assert (tmp_path / "surat.pdf").read_bytes().startswith(b"%PDF")
    with qtbot.waitSignal(export._session.failed, timeout=10_000) as failed:
        export.ask(OFFER)
    assert failed.args is not None
    assert "already" in str(failed.args[0])


def test_what_is_refused_is_not_asked_about(
    qtbot: QtBot, export: PictureExport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proposed = answer(monkeypatch, tmp_path / "a.png", "")
    refused = PictureOffer(name="", refusal="this layer is confidential", make=lambda: MAP)
    with qtbot.waitSignal(export._session.noted, timeout=10_000) as noted:
        export.ask(refused)
    assert noted.args == ["No picture: this layer is confidential."]
    assert proposed == []
