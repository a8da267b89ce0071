"""core.release.software_versions: what a bundle says it was made with."""

from __future__ import annotations

import importlib.metadata
import platform
from pathlib import Path

from core import __version__
from core.release.software_versions import STATED_DISTRIBUTIONS, software_versions

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def test_versions_are_those_that_run() -> None:
    assert software_versions() == {
        "hexveil": __version__,
        "opendp": importlib.metadata.version("opendp"),
        "h3": importlib.metadata.version("h3"),
        "python": platform.python_version(),
    }


def test_the_built_program_carries_what_is_asked_of_it() -> None:
    text = (ROOT / "pyinstaller.spec").read_text("utf-8")
    assert "for distribution in STATED_DISTRIBUTIONS:" in text
    assert STATED_DISTRIBUTIONS
