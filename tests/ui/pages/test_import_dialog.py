"""ui.pages.import_dialog: by mouse and keyboard from files to a complete source."""

from __future__ import annotations

import logging

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QWidget

from core.errors import InputError
from tests.records import SECRET, UPPER_BOUND, Ping, instant, sample_pings, write_csv, write_json
from ui.jobs import cancel_all, wait_for_all
from ui.pages import import_dialog
from ui.pages.import_dialog import ImportDialog

TIMEOUT = 15_000


@pytest.fixture
def open_dialog(qtbot):
    """Opens a dialog on files and waits for its first check."""
    made = []

    def opened(*paths, ready=True):
        parent = QWidget()
        dialog = ImportDialog(paths, parent)
        qtbot.addWidget(parent)
        # the test framework holds no widget alive
        made.append((dialog, parent))
        with qtbot.waitExposed(dialog):
            dialog.open()
        if ready:
            qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
        return dialog

    yield opened
    for dialog, _ in made:
        dialog.reject()
    cancel_all()
    assert wait_for_all(5)


def settled(dialog):
    return dialog.model.columnCount() > 0 and not dialog._opening.running and not dialog._trying.running


def choose(qtbot, dialog, box, text):
    """As a person does with the keyboard: open the list, go to the row, take it."""
    box.setFocus()
    row = box.findText(text)
    assert row >= 0, text
    box.showPopup()
    view = box.view()
    view.setCurrentIndex(box.model().index(row, 0))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert box.currentText() == text
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)


def load(qtbot, dialog):
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    return dialog.source


def naive_csv(path, *, seconds=3):
    rows = [f"taxi{n},2019-04-04 16:47:0{n},13.6,100.6,{n}" for n in range(seconds)]
    path.write_text("\n".join(["VehicleID,date_time,lat,lon,speed", *rows]) + "\n")
    return path


@pytest.fixture
def csv(tmp_path):
    return write_csv(tmp_path / "a.csv", sample_pings())


