"""ui.map.difference_layer: classes of a gain, and of what one set publishes alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.advice.plan_difference import HatDifference, plan_differences
from core.quantity import SPEED, Quantity
from tests.ui.small_city import TIMEOUT, edit, planned_session
from ui.budget.comparison_card import ComparisonCard
from ui.kit.theme import Theme
from ui.map.difference_layer import PIN_DIFFERENCE, difference_scale
from ui.map.page import MapTab

SCALE = difference_scale(SPEED, 65_000)


def label_of(first: float | None, second: float | None) -> str:
    hat = HatDifference(cell="87", slot=9, first=first, second=second)
    return SCALE.legend()[SCALE.classify(hat)].label


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (3.0, 1.0, "B better by ≥ 2"),
        (2.0, 1.2, "B better by 0.5 – 2"),
        (1.2, 1.0, "alike, within 0.5"),
        (1.0, 1.5, "A better by 0.5 – 2"),
        (1.0, 9.0, "A better by ≥ 2"),
        (None, 1.0, "in B only"),
        (1.0, None, "in A only"),
    ],
)
def test_each_pair_has_its_words(first: float | None, second: float | None, told: str) -> None:
    assert label_of(first, second) == told


def test_other_values_have_classes_of_their_own_size_and_colours_differ() -> None:
    delay = difference_scale(Quantity(name="delay", column_unit="s", unit="s"), 1_800_000)
    assert (delay.small, delay.large) == (5.0, 20.0)
    assert len({entry.colour for entry in SCALE.legend()}) == len(SCALE.legend())


def test_the_map_shows_the_difference_once_a_set_is_pinned(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = MapTab(session, theme)
    qtbot.addWidget(tab)
    tab.show_layer(PIN_DIFFERENCE)
    assert tab.layer.currentData() != PIN_DIFFERENCE  # nothing is pinned yet
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    session.pins.pin()
    assert session.pins.pinned is not None
    before = session.pins.pinned.forecast.plan
    edit(qtbot, session, threshold=1)
    assert tab.layer.currentData() == PIN_DIFFERENCE
    painted = tab.view
    qtbot.waitUntil(
        lambda: painted._painting is not None and "A and B" in painted._painting.title, timeout=TIMEOUT
    )
    assert session.forecast is not None
    after = session.forecast.plan
    assert before is not None
    assert after is not None
    shown = [hat for hat in plan_differences(before, after) if hat.slot == session.chosen.slot]
    assert painted._painting is not None
    assert set(painted._painting.fills) == {hat.cell for hat in shown}
    assert painted._painting.confidential
    session.chosen.choose_hat(shown[0].cell, session.chosen.slot)
    qtbot.waitUntil(lambda: "\nA: " in tab.card.state.text(), timeout=TIMEOUT)
    assert "\nB: " in tab.card.state.text()
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    tab.view.dispose()


def test_hexagon_slots_of_other_lengths_are_not_held_against_each_other(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """Slot 20 of half hours begins at ten in the morning, slot 20 of hours at eight in the evening."""
    session = planned_session(qtbot, tmp_path)
    tab = MapTab(session, theme)
    card = ComparisonCard(session)
    qtbot.addWidget(tab)
    qtbot.addWidget(card)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    session.pins.pin()
    edit(qtbot, session, threshold=1)
    tab.show_layer(PIN_DIFFERENCE)
    assert tab.layer.currentData() == PIN_DIFFERENCE
    assert card.on_map.isEnabled()
    assert not card.on_map.toolTip()
    edit(qtbot, session, slot_minutes=30)
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=TIMEOUT)
    qtbot.waitUntil(lambda: tab.layer.currentData() != PIN_DIFFERENCE, timeout=TIMEOUT)
    assert not card.on_map.isEnabled()
    assert "A and B use different timeslots" in card.on_map.toolTip()
    assert card.on_map.accessibleDescription().startswith("A and B use different timeslots")
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: tab.layer.currentData() == PIN_DIFFERENCE, timeout=TIMEOUT)
    assert card.on_map.isEnabled()
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    tab.view.dispose()
