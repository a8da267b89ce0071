"""What tabs import when they are first seen is not imported with them: the window would open later."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABS = ("ui.errors.error_tabs", "ui.errors.methods_window", "ui.distributions.page")
"""One after the other in one process, which takes a second and a half to import what they share."""


def test_importing_a_tab_does_not_import_pyqtgraph() -> None:
    code = "import importlib, sys\n"
    for tab in TABS:
        code += f"importlib.import_module({tab!r}); print({tab!r}, 'pyqtgraph' in sys.modules)\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{tab} False" for tab in TABS]
