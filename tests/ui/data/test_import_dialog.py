"""ui.data.import_dialog: by mouse and keyboard from files to a complete source."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import logging
import zipfile

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QPushButton, QScrollArea, QWidget

from core.assist.header_problems import header_problems
from core.assist.known_mappings import recall, remember, shape_of
from core.clean.mapping import Box, ColumnMapping, DerivedSpeed, UnitRange
from core.errors import InputError
from core.read.file_format import FileFormat
from core.spec import load_spec
from core.store.load_records import load_or_nothing, load_records
from tests.delays import write_delay_spec, write_delays
from tests.feeds import feed
from tests.records import (
    COLUMNS,
    SECRET,
    UPPER_BOUND,
    Ping,
    as_rows,
    instant,
    mapping_in,
    rules,
    sample_pings,
    write_bytes,
    write_csv,
    write_json,
)
from tests.ui.languages import spoken
from tests.ui.letter_keys import labelled, mnemonics
from tests.ui.small_screen import seen_of
from tests.ui.user_actions import press, texts, type_letters
from tests.ui.whole_window import wait_until
from tests.workbooks import xlsx
from ui.data import import_jobs
from ui.data.format_group import encoding_name
from ui.data.import_dialog import ImportDialog
from ui.kit.jobs import cancel_all, wait_for_all
from ui.language.translation import catalogue_of

TIMEOUT = 15_000


@pytest.fixture
def open_dialog(qtbot):
    """Opens a dialog on files and waits for its first check."""
    made = []

    def opened(*paths, ready=True, known_file=None, size=None, typed=False):
        parent = QWidget()
        if size:
            parent.resize(*size)
        dialog = ImportDialog(paths, parent, known_file=known_file, typed=typed)
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


@contextlib.contextmanager
def one_dialog(path):
    """A dialog on a file that many tests look at: to build it takes longer than most of them."""
    parent = QWidget()
    made = ImportDialog([path], parent)
    made.open()
    wait_until(lambda: settled(made))
    yield made, made.form.choices
    made.reject()
    cancel_all()
    assert wait_for_all(5)
    parent.deleteLater()


def as_proposed(dialog, choices):
    """With what was proposed at first, as a mapping that is put aside leaves it, and at its first size."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    dialog.open()  # what was loaded is closed
    dialog.activateWindow()
    wait_until(dialog.isActiveWindow)
    dialog.form.limits.bound.setValue(UPPER_BOUND / 1000)
    dialog.known.chosen.emit(None)
    dialog.resize(dialog._fitting_size())
    wait_until(lambda: settled(dialog))
    for area in dialog.findChildren(QScrollArea):
        area.verticalScrollBar().setValue(0)
    dialog._focus_first_open()
    assert dialog.form.choices == choices
    return dialog


@pytest.fixture(scope="module")
def _of_sample(qapp, tmp_path_factory):
    assert qapp
    with one_dialog(write_csv(tmp_path_factory.mktemp("sample") / "a.csv", sample_pings())) as made:
        yield made


@pytest.fixture(scope="module")
def _of_naive(qapp, tmp_path_factory):
    assert qapp
    with one_dialog(naive_csv(tmp_path_factory.mktemp("naive") / "a.csv")) as made:
        yield made


@pytest.fixture
def dialog(_of_sample):
    """On the sample, of which only the unit is open."""
    return as_proposed(*_of_sample)


@pytest.fixture
def naive(_of_naive):
    """On times without an offset, of which zone and unit are open."""
    return as_proposed(*_of_naive)


def settled(dialog):
    return dialog.model.columnCount() > 0 and not dialog.busy


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


def type_into(qtbot, edit, text):
    edit.setFocus()
    edit.selectAll()
    type_letters(qtbot, edit, text)


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


def test_a_guess_that_lacks_only_the_unit_fits_a_small_screen(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    assert dialog.width() <= 1366
    assert dialog.height() <= 700
    corner = dialog.findChild(QDialogButtonBox).mapTo(dialog, QPoint(0, 0))
    assert corner.y() < dialog.height()
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
    assert dialog.form.grid.unit.currentIndex() == -1
    assert not dialog.load.isEnabled()
    assert "Still to choose: unit" in dialog.open_line.text
    assert dialog.form.grid.unit.hasFocus()
    vehicle = dialog.form.grid.boxes["vehicle"]
    vehicle.setFocus()
    qtbot.keyClick(vehicle, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(dialog.form.grid.unit.hasFocus)
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert dialog.load.isEnabled()
    assert "Still to choose" not in dialog.open_line.text
    source = load(qtbot, dialog)
    assert source.files == (csv,)
    assert source.rules.mapping.units[0].unit == "km/h"
    assert source.rules.zone == "Asia/Kolkata"
    assert source.rules.upper_bound == UPPER_BOUND


def test_enter_loads_from_the_button_alone_and_escape_leaves(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    type_into(qtbot, dialog.form.grid.zone.edit, "surat")
    with qtbot.assertNotEmitted(dialog.accepted, wait=300):
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for editor in (dialog.form.grid.zone.edit, dialog.form.grid.unit, dialog.form.limits.bound):
                qtbot.keyClick(editor, key)
    assert dialog.load.isEnabled()
    assert dialog.form.grid.zone.currentText() == "Asia/Kolkata", "what was typed is taken over"
    dialog.load.setFocus()
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        qtbot.keyClick(dialog.load, Qt.Key.Key_Return)
    left = open_dialog(csv)
    choose(qtbot, left, left.form.grid.unit, "km/h")
    cancel = left.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel)
    cancel.setFocus()
    with qtbot.waitSignal(left.rejected, timeout=TIMEOUT):
        qtbot.keyClick(cancel, Qt.Key.Key_Return)
    other = open_dialog(csv)
    with qtbot.waitSignal(other.rejected, timeout=TIMEOUT):
        qtbot.keyClick(other, Qt.Key.Key_Escape)


def test_enter_does_nothing_while_something_is_open(qtbot, dialog):
    with qtbot.assertNotEmitted(dialog.accepted, wait=100):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_three_rows_from_raw_to_local_and_the_count(qtbot, dialog):
    count = len(sample_pings())
    assert f"✓ {count} of {count} preview rows usable" in dialog.check.text
    assert "2022-01-01T10:10:00+05:30\n2022-01-01 04:40:00Z\n2022-01-01 10:10:00 +0530" in dialog.check.text
    assert "21.1000° N, 72.8000° E · value 0.0, unit not chosen" in dialog.check.text
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    assert "0.0 → 0 km/h" in dialog.check.text


def test_units_that_do_not_fit_together_are_not_called_unchosen(qtbot, dialog):
    rows = dialog.form.grid.unit_rows
    day = dt.date(2022, 1, 1)
    rows.show_units((UnitRange(unit="mph", last=day), UnitRange(unit="m/s", first=day)))
    rows.changed.emit()
    assert rows.problem
    qtbot.waitUntil(lambda: "value 0.0\n" in dialog.check.text, timeout=TIMEOUT)
    assert "unit not chosen" not in dialog.check.text


def test_rows_that_cannot_be_used_are_told_with_their_reason(open_dialog, tmp_path):
    pings = [*sample_pings(), Ping("bus", instant("2022-01-01T10:00:00"), 21.1, 72.8, -5.0)]
    dialog = open_dialog(write_csv(tmp_path / "a.csv", pings))
    assert f"! {len(pings) - 1} of {len(pings)} preview rows usable" in dialog.check.text
    assert "1 impossible value" in dialog.check.text


def test_naive_times_need_a_zone_typed_with_any_case(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(naive_csv(tmp_path / "taxi.csv"))
    assert dialog.form.choices.still_open == ("zone", "unit")
    assert "needs the zone" in dialog.check.text
    assert dialog.form.grid.zone.hasFocus()
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert not dialog.load.isEnabled()
    dialog.form.grid.zone.setFocus()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "asia/nowhere")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert dialog.form.choices.zone == ""
    assert not dialog.load.isEnabled()
    dialog.form.grid.zone.edit.selectAll()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "asia/bangkok")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert dialog.form.choices.zone == "Asia/Bangkok"
    assert "2019-04-04 09:47:00Z\n2019-04-04 16:47:00 +0700" in dialog.check.text
    assert load(qtbot, dialog).rules.zone == "Asia/Bangkok"


def test_a_chosen_zone_is_not_replaced_by_a_suggestion(qtbot, dialog):
    dialog.form.grid.zone.edit.selectAll()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "asia/calcutta")
    assert dialog.form.choices.zone == "Asia/Kolkata", "by its old name"
    dialog.form.grid.zone.edit.selectAll()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "Asia/Colombo")
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert dialog.form.choices.zone == "Asia/Colombo"


