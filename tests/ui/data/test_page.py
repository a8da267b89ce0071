"""ui.data.page: open, drop, recent and sample; whatever fails, the previous data stay."""

from __future__ import annotations

import contextlib
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QScrollArea, QWidget

from core.accounting.budgets import Budget
from core.contributions.file_write import write_contributions, write_partitioned
from core.draft.draft import DataSource
from core.errors import InputError, InternalError
from core.release.contributions_source import contributions_for
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import PASSPHRASE, write_city
from tests.records import rules, sample_pings, write_csv, write_json
from tests.ui.table_story import first_version, write_table, write_wrong_sum
from ui.data import data_files
from ui.data.data_files import files_in, sample_project
from ui.data.ingest_report import hours_text, places_text
from ui.data.page import DataPage
from ui.kit.jobs import cancel_all, wait_for_all
from ui.session import opened_data
from ui.session.session import Session
from ui.session.settings import Settings

TIMEOUT = 20_000
COPY = Qt.DropAction.CopyAction


@pytest.fixture
def page(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(340, 700)
    made = DataPage(Session(find_home()), window)
    made.dropped.connect(made.open_paths)  # as the window does with what are records
    made.resize(320, 700)
    with qtbot.waitExposed(window):
        window.show()
    yield made
    if made.dialog is not None:
        made.dialog.reject()
    cancel_all()
    assert wait_for_all(10)


@pytest.fixture
def csv(tmp_path):
    return write_csv(tmp_path / "a.csv", sample_pings())


def session_of(page):
    return page._session


def complete(qtbot, page):
    """Choose the unit in the open dialog and load."""
    dialog = page.dialog
    qtbot.waitUntil(lambda: dialog.model.columnCount() > 0, timeout=TIMEOUT)
    qtbot.keyClick(dialog.form.grid.unit, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: dialog.load.isEnabled() and not dialog._trying.running, timeout=TIMEOUT)
    qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.dialog is None, timeout=TIMEOUT)


@contextlib.contextmanager
def told(qtbot, page, timeout=TIMEOUT):
    """Until the pages know the data that are loaded within; the report comes in an event of its own."""
    with qtbot.waitSignal(session_of(page).data_changed, timeout=timeout):
        yield
    qtbot.waitUntil(lambda: not session_of(page).busy, timeout=TIMEOUT)


def load(qtbot, page, *paths):
    """Through the dialog, as a person does."""
    with told(qtbot, page):
        page.open_paths(list(paths))
        complete(qtbot, page)


def hand_over(qtbot, page, *paths):
    """As the dialog hands it over, where it is not about the dialog."""
    with told(qtbot, page):
        session_of(page).load(DataSource(files=paths, rules=rules()))


def shown_text(page):
    return "\n".join(
        item.text().replace("\u200b", "") for item in page.findChildren(QLabel) if item.isVisible()
    )


