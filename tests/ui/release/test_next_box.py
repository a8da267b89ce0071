"""ui.release.next_box: from what is published to the review of the period after it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from core.draft.draft import DateRange
from tests.city import PASSPHRASE, write_city
from tests.ui.release_story import WAIT_MS, make_home, make_page, make_session
from tests.ui.user_actions import press
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.page import ReleasePage
from ui.session.session import Session

MONDAY, TUESDAY = dt.date(2022, 1, 3), dt.date(2022, 1, 4)
ONE_DAY = (
    ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-03", "2022-01-03"]'),
    ('title = "Speeds of a made-up city"', 'title = "Speeds on 2022-01-03"'),
    ('name = "test-speed"', 'name = "test-speed-2022-01-03"'),
)
"""Records are of two days: the second is that of the next release."""


def _reviewed(qtbot: QtBot, page: ReleasePage) -> ReleaseDialog:
    press(qtbot, page.start)
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    return dialog


def _publish(qtbot: QtBot, page: ReleasePage) -> None:
    dialog = _reviewed(qtbot, page)
    qtbot.keyClicks(dialog.typed, dialog._wanted.folder_name)
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    press(qtbot, dialog.release)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    dialog.reject()


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home(limit="30")
    return make_session(qtbot, write_city(tmp_path / "city", edit=ONE_DAY))


def test_one_button_leads_to_one_review_of_the_next_period(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(qtbot, session, tmp_path / "out")
    box, first = page.following, session.draft
    assert not box.start.isVisible(), "nothing is published yet"
    _publish(qtbot, page)
    qtbot.waitUntil(box.start.isVisible, timeout=WAIT_MS)
    assert (box.start.text(), box.start.isEnabled()) == ("Ne&xt day: 2022-01-04…", True)
    assert box.about.text().endswith("you choose the folder of its records.")
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda _, *told: asked.append(told) or "")
    press(qtbot, box.start)
    assert session.draft == first, "nobody chose a folder"
    assert asked == [("Folder of the records of 2022-01-04 to 2022-01-04", str(tmp_path / "city"))]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "city"))
    with qtbot.waitSignal(session.data_changed, timeout=WAIT_MS):
        press(qtbot, box.start)
        assert not box.start.isEnabled(), "they are being read"
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT_MS)
    wanted: tuple[DateRange, ...] = ((TUESDAY, TUESDAY),)
    draft = session.draft
    assert (draft.date_ranges, draft.name) == (wanted, "test-speed-2022-01-04")
    assert (draft.queries, draft.population, draft.confirmed) == (first.queries, first.population, True)
    assert not box.start.isVisible(), "this one is not published"
    told = "Apart from title and name, these differ from test-speed-2022-01-03-1.0.0: dates, records."
    assert box.about.text() == told
    dialog = _reviewed(qtbot, page)
    said = [part.text() for part in dialog.view.findChildren(QLabel)]
    assert said[said.index("What is new") + 1] == told
    dialog.reject()
    _publish(qtbot, page)
    assert (tmp_path / "out" / "test-speed-2022-01-04-1.0.0").is_dir()


def test_other_data_follow_nothing(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(qtbot, session, tmp_path / "out")
    _publish(qtbot, page)
    qtbot.waitUntil(page.following.start.isVisible, timeout=WAIT_MS)
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "empty"))
    press(qtbot, page.following.start)
    assert page.message.isVisible(), "a folder without records is refused, and all stays"
    source = session.source
    assert source is not None
    with qtbot.waitSignal(session.data_changed, timeout=WAIT_MS):
        session.load(source, session.draft)
    assert page.following.differs == ""
