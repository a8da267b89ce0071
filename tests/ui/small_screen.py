"""What cannot be reached on small screens; a process of its own, since screens and scaling are given to it.

    QT_SCALE_FACTOR=2 python tests/ui/small_screen.py WIDTH HEIGHT FOLDER LANGUAGE

WIDTH, HEIGHT: pixels of the screen, which the scaling divides. Prints JSON: the room of the screen, what the
window and its dialogs take of it, and the stops of the keyboard that no scrolling brings into sight, there
and in windows of other sizes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QRect, QSize
from PySide6.QtWidgets import QApplication, QScrollArea, QScrollBar, QWidget

from tests.ui.whole_window import places_of, stops, wait_until, whole_window

_TURNS = 12
"""Of the event loop, until rows that flow have found their columns."""
_LEAST = QSize(120, 20)
"""Of what is larger than its place so much is to be seen; of the rest all."""


OTHERS = (QSize(853, 421), QSize(960, 468), QSize(1280, 648))
"""What the desktop leaves of 1280 x 680 pixels at 150 % and 100 %, and of 960 x 500."""


def screens(width: int, height: int, folder: Path) -> str:
    """The platform without a screen, with one of this size."""
    file = folder / "screens.json"
    one = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
    file.write_text(json.dumps({"screens": [one | {"logicalBaseDpi": 96}]}), encoding="utf-8")
    return f"offscreen:configfile={file}"


def seen_of(widget: QWidget) -> QRect:
    """The part of a widget that none of those around it cuts off."""
    seen = widget.rect()
    around = widget.parentWidget()
    while around is not None:
        seen &= QRect(widget.mapFrom(around, around.rect().topLeft()), around.size())
        around = None if around.isWindow() else around.parentWidget()
    return seen


def out_of_reach(place: QWidget) -> Iterator[str]:
    """Names of stops of which a part stays hidden however the areas around them are scrolled."""
    for _ in range(_TURNS):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
    for widget in stops(place):
        if isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_"):
            continue
        area = widget.parentWidget()
        while area is not None and area is not place.window():
            if isinstance(area, QScrollArea):
                # the whole of it: `ensureWidgetVisible` is content with the cursor of a field;
                # of what is larger than the area its middle, where it would stop at the first part else
                middle, half = widget.mapTo(area.widget(), widget.rect().center()), area.viewport().size() / 2
                margins = (widget.size() / 2 + QSize(1, 1)).boundedTo(half)
                area.ensureVisible(middle.x(), middle.y(), margins.width(), margins.height())
            area = area.parentWidget()
        seen = seen_of(widget)
        if seen.width() < min(widget.width(), _LEAST.width()) or seen.height() < min(
            widget.height(), _LEAST.height()
        ):
            name = widget.accessibleName() or getattr(widget, "text", str)()
            yield f"{type(place).__name__}: {type(widget).__name__} {name}"


def main() -> None:
    width, height, folder, language = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    os.environ["QT_QPA_PLATFORM"] = screens(width, height, folder)

    from tests.ui.every_dialog import dialogs_of
    from ui.kit.garbage_collection import GarbageCollector
    from ui.kit.jobs import any_running
    from ui.kit.qt_classes import make_qt_classes
    from ui.language.translation import catalogue_of, speak
    from ui.layout.window_columns import has_decide_beside
    from ui.shell.app import prepare_process

    prepare_process()
    app = QApplication(sys.argv[:1])
    GarbageCollector(app)  # as in the program: none is collected by a thread in passing
    speak(app, catalogue_of(language))
    with whole_window(app, folder) as window:
        workspace = window.workspace
        assert workspace is not None
        make_qt_classes()
        room = window.screen().availableSize()
        found: dict[str, Any] = {"room": sides(room), "taken": {"window": sides(window.size())}}
        hidden: dict[str, list[str]] = {}
        for size in (window.size(), *OTHERS):
            window.resize(size)
            workspace.places.fold.setChecked(has_decide_beside(size.width()))
            app.processEvents()
            lost = []
            for place in places_of(window):
                wait_until(lambda: not any_running())  # the plots are there, and what stands beside them
                lost += out_of_reach(place)
            workspace.places.fold.setChecked(True)
            app.processEvents()
            lost += [*out_of_reach(workspace.budget), *out_of_reach(workspace.steps.parentWidget())]
            hidden["{}x{}".format(*sides(size))] = lost
        for dialog in dialogs_of(window, folder):
            name = type(dialog).__name__
            found["taken"][name], hidden[name] = sides(dialog.size()), list(out_of_reach(dialog))
        print(json.dumps(found | {"hidden": hidden}))


def sides(size: QSize) -> list[int]:
    return [size.width(), size.height()]


if __name__ == "__main__":
    main()
