"""ui.budget.number_box: offered where a release has several numbers; map and table follow it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.builders import make_query, make_release
from tests.core.release.test_value_query import share_query
from ui.budget.number_box import NumberBox
from ui.session.session import Session


@pytest.fixture
def box(qtbot: QtBot, session: Session) -> NumberBox:
    made = NumberBox(session)
    qtbot.addWidget(made)
    return made


def test_one_number_is_no_choice(session: Session, box: NumberBox) -> None:
    assert box.isHidden()
    session.release.show_preview(make_release(queries=(make_query(),)))
    assert box.isHidden()


def test_shares_and_percentiles_are_chosen(session: Session, box: NumberBox) -> None:
    session.release.show_preview(make_release(queries=(share_query(),)))
    names = [box.itemText(row) for row in range(box.count())]
    assert names == [
        *("share below 10 km/h", "share 10 to 65 km/h", "speed, percentile 85", "mean speed from shares"),
    ]
    assert not box.isHidden()
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert session.release.chosen_number == 2
    session.release.show_preview(make_release(queries=(make_query(),)))
    assert box.isHidden()
    assert (box.count(), box.currentText()) == (1, "mean speed")