def mime_of(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(page, data):
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), COPY, data, buttons, keys)
    QApplication.sendEvent(page, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(page, QDropEvent(QPointF(5, 5), COPY, data, buttons, keys))
    return True


def test_the_empty_page_invites(page):
    assert "Drop records here" in shown_text(page)
    assert page.open_button.isEnabled()
    assert not page.message.isVisible()
    assert not page.progress.isVisible()
    assert not page.recent.list.isVisible()


def test_a_dropped_file_is_asked_about_loaded_and_reported(qtbot, page, csv):
    assert drop(page, mime_of(csv))
    assert page.dialog is not None
    with told(qtbot, page):
        complete(qtbot, page)
    text, count = shown_text(page), len(sample_pings())
    assert f"of {count} rows read" in text
    assert "Confidential" in text
    for part in ("a.csv", "Asia/Kolkata", "2022-01-01 10:10", "10:00–11:00", "license_plate", "km/h"):
        assert part in text
    assert "Drop records here" not in text
    assert session_of(page).source.files == (csv,)
    assert [item.text() for item in recent_items(page)] == ["a.csv"]


def test_what_is_doubted_of_the_records_is_shown_with_the_report(qtbot, page, tmp_path):
    marked = [ping._replace(vehicle=f"'{ping.vehicle}") for ping in sample_pings()]
    hand_over(qtbot, page, write_csv(tmp_path / "a.csv", marked))
    qtbot.waitUntil(lambda: "what a program or a person added" in shown_text(page), timeout=TIMEOUT)


def recent_items(page):
    return [page.recent.list.item(row) for row in range(page.recent.list.count())]


def test_open_asks_for_files_and_remembers_the_folder(qtbot, page, csv, monkeypatch):
    asked = []

    def answer(_parent, _title, folder, _filters):
        asked.append(folder)
        return [str(csv)], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", answer)
    qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    page.dialog.reject()
    qtbot.keyClick(page.open_button, Qt.Key.Key_Space)
    page.dialog.reject()
    first, then = asked
    assert Path(first).is_dir()
    assert then == str(csv.parent)
    assert page.dialog is None
    assert session_of(page).loaded is None


def test_no_file_chosen_no_dialog(qtbot, page, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    assert page.dialog is None


def test_the_sample_is_one_click_away_and_no_recent_file(qtbot, page):
    with told(qtbot, page, timeout=60_000):
        qtbot.mouseClick(page.sample_button, Qt.MouseButton.LeftButton)
        assert page.progress.isVisible()
        assert not page.open_button.isEnabled()
        assert not page.sample_button.isEnabled()
    session = session_of(page)
    assert session.source.rules.zone == "Asia/Kolkata"
    draft = session.draft
    assert (draft.resolution, draft.threshold) == (6, 3)
    assert (draft.leading.mechanism, draft.leading.budget) == ("tokens", Budget(total=Decimal(10)))
    assert (draft.relation, draft.unit, draft.confirmed) == (None, None, False)
    assert (draft.population, draft.name, draft.title, draft.publisher, draft.contact) == ("",) * 5
    assert not session.undo_stack.count()
    assert "surat-synthetic.parquet" in shown_text(page)
    assert "Sample: made-up records" in shown_text(page)
    assert page.recent.list.count() == 0
    assert page.open_button.isEnabled()


def test_recent_files_open_together_with_mouse_and_enter(qtbot, page, tmp_path):
    files = [write_csv(tmp_path / name, sample_pings()) for name in ("a.csv", "b.csv")]
    load(qtbot, page, *files)
    (item,) = recent_items(page)
    assert item.text() == "a.csv and 1 more"
    place = page.recent.list.visualItemRect(item).center()
    qtbot.mouseClick(page.recent.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.dialog._paths == tuple(files)
    page.dialog.reject()
    page.recent.list.setCurrentItem(item)
    qtbot.keyClick(page.recent.list, Qt.Key.Key_Return)
    assert page.dialog._paths == tuple(files)
    assert Settings(find_home()).recent_files == (tuple(files),)


def test_a_recent_file_that_is_gone_is_told_in_place(qtbot, page, csv):
    load(qtbot, page, csv)
    csv.unlink()
    page.recent.list.itemActivated.emit(page.recent.list.item(0))
    assert "There is no such file." in page.message.text
    assert page.dialog is None


def test_a_file_that_is_none_of_ours_changes_nothing(qtbot, page, csv, tmp_path):
    hand_over(qtbot, page, csv)
    loaded = session_of(page).loaded
    notes = tmp_path / "notes.docx"
    notes.write_text("x")
    assert drop(page, mime_of(notes))
    assert page.message.isVisible()
    what, where, mend = page.message.text.split("\n")
    assert what == "This kind of file is unknown."
    assert where == str(notes)
    assert "CSV" in mend
    assert page.dialog is None
    assert session_of(page).loaded is loaded
    assert "rows read" in shown_text(page)


def test_a_failure_is_told_in_sight_wherever_the_page_is(qtbot, page, csv, tmp_path):
    """As of a file that is dropped while the report is read."""
    hand_over(qtbot, page, csv)
    page.resize(320, 250)
    area = page.findChild(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 300, timeout=TIMEOUT)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    page.open_paths([tmp_path / "gone.csv"])
    qtbot.waitUntil(page.message.isVisible, timeout=TIMEOUT)
    qtbot.waitUntil(
        lambda: page.message.visibleRegion().boundingRect().size() == page.message.size(), timeout=TIMEOUT
    )


def test_what_is_no_file_is_not_taken(page):
    text = QMimeData()
    text.setText("not a file")
    assert not drop(page, text)
    web = QMimeData()
    web.setUrls([QUrl("https://city.example/a.csv")])
    assert not drop(page, web)
    QApplication.sendEvent(page, QDragLeaveEvent())
    assert page.dialog is None


def opened_table(qtbot, page, path):
    with told(qtbot, page):
        assert drop(page, mime_of(path))
    qtbot.waitUntil(lambda: not session_of(page).busy, timeout=TIMEOUT)


def test_a_dropped_table_is_opened_at_once_and_says_what_it_does_not_tell(qtbot, page, tmp_path):
    table = write_table(tmp_path)
    opened_table(qtbot, page, table)
    assert page.dialog is None
    assert session_of(page).source == DataSource(
        files=(table,), rules=session_of(page).source.rules, table=True
    )
    text = shown_text(page)
    for part in ("Contribution table", "Confidential", "table.parquet", "2022-01-03 – 2022-01-04"):
        assert part in text
    for part in ("09:00–12:00", "Asia/Kolkata", "65 km/h", "measured", "cleaned elsewhere", "which way it"):
        assert part in text
    assert "rows read" not in text
    assert [item.text() for item in recent_items(page)] == ["table.parquet"]
    assert not page.message.isVisible()


def test_a_recent_table_opens_again_in_the_place_of_records(qtbot, page, csv, tmp_path):
    opened_table(qtbot, page, write_table(tmp_path / "city"))
    hand_over(qtbot, page, csv)
    assert "rows read" in shown_text(page)
    with told(qtbot, page):
        page.recent.list.itemActivated.emit(page.recent.list.item(1))
    assert session_of(page).table is not None
    assert "rows read" not in shown_text(page)


def test_an_old_table_is_asked_where_its_speeds_come_from(qtbot, page, tmp_path):
    table = first_version(write_table(tmp_path))
    assert drop(page, mime_of(table))
    qtbot.waitUntil(lambda: page.question is not None, timeout=TIMEOUT)
    page.question.reject()
    assert page.question is None
    assert session_of(page).source is None
    drop(page, mime_of(table))
    qtbot.waitUntil(lambda: page.question is not None, timeout=TIMEOUT)
    assert "table.parquet" in page.question.text()
    with told(qtbot, page):
        qtbot.mouseClick(page.question.from_positions, Qt.MouseButton.LeftButton)
    assert session_of(page).source.derived_in_table is True
    assert "derived from positions" in shown_text(page)


def test_a_table_is_not_opened_with_other_files(qtbot, page, csv, tmp_path):
    page.open_paths([write_table(tmp_path / "city"), csv])
    qtbot.waitUntil(lambda: "by itself" in page.message.text, timeout=TIMEOUT)
    assert str(tmp_path / "city" / "table.parquet") in page.message.text
    assert session_of(page).source is None
    assert page.dialog is None


def test_a_wrong_table_is_told_by_its_row_and_changes_nothing(qtbot, page, csv, tmp_path):
    hand_over(qtbot, page, csv)
    loaded = session_of(page).loaded
    wrong = tmp_path / "wrong.parquet"
    write_wrong_sum(write_table(tmp_path / "city"), wrong)
    page.open_paths([wrong])
    qtbot.waitUntil(lambda: "row 3" in page.message.text, timeout=TIMEOUT)
    assert "The sum in a row is not that of its values." in page.message.text
    assert "Make the table again" in page.message.text
    assert session_of(page).loaded is loaded
    assert "rows read" in shown_text(page)


def test_a_folder_gives_its_files_of_ours(tmp_path):
    write_csv(tmp_path / "b.csv", sample_pings())
    write_json(tmp_path / "a.json", sample_pings())
    (tmp_path / "readme.md").write_text("x")
    (tmp_path / "inner").mkdir()
    found = files_in([tmp_path, tmp_path / "b.csv"])
    assert [path.name for path in found] == ["a.json", "b.csv"]


def test_a_folder_without_any_is_refused(tmp_path):
    (tmp_path / "readme.md").write_text("x")
    with pytest.raises(InputError, match="no readable file"):
        files_in([tmp_path])
    with pytest.raises(InputError, match="No file is named"):
        files_in([])


def test_files_without_a_usable_record_leave_the_previous_data(qtbot, page, csv, tmp_path):
    hand_over(qtbot, page, csv)
    loaded = session_of(page).loaded
    other = write_csv(tmp_path / "other.csv", sample_pings())
    with qtbot.waitSignal(session_of(page).failed, timeout=TIMEOUT):
        page.open_paths([other])
        qtbot.waitUntil(lambda: page.dialog.model.columnCount() > 0, timeout=TIMEOUT)
        for edge, degrees in zip(page.dialog.form.limits.box.edges, "1122", strict=True):  # nobody is there
            qtbot.keyClicks(edge, degrees)
        complete(qtbot, page)
    assert "usable" in page.message.text
    assert session_of(page).loaded is loaded
    assert page.open_button.isEnabled()
    assert not page.progress.isVisible()


def test_a_stopped_load_leaves_the_previous_data(qtbot, page, csv, tmp_path, monkeypatch):
    hand_over(qtbot, page, csv)
    loaded = session_of(page).loaded

    def endless(_files, _rules, progress, _cache):
        while True:
            progress(0.5, "Reading b.csv")

    monkeypatch.setattr(opened_data, "load_records", endless)
    page.open_paths([write_csv(tmp_path / "b.csv", sample_pings())])
    complete(qtbot, page)
    qtbot.waitUntil(lambda: "Reading b.csv" in shown_text(page), timeout=TIMEOUT)
    assert "Loading b.csv" in shown_text(page)
    assert not page.open_button.isEnabled()
    qtbot.mouseClick(page.progress.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.progress.isVisible(), timeout=TIMEOUT)
    assert session_of(page).loaded is loaded
    assert page.open_button.isEnabled()
    assert [item.text() for item in recent_items(page)] == ["a.csv"]


def test_a_second_load_waits_for_the_first(qtbot, page, csv, monkeypatch):
    def endless(_files, _rules, progress, _cache):
        while True:
            progress(0.5, "Reading")

    monkeypatch.setattr(opened_data, "load_records", endless)
    page.open_sample()
    assert not drop(page, mime_of(csv))
    page.open_paths([csv])
    assert page.dialog is None
    assert "A load is under way." in page.message.text
    page.open_sample()
    session_of(page).cancel()
    qtbot.waitUntil(lambda: page.open_button.isEnabled(), timeout=TIMEOUT)


def test_only_one_dialog_at_a_time(page, csv, tmp_path):
    page.open_paths([csv])
    dialog = page.dialog
    page.open_paths([write_csv(tmp_path / "b.csv", sample_pings())])
    page.open_sample()
    assert page.dialog is dialog


def test_failures_of_others_are_not_shown_here(page):
    session_of(page).failed.emit(InternalError("of a plan"))
    assert not page.message.isVisible()


def test_a_missing_sample_is_told_in_place(qtbot, page, tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "resources", lambda: tmp_path)
    qtbot.mouseClick(page.sample_button, Qt.MouseButton.LeftButton)
    assert "There is no such file." in page.message.text
    assert page.open_button.isEnabled()


def test_the_sample_is_read_as_its_spec_tells():
    draft, source = sample_project()
    assert source.files[0].is_file()
    assert source.rules.mapping.position == "location.coordinates"
    assert source.rules.upper_bound == rules().upper_bound
    assert (draft.resolution, draft.leading.mechanism) == (6, "tokens")
    assert (draft.relation, draft.unit, draft.confirmed) == (None, None, False)


@pytest.mark.parametrize("width", [300, 340])
def test_nothing_is_wider_than_the_column(qtbot, page, tmp_path, width):
    long = write_csv(tmp_path / ("a_very_long_name_of_a_file_" * 4 + ".csv"), sample_pings())
    hand_over(qtbot, page, long)
    page.open_paths([tmp_path / ("no_such_file_" * 9)])
    assert page.message.isVisible()
    page.resize(width, 700)
    QApplication.processEvents()
    assert page._column.parentWidget().width() <= width
    assert page._report.minimumSizeHint().width() <= width


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        ((), ""),
        ((9,), "09:00–10:00"),
        ((8, 9, 10, 23), "08:00–11:00, 23:00–24:00"),
        (range(24), "00:00–24:00"),
    ],
)
def test_hours_are_ranges(hours, text):
    assert hours_text(tuple(hours)) == text


def test_places_are_told_file_by_file():
    places = (("a.csv", 3), ("a.csv", 12_345), ("b.zip/c.csv", 2))
    assert places_text(places) == ["a.csv, line 3, 12345", "b.zip/c.csv, line 2"]
    assert places_text(()) == []


def test_rows_that_are_no_records_are_shown_with_their_lines(qtbot, page, csv):
    with csv.open("a") as file:
        file.write("a row,too short\n")
    hand_over(qtbot, page, csv)
    shown = shown_text(page)
    assert f"1 dropped\na.csv, line {len(sample_pings()) + 2}" in shown
    assert "too short" not in shown


def test_many_rows_of_no_use_are_told_with_the_column_and_the_file(qtbot, page, csv):
    good = [
        f"GJ05BX0000,2022-01-01T10:{row // 60:02}:{row % 60:02}+05:30,21.1,72.8,7.5" for row in range(200)
    ]
    csv.write_text("\n".join([csv.read_text().splitlines()[0], *good]) + "\n")
    with csv.open("a") as file:
        file.writelines(line.replace("7.5", '"7,5"') + "\n" for line in good[:50])
    hand_over(qtbot, page, csv)
    qtbot.waitUntil(lambda: "speed" in page.message.text, timeout=TIMEOUT)
    assert "20\u00a0% of the rows are not used" in page.message.text
    assert "From a.csv on, speed cannot be read; its cells look like 9,9." in page.message.text
    assert "choose “either” as decimal mark" in page.message.text
    hand_over(qtbot, page, write_csv(csv.with_name("b.csv"), sample_pings()))
    assert not page.message.isVisible()


def test_a_few_rows_of_no_use_are_no_warning(qtbot, page, csv):
    with csv.open("a") as file:
        file.writelines("GJ05BX0000,2022-01-01T10:11:00+05:30,21.1,72.8,7\n" for row in range(100))
        file.write("GJ05BX0000,2022-01-01T10:11:00+05:30,21.1,72.8,fast\n")
    hand_over(qtbot, page, csv)
    qtbot.waitUntil(lambda: "1 dropped" in shown_text(page), timeout=TIMEOUT)
    assert not page.message.isVisible()


def test_after_a_load_the_page_stays_where_it_was(qtbot, page, csv):
    """What stops the load has the focus meanwhile: hidden, it would pass it to the last field of the page."""
    hand_over(qtbot, page, csv)
    page.open_button.setFocus()
    with told(qtbot, page):
        page.open_sample()
        assert page.focusWidget() is page.progress.stop_button
    qtbot.waitUntil(lambda: "275" in shown_text(page), timeout=TIMEOUT)
    assert page.focusWidget() is page.open_button


def test_a_member_of_an_archive_is_opened_by_its_path(tmp_path, csv):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(csv, "in/a.csv")
    inside = tmp_path / "a.zip" / "in" / "a.csv"
    assert files_in([inside]) == (inside,)
    with pytest.raises(InputError, match="no such file"):
        files_in([tmp_path / "a.zip" / "in" / "b.csv"])


def test_austin_end_to_end(qtbot, page, shared_data):
    files = sorted((shared_data / "austin-buses").glob("*2016-11-2*.gz"))
    page.open_paths(files)
    dialog = page.dialog
    qtbot.waitUntil(lambda: dialog.model.columnCount() > 0, timeout=TIMEOUT)
    qtbot.keyClick(dialog.form.grid.unit, Qt.Key.Key_M)
    assert dialog.form.grid.unit.currentText() == "m/s"
    with told(qtbot, page, timeout=60_000):
        qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
    text = shown_text(page)
    assert "America/Chicago" in text
    assert "and 3 more" in text
    assert "Impossible value" in text
    qtbot.waitUntil(lambda: not session_of(page).busy, timeout=60_000)


def test_the_mapping_of_a_load_is_kept_and_offered_again(qtbot, page, csv, tmp_path):
    retained = session_of(page).home.known_mappings
    load(qtbot, page, csv)
    qtbot.waitUntil(retained.exists, timeout=TIMEOUT)
    page.open_paths([write_csv(tmp_path / "b.csv", sample_pings())])
    qtbot.waitUntil(lambda: not page.dialog.busy, timeout=TIMEOUT)
    assert page.dialog.load.isEnabled()
    assert "for files with these columns are used" in page.dialog.known.text
    assert page.dialog.form.choices.units == session_of(page).source.rules.mapping.units


def test_a_load_that_is_stopped_keeps_the_mapping(qtbot, page, csv, monkeypatch):
    def endless(_files, _rules, progress, _cache):
        while True:
            progress(0.5, "Reading")

    retained = session_of(page).home.known_mappings
    monkeypatch.setattr(opened_data, "load_records", endless)
    page.open_paths([csv])
    complete(qtbot, page)
    qtbot.mouseClick(page.progress.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(retained.exists, timeout=TIMEOUT)
    page.open_paths([csv])
    qtbot.waitUntil(lambda: not page.dialog.busy, timeout=TIMEOUT)
    assert page.dialog.load.isEnabled()


def charged(qtbot, page, csv):
    """Data are loaded, and a population is charged for them."""
    hand_over(qtbot, page, csv)
    session_of(page).edit("Population", population="old buses")


def asked_whose(qtbot, page, path):
    """The question that other data raise."""
    page.open_paths([path])
    complete(qtbot, page)
    assert page.question is not None
    qtbot.waitExposed(page.question)
    return page.question


@pytest.mark.parametrize(("key", "population"), [("Y", "old buses"), ("N", "")])
def test_other_data_ask_whether_the_vehicles_are_the_same(qtbot, page, csv, tmp_path, key, population):
    charged(qtbot, page, csv)
    session = session_of(page)
    session.edit("Title", title="Old city", name="old-city")
    question = asked_whose(qtbot, page, write_csv(tmp_path / "b.csv", sample_pings()))
    assert session.source.files == (csv,)
    assert all("“old buses”" in text.text() for text in (question.about_yes, question.about_no))
    qtbot.keyClick(question, Qt.Key.Key_Return)
    assert page.question is question  # Enter alone answers nothing
    page.open_sample()
    assert session.busy is False
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        qtbot.keyClick(question, getattr(Qt.Key, f"Key_{key}"), Qt.KeyboardModifier.AltModifier)
    assert page.question is None
    assert session.source.files == (tmp_path / "b.csv",)
    assert (session.draft.population, session.draft.title, session.draft.name) == (population, "", "")


def test_a_question_that_is_not_answered_loads_nothing_and_keeps_the_mapping(qtbot, page, csv, tmp_path):
    load(qtbot, page, csv)
    session_of(page).edit("Population", population="old buses")
    retained = session_of(page).home.known_mappings
    qtbot.waitUntil(retained.exists, timeout=TIMEOUT)
    retained.unlink()
    before = session_of(page).draft
    question = asked_whose(qtbot, page, write_csv(tmp_path / "b.csv", sample_pings()))
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert page.question is None
    assert (session_of(page).draft, session_of(page).source.files) == (before, (csv,))
    assert page.open_button.isEnabled()
    qtbot.waitUntil(retained.exists, timeout=TIMEOUT)


def test_the_sample_and_a_load_that_fails_leave_no_mapping(qtbot, page, csv, monkeypatch):
    retained = session_of(page).home.known_mappings

    def refuse(*_args, **_kwargs):
        raise InputError("No usable record is left.")

    monkeypatch.setattr(opened_data, "load_records", refuse)
    page.open_paths([csv])
    with qtbot.waitSignal(session_of(page).failed, timeout=TIMEOUT):
        complete(qtbot, page)
    assert wait_for_all(5)
    assert not retained.exists()


def test_rows_that_will_be_dropped_are_noted_by_number(qtbot, page, tmp_path):
    path = write_csv(tmp_path / "a.csv", [*sample_pings(), sample_pings()[0]._replace(vehicle="")])
    notes = []
    session_of(page).noted.connect(notes.append)
    load(qtbot, page, path)
    assert any("1 no vehicle (rows 16)" in note for note in notes), notes


def test_a_folder_is_searched_in_the_background(qtbot, page, tmp_path, monkeypatch):
    (tmp_path / "records" / "2022").mkdir(parents=True)
    write_csv(tmp_path / "records" / "2022" / "a.csv", sample_pings())
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "records"))
    page.ask_folder()
    qtbot.waitUntil(lambda: page.dialog is not None, timeout=TIMEOUT)
    assert not page.message.isVisible()


