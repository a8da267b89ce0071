"""ui.compare.page: bundles are checked, chosen, compared, filtered, copied and written."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.published.comparison import ChangeVerdict, Comparison
from core.system.paths import Home
from core.verify.pack_bundle import pack_bundle
from tests.builders import make_bundle, make_key, make_texts
from tests.published_pair import write_pair
from tests.share_bundles import released, rows_of
from tests.ui.ledger_story import BUSES, month, pay
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import pick, press, show, write
from tests.ui.whole_window import wait_until
from ui.compare.change_words import changes_in_words
from ui.compare.page import ComparePage
from ui.map.change_layer import paint_changes
from ui.session.session import Session
from ui.session.settings import Settings

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"


class MapOfTests(QWidget):
    """Remembers what it was shown, in place of a page of the web engine."""

    clicked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[Comparison, float | None]] = []
        self.chosen: list[tuple[str, str]] = []

    def show_changes(self, found: Comparison, label: float | None) -> None:
        self.shown.append((found, label))

    def choose(self, cell: str, start: str) -> None:
        self.chosen.append((cell, start))


@cache
def pair() -> tuple[Path, Path]:
    return write_pair(Path(mkdtemp()), rings=2)


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> ComparePage:
    made = ComparePage(Session(Home(tmp_path / "home")), MapOfTests())
    show(qtbot, made, width=1200, height=700)
    return made


def _open(qtbot: QtBot, page: ComparePage, *paths: Path) -> None:
    page.open_bundles(paths)
    qtbot.waitUntil(lambda: not page.busy, timeout=TIMEOUT)


@pytest.fixture(scope="module")
def compared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComparePage]:
    """Both of them, for what is only looked at."""
    assert qapp
    made = ComparePage(Session(Home(tmp_path_factory.mktemp("home"))), MapOfTests())
    made.resize(1200, 700)
    made.show()
    made.open_bundles(pair())
    wait_until(lambda: made.found is not None and not made.busy)
    yield made
    made.close()
    made.deleteLater()


def _lines(page: ComparePage) -> list[str]:
    return [page.bundles.item(row).text() for row in range(page.bundles.count())]


def test_before_there_are_two_it_says_what_to_do(qtbot: QtBot, page: ComparePage) -> None:
    assert page.empty.reason.text() == "Open two bundles."
    assert not page.export.isVisible()
    _open(qtbot, page, pair()[0])
    assert _lines(page) == ["– bus-speed-2023-1.0.0\n2023-03-01 · valid; signer not checked"]
    assert page.empty.isVisible()


def test_two_bundles_are_compared_at_once(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, *reversed(pair()))
    found = page.found
    assert found is not None
    # the earlier window is the earlier one, however they came
    assert (found.before, found.after) == ("bus-speed-2023-1.0.0", "bus-speed-2024-1.0.0")
    told = page.summary.text()
    assert f"Of {found.counts.compared} hexagon slots, " in told
    assert " fell by more than the noise." in told
    assert f"By chance alone about {found.counts.by_chance} would." in told
    assert "On average at most 5 % of such findings are false." in told
    assert page.map.shown[-1] == (found, None)
    assert page.model.shown == len(found.rows)


def _keys(page: ComparePage) -> list[str]:
    tabs = [page.tabs.tabText(number) for number in range(page.tabs.count())]
    buttons = [button.text() for button in page.findChildren(QAbstractButton)]
    fields = [label.text() for label in page.findChildren(QLabel) if label.buddy() is not None]
    return [key for text in (*tabs, *buttons, *fields) if (key := QKeySequence.mnemonic(text).toString())]


def test_two_bundles_of_shares_are_compared_in_percent_range_by_range(
    qtbot: QtBot, page: ComparePage, tmp_path: Path
) -> None:
    """Raw and smoothed shares, then percentiles with the mean, as the rest of the window says them."""
    more: tuple[tuple[str, str], ...] = (('total = "9"', 'total = "90"'),)
    key, newer, asked = make_key(), ('version = "1.0.0"', 'version = "1.1.0"'), "percentiles = [15, 50, 85]"
    bundles = [
        released(tmp_path / name, key, asked, edit=edit).bundle
        for name, edit in (("a", more), ("b", (*more, newer)))
    ]
    _open(qtbot, page, *bundles)
    choices, model = page.choices, page.model
    captions = {label.buddy(): label for label in page.findChildren(QLabel) if label.buddy() is not None}

    def chosen(number: int, label: int) -> list[str]:
        """Titles, then the first row with a number."""
        choices.number.setCurrentIndex(number)
        qtbot.waitUntil(lambda: not page.busy, timeout=TIMEOUT)
        choices.label.setCurrentIndex(label)
        titles = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(2, 5)]
        return [*titles, *(model.index(0, column).data() for column in (2, 3, 4))]

    assert [choices.number.itemText(row) for row in range(choices.number.count())] == [
        "Shares of speeds in ranges",
        "Shares of speeds in ranges, smoothed",
        "Percentiles of speeds",
        "Percentiles of speeds, smoothed",
    ]
    stated = [rows_of(bundle, "speed_share_by_hat")[6]["share"] for bundle in bundles]
    *titles, old, new, change = chosen(0, 6)
    assert titles == ["Earlier\n%", "Later\n%", "Change\npoints"]
    assert [old, new] == [f"{100 * float(share):.1f}" for share in stated]
    assert float(change.replace("−", "-")) == pytest.approx(float(new) - float(old), abs=0.11)
    assert captions[choices.label].text() == "Ran&ge"
    assert [choices.label.itemText(row) for row in (0, 6)] == ["below 1 km/h", "45 to 65 km/h"]
    assert page.found is not None
    assert page.map.shown[-1] == (page.found, "45 to 65")
    assert "points" in paint_changes(page.found, "09:00", "10:00", "45 to 65").unit

    titles = chosen(2, 3)[:3]
    assert titles == ["Earlier\nkm/h", "Later\nkm/h", "Change\nkm/h"]
    assert captions[choices.label].text() == "&Percentile"
    assert [choices.label.itemText(row) for row in range(4)] == ["15", "50", "85", "mean from shares"]
    means = [rows_of(bundle, "speed_percentiles_by_hat")[3] for bundle in bundles]
    assert chosen(2, 3)[3:5] == [row["speed_kmh"] for row in means]
    assert {row["percentile"] for row in means} == {"mean"}
    chosen(3, 0)
    assert [choices.label.itemText(row) for row in range(choices.label.count())] == ["15", "50", "85"]
    assert "no number in either" not in page.summary.text()
    keys = _keys(page)
    assert sorted(keys) == sorted(set(keys))


def test_all_rows_of_the_table_are_told_of(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, *pair())
    found = page.found
    assert found is not None
    rows = found.counts.rows
    alone = rows[ChangeVerdict.ONLY_BEFORE] + rows[ChangeVerdict.ONLY_AFTER]
    assert found.counts.compared + alone + rows[ChangeVerdict.UNTOLD] == len(found.rows)
    assert "in either" not in page.summary.text()
    suppressed = dataclasses.replace(found.counts, rows={**rows, ChangeVerdict.UNTOLD: 12})
    told = changes_in_words(dataclasses.replace(found, counts=suppressed))
    assert told.splitlines()[-1] == "12 have no number in either."


def test_a_key_leads_to_one_place_once_two_are_compared(compared: ComparePage) -> None:
    page = compared
    keys = _keys(page)
    assert len(keys) > 8
    assert sorted(keys) == sorted(set(keys))


def test_columns_take_no_more_than_the_widest_line_of_their_titles(compared: ComparePage) -> None:
    page = compared
    header = page.table.horizontalHeader()
    for column in range(2, header.count() - 1):
        title = page.model.headerData(column, Qt.Orientation.Horizontal)
        lines = [header.fontMetrics().horizontalAdvance(line) for line in title.split("\n")]
        assert header.sectionSize(column) <= max(max(lines) + 44, page.table.sizeHintForColumn(column))


def test_in_a_narrow_window_the_edge_of_the_table_cuts_no_column(compared: ComparePage) -> None:
    """At 150 % it cut the lower end of a change in two; what lies beyond is scrolled to."""
    page = compared
    page.tabs.setCurrentIndex(1)
    table, header = page.table, page.table.horizontalHeader()
    for width in (911, 1000, 840):
        page.resize(width, 512)
        QApplication.processEvents()
        room = table.viewport().width()
        ends = [header.sectionPosition(one) + header.sectionSize(one) for one in range(header.count())]
        assert room in ends
        assert table.horizontalScrollBar().maximum() == max(ends[-1] - room, 0)
        least = [table.sizeHintForColumn(one) for one in range(header.count())]
        assert all(header.sectionSize(one) >= wide for one, wide in enumerate(least)), "and no figure"
    page.resize(1200, 700)
    page.tabs.setCurrentIndex(0)


def test_the_ends_of_a_change_bear_a_sign_as_the_change_does(compared: ComparePage) -> None:
    page = compared
    for row in range(page.model.shown):
        told = [str(page.model.index(row, column).data()) for column in (4, 5, 6)]
        assert all(text[0] in "+−" for text in told if text != "–" and float(text.replace("−", "-"))), told


def test_packed_ones_are_compared_as_their_folders_are(
    qtbot: QtBot, page: ComparePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Home(tmp_path / "home").default_key.with_suffix(".pub")
    own.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(pair()[0] / "release-key.pub", own)
    packed = [pack_bundle(shutil.copytree(one, tmp_path / one.name)) for one in pair()]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(one) for one in packed], ""))
    page.ask_packed()
    qtbot.waitUntil(lambda: page.found is not None, timeout=TIMEOUT)
    assert page.paths == tuple(packed)
    assert [line.partition("· ")[2] for line in _lines(page)] == ["valid; signed by your own key"] * 2


def test_one_that_does_not_hold_is_told_and_not_compared(
    qtbot: QtBot, page: ComparePage, tmp_path: Path
) -> None:
    broken = shutil.copytree(pair()[1], tmp_path / "broken")
    (broken / "README.md").write_text("Other words\n", encoding="utf-8")
    _open(qtbot, page, pair()[0], broken, tmp_path)
    assert _lines(page)[1:] == ["✗ broken\ncannot be read", f"✗ {tmp_path.name}\ncannot be read"]
    assert "This is not a release bundle." in page.message.text
    assert page.found is None
    page.bundles.setCurrentRow(1)
    qtbot.keyClick(page.bundles, Qt.Key.Key_Delete)
    assert len(_lines(page)) == 2


def test_a_practice_bundle_is_marked(qtbot: QtBot, page: ComparePage, tmp_path: Path) -> None:
    _open(qtbot, page, make_bundle(tmp_path, texts=make_texts(name="practice-speed")))
    assert _lines(page)[0].startswith("! practice-speed-1.0.0\n2024-03-01 – 2024-03-09 · PRACTICE")


def test_the_key_of_the_publisher_is_asked_of_each(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, *pair())
    write(qtbot, page.key, str(pair()[0] / "release-key.pub"))
    qtbot.waitUntil(lambda: not page.busy, timeout=TIMEOUT)
    assert [line.partition("· ")[2] for line in _lines(page)] == ["valid; signed by the key given"] * 2


def test_releases_of_other_grids_are_told_apart(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, pair()[0], GOLDEN / "one-query-1.0.0")
    assert "use other time zones: Asia/Kolkata, and America/Chicago" in page.empty.reason.text()


def test_a_number_and_an_edge_are_chosen(qtbot: QtBot, page: ComparePage, tmp_path: Path) -> None:
    again = shutil.copytree(GOLDEN / "every-statistic-1.0.0", tmp_path / "again" / "every-statistic-1.0.0")
    _open(qtbot, page, GOLDEN / "every-statistic-1.0.0", again)
    assert not page.choices.label.isVisible()
    pick(qtbot, page.choices.number, "cdf_of_vehicles cumulative_share_of_vehicles")
    qtbot.waitUntil(lambda: not page.busy, timeout=TIMEOUT)
    assert page.choices.label.isVisible()
    assert "These numbers share the same noise" in page.summary.text()
    pick(qtbot, page.choices.label, "20")
    assert page.map.shown[-1][1] == "20"
    assert page.model.total == 12  # of 156 rows those of one edge


def test_rows_are_filtered_sorted_and_copied(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, *pair())
    page.tabs.setCurrentIndex(1)
    page.changed_only.setChecked(True)
    found = page.found
    assert found is not None
    changed = found.rows["verdict"].isin(["larger", "smaller"]).sum()
    assert page.model.shown == changed
    assert page.count.text() == f"{changed} of {len(found.rows)} rows"
    page.filter.setText("09:")
    assert 0 < page.model.shown < changed
    page.table.sortByColumn(4, Qt.SortOrder.AscendingOrder)
    page.table.selectRow(0)
    page.copy()
    header, row = QGuiApplication.clipboard().text().splitlines()
    numbers = ("Earlier", "Later", "Change", "95 % low", "95 % high")
    assert header.split("\t") == ["Slot", "Hexagon", *(f"{one} km/h" for one in numbers), "Status"]
    lowest = found.rows[(found.rows["slot_start"] == "09:00")]["change"].min()
    assert float(row.split("\t")[4]) == pytest.approx(lowest, abs=0.001)
    assert page.map.chosen[-1] == (row.split("\t")[1], "09:00")


def test_changes_from_or_to_a_practice_never_leave_without_that_word(qtbot: QtBot, page: ComparePage) -> None:
    _open(qtbot, page, *pair())
    found = page.found
    assert found is not None
    page.table.selectRow(0)
    page.copy()
    plain = QGuiApplication.clipboard().text()
    page._show(dataclasses.replace(found, after=f"practice-{found.after}"))
    page.table.selectRow(0)
    page.copy()
    assert QGuiApplication.clipboard().text() == f"PRACTICE: this is no release.\n{plain}"


def test_a_click_on_the_map_finds_the_row(compared: ComparePage) -> None:
    page = compared
    found = page.found
    assert found is not None
    cell = found.rows["cells"].iloc[5][0]
    page.map.clicked.emit(cell, "10:00")
    assert page.model.place_at(page.table.currentIndex().row()) == (cell, "10:00")


def test_changes_are_written_whole(
    qtbot: QtBot, page: ComparePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(qtbot, page, *pair())
    asked: dict[str, Any] = {}

    def save(_: QWidget, __: str, proposed: str, kinds: str) -> tuple[str, str]:
        asked.update(proposed=proposed, kinds=kinds)
        return str(tmp_path / "changes"), "GeoParquet (*.parquet)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    press(qtbot, page.export)
    qtbot.waitUntil(lambda: page.message.isVisible(), timeout=TIMEOUT)
    assert "Written." in page.message.text
    assert asked["proposed"].endswith("bus-speed-2023-1.0.0-to-bus-speed-2024-1.0.0.csv")
    frame = pd.read_parquet(tmp_path / "changes.parquet")
    assert page.found is not None
    assert len(frame) == len(page.found.frame)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["changes.parquet"]


def test_a_name_without_its_ending_replaces_no_other_file(
    qtbot: QtBot, page: ComparePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asks for the name as it was typed, of which there is no file."""
    _open(qtbot, page, *pair())
    other = tmp_path / "changes.csv"
    other.write_bytes(b"another's")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "changes"), ""))
    press(qtbot, page.export)
    qtbot.waitUntil(lambda: page.message.isVisible(), timeout=TIMEOUT)
    assert other.read_bytes() == b"another's"
    assert "There is a file of this name already." in page.message.text
    assert page.export.isEnabled()


