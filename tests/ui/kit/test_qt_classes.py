"""ui.kit.qt_classes: classes are there before a worker may ask for them; the window answers meanwhile."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter
from types import ModuleType

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from ui.kit.qt_classes import QtClasses, qt_classes

# In a process of its own, where nobody has looked a class up yet.
FRESH = """
from PySide6 import QtWidgets
from PySide6.QtCore import QCoreApplication
from ui.kit.qt_classes import qt_classes
app = QCoreApplication([])
made = lambda: "QWizardPage" in vars(QtWidgets)
before = made()
qt_classes().completed.connect(app.quit)
qt_classes().start()
app.exec()
print(before, made(), qt_classes().complete)
"""


def test_a_class_is_made_without_being_asked_for() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.split() == ["False", "True", "True"]


def test_other_events_come_between(qtbot: QtBot) -> None:
    class Slow(ModuleType):
        def __dir__(self) -> list[str]:
            return [f"name{number}" for number in range(8)]

        def __getattr__(self, name: str) -> str:
            if name.startswith("name"):
                seen.append(name)
                QTimer.singleShot(0, lambda: seen.append("event"))
                deadline = perf_counter() + 0.006
                while perf_counter() < deadline:
                    pass
            return name

    seen: list[str] = []
    classes = QtClasses(Slow("slow"))
    with qtbot.waitSignal(classes.completed):
        classes.start()
        classes.start()
    assert [name for name in seen if name != "event"] == [f"name{number}" for number in range(8)]
    assert "event" in seen[1:-1]


def test_it_is_one_for_the_program() -> None:
    assert qt_classes() is qt_classes()