def test_a_zone_is_found_by_its_city_and_proposed_by_the_positions(qtbot, naive):
    dialog = naive
    zone = dialog.form.grid.zone
    assert dialog.form.choices.zone == ""
    assert (zone.itemText(0), zone.itemData(0)) == ("Asia/Bangkok, near Bangkok", "Asia/Bangkok")
    qtbot.keyClick(zone, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert (dialog.form.choices.zone, zone.currentText()) == ("Asia/Bangkok", "Asia/Bangkok")
    type_into(qtbot, zone.edit, "surat")
    assert dialog.form.choices.zone == "Asia/Kolkata"
    zone.completer().popup().hide()
    dialog.form.grid.boxes["time"].setFocus()
    assert zone.currentText() == "Asia/Kolkata"
    assert dialog.form.grid.reason("zone") == "your choice"
    type_into(qtbot, zone.edit, "Birmingham")  # of two zones
    assert dialog.form.choices.zone == ""


@pytest.mark.parametrize("downs", [0, 1], ids=["only one offered", "highlighted"])
def test_a_city_is_offered_while_it_is_typed(qtbot, naive, downs):
    dialog = naive
    zone = dialog.form.grid.zone
    type_into(qtbot, zone.edit, "ahmedab")
    completer = zone.completer()
    assert completer.currentCompletion() == "Ahmedabad, Asia/Kolkata"
    for _ in range(downs):
        qtbot.keyClick(completer.popup(), Qt.Key.Key_Down)
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert zone.currentText() == dialog.form.choices.zone == "Asia/Kolkata"
    assert dialog.form.grid.reason("zone") == "your choice"


@pytest.mark.parametrize("keys", [(), (Qt.Key.Key_Down, Qt.Key.Key_Return)], ids=["typed", "chosen"])
def test_tab_right_after_a_city_is_offered_leads_on(qtbot, naive, keys):
    dialog = naive
    dialog.activateWindow()
    zone = dialog.form.grid.zone
    type_into(qtbot, zone.edit, "ahmedab")
    popup = zone.completer().popup()
    for key in (*keys, Qt.Key.Key_Tab):
        qtbot.keyClick(popup if popup.isVisible() else zone, key)
    assert not popup.isVisible()
    assert QApplication.focusWidget() is dialog.form.grid.pings


@pytest.mark.parametrize("typed", ["Sao P", "São Paulo", "sao_paulo", "america/são"])
def test_a_zone_is_found_with_or_without_accents_and_underscores(qtbot, naive, typed):
    zone = naive.form.grid.zone
    type_into(qtbot, zone.edit, typed)
    completer = zone.completer()
    assert completer.currentCompletion() == "America/Sao_Paulo"
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Down)
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert zone.zone == "America/Sao_Paulo"


def test_both_readings_of_doubtful_dates_stand_side_by_side(open_dialog, tmp_path):
    path = doubtful_csv(tmp_path / "a.csv")
    dialog = open_dialog(path)
    readings = dialog.check._readings
    assert readings.isVisible()
    _, day_first, month_first = readings.text().split("\n")
    assert "day first (dmy): the first unclear date is 3 April 2019; 3 dates" in day_first
    assert "month first (mdy): the first unclear date is 4 March 2019; 3 dates" in month_first
    clear = tmp_path / "b.csv"
    clear.write_text(path.read_text().replace("03/04", "31/04").replace("31/04", "31/05"))
    assert not open_dialog(clear).check._readings.isVisible()


def doubtful_csv(path):
    rows = [f"taxi{n},0{n}/04/2019 16:47,13.6,100.6,{n}" for n in range(3, 6)]
    path.write_text("\n".join(["VehicleID,date_time,lat,lon,speed", *rows]) + "\n")
    return path


