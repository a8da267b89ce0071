"""ui.budget.decide_column: a preview on and off, and the way to the release once there is a verdict."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from tests.ui.release_story import city_session
from tests.ui.small_city import TIMEOUT, edit, loaded_session, planned_session
from tests.ui.user_actions import show
from ui.budget.decide_column import DecideColumn, NextButtons


def test_what_is_done_next_is_seen_below_cards_that_scroll(qtbot: QtBot) -> None:
    frame = QWidget()
    column, cards, following = DecideColumn(frame), QLabel("cards"), QLabel("next")
    cards.setMinimumHeight(2000)
    column.take(cards, following)
    show(qtbot, frame, width=300, height=400)
    column.resize(300, 400)
    qtbot.waitUntil(lambda: following.geometry().top() > 300)
    assert following.isVisible()
    assert following.geometry().bottom() == 400 - 8 - 1
    assert (
        cards.visibleRegion().boundingRect().height()
        == following.geometry().top() - column.layout().spacing()
    )


def test_a_press_shows_a_preview_and_another_one_ends_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    buttons = NextButtons(session)
    qtbot.addWidget(buttons)
    assert buttons.preview.text() == "&Preview with made-up values"
    seen: list[bool] = []
    buttons.map_wanted.connect(seen.append)
    buttons.preview.click()
    qtbot.waitUntil(lambda: session.release.preview is not None, timeout=TIMEOUT)
    assert buttons.preview.text() == "End &preview"
    buttons.preview.click()
    assert session.release.preview is None
    assert seen == [True, False], "a small window shows the map, then the page again"
    assert buttons.preview.text() == "&Preview with made-up values"


def test_the_release_is_proposed_where_its_numbers_are_of_use(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="200", key=False)
    buttons = NextButtons(session)
    qtbot.addWidget(buttons)
    for total, look in (("90", "primary"), ("0.1", "")):
        edit(qtbot, session, budget=Budget(total=Decimal(total)))
        assert (buttons.go_on.isEnabled(), buttons.go_on.property("look")) == (True, look)
        assert (buttons.go_on.toolTip(), buttons.preview.isEnabled()) == ("", True)
    assert "Nothing here comes from your records" in " ".join(buttons.preview.toolTip().split())
    with qtbot.waitSignal(buttons.release_wanted):
        buttons.go_on.click()
    for step, hidden in (("release", True), ("errors", False)):
        buttons.show_step(step)
        assert buttons.go_on.isHidden() is hidden, "who is there needs no way"
        assert buttons.refusal.isHidden()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"confirmed": False}, "Parameters: confirm the sentence."),
        ({"population": ""}, "Parameters: choose a population."),
        ({"budget": Budget(total=Decimal(300))}, "Costs more than is left."),
    ],
)
def test_the_way_to_the_release_is_closed_while_it_is_refused_there(
    qtbot: QtBot, tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    session = city_session(qtbot, tmp_path, limit="200", key=False)
    buttons = NextButtons(session)
    qtbot.addWidget(buttons)
    if "budget" in change:
        session.edit_query("change", **change)
    else:
        session.edit("change", **change)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert not buttons.go_on.isEnabled()
    assert buttons.go_on.property("look") == ""
    assert buttons.go_on.toolTip() == reason
    assert buttons.refusal.isHidden() is ("budget" not in change)
    figures = "Costs epsilon 300; only 200 is left."  # the card that has them may lie below the fold
    assert buttons.refusal.text() == (figures if "budget" in change else "")
    assert buttons.preview.isEnabled(), "made-up values cost nothing"


def test_both_wait_until_it_is_chosen_who_is_protected(qtbot: QtBot, tmp_path: Path) -> None:
    buttons = NextButtons(loaded_session(qtbot, tmp_path))
    qtbot.addWidget(buttons)
    assert not buttons.preview.isEnabled()
    assert not buttons.go_on.isEnabled()
    for button in (buttons.preview, buttons.go_on):
        assert "Choose who is protected" in button.toolTip()
