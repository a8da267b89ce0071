"""Try the Windows program under wine, from silent installation to silent removal.

    python resources/installer/smoke_windows.py [SETUP.exe ARCHIVE.zip]      default: those in dist/

Wine lacks parts of Windows: shims take their place in the copies that are tried (windows/wine/shims.py), so
that these are not byte for byte what ships. Each step has a limit of time. Figures go to
build/smoke/windows.json, the picture of the window to build/smoke/windows.png.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from screen import Screen
from smoke import OUT, PASSPHRASE, REAL_DATA, REAL_SPEC, ROOT, files_below, size_mb, step

sys.path.insert(0, str(ROOT))
from resources.installer.windows.wine.shims import put_shims, take_shims_from_beside

FOLDER = "C:\\Büro für Ämter\\Hexveil"
OVERRIDES = "winedbg.exe=d;mscoree=;mshtml=;api-ms-win-crt-math-l1-1-0,bcryptprimitives,icuuc=n,b"
LIMIT = 900
"""Seconds that a command may take; with a free processor it takes less than a tenth."""
RUNNING = 3
"""Exit code of the installer where the program is running."""
_ENTRY = re.compile(r"[0-9a-f]{64}")


class Wine:
    """A Windows of its own, below a folder that goes in the end."""

    def __init__(self, folder: Path) -> None:
        self.prefix = folder / "prefix"
        self.drive = self.prefix / "drive_c"
        self._logs = 0
        self._folder = folder
        known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.environment = {
            **known,
            "LC_ALL": "C.UTF-8",
            "WINEPREFIX": str(self.prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": OVERRIDES,
            "HEXVEIL_PASSPHRASE": PASSPHRASE,
        }

    def start(self, *words: str, **environment: str) -> tuple[subprocess.Popen[bytes], Path]:
        """Start a program; the process, and the file that takes what it prints.

        Through a pipe: a file as standard output is an invalid handle there. And with no input.
        """
        self._logs += 1
        log = self._folder / f"{self._logs}.log"
        line = ["bash", "-c", 'set -o pipefail; log=$1; shift; wine "$@" </dev/null 2>&1 | cat >"$log"', "-"]
        return subprocess.Popen(
            [*line, str(log), *words],
            cwd=self._folder,
            env={**self.environment, **environment},
            start_new_session=True,
        ), log

    def run(self, *words: str, expected: int = 0, limit: float = LIMIT) -> str:
        """What a program printed. Raises SystemExit for another exit code, or where it takes too long."""
        running, log = self.start(*words)
        try:
            code = running.wait(limit)
        except subprocess.TimeoutExpired:
            self.end(running)
            raise SystemExit(f"{words} took more than {limit} s:\n{_tail(log)}") from None
        if code != expected:
            raise SystemExit(f"{words} gave {code} in place of {expected}:\n{_tail(log)}")
        return log.read_text("utf-8", "replace")

    def end(self, running: subprocess.Popen[bytes]) -> None:
        """End a program, and whatever it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()

    def close(self) -> None:
        """End all that runs in this Windows."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["wineserver", "-k"], env=self.environment, timeout=60, check=False)

    def path(self, windows: str) -> Path:
        """Where a path on drive C lies here."""
        return self.drive / windows.removeprefix("C:\\").replace("\\", "/")

    @property
    def home(self) -> Path:
        """Hexveil's home folder."""
        (user,) = (path for path in (self.drive / "users").iterdir() if path.name != "Public")
        return user / "AppData" / "Local" / "hexveil"


def _tail(log: Path) -> str:
    return log.read_text("utf-8", "replace")[-3000:] if log.exists() else ""


def outer(path: Path) -> str:
    """A path of this machine as wine has it."""
    return "Z:" + str(path).replace("/", "\\")


