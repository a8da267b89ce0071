"""A button that is pressed, read and looked at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ui.kit.buttons import push_button


def test_a_button_does_what_it_is_for_and_is_read_aloud(qtbot):
    around, pressed = QWidget(), []
    qtbot.addWidget(around)
    button = push_button("…", around, lambda: pressed.append(1), tip="All of it", name="More", look="flat")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == [1]
    assert (button.toolTip(), button.accessibleName(), button.property("look")) == (
        "All of it",
        "More",
        "flat",
    )


def test_a_button_with_words_alone_has_the_usual_look(qtbot):
    around = QWidget()
    qtbot.addWidget(around)
    plain = push_button("Stop", around)
    assert (plain.text(), plain.toolTip(), plain.accessibleName(), plain.property("look")) == (
        "Stop",
        "",
        "",
        None,
    )
