"""The release itself, by mouse and keyboard: review, confirmation, refusals, result."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QLineEdit, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import glance
from core.accounting.ledger import Ledger
from core.advice import smoothed
from core.grouping.plan_cache import PlanCache
from core.keys.signing_key import load_key
from core.planning import values_query
from core.progress import Progress
from core.release.bundle import Staging
from core.system.paths import find_home
from core.verify.verify import verify_bundle
from tests.city import DERIVED, PASSPHRASE, POPULATION, write_city
from tests.ui.release_story import FOLDER, WAIT_MS, city_session, make_home, make_page, make_session, spent
from tests.ui.small_city import add_queries, edit
from tests.ui.user_actions import press, show
from ui.budget.charged_units import CHARGED_UNITS
from ui.budget.decide_column import NextButtons
from ui.kit.jobs import wait_for_all
from ui.parameters.page import ParametersPage
from ui.release import dialog as release_dialog
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.page import ReleasePage
from ui.release.review_view import asked_words
from ui.session import planning
from ui.session.settings import Settings

LEFT = Qt.MouseButton.LeftButton
COST = Decimal("5.999994")


def open_dialog(qtbot: QtBot, page: ReleasePage, phase: Phase = Phase.READY) -> ReleaseDialog:
    qtbot.mouseClick(page.start, LEFT)
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is phase, timeout=WAIT_MS)
    return dialog


def confirm(qtbot: QtBot, dialog: ReleaseDialog, passphrase: str = PASSPHRASE) -> None:
    dialog.typed.clear()
    qtbot.keyClicks(dialog.typed, FOLDER)
    qtbot.keyClicks(dialog.passphrase, passphrase)


def release(qtbot: QtBot, dialog: ReleaseDialog) -> None:
    confirm(qtbot, dialog)
    qtbot.mouseClick(dialog.release, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)


def shown_text(dialog: ReleaseDialog) -> str:
    found = "\n".join(part.text() for part in dialog.area.widget().findChildren(QLabel))
    return found.replace("\u200b", "")  # where a long name may go on in the next line


def test_the_review_tells_what_for_whom_and_for_how_much(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    text = shown_text(dialog)
    assert dialog._reviewed is not None
    review = dialog._reviewed.prepared.review
    (query,) = review.queries
    words = {f"{query.query_id}: {query.asked}": asked_words(query)}
    costs = dict(review.costs)
    words |= {
        fact: f"{costs[name]} (“Values only”, a vehicle" for name, fact in review.facts() if name in costs
    }
    assert all(name in text and words.get(fact, fact) in text for name, fact in review.facts())
    assert all(one in text for query in review.queries for one in query.warned)
    assert review.sentence in text
    view = dialog.view.details
    assert view.budget.text() == "0 → 6 of 10"
    assert POPULATION in view.balance.text()
    assert "“Values only”" in view.balance.text()
    assert dialog.height() <= dialog.screen().availableSize().height()
    assert (dialog.heading.text(), dialog.note.text()) == (
        "Review before you sign",
        "Once begun, it cannot be stopped.",
    )
    assert dialog.focusWidget() is dialog.typed, "where one types next"
    assert (dialog.typed.placeholderText(), dialog.asked.isVisible()) == (FOLDER, False)
    assert not dialog.again.isVisible()
    assert spent() == 0
    assert not (tmp_path / "out").exists()
    dialog.reject()


def test_what_is_signed_is_half_a_page_and_the_rest_is_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    """In plain words and figures as people read them; the details are those of before."""
    dialog = open_dialog(qtbot, make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out"))
    view, bar = dialog.view, dialog.area.verticalScrollBar()
    assert view.details.isHidden()
    assert not bar.isVisible(), "nothing to be signed lies below the fold"
    assert dialog.height() > 900, "nor does it of a longer one, where the screen has room"
    said = [part.text() for part in view.findChildren(QLabel) if part.isVisible()]
    heads = ["What readers will see", "Who is protected", "What stays open", "What it costs"]
    assert [one for one in said if one in heads] == heads
    assert {"Name", "Date", "Signature"} <= set(said)
    page = " ".join(said)
    assert "6 of the budget of 10 that each vehicle of" in page
    assert "5.99" not in page
    assert "HAT" not in page
    press(qtbot, dialog.details)
    assert view.details.isVisible()
    qtbot.waitUntil(lambda: bar.value() > 0)
    press(qtbot, dialog.details)
    assert view.details.isHidden()
    dialog.reject()


def test_what_the_window_has_planned_is_planned_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two statistics, one of them smoothed, and room for the newest plan alone: as of a large city."""
    planned: list[str] = []
    for module, name in ((values_query, "_planned"), (smoothed, "expected_error")):
        real = getattr(module, name)

        def counted(*given: Any, real: Callable[..., Any] = real, name: str = name, **named: Any) -> Any:
            planned.append(name)
            return real(*given, **named)

        monkeypatch.setattr(module, name, counted)
    monkeypatch.setattr(planning, "PlanCache", partial(PlanCache, most_of_plans=1))
    session = city_session(qtbot, tmp_path, limit="30")
    smooth = {"smooth": True}
    edit(qtbot, session, mechanism="tokens", parameters=smooth, budget=Budget(total=Decimal(6)))
    add_queries(qtbot, session, "query1")
    qtbot.waitUntil(lambda: not session.planning.smoothing, timeout=WAIT_MS)
    assert "expected_error" in planned
    planned.clear()
    dialog = open_dialog(qtbot, make_page(qtbot, session, tmp_path / "out"))
    release(qtbot, dialog)
    assert planned == []
    dialog.reject()


