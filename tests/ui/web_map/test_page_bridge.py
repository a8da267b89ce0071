"""What the map's page may say."""

from __future__ import annotations

import pytest

from ui.web_map.page_bridge import PageBridge
from ui.web_map.painting import SUPPRESSED_FILL


@pytest.fixture
def bridge(qapp):
    made = PageBridge(qapp)
    made.cells = frozenset({"a", "b"})
    return made


def test_a_stranger_and_a_page_on_its_way_out_are_not_heard(bridge, qtbot):
    with qtbot.assertNotEmitted(bridge.clicked), qtbot.assertNotEmitted(bridge.toggled):
        bridge.cellClicked("c")
        bridge.cellToggled("c")
    with qtbot.waitSignal(bridge.brushed) as brushed:
        bridge.cellsMarked("a\x1fc\x1fb")
    assert brushed.args == [("a", "b")]
    bridge.cells = frozenset()
    with qtbot.assertNotEmitted(bridge.class_pressed):
        bridge.classMarked("0", False)


@pytest.mark.parametrize(("name", "fill"), [("3", 3), (SUPPRESSED_FILL, SUPPRESSED_FILL)])
def test_a_class_of_the_legend_comes_as_its_fill(bridge, qtbot, name, fill):
    with qtbot.waitSignal(bridge.class_pressed) as pressed:
        bridge.classMarked(name, True)
    assert pressed.args == [fill, True]
    with qtbot.assertNotEmitted(bridge.class_pressed):
        bridge.classMarked("a script", True)
