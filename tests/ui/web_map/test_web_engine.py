"""Computers whose web engine fails: the program goes on, and says so where the map would be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ui.web_map.web_engine import WebEngine

ROOT = Path(__file__).resolve().parents[3]
WITHOUT_ENGINE = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ui.shell.app import prepare_process
prepare_process()
app = QApplication(sys.argv[:1])
from ui.web_map.map_view import MapView
from ui.web_map.web_engine import engine
engine.remember_in(Path(sys.argv[1]))
view = MapView()
view.show()
view.show_cells(["87489e2a6ffffff"])
look = QTimer()
look.timeout.connect(lambda: view._notice.button.isVisible() and app.quit())
look.start(20)
app.exec()
print(view._notice.text())
view.dispose()
"""


def died_in(folder: Path) -> int:
    """The number of a process that began to draw, and is gone."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    (folder / f"map-starting-{gone.pid}").touch()
    return gone.pid


@pytest.fixture
def engine(tmp_path: Path) -> WebEngine:
    made = WebEngine()
    made.remember_in(tmp_path / "home")
    return made


def test_a_start_leaves_a_mark_until_the_map_is_there(engine: WebEngine, tmp_path: Path) -> None:
    assert not engine.given_up
    engine.starting()
    (mark,) = (tmp_path / "home").iterdir()
    assert mark.name == f"map-starting-{os.getpid()}"
    engine.drawn()
    engine.starting()
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.parametrize("end", [WebEngine.ended, WebEngine.failed])
def test_a_program_that_ends_by_itself_leaves_none(engine: WebEngine, tmp_path: Path, end) -> None:
    engine.starting()
    end(engine)
    assert list((tmp_path / "home").iterdir()) == []


def test_who_finds_the_mark_of_a_start_that_died_goes_without(tmp_path: Path) -> None:
    died_in(tmp_path)
    later = WebEngine()
    later.remember_in(tmp_path)
    assert later.given_up
    later.try_again()
    assert not later.given_up
    assert list(tmp_path.iterdir()) == []


def test_a_map_that_is_drawn_all_the_same_takes_the_mark_away(tmp_path: Path) -> None:
    died_in(tmp_path)
    later = WebEngine()
    later.remember_in(tmp_path)
    later.drawn()
    assert not later.given_up
    assert list(tmp_path.iterdir()) == []


def test_another_window_that_is_starting_has_not_died(engine: WebEngine, tmp_path: Path) -> None:
    engine.starting()
    other = WebEngine()
    other.remember_in(tmp_path / "home")
    assert not other.given_up


def test_a_number_that_another_process_has_by_now_is_no_life(tmp_path: Path) -> None:
    mark = tmp_path / f"map-starting-{os.getpid()}"
    mark.touch()
    os.utime(mark, (1, 1))
    later = WebEngine()
    later.remember_in(tmp_path)
    assert later.given_up


@pytest.mark.skipif(sys.platform == "win32", reason="what takes the engine's place is of POSIX")
def test_an_engine_that_cannot_start_costs_one_start_at_most_and_is_told_in_the_maps_place(
    tmp_path: Path,
) -> None:
    def start() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_ENGINE, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "QTWEBENGINEPROCESS_PATH": "/bin/false"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    done = start()
    if done.returncode:  # Chromium ended the program: a matter of which of its threads is first
        assert list(tmp_path.glob("map-starting-*"))
        done = start()
    assert done.returncode == 0, done.stderr
    assert "There is no map" in done.stdout
    assert "the table has the same hexagons" in done.stdout
