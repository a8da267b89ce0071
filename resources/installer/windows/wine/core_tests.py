"""Run tests of core/ under wine: by the Python and the packages of the Windows program.

    PYTHONPATH=. python resources/installer/windows/wine/core_tests.py [PATH below tests/core]...

Needs build/windows/hexveil (`make installer`, or build.sh). Each path is a run of its own, so that one that
hangs costs its own limit; what a run has to tell goes to build/wine/tests/. Exit code 1 where a test fails,
or a run does not come to its end.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from resources.installer.parts import ROOT
from resources.installer.third_party import WINDOWS, shipped_names
from resources.installer.windows.fetch import windows_lock
from resources.installer.windows.layout import PROGRAM
from resources.installer.windows.wine.shims import put_shims

PLACE = ROOT / "build" / "wine"
CHOSEN = (
    *("files", "accounting", "store", "read", "cli", "signed", "release", "contributions", "records"),
    *("spec", "clean", "assist", "geodata", "published"),
)
"""What deals with files, processes, times and encodings; `files` are those directly in tests/core. Arithmetic
is the same on every system, and takes ten times as long there."""
TOOLS = ("pytest", "hypothesis", "pyshacl", "zxing-cpp")
LIMIT = 1200
"""Seconds for a run."""
OVERRIDES = "winedbg.exe=d;mscoree=;mshtml=;api-ms-win-crt-math-l1-1-0,bcryptprimitives,icuuc=n,b"
_COUNTED = re.compile(r"(\d+) (passed|failed|skipped|error)")


def tools_lock() -> str:
    """The lines of the lock for what tests need, and what that needs, on Windows."""
    shipped = set(shipped_names(WINDOWS))
    found: set[str] = set()
    waiting = [Requirement(name) for name in TOOLS]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found | shipped or (wanted.marker and not wanted.marker.evaluate(dict(WINDOWS))):
            continue
        found.add(name)
        waiting += [Requirement(text) for text in metadata.requires(name) or ()]
    return windows_lock((ROOT / "requirements.lock").read_text("utf-8"), found)


def prepare() -> Path:
    """The program beside the tools, with shims; its Python."""
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    subprocess.run(["cp", "-al", str(PROGRAM), str(PLACE / "program")], check=True)
    shutil.rmtree(PLACE / "program" / "app")  # the sources of this checkout are tried
    put_shims(PLACE / "program")
    lock = PLACE / "tools.lock"
    lock.write_text(tools_lock(), "utf-8")
    target = ["--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"]
    options = [*target, "--only-binary=:all:", "--no-deps", "--require-hashes", "--no-compile"]
    tools = PLACE / "tools"
    pip = [sys.executable, "-m", "pip", "--quiet", "install", *options]
    subprocess.run([*pip, "-r", str(lock), "--target", str(tools)], check=True)
    python = PLACE / "program" / "python"
    paths = ["python311.zip", ".", "..\\packages", "..\\..\\tools", windows_path(ROOT), "import site"]
    (python / "python311._pth").unlink()  # a link to the one that ships
    (python / "python311._pth").write_bytes("\r\n".join([*paths, ""]).encode())
    return python / "python.exe"


def windows_path(path: Path) -> str:
    """A path of this machine as wine has it."""
    return "Z:" + str(path).replace("/", "\\")


def run(python: Path, name: str) -> bool:
    """Run the tests of one path; whether they came to their end and none failed. Tells counts and time."""
    folder = ROOT / "tests" / "core"
    found = sorted(folder.glob("test_*.py")) if name == "files" else [folder / name]
    told = PLACE / "tests" / f"{name.replace('/', '-')}.txt"
    told.parent.mkdir(exist_ok=True)
    base = f"C:\\tests-{os.getpid()}-{len(list(told.parent.iterdir()))}"
    words = ["-X", "utf8", "-m", "pytest", "-o", "faulthandler_timeout=300", "--basetemp", base, "-rfEs"]
    paths = [path.relative_to(ROOT).as_posix() for path in found]
    start = time.monotonic()
    # to a pipe: with a file as its output Python ends there, and without an end wine may wait forever
    script = 'set -o pipefail; told=$1; shift; timeout -k 10 "$@" </dev/null 2>&1 | cat >"$told"'
    line = ["bash", "-c", script, "-", str(told), str(LIMIT), "wine", str(python), *words, *paths]
    code = subprocess.run(line, cwd=ROOT, env=environment(), check=False).returncode
    text = told.read_text("utf-8", "replace")
    counts = " ".join(f"{number} {what}" for number, what in _COUNTED.findall(text.rpartition("\n==")[2]))
    end = "" if code in (0, 1) else f"; did not end (exit code {code})"
    print(f"{name}: {counts or 'no count'} in {time.monotonic() - start:.0f} s{end}", flush=True)
    for failed in re.findall(r"^(?:FAILED|ERROR) .*$", text, re.MULTILINE):
        print(f"  {failed}", flush=True)
    return code == 0


def environment() -> dict[str, str]:
    """Wine's, of a Windows of its own; few examples for each law."""
    left = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"WINEPREFIX": str(PLACE / "prefix"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": OVERRIDES}
    return {**left, **own, "HYPOTHESIS_PROFILE": "few", "LC_ALL": "C.UTF-8"}


def main(names: list[str]) -> int:
    """Run them all; the exit code."""
    python = prepare()
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for words in (["wine", "wineboot", "-i"], ["wine", "winecfg", "-v", "win10"]):
        subprocess.run(words, env=environment(), timeout=300, check=True, **quiet)
    try:
        ended_well = [run(python, name) for name in names or CHOSEN]
        return 0 if all(ended_well) else 1
    finally:
        subprocess.run(["wineserver", "-k"], env=environment(), timeout=60, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
