"""ui.ledger.page: populations, timeline, bar, days, words, plans, notices, limits and links."""

from __future__ import annotations

import datetime as dt
import hashlib
from decimal import Decimal
from functools import cache
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.privacy import Relation
from core.signed.bundle_names import MANIFEST
from core.system.paths import Home
from core.verify.verify import verify_bundle
from tests.builders import make_bundle, make_texts
from tests.city import PASSPHRASE
from tests.core.accounting.ledger_cases import charge_of, request_of
from tests.ui.contrasts import LEAST, contrast, row_of
from tests.ui.ledger_story import BUSES, TAXIS, TRAMS, month, pay, year_behind
from tests.ui.small_city import TIMEOUT, planned_session
from tests.ui.user_actions import press, show, texts
from ui.budget.limit_dialog import LimitDialog
from ui.kit.theme import Theme
from ui.ledger.notice_dialog import NoticeDialog
from ui.ledger.page import LedgerPage
from ui.session.session import Session
from ui.session.settings import Settings


@cache
def _year() -> Path:
    """Made once: each entry is synced to the disk."""
    folder = Path(mkdtemp()) / "home"
    year_behind(Home(folder).ledger)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(copytree(_year(), tmp_path / "ledger-home"))


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, home: Home) -> LedgerPage:
    made = LedgerPage(Session(home), theme)
    show(qtbot, made, width=1300, height=760)
    qtbot.waitUntil(lambda: made.spending is not None and not made.job.running, timeout=TIMEOUT)
    return made


def _choose(qtbot: QtBot, page: LedgerPage, name: str) -> None:
    names = [one.name for one in page._session.ledger.populations]
    page.populations.setCurrentRow(names.index(name))
    qtbot.waitUntil(
        lambda: page.spending is not None and page.spending.population.name == name, timeout=TIMEOUT
    )


def _rows(page: LedgerPage) -> list[list[str]]:
    table = page.table
    return [[table.item(row, column).text() for column in range(5)] for row in range(table.rowCount())]


def test_the_timeline_tells_date_bundle_days_charge_and_state(page: LedgerPage) -> None:
    rows = _rows(page)
    months = [f"2022-{number:02}-03" for number in range(6, 1, -1)]
    assert [row[0] for row in rows] == ["2022-06-24", "2022-06-15", "2022-06-08", *months]
    assert rows[0][1:] == ["–", "2022-06-21", "0.2", "! interrupted, counts as spent"]
    assert rows[1][1:] == ["marathon-week-1.0.0", "2022-w23", "1.75", "✓ signed"]
    assert rows[3][1:4] == ["bus-speed-2022-05-1.0.0", "2022-05", "9.3"]
    assert "corrected by bus-speed-2022-05-1.1.0 on 2022-07-04" in rows[3][4]
    assert rows[6][1:] == ["bus-speed-2022-02-1.0.0", "2022-02", "8.4", "✕ withdrawn on 2022-07-04"]


def test_the_dates_of_the_year_fit_each_other(home: Home) -> None:
    """Of those in the pictures an entry was paid four years after the notice on it."""
    entries = [entry for one in Ledger.open(home.ledger).populations() for entry in one.entries]
    assert any(entry.notices for entry in entries)
    for entry in entries:
        assert entry.dates[-1] < entry.reserved_on, entry.bundles
        assert all(notice.on >= entry.reserved_on for notice in entry.notices), entry.bundles
    days = [entry.reserved_on for entry in entries if entry.population == BUSES]
    assert days == sorted(days)


@pytest.mark.parametrize("width", [400, 120])
def test_the_limit_is_told_at_its_mark(qtbot: QtBot, page: LedgerPage, width: int) -> None:
    """Trams have spent 7 of 6: the mark is left of the bar's end."""
    _choose(qtbot, page, TRAMS)
    bar, spent, limit = page.bar, "7 spent", "limit 6"
    bar.setFixedWidth(width)
    place = bar.limit_place(spent, limit)
    least = sum(bar.fontMetrics().horizontalAdvance(text) for text in (spent, limit))
    assert (
        place.right() == pytest.approx(1 + 6 / 7 * (width - 2) + 1)
        if width == 400
        else place.right() <= width
    )
    assert place.right() >= min(width, least), "they do not lie on each other"


def test_where_the_day_of_payment_has_no_room_the_state_tells_it(page: LedgerPage) -> None:
    item = page.table.item(1, 4)
    assert item.toolTip() == "✓ signed\nPaid on 2022-06-15"


