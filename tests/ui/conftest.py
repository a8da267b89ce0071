"""The `app:` scheme has to be known before the first QApplication: this file is read before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from ui.kit.garbage import GarbageCollector
from ui.map.app_scheme import register_scheme

register_scheme()


@pytest.fixture(autouse=True, scope="session")
def garbage(qapp: QApplication) -> Iterator[GarbageCollector]:
    """As in the program: no worker thread destroys what a test has left behind."""
    collector = GarbageCollector(qapp)
    yield collector
    collector.stop()


@pytest.fixture(autouse=True)
def _collected(garbage: GarbageCollector) -> Iterator[None]:
    """A test that never enters the event loop has its garbage collected all the same."""
    yield
    garbage.collect()