def source(*arguments: str) -> str:
    """What the program of the sources prints on this machine. Raises SystemExit where it fails."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "HEXVEIL_PASSPHRASE": PASSPHRASE},
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{arguments} gave {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def install(wine: Wine, setup: Path, *, expected: int = 0) -> float:
    """Run the installer silently; seconds."""
    start = time.monotonic()
    # its last word takes the rest of the line, without quotes: one with blanks is given in pieces
    wine.run(outer(setup), "/S", *f"/D={FOLDER}".split(" "), expected=expected)
    return round(time.monotonic() - start, 1)


def check_mechanisms(wine: Wine, program: str) -> None:
    """The program knows the mechanisms of the sources."""
    printed = wine.run(program, "mechanisms", "--json")
    found = json.loads(printed[printed.index("[") :])
    if not found or found != json.loads(source("mechanisms", "--json")):
        raise SystemExit("the Windows program does not list the mechanisms of the sources")
    step(f"{len(found)} entries in the list of mechanisms, equal to the sources'")


def release(wine: Wine, program: str, spec: str, out: Path, population: str, limit: str) -> Path:
    """Set a limit, release, verify, check the ledger, verify on Linux; the bundle."""
    start = time.monotonic()
    wine.run(program, "ledger", "set-limit", population, "--per-vehicle", limit)
    wine.run(program, "release", spec, "--out", outer(out), "--yes")
    (manifest,) = out.glob("*/SHA256SUMS")
    bundle = manifest.parent
    key = wine.home / "keys" / "release-key.pub"
    wine.run(program, "verify", outer(bundle), "--public-key", outer(key))
    wine.run(program, "ledger", "check")
    source("verify", str(bundle), "--public-key", str(key))
    seconds = time.monotonic() - start
    step(f"{bundle.name}: released and verified there, verified here, ledger sound ({seconds:.0f} s)")
    return bundle


def check_jobs(wine: Wine, program: str, folder: Path) -> None:
    """The whole job on the sample, and on real data where they are at hand; each side reads the other's."""
    wine.run(program, "keygen")
    sample = f"{FOLDER}\\app\\resources\\sample\\sample.toml"
    release(wine, program, sample, folder / "Stichprobe für alle", "Sample buses", "20")

    home = str(folder / "linux")
    source("keygen", "--home", home)
    source("ledger", "set-limit", "Sample buses", "--per-vehicle", "20", "--home", home)
    spec = str(ROOT / "resources" / "sample" / "sample.toml")
    source("release", spec, "--out", str(folder / "of linux"), "--yes", "--home", home)
    (manifest,) = (folder / "of linux").glob("*/SHA256SUMS")
    key = folder / "linux" / "keys" / "release-key.pub"
    wine.run(program, "verify", outer(manifest.parent), "--public-key", outer(key))
    step("a bundle made on Linux: verified there")

    if not REAL_DATA.is_dir():
        step(f"no real data beside the repository ({REAL_DATA.name}): that job is left out")
        return
    real = folder / "Süd und Nord"
    real.mkdir()
    for day in range(24, 28):
        name = f"vehicle_positions_2016-11-{day}.csv.gz"
        shutil.copyfile(REAL_DATA / name, real / name)
    (real / "spec.hexveil.toml").write_text(REAL_SPEC)
    wine.run(program, "inspect", outer(real / "vehicle_positions_2016-11-24.csv.gz"), "--json")
    release(wine, program, outer(real / "spec.hexveil.toml"), folder / "real", "Austin buses", "10")


@contextlib.contextmanager
def window(wine: Wine, display: Screen) -> Iterator[subprocess.Popen[bytes]]:
    """The running window; ended in the end."""
    running, _ = wine.start(f"{FOLDER}\\hexveil-window.exe", DISPLAY=display.display)
    try:
        yield running
    finally:
        wine.end(running)
        # what Windows calls a process outlives the one that started it here
        with contextlib.suppress(SystemExit):
            wine.run("taskkill", "/f", "/im", "hexveil-window.exe", limit=60)


def check_window(wine: Wine, setup: Path) -> dict[str, Any]:
    """Open the window, with the map or the notice in its place; an upgrade meanwhile is refused."""
    marks = lambda: list(wine.home.glob("map-starting-*"))  # noqa: E731
    with Screen() as display:
        for attempt in (1, 2):
            shutil.rmtree(wine.home / "cache", ignore_errors=True)
            start = time.monotonic()
            with window(wine, display) as running:
                shown = wait_for_sample(wine, display, running)
                seconds = round(time.monotonic() - start, 1)
                if shown:
                    before = files_below(wine.path(FOLDER))
                    install(wine, setup, expected=RUNNING)
                    if files_below(wine.path(FOLDER)) != before:
                        raise SystemExit("an upgrade over a running program has changed files")
                    step("upgrade over a running program: refused with exit code 3, nothing changed")
                    display.save(OUT / "windows.png")
                    with_map = attempt == 1 and not marks()
                    words = "with the map" if with_map else "without the map, and says so"
                    step(f"window shown {words}, the sample loaded after {seconds} s")
                    return {"window_seconds": seconds, "starts": attempt, "map": with_map}
            display.save(OUT / f"windows-{attempt}.png")
            if not marks():
                raise SystemExit("the window ended by itself, and not for its web engine")
            step("the web engine ended the program: the next start does without it")
    raise SystemExit("the window ended by itself twice")