def test_a_folder_without_records_is_told(qtbot, page, tmp_path):
    page.open_paths([tmp_path])
    qtbot.waitUntil(lambda: "no readable file" in shown_text(page), timeout=TIMEOUT)
    assert page.dialog is None


def test_the_file_dialog_offers_every_ending(page, monkeypatch):
    offered = []

    def answer(*given):
        offered.append(given[3])
        assert Path(given[2]).is_dir()  # without one it begins where the program lies
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", answer)
    page.ask_files()
    kinds = offered[0].split(";;")[0].translate(str.maketrans("()", "  ")).split()
    for ending in ("*.csv", "*.jsonl", "*.parquet", "*.pb", "*.xlsx", "*.zip", "*.gz"):
        assert ending in kinds


def test_a_folder_of_parts_under_a_passphrase_is_opened_by_it(qtbot, page, tmp_path):
    spec = load_spec(write_city(tmp_path))
    folder = tmp_path / "table"
    write_partitioned(contributions_for(spec)[0], folder, ("resolution", "date"), passphrase=PASSPHRASE)
    assert drop(page, mime_of(folder))
    qtbot.waitUntil(lambda: page.passphrase_dialog is not None, timeout=TIMEOUT)
    first = page.passphrase_dialog
    assert first.wrong.isHidden()
    qtbot.keyClicks(first.passphrase, "not this one")
    qtbot.mouseClick(first.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.passphrase_dialog is not first, timeout=TIMEOUT)
    again = page.passphrase_dialog
    assert again.wrong.isVisible()
    qtbot.keyClicks(again.passphrase, PASSPHRASE)
    with told(qtbot, page):
        qtbot.mouseClick(again.open_button, Qt.MouseButton.LeftButton)
    assert session_of(page).source.files == (folder,)
    assert page.passphrase_dialog is again
    assert "2022-01-03 – 2022-01-04" in shown_text(page)
    assert [item.text() for item in recent_items(page)] == ["table"]
    settings = find_home().settings.read_text(encoding="utf-8")
    assert PASSPHRASE not in settings


def test_a_passphrase_that_nobody_knows_leaves_everything_as_it_was(qtbot, page, tmp_path):
    spec = load_spec(write_city(tmp_path))
    path = tmp_path / "table.parquet"
    write_contributions(contributions_for(spec)[0], path, physical=(0, 200_000), passphrase=PASSPHRASE)
    page.open_paths([path])
    qtbot.waitUntil(lambda: page.passphrase_dialog is not None, timeout=TIMEOUT)
    page.passphrase_dialog.reject()
    qtbot.waitUntil(lambda: not page._finding.running, timeout=TIMEOUT)
    assert session_of(page).source is None
    assert not page.message.isVisible()
