"""The private copies: their size, their limit, and Clear."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.draft.draft import DataSource
from core.store.record_cache import DEFAULT_LIMIT
from core.system.paths import find_home
from tests.records import rules, sample_pings, write_csv
from ui.data.cache_box import CacheBox, size_text
from ui.kit.jobs import cancel_all, wait_for_all
from ui.session.session import Session
from ui.session.settings import GIGABYTE, Settings

TIMEOUT = 20_000


@pytest.fixture
def box(qtbot: QtBot):
    window = QWidget()
    qtbot.addWidget(window)
    session = Session(find_home())
    made = CacheBox(session, Settings(session.home), window)
    made.resize(320, 160)
    with qtbot.waitExposed(window):
        window.show()
    yield made
    cancel_all()
    assert wait_for_all(10)


def load(qtbot: QtBot, box: CacheBox, path: Path) -> None:
    session = box._session
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(DataSource(files=(path,), rules=rules()))
    qtbot.waitUntil(lambda: not session.busy and not box._job.running, timeout=TIMEOUT)


def test_a_load_leaves_a_copy_that_clear_removes(qtbot: QtBot, box: CacheBox, tmp_path: Path) -> None:
    session = box._session
    load(qtbot, box, write_csv(tmp_path / "a.csv", sample_pings()))
    assert session.cache.size() > 0
    assert box.clear.isEnabled()
    with qtbot.waitSignal(session.noted, timeout=TIMEOUT) as noted:
        qtbot.mouseClick(box.clear, Qt.MouseButton.LeftButton)
    assert "cleared" in noted.args[0]
    assert session.cache.size() == 0
    assert not box.clear.isEnabled()
    # what is open stays usable
    session.edit("finer", resolution=9)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert session.contributions is not None
    assert session.contributions.resolution == 9


def test_the_limit_is_remembered_and_used(qtbot: QtBot, box: CacheBox) -> None:
    assert box.limit.value() == DEFAULT_LIMIT // GIGABYTE
    box.limit.setValue(3)
    qtbot.waitUntil(lambda: not box._job.running, timeout=TIMEOUT)
    home = box._session.home
    assert Settings(home).cache_limit == 3 * GIGABYTE
    assert box._session.cache.limit_bytes == 3 * GIGABYTE
    again = CacheBox(Session(home), Settings(home))
    qtbot.addWidget(again)
    assert again.limit.value() == 3


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 MB"),
        (400_000, "0 MB"),
        (12_300_000, "12 MB"),
        (999_000_000, "999 MB"),
        (1_440_000_000, "1.4 GB"),
    ],
)
def test_sizes_are_read_in_megabytes_and_gigabytes(size: int, text: str) -> None:
    assert size_text(size) == text