def test_rows_are_not_called_unusable_while_only_an_answer_is_open(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(doubtful_csv(tmp_path / "a.csv"))
    assert "! To check the rows, choose: order of day and month" in dialog.check.text
    assert "usable" not in dialog.check.text
    assert "not readable" not in dialog.check.text
    choose(qtbot, dialog, dialog.form.format.date_order, "day first  31/12/2023")
    assert "✓ 3 of 3 preview rows usable" in dialog.check.text
    assert not dialog.check._readings.isVisible()


def test_rows_wait_for_the_decimal_mark_too(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    rows = [f'bus{n},2022-01-03T10:00:0{n}+05:30,21.2,72.8,"1,23{n}"' for n in range(3)]
    path.write_text("\n".join(["bus,time,lat,lon,speed", *rows]) + "\n")
    dialog = open_dialog(path)
    assert dialog.form.choices.decimal is None
    assert "To check the rows, choose: decimal mark" in dialog.check.text


def test_the_zone_of_another_city_is_told_beside_the_map(qtbot, naive):
    """As it comes with a mapping that was kept for files of this shape."""
    dialog = naive
    type_into(qtbot, dialog.form.grid.zone.edit, "Sao Paulo")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "far from this time zone. The nearest place is Bangkok, Asia/Bangkok" in dialog.map.text
    assert not dialog.map.swap.property("look")
    type_into(qtbot, dialog.form.grid.zone.edit, "Bangkok")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "far from" not in dialog.map.text


def test_exchanged_coordinates_are_told_by_the_zone_and_by_known_places(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"bus{n},2022-01-03T10:00:0{n}{{offset}},72.8,21.2,{n}" for n in range(3)]
    text = "\n".join(["bus,time,lat,lon,speed", *rows]) + "\n"
    path.write_text(text.format(offset="+05:30"))
    dialog = open_dialog(path)
    assert "far from every place of the zone. Swapped, they lie 0 km from Surat" in dialog.map.text
    assert dialog.map.swap.property("look") == "primary"
    # on a low screen the map lies below the fold, so the first line of the check points at it
    assert "! 3 of 3 preview rows usable, but look at the map" in dialog.check.text
    rows_of_units = dialog.form.grid.unit_rows
    rows_of_units.show_units((UnitRange(unit="km/h"),))
    rows_of_units.changed.emit()
    qtbot.waitUntil(lambda: settled(dialog) and dialog.load.isEnabled(), timeout=TIMEOUT)
    assert dialog.open_line.text == "! Positions may be wrong: look at the map.", "seen wherever one scrolls"
    press(qtbot, dialog.open_line.go)
    qtbot.waitUntil(lambda: not dialog.map.swap.visibleRegion().isEmpty(), timeout=TIMEOUT)
    assert dialog.map.swap.hasFocus()
    press(qtbot, dialog.map.swap)
    qtbot.waitUntil(lambda: settled(dialog) and dialog.open_line.text == "", timeout=TIMEOUT)
    naive = tmp_path / "b.csv"
    naive.write_text(text.format(offset=""))
    other = open_dialog(naive)
    assert "Swapped, they lie near Surat" in other.map.text
    press(qtbot, other.map.swap)
    qtbot.waitUntil(lambda: settled(other), timeout=TIMEOUT)
    assert "Swapped" not in other.map.text
    assert "look at the map" not in other.check.text


def test_another_time_column_brings_its_own_zone(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "plate,time,told,lat,lon,speed\nA,2022-07-01 10:00:00,2022-07-01T10:00:00-04:00,40.7,-74.0,3\n"
    )
    dialog = open_dialog(path)
    assert dialog.form.choices.zone == ""
    choose(qtbot, dialog, dialog.form.grid.boxes["time"], "told")
    qtbot.waitUntil(lambda: dialog.form.choices.zone == "America/New_York", timeout=TIMEOUT)


def test_the_columns_in_use_are_marked_and_follow_the_choice(qtbot, dialog):
    assert dialog.model.uses["speed"] == "value"
    choose(qtbot, dialog, dialog.form.grid.boxes["value"], "latitude")
    assert "speed" not in dialog.model.uses
    assert dialog.model.uses["latitude"] == "latitude, value"


def test_the_order_of_one_column_can_be_turned(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(write_json(tmp_path / "a.json", sample_pings()))
    assert dialog.form.choices.position == "location.coordinates"
    assert not dialog.form.grid.boxes["latitude"].isVisible()
    assert "21.1000° N, 72.8000° E" in dialog.check.text
    choose(qtbot, dialog, dialog.form.grid.order, "latitude, longitude")
    assert "72.8000° N, 21.1000° E" in dialog.check.text
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert load(qtbot, dialog).rules.mapping.position_order == "lat,lon"


def test_from_one_column_to_two(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    choose(qtbot, dialog, dialog.form.grid.one_column, "one column for both")
    assert dialog.form.choices.still_open == ("position",)
    assert not dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.grid.one_column, "latitude and longitude")
    assert dialog.load.isEnabled()


def test_the_upper_bound_clamps_the_preview(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    dialog.form.limits.bound.setFocus()
    dialog.form.limits.bound.selectAll()
    qtbot.keyClicks(dialog.form.limits.bound, "12.5")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert " above U" in dialog.check.text
    assert load(qtbot, dialog).rules.upper_bound == 12_500


def test_what_is_not_recognised_is_asked_for(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("taxi,time,lat,lon,speed\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3\n")
    dialog = open_dialog(path)
    assert dialog.form.choices.still_open == ("vehicle", "unit")
    assert "Choose all columns to see a check." in dialog.check.text
    choose(qtbot, dialog, dialog.form.grid.boxes["vehicle"], "taxi")
    assert "1 of 1 preview row usable" in dialog.check.text


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("empty.csv", b"", "The file is empty"),
        ("broken.json", b"[{", "The JSON is cut off"),
        ("broken.parquet", b"nonsense", "not readable Parquet"),
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
    assert not dialog.form.grid.isEnabled()
    assert not dialog.form.limits.isEnabled()
    # neither the empty table nor a hint that nobody can follow
    assert dialog.focusWidget() in (dialog._cancel, dialog.form.format.fold)
    assert dialog.map.map._reason == "There are no rows to draw."


def test_a_second_file_of_another_shape_is_named_and_the_dialog_stays(qtbot, open_dialog, csv, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    dialog = open_dialog(csv, other)
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert "license_plate" in dialog.message.text
    assert str(other) in dialog.message.text
    assert dialog.isVisible()
    assert dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    assert not dialog.message.isVisible()


def test_a_file_of_another_kind_is_named_with_the_column_it_lacks(qtbot, open_dialog, csv, tmp_path):
    """And may be left out."""
    other = tmp_path / "other.csv"
    other.write_text("license_plate,observationDateTime,location.coordinates\nA,2022-01-01T10:00:00+05:30,\n")
    dialog = open_dialog(csv, other)
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert "The column 'latitude' is missing" in dialog.message.text
    assert str(other) in dialog.message.text
    assert "location.coordinates" in dialog.message.text
    dialog.form.format.skip_damaged.click()
    qtbot.waitUntil(dialog.load.isEnabled, timeout=TIMEOUT)
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.result() == dialog.DialogCode.Accepted, timeout=TIMEOUT)
    assert dialog.source.rules.skip_damaged


def test_a_column_that_is_there_twice_is_refused_in_place(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate,time,lat,lon,speed,speed\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3,4\n")
    dialog = open_dialog(path)
    dialog.resize(911, 480)
    QApplication.processEvents()
    feet = {
        button.mapTo(dialog, button.rect().bottomLeft()).y() for button in (dialog.open_line.go, dialog.load)
    }
    assert len(feet) == 1, "beside sentences of several lines the buttons stand in one row"
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert "“speed” is there twice" in dialog.check.text
    assert "! A chosen column cannot be distinguished" in dialog.open_line.text
    assert not dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.grid.boxes["value"], "lat")
    assert "cannot be distinguished" not in dialog.open_line.text
    assert dialog.load.isEnabled()


def test_a_change_while_files_are_checked_drops_the_check(qtbot, open_dialog, csv, tmp_path, monkeypatch):
    def endless(_files, _mapping, progress):
        while True:
            progress(0.5, "")

    monkeypatch.setattr(import_jobs, "require_shape", endless)
    dialog = open_dialog(csv, write_csv(tmp_path / "b.csv", sample_pings()))
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    assert not dialog.load.isEnabled()
    assert dialog.load.text() == "Checking…"
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    assert dialog.load.isEnabled()
    assert dialog.isVisible()


def test_closing_while_it_reads_leaves_nothing_behind(qtbot, open_dialog, csv):
    dialog = open_dialog(csv, ready=False)
    dialog.reject()
    assert wait_for_all(5)
    qtbot.wait(50)
    assert dialog.model.columnCount() == 0


def test_every_label_leads_to_its_editor_and_tab_goes_down_the_form(qtbot, dialog):
    form = dialog.form
    labels = [item for item in form.findChildren(QLabel) if item.buddy() is not None]
    keys = {item: item.text()[item.text().index("&") + 1].lower() for item in labels}
    assert len(labels) == 30
    # the rows of a speed are never shown with those of another quantity, nor two columns with one of both
    grid = form.grid
    of_two, of_one = ({grid.boxes["latitude"], grid.boxes["longitude"]}, {grid.boxes["position"], grid.order})
    of_speed = {grid.source, grid.gap, grid.unit, grid.pings, form.limits.bound, form.limits.physical}
    quantities = (of_speed, set(form.value.editors))
    for hidden in (quantity | columns for quantity in quantities for columns in (of_two, of_one)):
        beside = [key for item, key in keys.items() if item.buddy() not in hidden]
        assert len(set(beside)) == len(beside) == len(labels) - len(hidden)
    grid.unit_rows.show_units((UnitRange(unit="km/h"),))  # as a file that is read anew does
    shown = [item.buddy() for item in labels if item.isVisible()]
    assert all(editor.accessibleName() for editor in shown)
    shown[0].setFocus()
    for editor in shown[1:]:
        for _ in range(8):  # buttons and further fields of an editor lie between
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
            if editor.hasFocus() or editor.isAncestorOf(dialog.focusWidget()):
                break
        else:
            raise AssertionError(editor.accessibleName())


@pytest.mark.parametrize("language", ["en", "hi"])
def test_a_key_leads_to_one_place_whatever_is_asked(qapp, open_dialog, tmp_path, language):
    path = tmp_path / "a.xlsx"
    rows = [("bus", "time", "lat", "lon", "speed"), ("B0", "2022-12-01T10:00:00+05:30", "21.1", "72.8", "3")]
    path.write_bytes(xlsx({"one": rows, "two": rows}))
    with spoken(qapp, catalogue_of(language)):
        dialog = open_dialog(path)
        form = dialog.form
        form.format.unfold()
        for measured in (form.grid.measured.findData(True), form.grid.measured.findData(False)):
            form.grid.measured.setCurrentIndex(measured)
            for box in (form.grid.source, form.grid.one_column):
                for index in range(box.count()):
                    box.setCurrentIndex(index)
                    form.grid._show_kinds()
                    form.changed.emit()
                    texts = list(labelled(dialog))
                    assert len(texts) > 20
                    assert mnemonics(texts) == {}
        dialog.reject()


def test_cells_with_markup_stay_text_and_nothing_is_logged(open_dialog, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    pings = [Ping(f"<b>{SECRET}</b>", instant("2022-01-01T10:00:00"), 21.1, 72.8, 5.0)]
    dialog = open_dialog(write_csv(tmp_path / "a.csv", pings))
    assert SECRET in dialog.model.index(0, 0).data()
    assert SECRET not in caplog.text
    with pytest.raises(AssertionError):
        _ = dialog.source


def test_three_columns_become_two_before_they_are_scrolled_to(dialog):
    area = next(area for area in dialog.findChildren(QScrollArea) if area.isAncestorOf(dialog.map))
    for width, below in ((911, True), (1290, False)):
        dialog.resize(width, 480)
        QApplication.processEvents()
        assert area.horizontalScrollBar().maximum() == 0
        assert (dialog.map.pos().y() > dialog.check.pos().y()) is below


def test_a_column_that_grows_later_is_not_scrolled_to_either(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    dialog.resize(1290, 480)
    QApplication.processEvents()
    dialog.check._examples.setMinimumWidth(700)
    qtbot.waitUntil(lambda: dialog.map.pos().y() > dialog.check.pos().y(), timeout=TIMEOUT)


@pytest.mark.parametrize("size", [(1290, 690), (911, 480)])
def test_why_nothing_can_be_loaded_stands_in_sight_of_the_button(qtbot, dialog, size):
    dialog.resize(*size)
    (told,) = (part for part in dialog.findChildren(QLabel) if "Still to choose" in part.text())
    qtbot.waitUntil(lambda: seen_of(told) == told.rect(), timeout=TIMEOUT)
    (go,) = (button for button in dialog.findChildren(QPushButton) if "Go" in button.text())
    assert go.isVisible()
    assert seen_of(go) == go.rect()


def test_a_bound_that_does_not_fit_is_told(dialog, monkeypatch):

    def refuse(*_args, **_kwargs):
        raise InputError("The upper bound U does not fit.")

    monkeypatch.setattr("ui.data.limits_group.upper_bound_of", refuse)
    dialog.form.limits.bound.stepUp()
    assert "upper bound" in dialog.message.text


# reasons, units, limits


def test_each_guess_stands_beside_its_reason(dialog):
    grid = dialog.form.grid
    assert grid.reason("value") == "named speed"
    assert grid.reason("time") == "named observationDateTime"
    assert grid.time_format.text() == "Read as ISO 8601, like 2023-01-02T03:04:05+05:30"
    assert grid.reason("zone") == "fits the offsets"


def test_times_as_browsers_write_them_are_told_with_a_cell_like_them(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        'bus,time,lat,lon,speed\nA,"26/11/2026, 5:03:12\u202fp.m.",21.1,72.8,3\n', encoding="utf-8"
    )
    told = open_dialog(path).form.grid.time_format
    assert (told.text(), told.isHidden()) == ("Read as day first, like 31/12/2023, 9:05:30 p.m.", False)


def test_times_that_are_not_read_are_told_by_their_shape_beside_the_column(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("bus,time,made,lat,lon,speed\nA,31/12/2023 10u15,2023-12-31,21.1,72.8,3\n")
    dialog = open_dialog(path)
    grid = dialog.form.grid
    assert grid.reason("time") == "! nothing found: choose"
    assert grid.time_format.text().startswith(
        'time is named like a time, but "99/99/9999 99a99" is not read: it matches no known form of times.'
    )
    assert (grid.time_format.isHidden(), grid.time_format.property("look")) == (False, "warning")
    choose(qtbot, dialog, grid.boxes["time"], "made")
    assert 'In the column made, "9999-99-99" is not read: a date' in grid.time_format.text()
    assert "Choose another column, or write its times in a form of" in grid.time_format.text()
    assert "In a spec file the key data.mapping.time decides this." in grid.time_format.text()
    assert "docs/file-formats.md" in grid.time_format.text()


def test_what_is_not_read_of_date_or_time_of_day_is_told_under_the_field_that_is_meant(
    qtbot, open_dialog, tmp_path
):
    path = tmp_path / "a.csv"
    path.write_text("bus,day,hour,lat,lon,speed\n" + "A,2023-12-31,10u15,21.1,72.8,3\n" * 3)
    dialog = open_dialog(path)
    grid = dialog.form.grid
    choose(qtbot, dialog, grid.boxes["time"], "hour")
    choose(qtbot, dialog, grid.boxes["date"], "day")
    assert grid.time_format.text().startswith('In the column hour, "99a99" is not read')
    assert (grid.time_format.isVisible(), grid.date_format.isVisible()) == (True, False)
    below = grid.time_format.mapTo(grid, QPoint()).y()
    time, date = (grid.boxes[part].mapTo(grid, QPoint()).y() for part in ("time", "date"))
    assert time < below < date


def test_what_is_not_read_of_the_date_is_told_under_it(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("bus,hour,short,lat,lon,speed\n" + "A,10:15:00,31-12-23,21.1,72.8,3\n" * 3)
    dialog = open_dialog(path)
    grid = dialog.form.grid
    choose(qtbot, dialog, grid.boxes["time"], "hour")
    choose(qtbot, dialog, grid.boxes["date"], "short")
    assert grid.date_format.text().startswith('In the column short, "99-99-99" is not read')
    assert (grid.time_format.isVisible(), grid.date_format.isVisible()) == (False, True)
    assert grid.date_format.property("look") == "warning"
    qtbot.waitUntil(  # until it is laid out
        lambda: grid.date_format.mapTo(grid, QPoint()).y() > grid.boxes["date"].mapTo(grid, QPoint()).y(),
        timeout=TIMEOUT,
    )


@pytest.mark.parametrize(
    ("hour", "place", "advice"),
    [("10u15", "21.1", ""), ("10:15", "x", " Choose other columns, or try random rows.")],
)
def test_other_columns_and_rows_are_advised_only_where_times_are_read(
    qtbot, open_dialog, tmp_path, hour, place, advice
):
    path = tmp_path / "a.csv"
    path.write_text("bus,day,hour,lat,lon,speed_kmh\n" + f"A,2023-12-31,{hour},{place},72.8,3\n" * 3)
    dialog = open_dialog(path)
    grid = dialog.form.grid
    for part, column in (("time", "hour"), ("date", "day"), ("latitude", "lat"), ("longitude", "lon")):
        choose(qtbot, dialog, grid.boxes[part], column)
    type_into(qtbot, grid.zone.edit, "Asia/Kolkata")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    told = dialog.open_line.text.splitlines()[-1]
    assert told == "! Nothing to load: none of the rows tried can be used (not readable)." + advice


def test_what_is_open_is_marked_by_more_than_colour(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("taxi,time,lat,lon,speed\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3\n")
    dialog = open_dialog(path)
    assert dialog.form.grid.reason("vehicle") == "! nothing found: choose"
    choose(qtbot, dialog, dialog.form.grid.boxes["vehicle"], "taxi")
    assert dialog.form.grid.reason("vehicle") == "your choice"


def test_a_unit_for_each_range_of_dates(qtbot, dialog):
    rows = dialog.form.grid.unit_rows
    choose(qtbot, dialog, rows.unit, "mph")
    press(qtbot, rows.add)
    qtbot.keyClicks(rows.rows[0].last, "2022-01-01")
    choose(qtbot, dialog, rows.rows[1].unit, "m/s")
    qtbot.keyClicks(rows.rows[1].first, "2022-01-01")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "Two units are given for one date" in rows.problem
    assert "Two units are given for one date" in dialog.open_line.text
    assert not dialog.load.isEnabled()
    rows.rows[1].first.selectAll()
    qtbot.keyClicks(rows.rows[1].first, "2022-01-02")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert rows.problem == ""
    units = load(qtbot, dialog).rules.mapping.units
    assert [(item.unit, item.first, item.last) for item in units] == [
        ("mph", None, dt.date(2022, 1, 1)),
        ("m/s", dt.date(2022, 1, 2), None),
    ]


def test_a_speed_derived_from_positions(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.source, "derived from positions")
    assert not dialog.form.grid.unit_rows.isVisible()
    assert "only be released where presence is protected too" in texts(dialog.form)
    assert "speed from the record before" in dialog.check.text
    dialog.form.grid.gap.setValue(45)
    mapping = load(qtbot, dialog).rules.mapping
    assert (mapping.value, mapping.derived) == ("", DerivedSpeed(max_gap_seconds=45))


def test_a_physical_limit_below_the_upper_bound_stands_in_the_way(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.waitUntil(lambda: dialog.load.isEnabled(), timeout=TIMEOUT)
    dialog.form.limits.physical.setValue(23)
    qtbot.waitUntil(lambda: not dialog.load.isEnabled(), timeout=TIMEOUT)
    assert "must be at least U" in dialog.open_line.text
    dialog.form.limits.bound.setValue(23)
    qtbot.waitUntil(lambda: dialog.load.isEnabled(), timeout=TIMEOUT)


def test_a_column_that_is_chosen_twice_is_told(qtbot, dialog):
    """The latitude taken for the vehicle, by a key too many: every row would count as another vehicle."""
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "is chosen for" not in dialog.check.text
    vehicle, places = dialog.form.grid.boxes["vehicle"], dialog.form.choices.latitude
    before = vehicle.currentText()
    choose(qtbot, dialog, vehicle, places)
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert f"! {places} is chosen for vehicle, latitude." in dialog.check.text
    choose(qtbot, dialog, vehicle, before)
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "is chosen for" not in dialog.check.text


def test_physical_limits_drop_and_are_told_with_an_example(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    dialog.form.limits.bound.setValue(10)
    dialog.form.limits.physical.setValue(10)
    for edge, text in zip(dialog.form.limits.box.edges, ("21.1", "72", "21.115", "73"), strict=True):
        qtbot.keyClicks(edge, text)
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert "impossible value, such as 13.0" in dialog.check.text
    assert "outside the box, such as 21.12" in dialog.check.text
    assert "✕" in dialog.map.text
    mapping = load(qtbot, dialog).rules.mapping
    assert mapping.physical_max == 10_000
    assert mapping.box == Box(south=21.1, west=72.0, north=21.115, east=73.0)


def test_a_box_is_taken_from_the_points_only_by_a_click(qtbot, dialog):
    box = dialog.form.limits.box
    assert box.box is None
    press(qtbot, box.from_points)
    assert box.box == Box(south=21.1, west=72.8, north=21.12, east=72.81)
    press(qtbot, box.none)
    assert dialog.form.choices.box is None


def test_a_box_that_is_none_blocks_with_the_reason(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    qtbot.keyClicks(dialog.form.limits.box.edges[0], "21")
    assert "needs four numbers" in dialog.open_line.text
    assert not dialog.load.isEnabled()


# places


def test_swapped_columns_are_noticed_and_swapped_back(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate,time,lat,lon,speed\nA,2015-01-01T10:00:00-06:00,-97.7,30.2,3\n")
    dialog = open_dialog(path)
    assert "0 points are drawn" in dialog.map.text
    assert "1 of 1 points lies beyond ±90° of latitude" in dialog.map.text
    assert dialog.map.swap.property("look") == "primary"
    press(qtbot, dialog.map.swap)
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert (dialog.form.choices.latitude, dialog.form.choices.longitude) == ("lon", "lat")
    assert "1 of 1 row on the map" in dialog.map.text


def test_a_box_that_fits_the_other_order_offers_the_swap(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(write_json(tmp_path / "a.json", sample_pings()))
    choose(qtbot, dialog, dialog.form.grid.order, "latitude, longitude")
    dialog.form.limits.box.take(Box(south=21.0, west=72.0, north=22.0, east=73.0))
    qtbot.waitUntil(lambda: "Swapped" in dialog.map.text, timeout=TIMEOUT)
    press(qtbot, dialog.map.swap)
    qtbot.waitUntil(lambda: "Swapped" not in dialog.map.text, timeout=TIMEOUT)
    assert dialog.form.choices.position_order == "lon,lat"


# how the file is written


def test_a_doubtful_decimal_mark_is_asked_for(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate;time;lat;lon;speed\nA;2022-01-01T10:00:00+05:30;21;72;1,234\n")
    dialog = open_dialog(path)
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert dialog.form.format.fold.isChecked()
    assert dialog.form.choices.still_open == ("decimal",)
    assert "Still to choose: decimal mark" in dialog.open_line.text
    assert not dialog.load.isEnabled()
    choose(qtbot, dialog, dialog.form.format.decimal, "comma  1,5")
    assert dialog.load.isEnabled()
    assert load(qtbot, dialog).rules.format.decimal == ","


def test_dates_in_two_orders_are_refused_and_one_order_is_taken(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    head = "plate,time,other,lat,lon,speed\n"
    path.write_text(
        head
        + "A,31/12/2022 10:00,31/12/2022 9:00,21.1,72.8,3\nA,30/12/2022 10:00,12/31/2022 9:00,21.1,72.8,3\n"
    )
    dialog = open_dialog(path)
    assert dialog.form.choices.date_order == "dmy"
    choose(qtbot, dialog, dialog.form.grid.boxes["time"], "other")
    qtbot.waitUntil(lambda: dialog.form.choices.date_order is None, timeout=TIMEOUT)
    assert "is month first" in dialog.form.format.grid.reason("date_order")
    assert "order of day and month" in dialog.check.text


def test_an_own_mark_is_not_replaced_by_what_cells_tell(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    dialog.form.format.unfold()
    choose(qtbot, dialog, dialog.form.format.decimal, "comma  1,5")
    choose(qtbot, dialog, dialog.form.grid.boxes["value"], "latitude")
    assert dialog.form.choices.decimal == ","


def test_only_options_that_apply_are_shown(open_dialog, csv, tmp_path):
    form = open_dialog(csv).form.format
    form.unfold()
    assert form.encoding.isVisible()
    assert not form.sheet.isVisible()
    form = open_dialog(write_json(tmp_path / "a.json", sample_pings())).form.format
    form.unfold()
    assert form.encoding.isVisible()
    assert not form.delimiter.isVisible()
    form = open_dialog(write_bytes(tmp_path / "a.pb", feed(sample_pings()))).form.format
    assert not form.isVisible()


GERMAN = (
    "Fahrzeug;time;lat;lon;speed;Straße\n"
    "7;31/12/2022 10:00:00;52,5;13,4;30,5;Müllerstraße\n"
    "8;31/12/2022 10:00:10;52,6;13,5;31;Große Brücke\n"
)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le"])
def test_a_file_that_is_not_utf8_is_shown_as_guessed_and_loads_once_that_is_chosen(
    qtbot, open_dialog, tmp_path, encoding
):
    path = tmp_path / "a.csv"
    path.write_bytes(GERMAN.encode(encoding))
    dialog = open_dialog(path)
    form = dialog.form.format
    assert dialog.preview.shown.columns[-1] == "Straße"
    assert form.encoding.isVisible()
    assert form.encoding.currentIndex() == -1
    assert form.encoding.hasFocus()
    assert form.grid.reason("encoding") == f"! looks like {encoding}"
    assert "Müllerstraße" in texts(dialog.form)
    assert "Still to choose: encoding" in dialog.open_line.text
    choose(qtbot, dialog, dialog.form.grid.boxes["vehicle"], "Fahrzeug")
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    dialog.form.grid.zone.setFocus()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "Europe/Berlin")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert not dialog.load.isEnabled()
    choose(qtbot, dialog, form.encoding, encoding_name(encoding))
    assert dialog.form.choices.still_open == ()
    assert form.grid.reason("encoding") == "look at these letters"
    source = load(qtbot, dialog)
    assert source.rules.format == FileFormat(encoding=encoding, decimal=",", date_order="dmy")
    records = load_records(source.files, source.rules).records
    assert records.value.tolist() == [30_500, 31_000]
    assert records.instants().tolist() == [
        instant("2022-12-31T10:00:00", "Europe/Berlin"),
        instant("2022-12-31T10:00:10", "Europe/Berlin"),
    ]


def test_what_is_still_to_choose_is_gone_to(qtbot, open_dialog, tmp_path):
    """On a small screen it lies further down than the form shows."""
    path = tmp_path / "a.csv"
    path.write_bytes(GERMAN.encode("cp1252"))
    dialog = open_dialog(path, size=(900, 480))
    editor, area = dialog.form.format.encoding, dialog.form_area.viewport()

    def is_seen():
        return area.rect().contains(editor.rect().translated(editor.mapTo(area, QPoint())))

    dialog.form_area.verticalScrollBar().setValue(0)
    assert not is_seen()
    press(qtbot, dialog.open_line.go)
    qtbot.waitUntil(is_seen, timeout=TIMEOUT)
    assert editor.hasFocus()
    choose(qtbot, dialog, editor, encoding_name("cp1252"))
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    choose(qtbot, dialog, dialog.form.grid.boxes["vehicle"], "Fahrzeug")
    dialog.form.grid.zone.setFocus()
    qtbot.keyClicks(dialog.form.grid.zone.edit, "Europe/Berlin")
    qtbot.waitUntil(lambda: settled(dialog), timeout=TIMEOUT)
    assert not dialog.open_line.go.isVisible()


def test_a_limit_that_does_not_fit_is_gone_to(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(write_delays(tmp_path / "delays.csv"))
    form = dialog.form
    choose(qtbot, dialog, form.grid.measured, "another quantity")
    choose(qtbot, dialog, form.grid.boxes["value"], "late")
    texts = {"column_unit": "s", "unit": "s", "lower": "-600", "upper": "1800"}
    for part, text in (texts | {"physical_min": "-500", "physical_max": "7200"}).items():
        type_into(qtbot, form.value.fields[part], text)
    dialog.resize(880, 480)
    editor = form.value.fields["physical_min"]
    QApplication.processEvents()
    dialog.form_area.verticalScrollBar().setValue(0)
    form.grid.boxes["vehicle"].setFocus()
    assert seen_of(editor).height() < editor.height()
    assert dialog.open_line.go.isVisible()
    press(qtbot, dialog.open_line.go)
    qtbot.waitUntil(lambda: seen_of(editor) == editor.rect(), timeout=TIMEOUT)
    assert dialog.focusWidget() is editor


def test_a_box_that_does_not_fit_is_gone_to(qtbot, dialog):
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    edge = dialog.form.limits.box.edges[0]
    type_into(qtbot, edge, "21")
    dialog.form.grid.boxes["vehicle"].setFocus()
    assert dialog.open_line.go.isVisible()
    press(qtbot, dialog.open_line.go)
    assert dialog.focusWidget() is edge


def test_a_file_with_a_mark_of_its_encoding_is_read_and_the_mark_is_told(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(("\ufeff" + GERMAN).encode("utf-16-le"))
    dialog = open_dialog(path)
    assert dialog.form.choices.encoding == ""
    assert "begins with a mark of its encoding (utf-16-le)" in dialog.check.text


def test_lines_beyond_ascii_follow_the_encoding_and_choices_stay(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate,time,lat,lon,speed\nZoë,2022-01-01T10:00:00+05:30,21.1,72.8,3\n", encoding="utf-8")
    dialog = open_dialog(path)
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    dialog.form.format.unfold()
    assert "Zoë" in texts(dialog.form)
    choose(qtbot, dialog, dialog.form.format.encoding, encoding_name("cp1252"))
    qtbot.waitUntil(lambda: "ZoÃ«" in texts(dialog.form), timeout=TIMEOUT)
    assert dialog.form.choices.units[0].unit == "mph"
    assert dialog.form.choices.file_format.encoding == "cp1252"


def test_letters_are_shown_even_where_the_encoding_makes_no_table(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("größe\n1\n".encode("cp1252"))
    dialog = open_dialog(path, ready=False)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    qtbot.waitUntil(lambda: "größe" in texts(dialog.form), timeout=TIMEOUT)
    assert dialog.form.format.encoding.isVisible()
    assert dialog.form.format.encoding.isEnabled()


def test_an_archive_is_looked_at_by_its_first_file(open_dialog, tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.csv", GERMAN.encode("cp1252"))
    dialog = open_dialog(path)
    assert dialog.form.format.encoding.isVisible()
    assert "looks like cp1252" in dialog.form.format.grid.reason("encoding")
    assert "Müllerstraße" in texts(dialog.form)
    assert dialog.preview.shown.columns[-2:] == ("Straße", "file:name")


def workbook(path, *sheets):
    rows = [[*COLUMNS], *(list(row.values()) for row in as_rows(sample_pings()))]
    path.write_bytes(xlsx({"notes": [], **dict.fromkeys(sheets, rows)}))
    return path


def test_the_only_sheet_with_data_is_chosen(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(workbook(tmp_path / "a.xlsx", "May"))
    dialog.form.format.unfold()
    assert dialog.form.format.sheet.currentText() == "May"
    assert dialog.form.format.grid.reason("sheet") == "the only one with data"
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    assert load(qtbot, dialog).rules.format.sheet == ""


def test_of_several_sheets_one_has_to_be_chosen(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(workbook(tmp_path / "a.xlsx", "May", "June"))
    sheet = dialog.form.format.sheet
    assert [sheet.itemText(row) for row in range(sheet.count())] == [
        "all sheets, one after another",
        "May",
        "June",
    ]
    assert dialog.form.choices.still_open == ("sheet", "unit")
    assert dialog.form.format.grid.reason("sheet") == "! several sheets: choose"
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    choose(qtbot, dialog, sheet, "June")
    source = load(qtbot, dialog)
    assert source.rules.format.sheet == "June"
    assert load_records(source.files, source.rules).report.rows_used == len(sample_pings())


def test_several_sheets_can_be_chosen(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(workbook(tmp_path / "a.xlsx", "May", "June", "July"))
    chosen = dialog.form.format
    chosen.unfold()
    assert chosen.several.isVisible()
    for action in chosen.several.menu().actions()[:2]:
        action.trigger()
    qtbot.waitUntil(lambda: not dialog.busy)
    assert chosen.sheet.currentText() == "May, June"
    choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
    source = load(qtbot, dialog)
    assert source.rules.format.sheet == ("May", "June")
    assert load_records(source.files, source.rules).report.rows_read == 2 * len(sample_pings())


def test_lines_before_the_names_are_proposed_and_chosen(qtbot, open_dialog, tmp_path):
    path = write_csv(tmp_path / "a.csv", sample_pings())
    path.write_text(f"Positions,\nOf May\n{path.read_text()}")
    dialog = open_dialog(path)
    skip_lines = dialog.form.format.skip_lines
    assert skip_lines.value() == dialog.form.choices.skip_lines == 2
    skip_lines.setValue(0)
    qtbot.waitUntil(lambda: not dialog.busy)
    assert "No row has as many cells" in dialog.message.text, "nothing is proposed again"
    skip_lines.setValue(2)
    qtbot.waitUntil(lambda: not dialog.busy)
    assert set(COLUMNS) <= set(dialog.form.choices.columns.values())


def test_a_known_encoding_and_sheet_are_used_where_they_fit(open_dialog, tmp_path):
    retained, today = tmp_path / "mappings.json", dt.date(2026, 11, 20)
    path = workbook(tmp_path / "a.xlsx", "May", "June")
    form = FileFormat(sheet="June")
    remember(retained, shape_of(path, COLUMNS), dataclasses.replace(rules(), format=form), today)
    assert open_dialog(path, known_file=retained).form.choices.sheet == "June"
    other = workbook(tmp_path / "b.xlsx", "May", "July")
    assert open_dialog(other, known_file=retained).form.choices.sheet is None
    pings = [ping._replace(vehicle="Zoë") for ping in sample_pings()]
    text = write_csv(tmp_path / "a.csv", pings).read_text(encoding="utf-8")
    latin = write_bytes(tmp_path / "b.csv", text.encode("cp1252"))
    remember(retained, shape_of(latin, COLUMNS), rules(), today)
    assert open_dialog(latin, known_file=retained).form.choices.encoding is None
    form = FileFormat(encoding="cp1252")
    remember(retained, shape_of(latin, COLUMNS), dataclasses.replace(rules(), format=form), today)
    assert open_dialog(latin, known_file=retained).form.choices.encoding == "cp1252"


def test_numbers_with_either_mark_are_usable_once_that_is_chosen(qtbot, open_dialog, tmp_path):
    speeds = ["3.5", '"3,5"'] * 5
    rows = [f"A,2022-01-01T10:{row:02}:00+05:30,21.1,72.8,{speed}" for row, speed in enumerate(speeds)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    dialog = open_dialog(path)
    form = dialog.form.format
    assert "decimal" in dialog.form.choices.still_open
    choose(qtbot, dialog, form.decimal, "point  1.5")
    assert form.grid.reason("decimal").startswith("your choice, but points in ")
    choose(qtbot, dialog, form.decimal, "either  1.5  1,5")
    assert form.grid.reason("decimal") == "your choice"
    assert dialog.form.choices.file_format.decimal == ".,"
    assert "10 of 10 preview rows usable" in dialog.check.text


def test_a_header_in_an_older_encoding_is_known_again(open_dialog, tmp_path):
    """A guess of another script would read another name, and find nothing of what was answered before."""
    retained, named = tmp_path / "mappings.json", "N° parc"
    columns = tuple(name.replace("license_plate", named) for name in COLUMNS)
    text = write_csv(tmp_path / "a.csv", sample_pings()).read_text(encoding="utf-8")
    path = write_bytes(tmp_path / "b.csv", text.replace("license_plate", named).encode("cp1252"))
    written = FileFormat(encoding="cp1252")
    read = dataclasses.replace(rules(mapping_in("mph", vehicle=named)), format=written)
    remember(retained, shape_of(path, columns), read, dt.date(2026, 11, 20))
    dialog = open_dialog(path, known_file=retained)
    assert "2026-11-20" in dialog.known.text
    assert dialog.form.choices.still_open == ()


def test_header_problems_are_named_with_the_column(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("plate,time,lat,lon,speed,12,,more\nA,2022-01-01T10:00:00+05:30,21.1,72.8,3,1,2,3\n")
    dialog = open_dialog(path)
    assert "“12” is a number" in dialog.check.text
    dialog.check.show_headers(header_problems(("plate", "", "a\tb")))
    assert "column 2 has no name" in dialog.check.text
    assert "“a→b” contains a tab" in dialog.check.text


# random rows


def test_random_rows_and_back(qtbot, open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"A,2022-01-01T10:00:00+05:30,21.1,72.8,{n % 60}\n" for n in range(900))
    path.write_text("plate,time,lat,lon,speed\n" + rows)
    dialog = open_dialog(path)
    first = dialog.preview.shown.rows
    assert dialog.preview.caption.text() == "the first 200 rows"
    press(qtbot, dialog.preview.random)
    qtbot.waitUntil(lambda: "random" in dialog.preview.caption.text(), timeout=TIMEOUT)
    assert dialog.preview.caption.text() == "200 random rows from the whole file"
    assert dialog.preview.shown.rows != first
    assert dialog.model.uses["speed"] == "value"
    assert dialog.model.headerData(0, Qt.Orientation.Vertical) == "·"
    press(qtbot, dialog.preview.first)
    assert dialog.preview.shown.rows == first
    assert dialog.model.headerData(0, Qt.Orientation.Vertical) == 1


def test_random_rows_come_from_all_files_and_show_what_the_first_does_not(qtbot, open_dialog, tmp_path):
    times = [f"2022-01-01T10:{row // 60:02}:{row % 60:02}+05:30" for row in range(300)]
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path, speed in zip(paths, ("7", "fast"), strict=True):
        rows = "".join(f"A,{time},21.1,72.8,{speed}\n" for time in times)
        path.write_text(",".join(COLUMNS) + "\n" + rows, encoding="utf-8")
    dialog = open_dialog(*paths)
    assert "How are these 2 files to be read?" in texts(dialog)
    assert dialog.preview.caption.text() == "the first 200 rows of a.csv"
    assert "200 of 200 preview rows usable" in dialog.check.text
    press(qtbot, dialog.preview.random)
    qtbot.waitUntil(lambda: "100 of 200 preview rows usable" in dialog.check.text, timeout=TIMEOUT)
    assert dialog.preview.caption.text() == "200 random rows from 2 of 2 files"
    assert "Preview of" not in texts(dialog)


def test_the_order_of_dates_is_told_by_the_file_of_a_later_day(open_dialog, tmp_path):
    paths = [tmp_path / "10.csv", tmp_path / "14.csv"]
    for path in paths:
        path.write_text(f"{','.join(COLUMNS)}\nA,{path.stem}/03/2022 10:00,21.1,72.8,3\n", encoding="utf-8")
    assert open_dialog(paths[0]).form.choices.date_order is None
    assert open_dialog(*paths).form.choices.date_order == "dmy"


def test_rows_that_cannot_be_drawn_are_told(qtbot, open_dialog, csv):
    dialog = open_dialog(csv)
    csv.unlink()
    press(qtbot, dialog.preview.random)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert dialog.preview.first.isChecked()


# a date in a column of its own


def avl_csv(path, *, names=("Date", "Heure"), day="14/10/2026"):
    """A French export of vehicle positions; some rows lack a date or a time of day."""
    clocks = [f"{day};06:{n:02}:07" for n in range(12)] + [f"{day};", ";06:12:07", f"{day};noon"]
    rows = [f"{clock};1201;48,85{n};2,35{n};23,5" for n, clock in enumerate(clocks, start=10)]
    head = ";".join((*names, "N° parc", "Latitude", "Longitude", "Vitesse (km/h)"))
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8-sig")
    return path


def test_date_and_time_of_day_in_two_columns_are_guessed_tried_and_loaded(qtbot, open_dialog, tmp_path):
    path = avl_csv(tmp_path / "avl.csv")
    dialog = open_dialog(path)
    grid = dialog.form.grid
    assert (grid.boxes["time"].currentText(), grid.boxes["date"].currentText()) == ("Heure", "Date")
    assert (grid.reason("time"), grid.reason("date")) == ("named Heure", "named Date")
    assert grid.date_format.text().startswith("Read as day first")
    assert dialog.form.choices.date_order == "dmy"
    heads = [dialog.model.headerData(column, Qt.Orientation.Horizontal) for column in range(3)]
    assert [head.splitlines()[-1] for head in heads] == ["✓ date", "✓ time", "✓ vehicle"]
    type_into(qtbot, grid.zone.edit, "Europe/Paris")
    qtbot.waitUntil(lambda: settled(dialog) and dialog.load.isEnabled(), timeout=TIMEOUT)
    assert "12 of 15" in dialog.check.text
    source = load(qtbot, dialog)
    assert source.rules.mapping.time_columns == ("Date", "Heure")
    loaded = load_records(source.files, source.rules)
    assert (loaded.report.rows_used, loaded.report.dropped) == (12, {"unparsable": 1, "no_time": 2})
    assert loaded.report.first_time == "2026-10-14T06:00:07+02:00"


def test_both_readings_of_dates_apart_are_told(open_dialog, tmp_path):
    dialog = open_dialog(avl_csv(tmp_path / "avl.csv", day="05/10/2026"))
    assert dialog.form.choices.date_order is None
    assert "5 October 2026" in dialog.check.text
    assert "10 May 2026" in dialog.check.text


def test_a_date_apart_is_chosen_where_no_name_tells_it_and_put_back(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(avl_csv(tmp_path / "avl.csv", names=("a", "b")))
    grid = dialog.form.grid
    assert grid.reason("date") == "looks like dates"
    choose(qtbot, dialog, grid.boxes["date"], "(in the time column)")
    assert dialog.form.choices.date == ""
    assert 'In the column b, "99:99:99" is not read: a time of day without a date' in grid.time_format.text()
    choose(qtbot, dialog, grid.boxes["date"], "b")
    assert dialog.form.choices.date == "", "one column cannot be both"
    choose(qtbot, dialog, grid.boxes["date"], "a")
    assert dialog.form.choices.date == "a"
    assert grid.reason("date") == "your choice"
    assert dialog.form.choices.date_order == "dmy"


def test_of_times_in_one_column_the_date_is_in_it(open_dialog, csv):
    dialog = open_dialog(csv)
    box = dialog.form.grid.boxes["date"]
    assert (box.currentText(), dialog.form.choices.date) == ("(in the time column)", "")
    assert dialog.form.grid.reason("date") == ""


def test_a_remembered_mapping_keeps_its_date_apart(qtbot, open_dialog, tmp_path):
    path, retained = avl_csv(tmp_path / "avl.csv", names=("a", "b")), tmp_path / "mappings.json"
    columns = {"vehicle": "N° parc", "latitude": "Latitude", "longitude": "Longitude"}
    mapping = ColumnMapping(date="a", time="b", value="Vitesse (km/h)", **columns)
    written = FileFormat(decimal=",", date_order="dmy")
    read = dataclasses.replace(rules(mapping, zone="Europe/Paris"), format=written)
    remember(
        retained, shape_of(path, (*columns.values(), "a", "b", "Vitesse (km/h)")), read, dt.date(2026, 11, 20)
    )
    dialog = open_dialog(path, known_file=retained)
    assert dialog.form.grid.boxes["date"].currentText() == "a"
    assert dialog.form.grid.reason("date") == "as on 2026-11-20"
    assert load(qtbot, dialog).rules.mapping == mapping


# known mappings


def test_the_mapping_of_an_earlier_load_is_used_and_can_be_put_aside(qtbot, open_dialog, csv, tmp_path):
    retained = tmp_path / "mappings.json"
    today = dt.date(2026, 11, 20)
    remember(retained, shape_of(csv, COLUMNS), rules(mapping_in("mph", physical_max=90_000)), today)
    dialog = open_dialog(csv, known_file=retained)
    assert "2026-11-20" in dialog.known.text
    choices = dialog.form.choices
    assert (choices.units[0].unit, choices.physical_max, choices.still_open) == ("mph", 90_000, ())
    assert dialog.form.grid.reason("value") == "as on 2026-11-20"
    assert dialog.load.isEnabled()
    press(qtbot, dialog.known.other)
    assert dialog.form.choices.still_open == ("unit",)
    assert dialog.form.grid.reason("value") == "named speed"
    press(qtbot, dialog.known.other)
    assert dialog.form.choices == choices


def test_a_known_mapping_is_no_answer_to_dates_that_it_never_saw(open_dialog, tmp_path):
    path, retained = tmp_path / "a.csv", tmp_path / "mappings.json"
    path.write_text(",".join(COLUMNS) + "\nA,03/04/2022 10:00,21.1,72.8,3\n")
    remember(retained, shape_of(path, COLUMNS), rules(), dt.date(2026, 11, 20))
    dialog = open_dialog(path, known_file=retained)
    assert dialog.form.choices.still_open == ("date_order",)
    assert not dialog.load.isEnabled()


def test_what_has_no_usable_row_is_not_loaded(qtbot, open_dialog, tmp_path):
    """A kept mapping may read the times in a form that this file has not."""
    path, retained = tmp_path / "a.csv", tmp_path / "mappings.json"
    path.write_text(",".join(COLUMNS) + "\n" + "A,3 pm,21.1,72.8,3\n" * 5)
    remember(retained, shape_of(path, COLUMNS), rules(), dt.date(2026, 11, 20))
    dialog = open_dialog(path, known_file=retained)
    assert dialog.form.choices.still_open == ()
    assert not dialog.load.isEnabled()
    assert "none of the rows tried can be used (not readable)" in dialog.open_line.text
    assert dialog.open_line.isVisible()
    path.write_text(path.read_text().replace("3 pm", "2022-01-01T10:00:00+05:30"))
    dialog = open_dialog(path, known_file=retained)
    assert dialog.load.isEnabled()
    for edge, text in zip(dialog.form.limits.box.edges, ("1", "1", "2", "2"), strict=True):
        qtbot.keyClicks(edge, text)
    qtbot.waitUntil(lambda: settled(dialog) and "outside the box" in dialog.check.text, timeout=TIMEOUT)
    assert dialog.load.isEnabled(), "rows further down may lie in the box"


def test_a_file_of_another_shape_is_guessed(open_dialog, csv, tmp_path):
    retained = tmp_path / "mappings.json"
    remember(retained, shape_of(csv, (*COLUMNS, "more")), rules(), dt.date(2026, 11, 20))
    dialog = open_dialog(csv, known_file=retained)
    assert dialog.known.text == ""
    assert recall(retained, dialog.shape) is None


# the log, and screens


def test_the_note_counts_rows_by_number_and_quotes_no_cell(open_dialog, tmp_path):
    pings = [*sample_pings(), Ping(SECRET, instant("2022-01-01T10:00:00"), 21.1, 72.8, -5.0)]
    dialog = open_dialog(write_csv(tmp_path / "a.csv", pings))
    assert dialog.note == f"a.csv, first {len(pings)} rows: 1 impossible value (rows {len(pings)}) not usable"
    assert SECRET not in dialog.note


def test_a_file_without_faults_has_no_note(open_dialog, csv):
    assert open_dialog(csv).note == ""


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_it_fits_the_window(open_dialog, csv, size):
    dialog = open_dialog(csv, size=size)
    assert dialog.width() < size[0]
    assert dialog.height() < size[1] - 40
    assert dialog.minimumSizeHint().width() < 1280
    assert dialog.minimumSizeHint().height() < 700


# pings and events


def pings_csv(path, *, events):
    """Two buses: every ten seconds, or after pauses that are never alike."""
    gaps = [int(60 * 1.15**step) for step in range(40)] if events else [10] * 40
    times = [sum(gaps[:number]) for number in range(40)]
    start = dt.datetime(2022, 1, 3, 6, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))
    rows = [
        f"bus {bus},{(start + dt.timedelta(seconds=t)).isoformat()},21.1,72.8,9"
        for bus in "ab"
        for t in times
    ]
    path.write_text("\n".join(["vehicle,time,lat,lon,speed", *rows]) + "\n")
    return path


@pytest.mark.parametrize("events", [False, True])
def test_the_spacing_of_times_proposes_the_kind_of_records_and_the_analyst_decides(
    qtbot, open_dialog, tmp_path, events
):
    dialog = open_dialog(pings_csv(tmp_path / "a.csv", events=events))
    grid, proposed = dialog.form.grid, "events" if events else "regular"
    assert dialog.form.choices.pings == proposed
    other = "pings at a fixed rate" if events else "events, as trip ends"
    choose(qtbot, dialog, grid.pings, other)
    choose(qtbot, dialog, grid.unit, "km/h")
    assert load(qtbot, dialog).rules.pings == ({"events", "regular"} - {proposed}).pop()


def test_remembered_events_stay_events(open_dialog, tmp_path):
    """Whatever the spacing tells; what was as usual before it was asked for does not bind."""
    known, path = tmp_path / "known.json", pings_csv(tmp_path / "a.csv", events=False)
    shape = shape_of(path, ["vehicle", "time", "lat", "lon", "speed"])
    columns = {"vehicle": "vehicle", "time": "time", "latitude": "lat", "longitude": "lon", "value": "speed"}
    usual = rules(ColumnMapping(**columns, units=(UnitRange(unit="km/h"),)))
    remember(known, shape, dataclasses.replace(usual, pings="events"), dt.date(2022, 1, 3))
    assert open_dialog(path, known_file=known).form.choices.pings == "events"
    trips = pings_csv(tmp_path / "b.csv", events=True)
    remember(known, shape, usual, dt.date(2022, 1, 3))
    assert open_dialog(trips, known_file=known).form.choices.pings == "events"


# real files, in `make audit`: made-up ones of each kind are above, and Austin is loaded by test_page.py


@pytest.mark.audit
def test_austin_with_offsets(qtbot, open_dialog, shared_data):
    files = sorted((shared_data / "austin-buses").glob("*2016-11-2*.gz"))
    dialog = open_dialog(*files)
    assert dialog.form.choices.zone == "America/Chicago"
    assert dialog.form.choices.still_open == ("unit",)
    choose(qtbot, dialog, dialog.form.grid.unit, "m/s")
    assert load(qtbot, dialog).files == tuple(files)


@pytest.mark.audit
def test_all_days_of_austin_with_the_unit_that_changed(qtbot, open_dialog, shared_data):
    files = sorted((shared_data / "austin-buses").glob("*.csv.gz"))
    assert len(files) == 23
    dialog = open_dialog(*files)
    rows = dialog.form.grid.unit_rows
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    press(qtbot, rows.add)
    type_into(qtbot, rows.rows[0].last, "2015-09-06")
    choose(qtbot, dialog, rows.rows[1].unit, "m/s")
    type_into(qtbot, rows.rows[1].first, "2015-12-30")
    qtbot.waitUntil(lambda: settled(dialog) and dialog.load.isEnabled(), timeout=TIMEOUT)
    source = load(qtbot, dialog)
    assert source.rules.mapping.units == (
        UnitRange(unit="mph", last=dt.date(2015, 9, 6)),
        UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
    )
    assert source.files == tuple(files)


@pytest.mark.audit
def test_surat_with_nested_positions(open_dialog, shared_data):
    dialog = open_dialog(shared_data / "india-iudx" / "suratITMS.json.gz")
    assert dialog.form.choices.position == "location.coordinates"
    assert dialog.form.choices.zone == "Asia/Kolkata"
    assert "200 of 200 preview rows usable" in dialog.check.text


@pytest.mark.audit
def test_bengaluru_has_a_speed_derived_from_positions(qtbot, open_dialog, shared_data):
    dialog = open_dialog(shared_data / "india-iudx" / "bengaluruAmb.json.gz")
    assert dialog.form.choices.derived == DerivedSpeed()
    assert dialog.form.grid.reason("source") == "no column looks like a speed"
    assert dialog.map.check.drawn == 200
    source = load(qtbot, dialog)
    report = load_records(source.files, source.rules).report
    assert (report.rows_read, report.rows_used, report.dropped) == (3996, 3936, {"no_value": 60})


@pytest.mark.audit
def test_bangkok_asks_for_the_zone(open_dialog, shared_data):
    (path,) = (shared_data / "bangkok-taxis").glob("*.gz")
    dialog = open_dialog(path)
    assert "zone" in dialog.form.choices.still_open
    assert dialog.map.check.drawn > 0


def test_another_quantity_is_named_bounded_and_loaded(qtbot, open_dialog, tmp_path):
    path = write_delays(tmp_path / "delays.csv")
    dialog = open_dialog(path)
    form = dialog.form
    choose(qtbot, dialog, form.grid.measured, "another quantity")
    assert form.value.isVisible()
    assert not any(widget.isVisible() for widget in (form.grid.unit, form.grid.source, form.limits.bound))
    choose(qtbot, dialog, form.grid.boxes["value"], "late")
    assert form.value.fields["name"].text() == "late"
    assert "Still to choose: quantity" in dialog.open_line.text
    assert not dialog.load.isEnabled()
    for part, text in (("name", "delay"), ("column_unit", "s"), ("unit", "s"), ("lower", "-600")):
        type_into(qtbot, form.value.fields[part], text)
    for part, text in (("upper", "1800"), ("physical_min", "-500"), ("physical_max", "7200")):
        type_into(qtbot, form.value.fields[part], text)
    assert "protected range" in form.problem
    assert not dialog.load.isEnabled()
    type_into(qtbot, form.value.fields["physical_min"], "-7200")
    qtbot.waitUntil(lambda: dialog.load.isEnabled(), timeout=TIMEOUT)
    qtbot.waitUntil(lambda: "209.8 → 209.8 s" in dialog.check.text, timeout=TIMEOUT)
    assert "outside the bounds" in dialog.check.text
    assert "km/h" not in dialog.check.text
    assert load(qtbot, dialog).rules.value == load_spec(write_delay_spec(tmp_path / "city")).data.rules.value


def test_another_quantity_comes_back_as_it_was(qtbot, open_dialog, tmp_path):
    spec = load_spec(write_delay_spec(tmp_path / "city"))
    path, known = tmp_path / "city" / "delays.csv", tmp_path / "known.json"
    columns = ("vehicle", "time", "lat", "lon", "late")
    remember(known, shape_of(path, columns), spec.data.rules, dt.date(2026, 11, 22))
    dialog = open_dialog(path, known_file=known)
    assert dialog.form.choices.named == spec.data.rules.value
    qtbot.waitUntil(lambda: dialog.load.isEnabled(), timeout=TIMEOUT)
    choose(qtbot, dialog, dialog.form.grid.measured, "speed")
    assert dialog.form.limits.bound.isVisible()
    assert "Still to choose: unit" in dialog.open_line.text


def test_the_usual_physical_maximum_follows_the_bound(dialog):
    limits = dialog.form.limits
    limits.bound.setValue(250)
    assert (limits.physical.value(), limits.problem) == (250, "")
    limits.bound.setValue(65)
    assert limits.physical.value() == 200
    limits.physical.setValue(100)
    limits.bound.setValue(120)
    assert "must be at least U" in limits.problem


PORTUGUESE = "Prefixo do veículo;Linha;Data e hora;Lat.;Long.;Vel. (km/h)"


def bus_log(path, *dates, header=PORTUGUESE):
    """As fleets in Brazil write it: 300 rows of each date, which hold no day beyond the 12th at first."""
    rows = [
        f"ÔNIBUS 12-A;203;{date} 10:{row // 60:02}:{row % 60:02};-25,428401;-49,273302;31,5"
        for date in dates
        for row in range(300)
    ]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="cp1252")
    return path


def test_a_bus_log_from_brazil_leaves_open_only_what_it_does_not_tell(open_dialog, tmp_path):
    dialog = open_dialog(bus_log(tmp_path / "a.csv", "10/03/2025", "14/03/2025"))
    assert dialog.form.choices.still_open == ("encoding", "zone")
    assert dialog.form.choices.date_order == "dmy"
    assert not dialog.check._readings.isVisible()


def test_a_unit_in_the_name_of_the_chosen_value_is_taken_unless_one_is_chosen(qtbot, open_dialog, tmp_path):
    header = PORTUGUESE.replace("Vel. (km/h)", "Limite (m/s)")
    dialog = open_dialog(bus_log(tmp_path / "a.csv", "14/03/2025", header=header))
    choose(qtbot, dialog, dialog.form.grid.source, "from a column")
    assert "unit" in dialog.form.choices.still_open
    choose(qtbot, dialog, dialog.form.grid.boxes["value"], "Limite (m/s)")
    assert dialog.form.choices.units == (UnitRange(unit="m/s"),)
    choose(qtbot, dialog, dialog.form.grid.unit, "mph")
    choose(qtbot, dialog, dialog.form.grid.boxes["value"], "Limite (m/s)")
    assert dialog.form.choices.units == (UnitRange(unit="mph"),)


def test_the_map_shows_the_positions_while_another_column_is_open(open_dialog, tmp_path):
    header = PORTUGUESE.replace("Prefixo do veículo", "Carro")
    dialog = open_dialog(bus_log(tmp_path / "a.csv", "14/03/2025", header=header))
    assert "vehicle" in dialog.form.choices.still_open
    assert "rows on the map" in dialog.map.text


def test_the_reason_of_what_is_open_is_told_whole(open_dialog, tmp_path):
    dialog = open_dialog(bus_log(tmp_path / "a.csv", "14/03/2025"))
    reason = dialog.form.grid._reasons["zone"]
    assert "America/Sao_Paulo" in reason.text()
    assert reason.wordWrap()
    assert reason.height() >= reason.heightForWidth(reason.width())


def test_the_badge_of_the_check_is_never_covered(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"bus{n},2022-01-03T10:00:0{n}+05:30,-21.11{n}1,-172.82{n}2,-11123{n}" for n in range(4)]
    path.write_text("\n".join(["bus,time,lat,lon,speed", *rows]) + "\n")
    dialog = open_dialog(path)
    dialog.resize(880, 480)
    QApplication.processEvents()
    (sign,) = (label for label in dialog.check.findChildren(QLabel) if label.property("look") == "badge")
    port = dialog.check.findChild(QScrollArea).viewport()
    right = sign.mapTo(port, QPoint(sign.width(), 0)).x()
    assert right <= port.width()


WRITTEN = {
    "points at a fixed rate": [f"A;2021-03-31T10:{n:02d}:00+05:30;21.1;72.8;30.5" for n in range(60)],
    "commas": [f"A;2021-03-31T10:{n:02d}:00-06:00;21,1;72,8;30,5" for n in range(60)],
    "day first": [f"A;31/03/2021 10:{n:02d}:{n * n % 60:02d};72.8;21.1;30" for n in range(60)],
}
"""Records of one vehicle, which propose other choices each time."""


def test_in_relation_user_nothing_is_proposed_but_columns_by_their_names(open_dialog, tmp_path):
    told = []
    for name, rows in WRITTEN.items():
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["vehicle;time;lat;lon;speed", *rows]), encoding="utf-8")
        dialog = open_dialog(path, typed=True)
        choices = dialog.form.choices
        told.append(choices)
        assert not dialog.form.limits.box.from_points.isEnabled()
        assert dialog.form.grid.pings.isHidden()
        assert dialog.form.grid.zone.currentText() == ""
        assert {"zone", "decimal", "unit"} == set(choices.still_open)
    assert told[0] == told[1] == told[2]
    assert (told[0].vehicle, told[0].date_order, told[0].pings) == ("vehicle", "", "regular")


def test_what_is_typed_in_relation_user_is_no_proposal(qtbot, open_dialog, csv):
    for typed in (False, True):
        dialog = open_dialog(csv, typed=typed)
        if typed:
            type_into(qtbot, dialog.form.grid.zone.edit, "Asia/Kolkata")
            choose(qtbot, dialog, dialog.form.format.decimal, "point  1.5")
        choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
        load(qtbot, dialog)
        assert dialog.source.proposed is not typed


def offered(box):
    return [box.itemText(row) for row in range(box.count())]


def test_in_relation_user_no_encoding_is_proposed(qtbot, open_dialog, tmp_path):
    told = []
    for name in ("Zoe", "Zoë"):
        text = write_csv(tmp_path / "a.csv", [ping._replace(vehicle=name) for ping in sample_pings()])
        path = write_bytes(tmp_path / f"{name}.csv", text.read_text(encoding="utf-8").encode("cp1252"))
        dialog = open_dialog(path, typed=True)
        form = dialog.form
        told.append((offered(form.format.encoding), form.choices.encoding, form.choices.still_open))
        assert "looks like" not in texts(form)
    assert told[0] == told[1]
    choose(qtbot, dialog, form.format.encoding, encoding_name("cp1252"))
    assert "Zoë" in texts(form)


def test_in_relation_user_all_sheets_are_offered(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(workbook(tmp_path / "a.xlsx", "May"), typed=True, ready=False)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)  # of the first sheet, which is empty
    sheet = dialog.form.format.sheet
    assert offered(sheet) == ["notes", "May"]
    assert dialog.form.format.values["sheet"] is None
    reason = dialog.form.format.grid.reason
    qtbot.waitUntil(lambda: reason("sheet") == "! several sheets: choose", timeout=TIMEOUT)
    choose(qtbot, dialog, sheet, "May")
    assert "sheet" not in dialog.form.choices.still_open
    assert dialog.preview.shown.columns == tuple(COLUMNS)


def test_in_relation_user_no_swap_is_advised(open_dialog, tmp_path):
    swapped = [ping._replace(latitude=ping.longitude, longitude=ping.latitude) for ping in sample_pings()]
    path = write_csv(tmp_path / "a.csv", swapped)
    assert open_dialog(path).map.swap.property("look") == "primary"
    dialog = open_dialog(path, typed=True)
    assert not dialog.map.swap.property("look")
    assert dialog.map.swap.isEnabled()
    assert "!" not in dialog.map.text


def test_in_relation_user_doubtful_dates_are_not_read_in_two_ways(open_dialog, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("vehicle,time,lat,lon,speed\nA,03/04/2025 10:00:00,21.1,72.8,30\n")
    assert "These dates can mean" in open_dialog(path).check.text
    dialog = open_dialog(path, typed=True)
    assert "These dates can mean" not in dialog.check.text
    assert dialog.form.choices.date_order == ""


def test_in_relation_user_rows_that_cannot_be_used_keep_no_load_from_beginning(qtbot, open_dialog, tmp_path):
    path = write_csv(tmp_path / "a.csv", [ping._replace(value=-1.0) for ping in sample_pings()])
    empty = write_bytes(tmp_path / "b.csv", b"")
    for typed in (False, True):
        dialog = open_dialog(path, *([empty] if typed else []), typed=typed)
        if typed:
            type_into(qtbot, dialog.form.grid.zone.edit, "Asia/Kolkata")
            choose(qtbot, dialog, dialog.form.format.decimal, "point  1.5")
        choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
        assert ("Nothing to load" in dialog.open_line.text) is not typed
    assert load(qtbot, dialog).files == (path, empty)


def test_in_relation_user_a_file_without_rows_is_mapped_by_its_names(qtbot, open_dialog, tmp_path):
    header = ",".join(COLUMNS)
    paths = [
        write_bytes(tmp_path / f"{n}.csv", f"{header}\n{rows}".encode())
        for n, rows in enumerate(("", "1,2\n"))
    ]
    (tmp_path / "a.xlsx").write_bytes(xlsx({"May": [[*COLUMNS]]}))
    for path in (*paths, tmp_path / "a.xlsx"):
        dialog = open_dialog(path, typed=True)
        assert not dialog.message.isVisible()
        type_into(qtbot, dialog.form.grid.zone.edit, "Asia/Kolkata")
        choose(qtbot, dialog, dialog.form.format.decimal, "point  1.5")
        choose(qtbot, dialog, dialog.form.grid.unit, "km/h")
        source = load(qtbot, dialog)
        assert source.rules.mapping == rules().mapping
        assert not len(load_or_nothing(source.files, source.rules).records)
        refused = open_dialog(path, ready=False)
        qtbot.waitUntil(refused.message.isVisible, timeout=TIMEOUT)
