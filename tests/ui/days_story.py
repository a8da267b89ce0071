"""The small city on three days of four, and its page of parameters."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDateEdit
from pytestqt.qtbot import QtBot

from tests.records import Ping
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings
from tests.ui.user_actions import open_sections, show
from ui.parameters.page import ParametersPage
from ui.session.session import Session

FIRST, SECOND, LAST = dt.date(2022, 1, 1), dt.date(2022, 1, 2), dt.date(2022, 1, 4)
DAY_MS = 24 * 3_600_000


def four_days() -> list[Ping]:
    """The small city on days 1, 2 and 4; day 3 has no records."""
    return [ping._replace(instant=ping.instant + day * DAY_MS) for day in (0, 1, 3) for ping in pings()]


def days_session(qtbot: QtBot, tmp_path: Path) -> Session:
    """Loaded; two of three hexagons selected."""
    made = loaded_session(qtbot, tmp_path, four_days())
    edit(qtbot, made, threshold=3)
    return made


def days_page(qtbot: QtBot, session: Session) -> ParametersPage:
    """With every section open."""
    made = ParametersPage(session)
    open_sections(made)
    show(qtbot, made, width=400)
    return made


def type_date(qtbot: QtBot, box: QDateEdit, date: dt.date) -> None:
    box.setFocus()
    box.setSelectedSection(QDateEdit.Section.YearSection)
    qtbot.keyClicks(box, f"{date:%Y%m%d}")
    qtbot.keyClick(box, Qt.Key.Key_Return)


def planned(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def choose_time(box: QComboBox, text: str) -> None:
    """Choose an entry of a list by its text."""
    box.setCurrentIndex(box.findText(text))
    assert box.currentText() == text
    box.activated.emit(box.currentIndex())
