"""ui.kit.system_facts: versions, and nothing of this machine's folders."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from core import __version__
from ui.kit.system_facts import system_facts


def test_the_facts_of_the_system(qapp: QApplication) -> None:
    qapp.setApplicationVersion(__version__)
    assert f"Hexveil {__version__}" in system_facts()
    assert "Qt" in system_facts()
    assert str(Path.home()) not in system_facts()