def test_what_is_left_is_told_in_words(qtbot: QtBot, page: LedgerPage) -> None:
    told = page.balance.text()
    assert "68.1 left of 120: 51.9 are spent" in told
    assert "38 more releases like the last one" in told
    assert "On its most expensive day, 2022-05-01, a vehicle has spent 0.45 of 0.5." in told
    _choose(qtbot, page, TAXIS)
    assert page.nothing_paid.isVisible()
    assert not page.table.isVisible()
    _choose(qtbot, page, TRAMS)
    assert "7 are spent, more than the limit of 6: nothing new is released" in page.balance.text()
    assert page.populations.currentItem().text() == "Trams\n! 7 of 6 spent"


def test_the_bar_has_a_piece_for_each_entry_and_a_click_chooses_it(qtbot: QtBot, page: LedgerPage) -> None:
    pieces = page.bar.pieces
    assert [part.entry.number for part, _ in pieces] == list(range(1, 9))
    assert all(one.right() <= other.left() + 1 for (_, one), (_, other) in pairwise(pieces))
    with qtbot.waitSignal(page.table.entry_chosen):
        page.bar.chosen.emit(2)
    current = page.table.current
    assert current is not None
    assert current.bundles == ("bus-speed-2022-02-1.0.0",)


def test_pieces_are_told_apart_from_what_is_left_and_from_the_chosen_one(page: LedgerPage) -> None:
    page.bar.mark(2)
    row = row_of(page.bar, 13)
    (_, first), (_, second) = page.bar.pieces[:2]
    left = row[-4]  # the year's buses have some left
    for piece in (first, second):
        assert contrast(row[round(piece.center().x())], left) >= LEAST
    edge = row[int(second.left()) - 1 : int(second.left()) + 2]  # where the seam lies, to a pixel
    assert max(contrast(at, row[round(second.center().x())]) for at in edge) >= LEAST
    below = row_of(page.bar, 27)
    marked = [contrast(below[round(place.center().x())], below[-1]) >= LEAST for place in (first, second)]
    assert marked == [False, True]


def test_the_strip_has_a_column_for_each_paid_day(page: LedgerPage) -> None:
    columns = page.days.columns
    assert len(columns) == 151 + 7 + 1
    assert not any(day.over for day, _ in columns)
    heights = {day.date: place.height() for day, place in columns}
    assert heights[dt.date(2022, 5, 1)] > heights[dt.date(2022, 4, 1)]


def test_the_days_of_a_week_or_month_are_in_its_tip(page: LedgerPage) -> None:
    row = next(row for row in range(page.table.rowCount()) if page.table.item(row, 2).text() == "2022-w23")
    assert page.table.item(row, 2).toolTip() == "2022-06-06 to 2022-06-12"


def test_the_strip_tells_how_much_its_highest_column_is(qtbot: QtBot, page: LedgerPage) -> None:
    assert page.days.scale == "at most 0.45 on a day; dashed: limit per day 0.5"
    _choose(qtbot, page, TRAMS)
    assert page.days.scale == "at most 0.7 on a day; no limit per day"


def test_the_example_of_a_series_is_read_whole_and_its_tip_has_the_dates(
    qtbot: QtBot, page: LedgerPage
) -> None:
    page.resize(1340, 690)
    for name, bundle, dates in (
        (TRAMS, "trams-1.0.0", "2022-03-01 to 2022-03-10"),
        (BUSES, "marathon-week-1.0.0", "2022-w23"),
    ):
        _choose(qtbot, page, name)
        page.series.like.setCurrentIndex(page.series.like.findText(bundle))
        QApplication.processEvents()
        assert page.series.like.shown_text == page.series.like.currentText() == bundle
        assert page.series.like.toolTip() == f"{bundle}, {dates}"


def test_of_an_example_that_has_no_room_the_version_is_seen(page: LedgerPage) -> None:
    page.series.like.setCurrentIndex(page.series.like.findData(4))
    page.series.like.setFixedWidth(140)
    assert "…" in page.series.like.shown_text
    assert page.series.like.shown_text.endswith("1.0.0")


