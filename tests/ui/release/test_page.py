"""The page *Release*: texts, folder, key, and when it lets a release begin."""

from __future__ import annotations

import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QScrollArea, QToolButton
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key, load_key
from core.privacy import Relation
from core.release import practice
from core.system.paths import find_home
from tests.city import PASSPHRASE
from tests.ui.release_story import WAIT_MS, city_session, make_page, make_session
from tests.ui.small_city import edit
from tests.ui.table_story import table_spec
from tests.ui.user_actions import lies_on, press, show
from ui.release import practice_box
from ui.release.dialog import Phase
from ui.release.texts_form import name_of
from ui.session.session import Session
from ui.session.settings import Settings
from ui.session.steps import steps_of

LEFT = Qt.MouseButton.LeftButton


def retype(qtbot: QtBot, field: QLineEdit, text: str, *, leave: bool = True) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    if leave:
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_it_fits_a_narrow_column(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    assert page.minimumSizeHint().width() <= 320


def test_a_release_knows_what_was_found_when_its_records_were_read(qtbot: QtBot, tmp_path: Path) -> None:
    """The review says it, such as ids that are alike; of a table nobody knows it."""
    session = city_session(qtbot, tmp_path / "records")
    assert session.loaded is not None
    page = make_page(qtbot, session, tmp_path / "out")
    page.review()
    assert page.dialog is not None
    assert page.dialog._wanted.report is session.loaded.report
    page.dialog.reject()
    other = make_page(qtbot, make_session(qtbot, table_spec(tmp_path / "table")), tmp_path / "out")
    other.review()
    assert other.dialog is not None
    qtbot.waitUntil(lambda: other.dialog.phase is Phase.READY, timeout=WAIT_MS)
    assert other.dialog._wanted.report is None
    other.dialog.reject()


def test_what_is_missing_is_told_in_sight(qtbot: QtBot, tmp_path: Path) -> None:
    """As with Ctrl+E from another step on a screen of 768 pixels: the message stands below the texts."""
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    session.edit("start", title="")
    show(qtbot, page, width=340, height=300)
    page.review()
    assert "title" in page.message.text.lower()
    told = page.findChildren(QScrollArea)[0].viewport()
    qtbot.waitUntil(lambda: page.message.mapTo(told, QPoint(0, page.message.height())).y() <= told.height())
    session.edit("start", title="Speeds")
    page.review()
    assert page.message.isHidden(), "it is typed now"
    assert page.dialog is not None
    page.dialog.reject()


def test_a_refusal_is_shown_where_its_mends_are(qtbot: QtBot, tmp_path: Path) -> None:
    """Told once more below, it would scroll them away."""
    page = make_page(qtbot, city_session(qtbot, tmp_path, limit="5"), tmp_path / "out")
    show(qtbot, page, width=340, height=250)
    bar = page.findChildren(QScrollArea)[0].verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    page.review()
    qtbot.waitUntil(lambda: bar.value() == 0)
    assert page.refusal.isVisible()
    assert page.mends.fit.isVisible()
    assert page.message.isHidden()


def test_with_other_data_it_says_where_to_practise(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    assert page.practice.isVisible()
    assert not page.practice.start.isVisible()
    assert page.practice.about.isVisible()
    assert page.practice.about.text() == ("Practice at no cost with the sample: File > Open the sample.")


def test_a_practice_release_of_what_is_still_to_be_typed_says_what(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the words of the window: "write dates = [...]" is for whoever writes a spec."""
    session = city_session(qtbot, tmp_path)
    monkeypatch.setattr(practice_box, "is_sample", lambda source: source is session.source)
    page = make_page(qtbot, session, tmp_path / "out")
    session.choose_relation("Relation", Relation.USER)
    qtbot.waitUntil(lambda: not session.busy and page.practice.start.isEnabled(), timeout=WAIT_MS)
    qtbot.mouseClick(page.practice.start, LEFT)
    assert page.message.text.startswith("The time zone is not typed yet")
    assert "Type the zone of the city" in page.message.text


def test_with_the_sample_a_practice_release_is_offered(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = city_session(qtbot, tmp_path)
    monkeypatch.setattr(practice_box, "is_sample", lambda source: source is session.source)
    monkeypatch.setattr(practice, "_require_sample", str)
    page = make_page(qtbot, session, tmp_path / "out")
    assert page.practice.start.isVisible()
    assert page.practice.about.text().startswith("A first try with the sample, at no cost.")
    assert page.practice.start.toolTip().startswith("Nothing is spent and no key is needed")
    session.edit("Resolution", resolution=6)
    assert not page.practice.start.isEnabled(), "while it is planned anew"
    qtbot.waitUntil(page.practice.start.isEnabled, timeout=WAIT_MS)
    assert not page.practice.progress.isVisible()
    seen, go_on, practise = [], threading.Event(), practice_box.practise_release

    def halfway(spec: Any, out: Any, cache: Any, progress: Any) -> Any:
        progress(0.5)
        go_on.wait(10)
        return practise(spec, out, cache, progress)

    monkeypatch.setattr(practice_box, "practise_release", halfway)
    page.practice.progress.valueChanged.connect(lambda value: (seen.append(value), go_on.set()))
    qtbot.mouseClick(page.practice.start, LEFT)
    assert page.practice.progress.isVisible()
    assert not page.practice.progress.isTextVisible()
    assert not page.practice.start.isEnabled()
    qtbot.waitUntil(lambda: page.practice.dialog is not None, timeout=WAIT_MS)
    qtbot.waitUntil(page.practice.start.isEnabled, timeout=WAIT_MS)
    assert seen[0] == 500
    assert not page.practice.progress.isVisible()
    dialog = page.practice.dialog
    assert dialog is not None
    assert lies_on(dialog, page)
    assert dialog.windowTitle() == "Practice release"
    told = "Verified immediately with the key of this practice"
    qtbot.waitUntil(lambda: told in dialog.view.verified.text(), timeout=WAIT_MS)
    qtbot.mouseClick(dialog.buttons.buttons()[0], LEFT)
    assert not dialog.isVisible()
    monkeypatch.setattr(practice_box, "is_sample", lambda _: False)
    session.data_changed.emit()
    assert not page.practice.start.isVisible()


def test_texts_are_undo_steps_and_the_name_follows_the_title(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    session.edit("start", name="")
    steps = session.undo_stack.count()
    retype(qtbot, page.fields["title"], "  Bus speeds,  hour by hour ")
    assert (session.draft.title, session.draft.name) == (
        "Bus speeds, hour by hour",
        "bus-speeds-hour-by-hour",
    )
    assert page.fields["name"].text() == "bus-speeds-hour-by-hour"
    assert session.undo_stack.count() == steps + 1
    session.undo_stack.undo()
    assert page.fields["title"].text() == "Speeds of a made-up city"
    assert page.fields["name"].text() == ""


def test_a_name_of_ones_own_stays(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    retype(qtbot, page.fields["title"], "Another title")
    assert session.draft.name == "test-speed"


@pytest.mark.parametrize(
    ("title", "name"),
    [("Vitesse à Élancourt", "vitesse-a-elancourt"), ("सूरत", ""), ("x" * 100, "x" * 80), ("-- a --", "a")],
)
def test_names_of_titles(title: str, name: str) -> None:
    assert name_of(title) == name


def test_another_licence_may_be_typed(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    retype(qtbot, page.fields["licence"], "OGL-UK-3.0")
    assert session.draft.licence == "OGL-UK-3.0"
    assert page.texts.licence.count() == 3


def test_without_data_it_says_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, Session(find_home()), tmp_path / "out")
    assert not page.start.isEnabled()
    assert "Data" in page.blocked.text()
    page.review()
    assert page.dialog is None
    assert "cannot be released yet" in page.message.text


def test_an_unconfirmed_draft_is_blocked(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    assert page.start.isEnabled()
    session.edit("unit", confirmed=False)
    assert not page.start.isEnabled()
    assert "Parameters" in page.blocked.text()


def test_a_refusal_is_as_red_as_in_decide(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="5")
    page = make_page(qtbot, session, tmp_path / "out")
    assert page.refusal.text().startswith("! The ledger would refuse")
    assert page.refusal.property("look") == "error"
    assert page.blocked.text() == "", "it is not said twice"
    session.edit("unit", confirmed=False)
    assert "Parameters" in page.blocked.text()
    assert page.blocked.property("look") == "muted"
    assert page.refusal.isVisible()


def test_what_tells_no_more_than_a_constant_is_warned_of_and_may_be_reviewed(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = city_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal("0.5")))
    parameters, release = [step.note for step in steps_of(session) if step.warned]
    assert parameters.startswith("No use, ")
    assert release == "no use as it is"
    assert make_page(qtbot, session, tmp_path / "out").start.isEnabled()


def test_a_population_that_the_ledger_does_not_know_needs_a_limit_first(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    session.edit("Population", population="Trams")
    assert not page.start.isEnabled()
    assert page.blocked.text() == "Parameters: set a limit for Trams"
    Ledger.open(session.home.ledger).set_limit("Trams", per_vehicle=Decimal(10))
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    qtbot.waitUntil(page.start.isEnabled, timeout=WAIT_MS)  # its own order of vehicles is planned first


def test_an_empty_text_is_told_in_place_and_gets_the_cursor(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    retype(qtbot, page.fields["publisher"], "", leave=False)
    qtbot.mouseClick(page.start, LEFT)
    assert page.dialog is None
    assert page.message.text.split("\n")[1:] == ["Publisher", "Write a text as Publisher."]
    assert page.focusWidget() is page.fields["publisher"]


def test_without_a_title_it_is_the_title_that_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    session.edit("start", name="", title="")
    qtbot.mouseClick(page.start, LEFT)
    assert page.dialog is None
    assert page.message.text.split("\n")[1:] == ["Title", "Write a text as Title."]
    assert page.focusWidget() is page.fields["title"]


def test_a_typed_text_counts_before_the_field_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    retype(qtbot, page.fields["version"], "2.0.0", leave=False)
    page.review()
    assert page.dialog is not None
    assert lies_on(page.dialog, page)
    assert "test-speed-2.0.0" in page.dialog.windowTitle()
    qtbot.waitUntil(lambda: page.dialog is not None and page.dialog.phase is Phase.READY, timeout=WAIT_MS)
    page.dialog.reject()


def test_a_folder_is_needed(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    retype(qtbot, page.folder, "releases")
    qtbot.mouseClick(page.start, LEFT)
    assert page.dialog is None
    assert "folder" in page.message.text
    assert page.focusWidget() is page.folder, "what is to be mended is where one types next"


def test_the_folder_is_chosen_and_follows_the_settings(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    page = make_page(qtbot, session, tmp_path / "out")
    asked: list[str] = []
    (choose,) = page.folder.parent().findChildren(QToolButton)
    for chosen in (str(tmp_path / "other"), ""):

        def answered(_: object, title: str, at: str, chosen: str = chosen) -> str:
            asked.append(title)
            asked.append(at)
            return chosen

        monkeypatch.setattr(QFileDialog, "getExistingDirectory", answered)
        press(qtbot, choose)
        assert page.folder.text() == str(tmp_path / "other")
        assert str(tmp_path / "other") in page.folder.toolTip()
    title = "Folder that receives the bundle"
    assert asked == [title, str(tmp_path / "out"), title, str(tmp_path / "other")]
    assert page.folder_name.text() == "Folder of the bundle: test-speed-1.0.0"
    session.edit("Name", name="")
    assert page.folder_name.text() == "The name becomes the bundle's folder."
    settings = Settings(session.home)
    settings.release_folder = tmp_path / "settled"
    generate_key(session.home.default_key.with_suffix(""), PASSPHRASE)
    page.take_settings()
    assert page.folder.text() == str(tmp_path / "settled")
    assert page.folder.cursorPosition() == 0, "its beginning is seen"
    assert "fingerprint" in page.key_box.text.text()


def test_the_keyboard_begins_at_what_is_open_else_at_what_comes_next(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    page = make_page(qtbot, session, tmp_path / "out")
    page.begin()
    assert page.focusWidget() is page.key_box.make
    session.edit("Contact", contact="")
    page.begin()
    assert page.focusWidget() is page.fields["contact"]
    session.undo_stack.undo()
    page.folder.clear()
    page.begin()
    assert page.focusWidget() is page.folder
    page.folder.setText(str(tmp_path))
    generate_key(session.home.default_key.with_suffix(""), PASSPHRASE)
    page.key_box.refresh()
    page.begin()
    assert page.focusWidget() is page.start
    session.edit("unit", confirmed=False)
    page.begin()
    assert page.focusWidget() is page.fields["title"], "it cannot be released yet"


def test_a_key_is_made_with_the_passphrase_typed_twice(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path, key=False), tmp_path / "out")
    assert not page.start.isEnabled()
    assert "key" in page.blocked.text()
    qtbot.mouseClick(page.key_box.make, LEFT)
    dialog = page.key_box.dialog
    assert dialog is not None
    assert lies_on(dialog, page)
    assert dialog.passphrase.echoMode() is QLineEdit.EchoMode.Password
    assert not dialog.make.isEnabled()
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    qtbot.keyClicks(dialog.again, "another")
    qtbot.mouseClick(dialog.make, LEFT)
    assert "differ" in dialog.message.text
    assert dialog.again.text() == ""
    qtbot.keyClicks(dialog.again, PASSPHRASE)
    with qtbot.waitSignal(dialog.accepted, timeout=WAIT_MS):
        qtbot.mouseClick(dialog.make, LEFT)
    assert dialog.passphrase.text() == ""
    key = load_key(find_home().default_key, PASSPHRASE)
    assert key.key_id in page.key_box.text.text()
    assert key.fingerprint in page.key_box.text.text()
    assert page.key_box.make.isHidden()
    assert page.start.isEnabled()
    assert page.focusWidget() is page.start, "the keyboard goes on from what is done"


def test_a_key_made_meanwhile_is_not_replaced(qtbot: QtBot, tmp_path: Path) -> None:
    page = make_page(qtbot, city_session(qtbot, tmp_path, key=False), tmp_path / "out")
    page.key_box.ask()
    dialog = page.key_box.dialog
    assert dialog is not None
    stem = find_home().default_key
    stem.parent.mkdir()
    stem.write_text("somebody else's")
    for field in (dialog.passphrase, dialog.again):
        qtbot.keyClicks(field, PASSPHRASE)
    qtbot.mouseClick(dialog.make, LEFT)
    qtbot.waitUntil(dialog.message.isVisible, timeout=WAIT_MS)
    assert "already" in dialog.message.text
    assert stem.read_text() == "somebody else's"
    dialog.reject()


def test_a_text_half_typed_for_the_data_before_is_cleared_with_them(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    Settings(session.home).set_publisher_text("contact", "data@city.example")
    retype(qtbot, page.fields["title"], "Buses of the old city", leave=False)
    assert session.source is not None
    with qtbot.waitSignal(session.data_changed, timeout=10_000):
        session.load(session.source)
    assert page.fields["title"].text() == page.fields["name"].text() == ""
    assert page.fields["contact"].text() == "data@city.example"
    page.texts.commit()
    assert session.draft.title == ""
