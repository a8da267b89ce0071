"""ui.kit.qt_classes: classes are there before a worker may ask for them."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own, where nobody has looked a class up yet.
FRESH = """
from PySide6 import QtWidgets
from ui.kit.qt_classes import make_qt_classes
made = lambda: "QWizardPage" in vars(QtWidgets)
before = made()
make_qt_classes()
print(before, made())
"""


def test_a_class_is_made_without_being_asked_for() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.split() == ["False", "True"]