def test_a_low_page_shows_rows_of_the_timeline_and_the_days_when_asked(
    qtbot: QtBot, page: LedgerPage
) -> None:
    assert page.days.isVisible()
    assert not page.show_days.isVisible()
    page.resize(911, 440)
    qtbot.waitUntil(lambda: not page.days.isVisible(), timeout=TIMEOUT)
    QApplication.processEvents()
    seen = page.table.viewport().visibleRegion().boundingRect().height()
    assert seen >= 3 * page.table.rowHeight(0)
    press(qtbot, page.show_days)
    assert page.days.isVisible()
    page.resize(1300, 760)
    assert page.days.isVisible()
    assert not page.show_days.isVisible()


def test_in_a_low_page_nothing_of_the_centre_lies_below_the_fold(qtbot: QtBot, page: LedgerPage) -> None:
    _choose(qtbot, page, TRAMS)
    page.resize(911, 440)
    qtbot.waitUntil(lambda: not page.days.isVisible(), timeout=TIMEOUT)
    qtbot.waitUntil(lambda: page.open.visibleRegion().boundingRect().height() == page.open.height())


def test_in_a_narrow_page_no_column_is_cut_off_and_limits_stand_below(qtbot: QtBot, page: LedgerPage) -> None:
    """911 pixels: what 1366 are at 150 %. The timeline ended within a column, the buttons within Correct."""

    def places() -> list[QPoint]:
        return [part.mapTo(page, QPoint()) for part in (page.open, page.limits)]

    wide = places()
    assert wide[1].x() > wide[0].x()
    assert wide[1].y() < wide[0].y()
    page.resize(911, 512)
    qtbot.waitUntil(lambda: places()[1].y() > places()[0].y(), timeout=TIMEOUT)
    for part in (page.table, page.withdraw, page.bar):
        assert part.visibleRegion().boundingRect().width() == part.width()
    page.resize(1300, 760)
    qtbot.waitUntil(lambda: places()[1].y() < places()[0].y(), timeout=TIMEOUT)
    assert page.limits.isVisible()


def test_a_new_release_is_chosen_where_the_newest_was(qtbot: QtBot, page: LedgerPage, home: Home) -> None:
    """Buttons below the timeline withdrew what was published before, though nobody had chosen it."""
    first = page.table.current
    assert first is not None
    assert first.bundles == ("marathon-week-1.0.0",)

    def publish(name: str) -> None:
        with Ledger.open(home.ledger) as ledger:
            pay(ledger, BUSES, month(7), "0.1", bundle=name)
        with qtbot.waitSignal(page._session.ledger_changed, timeout=TIMEOUT):
            page._session.ledger.read()
        qtbot.waitUntil(lambda: not page.job.running and _rows(page)[0][1] == name, timeout=TIMEOUT)

    publish("bus-speed-2022-07-1.0.0")
    assert page.table.currentRow() == 0
    page.table.choose(first.number)
    publish("bus-speed-2022-07-1.1.0")
    assert page.table.current is not None
    assert page.table.current.number == first.number, "what somebody chose stays chosen"


def test_a_series_is_planned_by_core(qtbot: QtBot, page: LedgerPage) -> None:
    """Of nothing that nobody asked for: a plan that does not fit would alarm who only came to look."""
    assert page.series.like.isVisible()
    assert page.series.like.currentIndex() == -1
    assert page.series.verdict.text() == "Choose a release to see what more like it will cost."
    page.series.like.setCurrentIndex(page.series.like.findText("marathon-week-1.0.0"))
    assert "12 such weeks cost 21; with what is spent that is 72.9 of 120." in page.series.verdict.text()
    page.series.like.setCurrentIndex(page.series.like.findData(4))
    assert "12 such months cost 108; with what is spent that is 159.9 of 120" in page.series.verdict.text()
    assert "The limit takes 7 of them" in page.series.verdict.text()
    page.series.count.setValue(7)
    assert page.series.verdict.text().endswith("114.9 of 120.")
    _choose(qtbot, page, TAXIS)
    assert "Release once" in page.series.verdict.text()


