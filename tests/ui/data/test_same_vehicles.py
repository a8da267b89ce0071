"""ui.data.same_vehicles: both answers say what they do; what was typed stays in either."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import texts
from ui.data.same_vehicles import SameVehiclesDialog


@pytest.mark.parametrize("typed", [False, True])
def test_either_answer_says_what_it_does(qtbot: QtBot, typed: bool) -> None:
    dialog = SameVehiclesDialog("old buses", typed=typed)
    qtbot.addWidget(dialog)
    told = texts(dialog)
    assert "“old buses” keeps paying" in told
    assert "“old buses” pays nothing for these vehicles" in told
    assert ("Hours and threshold" in told) is not typed
    assert ("hours if the new records fill them" in told) is not typed  # others are fitted
    assert dialog.yes.accessibleDescription() == dialog.about_yes.text()
    assert dialog.no.accessibleDescription() == dialog.about_no.text()
