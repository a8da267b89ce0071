"""ui.shell.app: a home is closed to others, and a window that is told to end is none that crashed."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.draft.recovery import left_behind

ROOT = Path(__file__).resolve().parents[3]
CHILD = """
import sys
from ui.shell import app
class Window(app.MainWindow):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.prepared.connect(self._tell)
    def _tell(self):
        session = self.workspace.session
        session.contributions_changed.connect(lambda: session.edit("Title", title="Typed before the end"))
        session.forecast_changed.connect(lambda: print(self.faults.text.partition(";")[0], flush=True))
app.MainWindow = Window
sys.exit(app.run(home=sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is ended, not told to end")
def test_a_window_that_is_told_to_end_keeps_what_nobody_was_asked_about(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "cache").mkdir(parents=True)
    home.chmod(0o755)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(home)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "Others could open the home folder, or files in it\n"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    child.send_signal(signal.SIGTERM)
    _, told = child.communicate(timeout=60)
    assert child.returncode == 0, told
    assert "Traceback" not in told
    assert not (home / "errors.log").exists()
    left, _ = left_behind(home / "recovery")
    assert [one.project.draft.title for one in left] == ["Typed before the end"]
    for one in left:
        one.let_go()
