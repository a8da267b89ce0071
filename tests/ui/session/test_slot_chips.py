"""ui.session.slot_chips: labels and periods choose the slot that all tabs show."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.hats.groups import DAY_KIND, Group
from core.hats.slots import PeriodOfDay
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from tests.ui.user_actions import LEFT, show
from ui.session.session import Session
from ui.session.slot_chips import SlotChips

WAIT_MS = 20_000
PERIODS = (PeriodOfDay(540, 600, "first & last"), PeriodOfDay(600, 720, "second"))


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home()
    return make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))


def grouped(qtbot: QtBot, session: Session, **changes: object) -> None:
    session.edit("change", **changes)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)


def test_labels_and_periods_choose_the_slot(qtbot: QtBot, session: Session) -> None:
    chips = SlotChips(session)
    show(qtbot, chips, width=400, height=120)
    grouped(qtbot, session)
    assert chips.rows == []
    grouped(qtbot, session, groups=(Group("direction"), Group(DAY_KIND)), slot_minutes=PERIODS)
    direction, _, period = chips.rows
    assert list(direction.buttons) == ["DN", "UP"]
    assert [button.text() for button in period.buttons.values()] == ["first && last", "second"]
    assert session.contributions is not None
    grid, chosen = session.contributions.window.grid, session.chosen
    qtbot.mouseClick(direction.buttons["UP"], LEFT)
    qtbot.mouseClick(period.buttons[1], LEFT)
    assert grid.labels(chosen.slot)[0] == "UP"
    assert grid.period(chosen.slot) == "second"
    assert len(chosen.slots) == 2
    assert chosen.slot in chosen.slots
    grouped(qtbot, session, threshold=3)
    assert grid.labels(chosen.slot)[0] == "UP"
    grouped(qtbot, session, groups=(Group("direction"),))  # the label that is shown stays
    assert session.contributions.window.grid.labels(chosen.slot) == ("UP",)
    assert chips.rows[0].buttons["UP"].isChecked()
    grouped(qtbot, session, groups=(), slot_minutes=60)
    assert chips.rows == []
    assert not chips.isVisible()
