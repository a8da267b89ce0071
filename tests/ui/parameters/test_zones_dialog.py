"""ui.parameters.zones_dialog: fields are offered, what is wrong is said, overlaps are shown before use."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.geodata.zones_source import ZonesSource
from tests.geojson import box, feature, polygon, write_geojson
from ui.parameters.zones_dialog import ZonesDialog

WAIT_MS = 10_000
EAST, WEST = box(72.80, 21.15, 72.85, 21.25), box(72.85, 21.15, 72.90, 21.25)


def wards(folder: Path, *shapes: tuple[str, list[list[float]]]) -> Path:
    zones = [feature(polygon(shape), {"ward": ward, "title": f"Ward {ward}"}) for ward, shape in shapes]
    path = folder / "wards.geojson"
    write_geojson(path, {"type": "FeatureCollection", "features": zones})
    return path


@pytest.fixture
def dialog(qtbot: QtBot) -> ZonesDialog:
    made = ZonesDialog(None)
    qtbot.addWidget(made)
    return made


def fill(qtbot: QtBot, dialog: ZonesDialog, path: Path) -> None:
    dialog.take_file(path)
    qtbot.waitUntil(lambda: not dialog.looking.running, timeout=WAIT_MS)
    assert [dialog.id.itemText(row) for row in range(dialog.id.count())] == ["ward", "title"]
    assert [dialog.name.itemText(row) for row in range(dialog.name.count())] == ["", "ward", "title"]
    assert dialog.id.currentText() == ""  # proposed, never chosen
    dialog.id.setEditText("ward")
    dialog.name.setEditText("title")
    dialog.licence.setText("CC0-1.0")


def test_a_layer_is_chosen_with_its_fields(
    qtbot: QtBot, dialog: ZonesDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = wards(tmp_path, ("1", EAST), ("2", WEST))
    assert dialog.file.text() == "Choose file…"
    assert not dialog.take.isEnabled(), "there are no zones to use"
    assert not dialog.buffer.isVisibleTo(dialog), "nor lines"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    dialog.file.click()
    assert dialog.file.text() == "Choose file…", "nobody chose one"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    dialog.file.click()
    assert dialog.file.text() == "wards.geojson"
    assert dialog.take.isEnabled()
    assert dialog.buffer.isVisibleTo(dialog)
    dialog.take_file(Path())
    dialog.buttons.accepted.emit()
    assert "file of the zones" in dialog.message.text
    fill(qtbot, dialog, path)
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS) as chosen:
        dialog.take.click()
    assert chosen.args == [ZonesSource(file=str(path), id="ward", name="title", licence="CC0-1.0")]
    again = ZonesDialog(chosen.args[0])
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.id.count() == 2 and not again.looking.running, timeout=WAIT_MS)
    with qtbot.waitSignal(again.chosen, timeout=WAIT_MS) as unchanged:
        again.take.click()
    assert unchanged.args == chosen.args
    assert again.file.text() == path.name


def test_fields_of_a_layer_before_are_not_those_of_one_that_cannot_be_read(
    qtbot: QtBot, dialog: ZonesDialog, tmp_path: Path
) -> None:
    fill(qtbot, dialog, wards(tmp_path, ("1", EAST)))
    assert not dialog.table.isVisibleTo(dialog), "there is but one"
    (tmp_path / "broken.geojson").write_text("{", encoding="utf-8")
    dialog.take_file(tmp_path / "broken.geojson")
    qtbot.waitUntil(lambda: bool(dialog.message.text), timeout=WAIT_MS)
    assert [box.count() for box in (dialog.table, dialog.id, dialog.name)] == [0, 0, 0]
    assert not dialog.message.isHidden()
    fill(qtbot, dialog, tmp_path / "wards.geojson")
    assert dialog.message.isHidden(), "that was another file"


def test_two_zones_with_one_id_are_refused(qtbot: QtBot, dialog: ZonesDialog, tmp_path: Path) -> None:
    fill(qtbot, dialog, wards(tmp_path, ("1", EAST), ("1", WEST)))
    with qtbot.assertNotEmitted(dialog.chosen):
        dialog.take.click()
        qtbot.waitUntil(lambda: not dialog.reading.running, timeout=WAIT_MS)
    assert "id '1'" in dialog.message.text
    assert dialog.take.isEnabled()
    dialog.take.click()
    assert dialog.message.isHidden(), "until it is read anew"


def test_overlaps_are_shown_before_they_are_used(qtbot: QtBot, dialog: ZonesDialog, tmp_path: Path) -> None:
    fill(qtbot, dialog, wards(tmp_path, ("1", EAST), ("2", box(72.84, 21.15, 72.90, 21.25))))
    with qtbot.assertNotEmitted(dialog.chosen):
        dialog.take.click()
        qtbot.waitUntil(lambda: not dialog.reading.running, timeout=WAIT_MS)
    first, pair, rule = dialog.note.text().split("\n")
    assert first == "1 pair of zones overlaps:"
    assert pair.startswith("1 and 2 share ")
    assert rule == "What lies in both belongs to the smaller id."
    assert not dialog.note.isHidden()
    assert dialog.take.text() == "&Use them all the same"
    assert dialog.take.isEnabled()
    with qtbot.waitSignal(dialog.chosen):
        dialog.take.click()