def test_what_cannot_be_written_is_told(qtbot: QtBot, page: ComparePage, tmp_path: Path) -> None:
    _open(qtbot, page, *pair())
    page.write(tmp_path / "nowhere" / "changes.csv")
    qtbot.waitUntil(lambda: page.message.isVisible(), timeout=TIMEOUT)
    assert "changes.csv" in page.message.text
    assert page.export.isEnabled()


def test_the_menu_offers_the_ledger_s_own_and_recent_ones(
    qtbot: QtBot, page: ComparePage, tmp_path: Path
) -> None:
    home = page._session.home
    ledger = Ledger.open(home.ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(9))
    pay(ledger, BUSES, month(2), "0.3", bundle="bus-speed-2022-02-1.0.0")
    page._session.ledger.read()
    qtbot.waitUntil(lambda: bool(page._session.ledger.populations), timeout=TIMEOUT)
    own = make_bundle(tmp_path / "releases", texts=make_texts(name="bus-speed-2022-02"))
    settings = Settings(home)
    settings.release_folder = own.parent
    settings.add_recent_path("bundle", pair()[1])
    page._menu.aboutToShow.emit()
    titles = [action.text() for action in page._menu.actions() if not action.isSeparator()]
    assert titles == [
        "Choose a &folder…", "Choose &packed ones…", "In your ledger", own.name, "Recent", pair()[1].name
    ]  # fmt: skip
    next(action for action in page._menu.actions() if action.text() == own.name).trigger()
    qtbot.waitUntil(lambda: not page.busy, timeout=TIMEOUT)
    assert page.paths == (own,)


def test_folders_are_dropped(qtbot: QtBot, page: ComparePage) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in pair()])
    page.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    qtbot.waitUntil(lambda: page.found is not None, timeout=TIMEOUT)
    assert set(page.paths) == set(pair())


def test_the_list_of_bundles_takes_the_room_that_is_there(
    qtbot: QtBot, page: ComparePage, tmp_path: Path
) -> None:
    """A year of months: all are seen on a high page, some on a low one, where the list scrolls."""
    paths = [tmp_path / f"month-{number:02}-1.0.0" for number in range(1, 13)]
    for path in paths:
        shutil.copytree(pair()[0], path)
    _open(qtbot, page, *paths)

    def seen(height: int) -> int:
        page.resize(1200, height)
        QApplication.processEvents()
        rows = (page.bundles.visualItemRect(page.bundles.item(row)) for row in range(len(paths)))
        return sum(page.bundles.viewport().rect().contains(row) for row in rows)

    assert [seen(height) for height in (1500, 520)] == [12, 5]
