"""What `pipx install .` installs: a wheel with the command and its resources, which needs no sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core import __version__
from resources.installer.parts import ROOT, own_data

GOLDEN = sorted((ROOT / "tests" / "golden").glob("v*/releases/every-statistic-*"))
"""One of each version, with all statistics; the program verifies the others in tests/golden."""
VERIFY_ALL = """
import sys
from importlib.metadata import entry_points
(command,) = entry_points(group="console_scripts", name="hexveil")
for bundle in sys.argv[1:]:
    sys.argv[1:] = ["verify", bundle]
    code = command.load()()
    assert code == 0, (bundle, code)
"""
"""The installed command, called in one process: each of its own would load the libraries again."""


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built of a copy, since a build leaves files beside its sources; no index is asked for anything."""
    folder = tmp_path_factory.mktemp("wheel")
    without = shutil.ignore_patterns("__pycache__")
    for name in ("core", "ui", "resources"):
        shutil.copytree(ROOT / name, folder / "sources" / name, ignore=without)
    for name in ("main.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, folder / "sources" / name)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    run(*pip, "--wheel-dir", folder, folder / "sources")
    return folder / f"hexveil-{__version__}-py3-none-any.whl"


def test_the_wheel_holds_the_sources_and_the_resources_of_the_program_and_nothing_else(wheel: Path) -> None:
    sources = {path.relative_to(ROOT) for room in ("core", "ui") for path in (ROOT / room).rglob("*.py")}
    data = {Path(place) / path.name for folder, place in own_data() for path in Path(folder).iterdir()}
    with zipfile.ZipFile(wheel) as archive:
        held = {Path(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {Path("main.py")} | sources | data


def test_an_installed_copy_verifies_golden_bundles_without_the_sources(wheel: Path, tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile")
    run(*pip, "--target", tmp_path / "apart", wheel)
    apart = {"PYTHONPATH": str(tmp_path / "apart"), "HEXVEIL_HOME": str(tmp_path / "home")}
    command = shutil.which("hexveil", path=tmp_path / "apart" / "bin")
    assert command
    assert run(command, "--version", **apart).startswith(f"Hexveil {__version__}")
    told = run(sys.executable, "-P", "-c", VERIFY_ALL, *GOLDEN, **apart)
    assert len(GOLDEN) >= 6
    assert told.count("The bundle is valid.\n") == len(GOLDEN), told
