"""Recent files, as a person sees and opens them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.data.recent_files import RecentFiles


@pytest.fixture
def recent(qtbot):
    made = RecentFiles()
    qtbot.addWidget(made)
    return made


def test_each_load_is_a_row_that_opens_all_its_files(qtbot, recent):
    monday, tuesday, alone = Path("/data/monday.csv"), Path("/data/tuesday.csv"), Path("/other/week.csv")
    recent.show_files([(monday, tuesday), (alone,)])
    assert [recent.list.item(row).text() for row in (0, 1)] == ["monday.csv and 1 more", "week.csv"]
    assert str(tuesday) in recent.list.item(0).toolTip()
    with qtbot.waitSignal(recent.wanted) as wanted:
        recent.list.itemClicked.emit(recent.list.item(0))
    assert wanted.args == [[monday, tuesday]]


def test_without_a_load_there_is_no_list(recent):
    recent.show_files([(Path("a.csv"),)])
    assert not recent.isHidden()
    recent.show_files([])
    assert recent.isHidden()
    assert recent.list.count() == 0
