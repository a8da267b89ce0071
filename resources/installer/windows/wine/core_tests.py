"""Run tests of core/ under wine: by the Python and the packages of the Windows program.

    PYTHONPATH=. python resources/installer/windows/wine/core_tests.py [PATH below tests/core]...

Needs build/windows/hexveil (`make installer`, or build.sh). Each path is a run of its own, so that one that
hangs costs its own limit; as many run at a time as there are processors. What a run has to tell goes to
build/wine/tests/. Exit code 1 where a test fails, or a run does not come to its end.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
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
    *("release", "cli", "published", "store", "accounting", "read", "assist", "spec", "clean", "files"),
    *("contributions", "records", "geodata", "signed"),
)
"""What deals with files, processes, times and encodings, the longest first; `files` are those directly in
tests/core. Arithmetic is the same on every system, and takes ten times as long there."""
TOOLS = ("pytest", "hypothesis", "pyshacl", "zxing-cpp")
LIMIT = 3600
"""Seconds for a run; with free processors the longest takes a fifth."""
_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30
"""Where the Windows lies if so many bytes are free there: a ledger waits for the disk at each step."""
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


def run(python: Path, prefix: Path, name: str) -> tuple[bool, Counter[str]]:
    """Run the tests of one path; whether they came to their end and none failed, and counts. Tells both."""
    folder = ROOT / "tests" / "core"
    found = sorted(folder.glob("test_*.py")) if name == "files" else [folder / name]
    told = PLACE / "tests" / f"{name.replace('/', '-')}.txt"
    told.parent.mkdir(parents=True, exist_ok=True)
    base = f"C:\\{told.stem}"  # short: no path there may have more than 259 characters
    words = ["-X", "utf8", "-m", "pytest", "-o", "faulthandler_timeout=300", "--basetemp", base, "-rfEs"]
    paths = [path.relative_to(ROOT).as_posix() for path in found]
    start = time.monotonic()
    # to a pipe: with a file as its output Python ends there, and without an end wine may wait forever
    script = 'set -o pipefail; told=$1; shift; timeout -k 10 "$@" </dev/null 2>&1 | cat >"$told"'
    line = ["bash", "-c", script, "-", str(told), str(LIMIT), "wine", str(python), *words, *paths]
    code = subprocess.run(line, cwd=ROOT, env=environment(prefix), check=False).returncode
    text = told.read_text("utf-8", "replace")
    counts = Counter({what: int(number) for number, what in _COUNTED.findall(text.rpartition("\n==")[2])})
    end = "" if code in (0, 1) else f"; did not end (exit code {code})"
    lines = [f"{name}: {in_words(counts)} in {time.monotonic() - start:.0f} s{end}"]
    lines += [f"  {failed}" for failed in re.findall(r"^(?:FAILED|ERROR) .*$", text, re.MULTILINE)]
    print("\n".join(lines), flush=True)
    return code == 0, counts


def in_words(counts: Counter[str]) -> str:
    return " ".join(f"{number} {what}" for what, number in counts.items()) or "no count"


def environment(prefix: Path) -> dict[str, str]:
    """Wine's, of a Windows of its own; few examples for each law."""
    left = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": OVERRIDES}
    return {**left, **own, "HYPOTHESIS_PROFILE": "few", "LC_ALL": "C.UTF-8"}


@contextmanager
def a_windows() -> Iterator[Path]:
    """A Windows that runs until the end; its folder."""
    in_memory = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory(dir=_MEMORY if in_memory else PLACE) as folder:
        own = environment(Path(folder))
        for words in (["wine", "wineboot", "-i"], ["wine", "winecfg", "-v", "win10"]):
            subprocess.run(words, env=own, timeout=300, check=True, stdin=subprocess.DEVNULL, **quiet)
        # its services end with the last program, and hold what the one that started them prints to
        with subprocess.Popen(["wine", "cmd"], env=own, stdin=subprocess.PIPE, **quiet):
            try:
                yield Path(folder)
            finally:
                subprocess.run(["wineserver", "-k"], env=own, timeout=60, check=False)


def main(names: list[str]) -> int:
    """Run them all; the exit code."""
    start = time.monotonic()
    python = prepare()
    with a_windows() as prefix, ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda name: run(python, prefix, name), names or CHOSEN))
    total = sum((counts for _, counts in results), Counter[str]())
    print(f"All: {in_words(total)} in {(time.monotonic() - start) / 60:.0f} minutes", flush=True)
    return 0 if all(ended_well for ended_well, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