def test_a_guess_that_lacks_only_the_unit(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    choices = dialog.form.choices
    assert choices.columns == {
        "vehicle": "license_plate",
        "time": "observationDateTime",
        "latitude": "latitude",
        "longitude": "longitude",
        "value": "speed",
    }
    assert choices.zone == "Asia/Kolkata"
    assert choices.still_open == ("unit",)
    assert dialog.form.unit.currentIndex() == -1
    assert not dialog.load.isEnabled()
    assert "Still to choose: unit" in dialog.check.text
    assert dialog.form.unit.hasFocus()
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    assert dialog.load.isEnabled()
    assert "Still to choose" not in dialog.check.text
    source = load(qtbot, dialog)
    assert source.files == (csv,)
    assert source.rules.mapping.units[0].unit == "km/h"
    assert source.rules.zone == "Asia/Kolkata"
    assert source.rules.upper_bound == UPPER_BOUND


def test_enter_loads_and_escape_leaves(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        qtbot.keyClick(dialog.form.unit, Qt.Key.Key_Return)
    other = open_dialog(csv)
    with qtbot.waitSignal(other.rejected, timeout=TIMEOUT):
        qtbot.keyClick(other, Qt.Key.Key_Escape)


def test_enter_does_nothing_while_something_is_open(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    with qtbot.assertNotEmitted(dialog.accepted, wait=100):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_three_rows_from_raw_to_local_and_the_count(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    count = len(sample_pings())
    assert f"✓ {count} of {count} preview rows usable" in dialog.check.text
    assert "2022-01-01T10:10:00+05:30\n2022-01-01 04:40:00Z\n2022-01-01 10:10:00 +0530" in dialog.check.text
    assert "21.1000° N, 72.8000° E · value 0.0, unit not chosen" in dialog.check.text
    choose(qtbot, dialog, dialog.form.unit, "mph")
    assert "0.0 → 0 km/h" in dialog.check.text


def test_rows_that_cannot_be_used_are_told_with_their_reason(open_dialog, tmp_path):
    pings = [*sample_pings(), Ping("bus", instant("2022-01-01T10:00:00"), 21.1, 72.8, -5.0)]
    dialog = open_dialog(write_csv(tmp_path / "a.csv", pings))
    assert f"! {len(pings) - 1} of {len(pings)} preview rows usable" in dialog.check.text
    assert "1 impossible value" in dialog.check.text


def test_naive_times_need_a_zone_typed_with_any_case(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(naive_csv(tmp_path / "taxi.csv"))
    assert dialog.form.choices.still_open == ("zone", "unit")
    assert "needs the zone" in dialog.check.text
    assert dialog.form.zone.hasFocus()
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    assert not dialog.load.isEnabled()
    dialog.form.zone.setFocus()
    qtbot.keyClicks(dialog.form.zone_edit, "asia/nowhere")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert dialog.form.choices.zone == ""
    assert not dialog.load.isEnabled()
    dialog.form.zone_edit.selectAll()
    qtbot.keyClicks(dialog.form.zone_edit, "asia/bangkok")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert dialog.form.choices.zone == "Asia/Bangkok"
    assert "2019-04-04 09:47:00Z\n2019-04-04 16:47:00 +0700" in dialog.check.text
    assert load(qtbot, dialog).rules.zone == "Asia/Bangkok"


def test_a_chosen_zone_is_not_replaced_by_a_suggestion(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    dialog.form.zone_edit.selectAll()
    qtbot.keyClicks(dialog.form.zone_edit, "Asia/Colombo")
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    assert dialog.form.choices.zone == "Asia/Colombo"


def test_another_time_column_brings_its_own_zone(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "plate,time,told,lat,lon,speed\nA,2022-07-01 10:00:00,2022-07-01T10:00:00-04:00,40.7,-74.0,3\n"
    )
    dialog = open_dialog(path)
    assert dialog.form.choices.zone == ""
    choose(qtbot, dialog, dialog.form.boxes["time"], "told")
    qtbot.waitUntil(lambda: dialog.form.choices.zone == "America/New_York", timeout=TIMEOUT)


def test_the_columns_in_use_are_marked_and_follow_the_choice(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    assert dialog.model.uses["speed"] == "value"
    choose(qtbot, dialog, dialog.form.boxes["value"], "latitude")
    assert "speed" not in dialog.model.uses
    assert dialog.model.uses["latitude"] == "latitude, value"


def test_the_order_of_one_column_can_be_turned(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(write_json(tmp_path / "a.json", sample_pings()))
    assert dialog.form.choices.position == "location.coordinates"
    assert not dialog.form.boxes["latitude"].isVisible()
    assert "21.1000° N, 72.8000° E" in dialog.check.text
    choose(qtbot, dialog, dialog.form.order, "latitude, longitude")
    assert "72.8000° N, 21.1000° E" in dialog.check.text
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    assert load(qtbot, dialog).rules.mapping.position_order == "lat,lon"


def test_from_one_column_to_two(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    choose(qtbot, dialog, dialog.form.one_column, "one column for both")
    assert dialog.form.choices.still_open == ("position",)
    assert not dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.one_column, "latitude and longitude")
    assert dialog.load.isEnabled()


def test_the_upper_bound_clamps_the_preview(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    dialog.form.bound.setFocus()
    dialog.form.bound.selectAll()
    qtbot.keyClicks(dialog.form.bound, "12.5")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert " above U" in dialog.check.text
    assert load(qtbot, dialog).rules.upper_bound == 12_500


def test_what_is_not_recognised_is_asked_for(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("taxi,time,lat,lon,speed\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3\n")
    dialog = open_dialog(path)
    assert dialog.form.choices.still_open == ("vehicle", "unit")
    assert "The check starts when every column is chosen." in dialog.check.text
    choose(qtbot, dialog, dialog.form.boxes["vehicle"], "taxi")
    assert "1 of 1 preview rows usable" in dialog.check.text


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("empty.csv", b"", "The file is empty"),
        ("broken.json", b"[{", "The JSON breaks off"),
        ("broken.parquet", b"nonsense", "no readable Parquet"),
        ("cut.csv.gz", b"\x1f\x8b\x08\x00", "truncated or damaged"),
    ],
)
def test_an_unusable_file_is_told_in_place(qtbot, open_dialog, tmp_path, name, content, what):
    path = tmp_path / name
    path.write_bytes(content)
    dialog = open_dialog(path, ready=False)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert what in dialog.message.text
    assert str(path) in dialog.message.text
    assert dialog.isVisible()
    assert not dialog.load.isEnabled()
    assert not dialog.form.isEnabled()


def test_a_second_file_of_another_shape_is_named_and_the_dialog_stays(qtbot, open_dialog, csv, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    dialog = open_dialog(csv, other)
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert "license_plate" in dialog.message.text
    assert str(other) in dialog.message.text
    assert dialog.isVisible()
    assert dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.unit, "mph")
    assert not dialog.message.isVisible()


def test_a_column_that_is_there_twice_is_refused_in_place(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate,time,lat,lon,speed,speed\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3,4\n")
    dialog = open_dialog(path)
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert "more than once" in dialog.message.text


def test_a_change_while_files_are_checked_drops_the_check(qtbot, open_dialog, csv, tmp_path, monkeypatch):
    def endless(_files, _mapping, progress):
        while True:
            progress(0.5, "")

    monkeypatch.setattr(import_dialog, "require_shape", endless)
    dialog = open_dialog(csv, write_csv(tmp_path / "b.csv", sample_pings()))
    choose(qtbot, dialog, dialog.form.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    assert not dialog.load.isEnabled()
    assert dialog.load.text() == "Checking…"
    choose(qtbot, dialog, dialog.form.unit, "mph")
    assert dialog.load.isEnabled()
    assert dialog.isVisible()


def test_closing_while_it_reads_leaves_nothing_behind(qtbot, open_dialog, csv):
    dialog = open_dialog(csv, ready=False)
    dialog.reject()
    assert wait_for_all(5)
    qtbot.wait(50)
    assert dialog.model.columnCount() == 0


def test_every_label_leads_to_its_editor_and_tab_goes_down_the_form(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    form = dialog.form
    labels = [item for item in form.findChildren(QLabel) if item.buddy() is not None]
    keys = [item.text()[item.text().index("&") + 1].lower() for item in labels]
    assert len(labels) == 11
    # position's and order's rows are never shown with latitude's and longitude's
    assert len(set(keys)) == len(keys)
    shown = [item.buddy() for item in labels if item.isVisible()]
    assert all(editor.accessibleName() for editor in shown)
    shown[0].setFocus()
    for editor in shown[1:]:
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        assert editor.hasFocus() or editor.isAncestorOf(dialog.focusWidget()), editor.accessibleName()


def test_cells_with_markup_stay_text_and_nothing_is_logged(open_dialog, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    pings = [Ping(f"<b>{SECRET}</b>", instant("2022-01-01T10:00:00"), 21.1, 72.8, 5.0)]
    dialog = open_dialog(write_csv(tmp_path / "a.csv", pings))
    assert SECRET in dialog.model.index(0, 0).data()
    assert SECRET not in caplog.text
    with pytest.raises(AssertionError):
        _ = dialog.source


def test_it_fits_a_small_screen(open_dialog, csv):
    dialog = open_dialog(csv)
    assert dialog.width() <= 1366
    assert dialog.height() <= 700
    corner = dialog.findChild(QDialogButtonBox).mapTo(dialog, QPoint(0, 0))
    assert corner.y() < dialog.height()


def test_a_bound_that_does_not_fit_is_told(open_dialog, csv, monkeypatch):
    dialog = open_dialog(csv)

    def refuse(*_args, **_kwargs):
        raise InputError("The upper bound U does not fit.")

    monkeypatch.setattr("ui.pages.mapping_form.upper_bound_of", refuse)
    dialog.form.bound.stepUp()
    assert "upper bound" in dialog.message.text


# real files


def test_austin_with_offsets(qtbot, open_dialog, shared_data):
    files = sorted((shared_data / "austin-buses").glob("*2016-11-2*.gz"))
    dialog = open_dialog(*files)
    assert dialog.form.choices.zone == "America/Chicago"
    assert dialog.form.choices.still_open == ("unit",)
    choose(qtbot, dialog, dialog.form.unit, "m/s")
    assert load(qtbot, dialog).files == tuple(files)


def test_surat_with_nested_positions(open_dialog, shared_data):
    dialog = open_dialog(shared_data / "india-iudx" / "suratITMS.json.gz")
    assert dialog.form.choices.position == "location.coordinates"
    assert dialog.form.choices.zone == "Asia/Kolkata"
    assert "200 of 200 preview rows usable" in dialog.check.text


def test_bengaluru_has_no_speed_to_choose_by_itself(open_dialog, shared_data):
    dialog = open_dialog(shared_data / "india-iudx" / "bengaluruAmb.json.gz")
    assert dialog.form.choices.still_open == ("value", "unit")
    assert not dialog.load.isEnabled()