def wait_for_sample(wine: Wine, display: Screen, running: subprocess.Popen[bytes]) -> bool:
    """Whether the window came to show the sample, and stayed. Raises SystemExit where it takes too long."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        if running.poll() is not None:
            return False
        cache = wine.home / "cache"
        loaded = cache.is_dir() and any(_ENTRY.fullmatch(path.name) for path in cache.iterdir())
        if loaded and display.shows_window(".*Hexveil") and is_steady(display, running):
            return running.poll() is None
        time.sleep(1)
    display.save(OUT / "windows.png")
    raise SystemExit(f"the window did not show the sample within {LIMIT} s")


def is_steady(display: Screen, running: subprocess.Popen[bytes]) -> bool:
    """Whether nothing has been drawn for half a minute but what blinks: it has come to rest, or has died."""
    before = display.pixels()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(1)
        if running.poll() is not None:
            return True
    return float(np.mean((before != display.pixels()).any(axis=-1))) < 0.01


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder that nobody can write to; root too, who needs a mount for that."""
    if os.geteuid() != 0:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o555)
        try:
            yield
        finally:
            for path in (folder, *folder.rglob("*")):
                if path.is_dir():
                    path.chmod(0o755)
        return
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def check_portable(wine: Wine, archive: Path, folder: Path) -> None:
    """The archive, unpacked where nobody may write."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    (program,) = folder.iterdir()
    put_shims(program)
    with read_only(folder):
        check_mechanisms(wine, outer(program / "hexveil.exe"))
        wine.run(outer(program / "hexveil.exe"), "ledger", "check")
    step("portable copy: runs from a folder that cannot be written")


def check_upgrade_and_removal(wine: Wine, setup: Path) -> None:
    """Neither takes the ledger or the keys."""
    program = f"{FOLDER}\\hexveil.exe"
    spent = wine.run(program, "ledger", "export")
    folder = wine.path(FOLDER)
    (folder / "app" / "left-over-of-an-older-version").write_text("x")
    install(wine, setup)
    put_shims(folder)
    if (folder / "app" / "left-over-of-an-older-version").exists():
        raise SystemExit("the upgrade left old files")
    if wine.run(program, "ledger", "export") != spent:
        raise SystemExit("the upgrade did not keep the ledger")
    step("upgrade: program replaced, ledger kept")
    kept = [wine.home / "ledger.sqlite", *(wine.home / "keys").iterdir()]
    take_shims_from_beside(folder)
    wine.run(f"{FOLDER}\\uninstall.exe", "/S")
    end = time.monotonic() + LIMIT  # it goes on as a copy of itself
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.5)
    if folder.exists() or not all(path.is_file() for path in kept):
        raise SystemExit("the removal was not clean, or took the ledger or the keys")
    step("removal: nothing left but the person's ledger, keys and settings")


def smoke_windows(setup: Path, archive: Path) -> dict[str, Any]:
    """Everything; the figures."""
    with tempfile.TemporaryDirectory(prefix="hexveil-wine-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        wine = Wine(folder)
        try:
            wine.run("wineboot", "-i")
            wine.run("winecfg", "-v", "win10")
            seconds = install(wine, setup)
            step(f"silent installation to {FOLDER}: {seconds} s")
            altered = put_shims(wine.path(FOLDER))
            step(f"{len(altered)} modules altered for wine")
            program = f"{FOLDER}\\hexveil.exe"
            check_mechanisms(wine, program)
            check_jobs(wine, program, folder)
            figures = check_window(wine, setup)
            check_portable(wine, archive, folder / "nur lesbar")
            size = size_mb(wine.path(FOLDER))
            check_upgrade_and_removal(wine, setup)
        finally:
            wine.close()
    return {"install_seconds": seconds, "file_mb": size_mb(setup), "folder_mb": size, **figures}


def main(arguments: list[str]) -> None:
    """Run it all."""
    if not arguments:
        arguments = [str(*(ROOT / "dist").glob(f"hexveil-*-{end}")) for end in ("setup.exe", "windows.zip")]
    setup, archive = map(Path, arguments)
    print("smoke: windows", flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    figures = {**smoke_windows(setup.resolve(), archive.resolve()), "seconds": 0}
    figures["seconds"] = round(time.monotonic() - start)
    (OUT / "windows.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(f"smoke: windows passed {json.dumps(figures)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