def test_the_bar_of_a_publication_says_how_far_it_is(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    seen = threading.Event()
    publish = release_dialog.publish_release

    def watched(prepared: Any, wanted: Any, passphrase: str, progress: Progress) -> Any:
        def heard(done: float, text: str = "") -> None:
            told.append(done)
            progress(done, text)

        progress(0.02, "Another program writes the ledger.")
        seen.wait(10)
        return publish(prepared, wanted, passphrase, heard)

    monkeypatch.setattr(release_dialog, "publish_release", watched)
    dialog = open_dialog(qtbot, make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out"))
    assert dialog.progress.maximum() > 0
    confirm(qtbot, dialog)
    press(qtbot, dialog.release)
    qtbot.waitUntil(lambda: dialog.message.text == "Another program writes the ledger.", timeout=WAIT_MS)
    assert dialog.progress.value() == 0.02 * dialog.progress.maximum()
    seen.set()
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    assert told == sorted(told)
    assert len(set(told)) >= 4
    assert dialog.progress.maximum() > 0
    dialog.reject()


def test_the_page_to_sign_is_written_for_paper(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = open_dialog(qtbot, make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out"))
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    chosen = {"": "", "page": "page.pdf", "gone/page.pdf": ""}
    asked: list[str] = []
    for typed, written in chosen.items():
        path = str(tmp_path / typed) if typed else ""

        def answered(_: object, title: str, proposed: str, kinds: str, path: str = path) -> tuple[str, str]:
            asked.extend((title, proposed, kinds))
            return path, ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", answered)
        press(qtbot, dialog.print_button)
        if written:
            assert (tmp_path / written).read_bytes().startswith(b"%PDF-")
            assert opened == [QUrl.fromLocalFile(str(tmp_path / written))]
    assert "cannot be written" in dialog.message.text
    assert asked[:3] == ["Page to sign", str(tmp_path / "out" / f"{FOLDER}-review.pdf"), "PDF (*.pdf)"]
    (tmp_path / "page.pdf").write_bytes(b"mine")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "page"), ""))
    press(qtbot, dialog.print_button)
    assert dialog.message.isVisible()
    assert (tmp_path / "page.pdf").read_bytes() == b"mine", "nobody was asked whether it is replaced"
    assert len(opened) == 1
    assert spent() == 0
    dialog.reject()


def test_the_bar_does_not_touch_what_it_scrolls(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = open_dialog(qtbot, make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out"))
    press(qtbot, dialog.details)
    bar = dialog.area.verticalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    rightmost = max(
        card.mapTo(dialog, card.rect().topRight()).x()
        for card in dialog.area.widget().findChildren(
            QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
    )
    assert rightmost + 6 <= bar.mapTo(dialog, QPoint(0, 0)).x()


def test_a_warning_is_the_first_thing_in_the_review_and_told_once(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal("0.5")))
    page = make_page(qtbot, session, tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    assert dialog._reviewed is not None
    (query,) = dialog._reviewed.prepared.review.queries
    assert dialog._reviewed.prepared.review.warnings == (query.verdict_note,)
    press(qtbot, dialog.details)
    view = dialog.view.details
    told = ["Warning: Mean speed", " ".join(query.warned)]
    shown = [part for part in view.findChildren(QLabel) if any(text in part.text() for text in told)]
    assert [part.text() for part in shown] == told, "once"
    others = [part for part in view.findChildren(QLabel) if part not in shown and part.text()]
    first = min(part.mapTo(view, QPoint(0, 0)).y() for part in others)
    assert all(part.mapTo(view, QPoint(0, 0)).y() < first for part in shown)
    dialog.reject()


def test_the_review_tells_what_each_statistic_costs_and_their_sum(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="30")
    add_queries(qtbot, session, "query1", "cdf")
    page = make_page(qtbot, session, tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    assert dialog._reviewed is not None
    review = dialog._reviewed.prepared.review
    shown = shown_text(dialog).split("\n")
    start = shown.index("Epsilon of each; protected: a vehicle, “Values only”")
    assert {"vehicle", "and day", "visit"} <= set(shown[start:])
    for name, charge in [
        *((query.statistic, query.charge) for query in review.queries),
        ("All together", review.charge),
    ]:
        row = shown.index(name, start)
        assert shown[row + 1 : row + 4] == [glance(charge.of(unit)) for unit in CHARGED_UNITS]
    assert len(review.queries) == 3
    assert review.queries[2].text in shown
    dialog.reject()


def test_while_it_is_checked_a_bar_above_the_buttons_shows_how_far(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    qtbot.mouseClick(page.start, LEFT)
    dialog = page.dialog
    assert dialog is not None
    bar = dialog.progress.geometry()
    assert dialog.progress.isVisible()
    assert (dialog.heading.text(), dialog.note.text()) == (
        f"Checking {FOLDER}…",
        "Checking costs nothing.",
    )
    seen = (dialog.confirmation, dialog.release, dialog.details, dialog.print_button, dialog.again)
    assert not any(one.isVisible() for one in seen), "nothing can be signed yet"
    assert dialog.heading.geometry().bottom() < bar.top()
    assert bar.bottom() < dialog.close_button.geometry().top()
    assert (bar.left(), bar.right()) == (16, dialog.width() - 17)
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert not dialog.progress.isVisible()
    dialog.reject()


def test_only_the_typed_name_and_a_passphrase_open_the_way(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    assert dialog.passphrase.echoMode() is QLineEdit.EchoMode.Password
    assert not dialog.release.isEnabled()
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    costs = dialog.note.text()
    qtbot.keyClicks(dialog.typed, "test-speed-1.0.1")
    assert not dialog.release.isEnabled()
    assert dialog.note.text().endswith("with its version: test-speed-1.0.0")
    assert not dialog.progress.isTextVisible()
    qtbot.keyClick(dialog.passphrase, Qt.Key.Key_Return)
    qtbot.keyClick(dialog.typed, Qt.Key.Key_Return)
    assert not any(one.autoDefault() for one in (dialog.close_button, dialog.again, dialog.release))
    assert dialog.phase is Phase.READY
    assert dialog.isVisible()
    qtbot.keyClick(dialog.typed, Qt.Key.Key_Backspace)
    qtbot.keyClicks(dialog.typed, "0")
    assert dialog.release.isEnabled()
    assert dialog.note.text() == costs
    passphrase = dialog.passphrase
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert passphrase.text() == ""
    assert spent() == 0


def test_after_a_release_its_check_is_proposed_and_not_the_same_once_more(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = city_session(qtbot, tmp_path, limit="200")
    edit(qtbot, session, budget=Budget(total=Decimal(90)))
    page, buttons = make_page(qtbot, session, tmp_path / "out"), NextButtons(session)
    qtbot.addWidget(buttons)

    def proposed() -> list[str]:
        every = (*page.findChildren(QPushButton), *buttons.findChildren(QPushButton))
        return [one.text() for one in every if one.property("look") == "primary" and not one.isHidden()]

    assert proposed() == ["&Review and release…", "&Go to Release"]
    dialog = open_dialog(qtbot, page)
    confirm(qtbot, dialog)
    qtbot.keyClick(dialog.passphrase, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    dialog.accept()
    assert proposed() == ["Verif&y the bundle"]
    page.begin()
    assert page.focusWidget() is page.verify
    with qtbot.waitSignal(page.verify_wanted) as wanted:
        qtbot.keyClick(page.verify, Qt.Key.Key_Space)
    assert wanted.args == [[tmp_path / "out" / FOLDER]]
    session.edit("Other", threshold=4)
    assert "Verif&y the bundle" not in proposed(), "that would be another release"
    assert page.start.property("look") == "primary"


def test_a_release_by_keyboard_shows_all_the_public_needs(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    Settings(session.home).set_publisher_text("contact", "data@city.example")
    confirm(qtbot, dialog)
    with qtbot.waitSignal(session.published_changed, timeout=WAIT_MS):
        qtbot.keyClick(dialog.passphrase, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    bundle = tmp_path / "out" / FOLDER
    key = load_key(find_home().default_key, PASSPHRASE)
    assert verify_bundle(bundle, key.public_text).ok
    assert session.release.published is not None
    assert session.release.published.bundle == bundle
    assert spent() == COST
    view = dialog.result_view
    assert view.path.toPlainText() == str(bundle)
    assert view.fingerprint.text().split() == key.fingerprint.split()
    assert view.fingerprint.accessibleName() == "Key fingerprint"
    text = shown_text(dialog)
    assert all(path.relative_to(bundle).as_posix() in text for path in bundle.rglob("*") if path.is_file())
    commands = f"minisign -Vm SHA256SUMS -P {key.public_text}\nsha256sum -c --strict SHA256SUMS"
    assert view.commands.toPlainText() == commands
    qtbot.mouseClick(view.copy_commands, LEFT)
    assert QGuiApplication.clipboard().text() == commands
    qtbot.mouseClick(view.copy_fingerprint, LEFT)
    assert QGuiApplication.clipboard().text() == key.fingerprint
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    qtbot.mouseClick(view.open, LEFT)
    assert opened == [QUrl.fromLocalFile(str(bundle))]
    assert dialog.height() <= dialog.screen().availableSize().height()
    qtbot.mouseClick(dialog.close_button, LEFT)
    assert page.dialog is None
    left = Settings(session.home)
    assert left.publisher_text("publisher") == "City", "the next release says the same"
    assert left.publisher_text("contact") == "data@city.example", "what the office has set stays"
    assert left.last_folder("release") == tmp_path / "out"
    assert left.recent("bundle") == (bundle,)


def test_after_a_release_the_page_is_seen_from_its_beginning_on_and_after_none_as_it_was(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """On a small screen the review begins at the end of the page, and the next release with its name."""
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    show(qtbot, page, width=340, height=300)
    bar = page.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    open_dialog(qtbot, page).reject()
    assert bar.value() == bar.maximum()
    dialog = open_dialog(qtbot, page)
    assert dialog.close_button.text() == "&Cancel"
    release(qtbot, dialog)
    assert dialog.close_button.text() == "&Close", "what is published cannot be taken back"
    qtbot.mouseClick(dialog.close_button, LEFT)
    assert page.dialog is None
    assert bar.value() == 0


def test_a_wrong_passphrase_leaves_everything_as_it_was(
    qtbot: QtBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    confirm(qtbot, dialog, "wrong secret words")
    qtbot.mouseClick(dialog.release, LEFT)
    assert dialog.passphrase.text() == ""
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert "cannot be unlocked" in dialog.message.text
    assert "passphrase" in dialog.message.text
    assert dialog.focusWidget() is dialog.passphrase
    assert dialog.isVisible()
    assert dialog.typed.text() == FOLDER
    assert spent() == 0
    assert not (tmp_path / "out").exists()
    assert "wrong secret" not in caplog.text + dialog.message.text
    release(qtbot, dialog)
    assert dialog.message.isHidden()
    assert dialog.typed.text() == ""
    dialog.reject()


def test_an_existing_target_is_refused_before_anything_is_asked(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    (tmp_path / "out" / FOLDER).mkdir(parents=True)
    dialog = open_dialog(qtbot, page, Phase.REFUSED)
    assert "exists already" in dialog.message.text
    assert dialog.release.isHidden()
    assert dialog.heading.text() == f"{FOLDER} cannot be released now"
    assert dialog.note.text() == "Checking costs nothing."
    assert (dialog.close_button.text(), dialog.close_button.isEnabled()) == ("&Close", True)
    assert dialog.again.isVisible()
    assert not dialog.area.isVisible(), "what was reviewed before holds no more"
    assert not dialog.confirmation.isVisible()
    dialog.resize(700, 600)
    qtbot.waitUntil(lambda: dialog.again.geometry().bottom() > 550)
    assert dialog.message.geometry().bottom() < 150, "however high it is, the reason stands below the heading"
    (tmp_path / "out" / FOLDER).rmdir()
    qtbot.mouseClick(dialog.again, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert dialog.message.isHidden()
    (tmp_path / "out" / FOLDER).mkdir()
    confirm(qtbot, dialog)
    qtbot.mouseClick(dialog.release, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert "exists already" in dialog.message.text
    assert spent() == 0
    dialog.reject()


def test_a_budget_that_does_not_suffice_is_refused_in_place(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="5")
    page = make_page(qtbot, session, tmp_path / "out")
    assert not page.start.isEnabled()
    assert "more than is left" in page.refusal.text()
    dialog = ReleaseDialog(session, page._wanted(), page)  # as if spent while it opened
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.phase is Phase.REFUSED, timeout=WAIT_MS)
    assert "5" in dialog.message.text
    assert dialog.height() < 400
    Ledger.open(find_home().ledger).set_limit(POPULATION, per_vehicle=Decimal(6))
    qtbot.mouseClick(dialog.again, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert dialog.height() > 600
    dialog.reject()


def test_budget_spent_by_another_window_meanwhile_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    make_home(limit="10")
    spec = write_city(tmp_path / "city")
    mine = make_page(qtbot, make_session(qtbot, spec), tmp_path / "mine")
    other_session = make_session(qtbot, spec)
    other_session.edit("another release", threshold=1)
    qtbot.waitUntil(lambda: other_session.forecast is not None and not other_session.busy, timeout=WAIT_MS)
    other_session.confirmation.answer(confirmed=True)  # of other hexagon slots than the spec's
    other = make_page(qtbot, other_session, tmp_path / "other")
    dialog = open_dialog(qtbot, mine)
    release(qtbot, open_dialog(qtbot, other))
    before = spent()
    confirm(qtbot, dialog)
    qtbot.mouseClick(dialog.release, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert dialog.message.isVisible()
    assert not (tmp_path / "mine").exists()
    assert spent() == before > 0


def test_the_same_release_by_another_window_meanwhile_costs_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    make_home(limit="20")
    spec = write_city(tmp_path / "city")
    first, second = (make_page(qtbot, make_session(qtbot, spec), tmp_path / name) for name in ("one", "two"))
    dialog = open_dialog(qtbot, second)
    release(qtbot, open_dialog(qtbot, first))
    release(qtbot, dialog)
    assert "nothing was spent" in dialog.result_view.verdict.text()
    assert spent() == COST


def test_a_repeated_release_says_that_it_is_free(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    release(qtbot, dialog)
    qtbot.waitUntil(lambda: [one.left for one in session.ledger.populations] == [10 - COST], timeout=WAIT_MS)
    dialog.reject()
    page.folder.setText(str(tmp_path / "again"))
    dialog = open_dialog(qtbot, page)
    view = dialog.view.details
    assert view.budget.text() == "6 → 6 of 10"
    assert "nothing" in shown_text(dialog)
    release(qtbot, dialog)
    assert "nothing was spent" in dialog.result_view.verdict.text()
    assert spent() == COST
    data = Path("data") / "speed_by_hat.csv"
    assert (tmp_path / "out" / FOLDER / data).read_bytes() == (
        tmp_path / "again" / FOLDER / data
    ).read_bytes()
    dialog.reject()


def test_nothing_stops_a_release_between_reservation_and_publication(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    dialog = open_dialog(qtbot, page)
    publish, go_on = release_dialog.publish_release, threading.Event()

    def slow(*given: Any) -> Any:
        assert go_on.wait(30)
        return publish(*given)

    monkeypatch.setattr(release_dialog, "publish_release", slow)
    confirm(qtbot, dialog)
    qtbot.mouseClick(dialog.release, LEFT)
    assert dialog.phase is Phase.PUBLISHING
    assert not dialog.close_button.isEnabled()
    assert dialog.heading.text() == f"Signing and saving {FOLDER}…"
    assert dialog.note.text() == "The budget is being spent: this cannot be stopped."
    assert dialog.progress.isVisible()
    assert dialog.confirmation.isVisible()
    assert not dialog.confirmation.isEnabled(), "it is seen what was confirmed"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.close()
    assert dialog.isVisible()
    assert "cannot be stopped" in dialog.message.text
    go_on.set()
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    assert dialog.message.isHidden()
    assert dialog.heading.text() == f"{FOLDER} is signed and saved"
    assert dialog.note.text() == ""
    assert not any(one.isVisible() for one in (dialog.progress, dialog.confirmation, dialog.release))
    assert dialog.focusWidget() is dialog.close_button
    dialog.reject()


def test_after_a_full_disk_the_stored_draws_are_published_at_no_cost(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    dialog = open_dialog(qtbot, page)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Staging, "publish", full)
        confirm(qtbot, dialog)
        qtbot.mouseClick(dialog.release, LEFT)
        qtbot.waitUntil(lambda: dialog.phase is Phase.READY and dialog.message.isVisible(), timeout=WAIT_MS)
    assert "stored in the ledger" in dialog.message.text
    assert dialog.typed.text() == ""
    assert "nothing" in shown_text(dialog)
    assert spent() == COST
    release(qtbot, dialog)
    assert "nothing was spent" in dialog.result_view.verdict.text()
    assert spent() == COST
    dialog.reject()


def test_a_cancelled_review_changes_nothing(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    review = release_dialog.review_release

    def slow(*given: Any) -> Any:
        begun.set()
        assert go_on.wait(30)
        return review(*given)

    monkeypatch.setattr(release_dialog, "review_release", slow)
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    qtbot.mouseClick(page.start, LEFT)
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(begun.is_set, timeout=WAIT_MS)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert page.dialog is None
    go_on.set()
    assert wait_for_all(30)
    assert spent() == 0
    assert page.start.isEnabled()


def test_a_release_after_true_errors_were_shown_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    session.ledger.set_evaluated("whatever name")
    page = make_page(qtbot, session, tmp_path / "out")
    release(qtbot, open_dialog(qtbot, page))
    assert session.release.published is not None
    assert session.release.published.release.evaluated
    claim = (session.release.published.bundle / "privacy.json").read_text()
    assert '"parameters_chosen_after_confidential_evaluation": true' in claim


def test_speeds_from_positions_are_refused_wherever_a_release_is_asked_for(
    qtbot: QtBot, tmp_path: Path
) -> None:
    make_home()
    session = make_session(qtbot, write_city(tmp_path / "city", edit=DERIVED))
    page = make_page(qtbot, session, tmp_path / "out")
    assert not page.start.isEnabled()
    assert page.blocked.text() == "Parameters: derived speeds cannot be released with “Values only”"
    parameters = ParametersPage(session)
    qtbot.addWidget(parameters)
    assert "largely follows from that and is not protected" in parameters.protected.refusal.text()
    assert not parameters.protected.refusal.isHidden()
    dialog = ReleaseDialog(session, page._wanted(), page)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.phase is Phase.REFUSED, timeout=WAIT_MS)
    assert "largely follows from that and is not protected" in dialog.message.text
    assert spent() == 0
    session.edit("Relation", relation=None)
    assert parameters.protected.refusal.isHidden()