def test_the_draft_is_planned_only_where_it_could_be_paid(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """Charges of two relations cannot be added: the ledger would refuse the first of such a series."""
    session = planned_session(qtbot, tmp_path)
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    for name, relation in ((BUSES, Relation.VALUES), (TAXIS, Relation.USER)):
        ledger.set_limit(name, per_vehicle=Decimal(120))
        ledger.reserve(
            request_of(population=name, relation=relation, fingerprint=name, vehicles=[f"one of {name}"])
        )
    ledger.set_limit(TRAMS, per_vehicle=Decimal(120))
    page = LedgerPage(session, theme)
    show(qtbot, page, width=1300, height=760)
    qtbot.waitUntil(lambda: page.spending is not None and not page.job.running, timeout=TIMEOUT)
    offered = {}
    for name in (BUSES, TAXIS, TRAMS):
        _choose(qtbot, page, name)
        offered[name] = page.series.like.findText("this release") >= 0
    assert offered == {BUSES: True, TAXIS: False, TRAMS: True}


def test_only_what_was_published_can_be_opened_and_only_once_withdrawn(page: LedgerPage) -> None:
    for entry, published, open_to_notices in (
        (8, False, False),
        (7, True, True),
        (5, True, True),
        (2, True, False),
    ):
        page.table.choose(entry)
        assert page.verify.isEnabled() is page.open.isEnabled() is published
        assert page.withdraw.isEnabled() is page.correct.isEnabled() is open_to_notices


def test_two_populations_are_linked_after_a_second_click(qtbot: QtBot, page: LedgerPage, home: Home) -> None:
    card = page.limits
    assert card.other.currentText() == "", "a name beside *shares with none* reads as shared"
    assert not card.link.isEnabled()
    card.other.setCurrentText(TRAMS)
    press(qtbot, card.link)
    assert "Nothing undoes it" in texts(card)
    assert Ledger.open(home.ledger).populations()[0].linked == ()
    with qtbot.waitSignal(page._session.ledger_changed, timeout=TIMEOUT):
        press(qtbot, card.link)
    qtbot.waitUntil(lambda: "Shares its vehicles with Trams" in texts(card), timeout=TIMEOUT)
    assert "nothing is released until it is raised" in page.balance.text()


def test_a_population_of_different_things_is_told(qtbot: QtBot, page: LedgerPage, home: Home) -> None:
    ledger = Ledger.open(home.ledger)
    ledger.mark_different(page.populations.current, TRAMS)
    page._session.ledger.read()
    qtbot.waitUntil(lambda: "other things than Trams" in page.balance.text(), timeout=TIMEOUT)


def test_the_limit_is_changed_here(qtbot: QtBot, page: LedgerPage) -> None:
    _choose(qtbot, page, TRAMS)
    Ledger.open(page._session.home.ledger).set_limit(TRAMS, per_vehicle=Decimal(70))
    page._session.ledger.read()
    qtbot.waitUntil(lambda: "63 left of 70" in page.balance.text(), timeout=TIMEOUT)
    assert "Per vehicle, over all time: 70" in texts(page.limits)
    assert "over all time:\u00a070" in QLabel.text(page.limits.limits), "no line has the limit alone"


def test_whose_limit_is_changed_here_does_not_pay_for_the_draft(qtbot: QtBot, page: LedgerPage) -> None:
    """Perhaps other vehicles were opened, and who pays for them is not chosen yet."""
    _choose(qtbot, page, TRAMS)
    press(qtbot, page.limits.change)
    (dialog,) = page.findChildren(LimitDialog)
    assert dialog.population.currentText() == TRAMS
    dialog.per_vehicle.setText("70")
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        dialog.buttons.accepted.emit()
    qtbot.waitUntil(lambda: "63 left of 70" in page.balance.text(), timeout=TIMEOUT)
    assert page._session.draft.population == ""


def test_a_folder_that_is_another_bundle_is_refused(
    page: LedgerPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = make_bundle(tmp_path)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(bundle))
    page.table.choose(7)
    page.verify.click()
    assert "This folder is not that bundle." in page.message.text


def test_a_bundle_is_found_and_withdrawn_by_a_signed_notice(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    home.create()
    bundle = make_bundle(tmp_path, key=generate_key(home.default_key, PASSPHRASE))
    ledger = Ledger.open(home.ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(120))
    manifest_sha256 = hashlib.sha256((bundle / MANIFEST).read_bytes()).hexdigest()
    pay(ledger, BUSES, month(1), "1", bundle=bundle.name, manifest_sha256=manifest_sha256)
    Settings(home).add_recent_path("bundle", bundle)
    page = LedgerPage(Session(home), theme)
    show(qtbot, page, width=1300, height=760)
    qtbot.waitUntil(lambda: page.spending is not None, timeout=TIMEOUT)
    with qtbot.waitSignal(page.verify_wanted) as wanted:
        press(qtbot, page.verify)
    assert wanted.args == [[bundle]]
    with qtbot.waitSignal(page.pack.packed, timeout=TIMEOUT) as packed:
        press(qtbot, page.pack)
    assert packed.args == [bundle.with_name(f"{bundle.name}.zip")]
    assert f"{bundle.name}.zip" in page.message.text
    press(qtbot, page.withdraw)
    dialog = page.dialog
    assert dialog is not None
    assert not dialog.sign.isEnabled()
    dialog.reason.setText("The units were wrong.")
    dialog.passphrase.setText("wrong")
    dialog.sign.click()
    qtbot.waitUntil(lambda: "cannot be unlocked" in dialog.message.text, timeout=TIMEOUT)
    assert verify_bundle(bundle).ok
    dialog.passphrase.setText(PASSPHRASE)
    dialog.sign.click()
    qtbot.waitUntil(lambda: "withdrawn on" in _rows(page)[0][4], timeout=TIMEOUT)
    assert "✓ The notice is signed." in page.message.text
    assert not page.withdraw.isEnabled()
    failed = [check.detail for check in verify_bundle(bundle).checks if not check.passed]
    assert len(failed) == 1
    assert failed[0].endswith("The units were wrong.")


def test_each_bundle_of_an_entry_is_opened_and_corrected(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """The same request under another version costs nothing: the new bundle is to take the old one's place."""
    home = Home(tmp_path / "home")
    home.create()
    key = generate_key(home.default_key, PASSPHRASE)
    old, new = (
        make_bundle(tmp_path, texts=make_texts(version=version), key=key) for version in ("1.0.0", "1.0.1")
    )
    ledger = Ledger.open(home.ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(120))
    paid = ledger.reserve(request_of(population=BUSES, charge=charge_of({dt.date(2022, 1, 3): "1"})))
    paid.store_draws({})
    for bundle in (old, new):
        Settings(home).add_recent_path("bundle", bundle)
        paid.mark_published(bundle.name, hashlib.sha256((bundle / MANIFEST).read_bytes()).hexdigest())
    page = LedgerPage(Session(home), theme)
    show(qtbot, page, width=1300, height=760)
    qtbot.waitUntil(lambda: page.spending is not None and page.bundles.isVisible(), timeout=TIMEOUT)
    assert _rows(page)[0][1] == f"{new.name} and 1 before it"
    assert [page.bundles.itemText(row) for row in range(2)] == [
        f"{new.name}: ✓ signed",
        f"{old.name}: ✓ signed",
    ]
    page.bundles.setCurrentIndex(1)
    with qtbot.waitSignal(page.verify_wanted) as wanted:
        press(qtbot, page.verify)
    assert wanted.args == [[old]]
    press(qtbot, page.correct)
    dialog = page.dialog
    assert dialog is not None
    assert old.name in dialog.windowTitle()
    dialog.reason.setText("The title was wrong.")
    dialog.successor.setText(str(new))
    dialog.passphrase.setText(PASSPHRASE)
    dialog.sign.click()
    qtbot.waitUntil(lambda: "corrected by" in page.bundles.itemText(1), timeout=TIMEOUT)
    assert page.bundles.currentIndex() == 1, "what somebody chose stays chosen"
    assert _rows(page)[0][4] == "✓ signed"
    assert [check.passed for check in verify_bundle(old).checks if check.name == "notice"] == [False]
    page.bundles.setCurrentIndex(0)
    press(qtbot, page.withdraw)
    assert page.dialog is not None
    assert new.name in page.dialog.windowTitle()
    page.dialog.reject()


def test_no_caption_of_a_notice_shows_the_mark_of_its_key(qtbot: QtBot, home: Home) -> None:
    dialog = NoticeDialog(Session(home), home.folder, key=home.default_key, corrects=True)
    show(qtbot, dialog)
    marked = [one for one in dialog.findChildren(QLabel) if "&" in one.text()]
    assert marked
    assert all(one.buddy() is not None for one in marked)


def test_it_opens_on_the_population_at_work(qtbot: QtBot, page: LedgerPage) -> None:
    """Whichever was looked at when somebody was here last."""
    _choose(qtbot, page, TRAMS)
    page.hide()
    page._session.edit("Population", population=TAXIS)
    page.show()
    qtbot.waitUntil(
        lambda: page.spending is not None and page.spending.population.name == TAXIS, timeout=TIMEOUT
    )
    assert page.populations.current == TAXIS
