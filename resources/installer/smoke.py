"""Try a build as its users will: as an ordinary person, without network, Python or write access to it.

    python resources/installer/smoke.py built     the folder dist/hexveil, copied to another place
    python resources/installer/smoke.py deb       the .deb in a bare Debian root
    python resources/installer/smoke.py run       the .run: install, use, upgrade, uninstall

Every program under test runs below `strace` and, as root, in a network namespace without any interface.
Figures go to build/smoke/<kind>.json, screenshots to build/smoke/<kind>.png.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from screen import SECOND_STEP, STEP_AREA, Pixels, Screen, shows_map, shows_table, tab_titles, wait_for

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / "dist" / "hexveil"
OUT = ROOT / "build" / "smoke"
REAL_DATA = ROOT.parent / "shared" / "data" / "austin-buses"
NOBODY = 65534
PASSPHRASE = "only for the smoke run"
CALLS = "socket,connect,bind,sendto,sendmsg,sendmmsg"
TO_A_NETWORK = re.compile(r"\b(?:connect|bind|send(?:to|msg|mmsg))\(.*\bsa_family=AF_INET6?\b")
"""The web engine opens internet sockets where there is a network, and uses none."""
STARTS = 5
_CHANGED = 0.01
"""Share of the pixels that another page changes at least."""

REAL_SPEC = """\
[release]
name = "austin-bus-speed"
version = "1.0.0"
title = "Bus speeds by hexagon and hour"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"
[data]
files = ["vehicle_positions_2016-11-2[4-7].csv.gz"]
zone = "America/Chicago"
upper_bound_kmh = 65.0
[data.mapping]
vehicle = "vehicle_id"
time = "timestamp"
latitude = "latitude"
longitude = "longitude"
value = "speed"
unit = "m/s"
[hats]
resolution = 7
slot_minutes = 60
dates = ["2016-11-24", "2016-11-27"]
hours = ["09:00", "21:00"]
[selection]
rule = "hat"
threshold = 3
minimum_vehicles = 2
[privacy]
population = "Austin buses"
relation = "values"
unit = "vehicle"
confirmed = true
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "array-averaging"
total = "10"
division = "equal"
[query.parameters]
grouping = "bestfit"
m_ub = "median"
"""


@dataclass(kw_only=True)
class Person:
    """An ordinary user on a machine: where the program is, and how to run it there."""

    program: str
    """Folder of the program as the person sees it."""
    home: Path
    """The person's home as this script sees it."""
    seen_home: str
    """The same as the person sees it."""
    inside: Path | None = None
    """Root folder of the person's machine; None for this one."""
    user: int | None = None
    """Number of the user; None for who runs this script."""
    traces: list[Path] = field(default_factory=list)

    def command(self, arguments: Sequence[str], *, traced: bool = True, **environment: str) -> list[str]:
        """The whole line: tracing, no network, the machine's root, the user, a bare environment."""
        line = []
        if traced:
            trace = OUT / "traces" / f"{len(self.traces)}.txt"
            trace.parent.mkdir(parents=True, exist_ok=True)
            self.traces.append(trace)
            line += ["strace", "-f", "--seccomp-bpf", "-e", f"trace={CALLS}", "-o", str(trace)]
        if os.geteuid() == 0:
            line += ["unshare", "--net"]
        if self.inside is not None:
            line += ["chroot", str(self.inside)]
        if self.user is not None:
            line += ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        known = {"HOME": self.seen_home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment}
        return [*line, "env", "-i", *(f"{name}={value}" for name, value in known.items()), *arguments]

    def run(self, *arguments: str, **environment: str) -> str:
        """Run the command line; what it printed. Raises SystemExit when it fails."""
        line = self.command(
            [f"{self.program}/hexveil", *arguments], HEXVEIL_PASSPHRASE=PASSPHRASE, **environment
        )
        done = subprocess.run(line, cwd="/", capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{arguments} gave {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def own(self, path: Path) -> None:
        """Make what this script wrote the person's."""
        if self.user is not None:
            for item in (path, *path.rglob("*")):
                os.chown(item, self.user, self.user)


def step(text: str) -> None:
    """Say what was found."""
    print(f"  {text}", flush=True)


def check_mechanisms(person: Person) -> None:
    """The program knows the mechanisms of the sources."""
    frozen = json.loads(person.run("mechanisms", "--json"))
    source = json.loads(
        subprocess.run(
            [sys.executable, str(ROOT / "main.py"), "mechanisms", "--json"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    if not source or frozen != source:
        raise SystemExit("the built program does not list the mechanisms of the sources")
    step(f"{len(frozen)} entries in the list of mechanisms, equal to the sources'")


def release(person: Person, spec: str, out: str, population: str, limit: str) -> str:
    """Set a limit, release, verify, check the ledger; what `verify` printed."""
    key = f"{person.seen_home}/.local/share/hexveil/keys/release-key.pub"
    person.run("ledger", "set-limit", population, "--per-vehicle", limit)
    person.run("release", spec, "--out", f"{person.seen_home}/{out}", "--yes")
    (manifest,) = (person.home / out).glob("*/SHA256SUMS")
    bundle = f"{person.seen_home}/{out}/{manifest.parent.name}"
    printed = person.run("verify", bundle, "--public-key", key)
    person.run("ledger", "check")
    step(f"{manifest.parent.name}: released, verified, ledger sound")
    return printed


def check_jobs(person: Person) -> None:
    """The whole job on the sample, and on real data where they are at hand."""
    person.run("keygen")
    internal = f"{person.program}/_internal"
    release(person, f"{internal}/resources/sample/sample.toml", "sample", "Sample buses", "20")
    if not REAL_DATA.is_dir():
        step(f"no real data beside the repository ({REAL_DATA.name}): that job is left out")
        return
    folder = person.home / "austin"
    folder.mkdir()
    for day in range(24, 28):
        shutil.copyfile(
            REAL_DATA / f"vehicle_positions_2016-11-{day}.csv.gz",
            folder / f"vehicle_positions_2016-11-{day}.csv.gz",
        )
    (folder / "spec.hexveil.toml").write_text(REAL_SPEC)
    person.own(folder)
    person.run("inspect", f"{person.seen_home}/austin/vehicle_positions_2016-11-24.csv.gz", "--json")
    release(person, f"{person.seen_home}/austin/spec.hexveil.toml", "real", "Austin buses", "10")


@contextlib.contextmanager
def window(person: Person, display: Screen, *arguments: str, traced: bool) -> Iterator[None]:
    """The running window; ended in the end."""
    line = person.command(
        [f"{person.program}/hexveil-window", *arguments], traced=traced, DISPLAY=display.display
    )
    with (OUT / "window.log").open("w") as log:
        running = subprocess.Popen(line, cwd="/", stdout=log, stderr=log, start_new_session=True)
        try:
            yield
            if running.poll() is not None:
                raise SystemExit(f"the window ended by itself: {(OUT / 'window.log').read_text()}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, 15)
            try:
                running.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, 9)
                running.wait()


def check_window(person: Person, picture: Path) -> None:
    """Open the window, click to another step and tab and back to the map, and look at the screen."""
    with Screen() as display, window(person, display, traced=True):
        try:
            seconds = click_through(display)
        finally:  # what fails is looked at too
            display.save(picture)
    step(f"window, table and map shown (map {seconds:.1f} s after the window, traced): {picture.name}")


def click_through(display: Screen) -> float:
    """The map, another step, the table, the map again; seconds from the window to the first map."""
    wait_for("the window", lambda: display.shows_window("Hexveil"))
    seconds = wait_for("the map of the sample", lambda: shows_map(display.pixels()))
    shown = display.pixels()
    display.click(*SECOND_STEP)
    wait_for("the page of another step", lambda: differ(shown[STEP_AREA], display.pixels()[STEP_AREA]))
    titles = tab_titles(display.pixels())
    if len(titles) < 2:
        raise SystemExit(f"no tabs above the map, only {titles}")
    display.click(*titles[-1])
    wait_for("the table in place of the map", lambda: shows_table(display.pixels()))
    display.click(*titles[0])
    wait_for("the map again", lambda: shows_map(display.pixels()))
    time.sleep(0.5)
    return seconds


def differ(before: Pixels, after: Pixels) -> bool:
    """Whether more has changed than a blinking cursor or the pointer."""
    return float(np.mean((before != after).any(axis=-1))) > _CHANGED


def start_times(person: Person) -> list[float]:
    """Seconds from start to visible window, warm, not traced."""
    seconds = []
    with Screen() as display:
        for _ in range(STARTS + 1):
            start = time.monotonic()
            with window(person, display, traced=False):
                wait_for("the window", lambda: display.shows_window("Hexveil"))
                seconds.append(time.monotonic() - start)
            wait_for("the window gone", lambda: not display.shows_window("Hexveil"))
    return seconds[1:]


def check_no_internet(person: Person) -> None:
    """No process of the program connected, bound or sent to a network; the traces are real ones."""
    texts = [trace.read_text(errors="replace") for trace in person.traces]
    if not all("+++ exited" in text or "+++ killed" in text for text in texts):
        raise SystemExit("a trace is empty: nothing was watched")
    if not any("socket(AF_UNIX" in text for text in texts):
        raise SystemExit("no trace holds the window's own socket: sockets were not watched")
    reached = [found for text in texts for found in text.splitlines() if TO_A_NETWORK.search(found)]
    if reached:
        raise SystemExit("a network was reached for:\n" + "\n".join(reached[:5]))
    step(f"no connect, bind or send to a network in {len(texts)} traced runs")


def files_below(folder: Path) -> dict[str, int]:
    """Path -> time of change of every file, to see whether anything was written."""
    return {str(path.relative_to(folder)): path.lstat().st_mtime_ns for path in folder.rglob("*")}


def check_all(person: Person, kind: str, folder: Path) -> dict[str, Any]:
    """Everything, for a program that lies in `folder`; the figures."""
    shutil.rmtree(OUT / "traces", ignore_errors=True)
    before = files_below(folder)
    check_mechanisms(person)
    check_jobs(person)
    check_window(person, OUT / f"{kind}.png")
    check_no_internet(person)
    starts = start_times(person)
    if written := set(files_below(folder).items()) ^ set(before.items()):
        raise SystemExit(f"something was written into the program's folder: {sorted(written)[:10]}")
    figures = {
        "start_seconds": [round(value, 3) for value in starts],
        "start_median": round(statistics.median(starts), 3),
        "folder_mb": size_mb(folder),
    }
    step(f"start to visible window, warm, median of {STARTS}: {figures['start_median']:.2f} s")
    return figures


def size_mb(path: Path) -> float:
    """Megabytes (10^6 bytes) on disk, links not followed."""
    files = [path] if path.is_file() else [item for item in path.rglob("*") if not item.is_symlink()]
    return round(sum(item.stat().st_size for item in files if item.is_file()) / 1e6, 1)


def ordinary_home(folder: Path) -> tuple[Path, int | None]:
    """A home below `folder`, and the number of an ordinary user to whom it belongs."""
    home = folder / "home"
    home.mkdir()
    if os.geteuid() != 0:
        return home, None
    folder.chmod(0o755)
    os.chown(home, NOBODY, NOBODY)
    return home, NOBODY


def smoke_built() -> dict[str, Any]:
    """The built folder, at another place than where it was built."""
    with tempfile.TemporaryDirectory(prefix="hexveil-smoke-") as name:
        folder = Path(name)
        home, user = ordinary_home(folder)
        subprocess.run(["cp", "-a", str(BUILT), str(folder / "program")], check=True)
        person = Person(program=str(folder / "program"), home=home, seen_home=str(home), user=user)
        return check_all(person, "built", folder / "program")


def smoke_run() -> dict[str, Any]:
    """The self-extracting installer, for one person; an upgrade and an uninstall keep the ledger."""
    (installer,) = (ROOT / "dist").glob("hexveil-*.run")
    with tempfile.TemporaryDirectory(prefix="hexveil-smoke-") as name:
        folder = Path(name)
        home, user = ordinary_home(folder)
        copy = folder / installer.name
        shutil.copyfile(installer, copy)
        data = home / ".local" / "share"
        program = data / "hexveil-program"
        person = Person(program=str(program), home=home, seen_home=str(home), user=user)
        install = ["sh", str(copy), "--nox11"]
        start = time.monotonic()
        run_as(person, install)
        seconds = round(time.monotonic() - start, 1)
        figures = check_all(person, "run", program)
        spent = person.run("ledger", "export")
        (program / "_internal" / "left-over-of-an-older-version").write_text("x")
        run_as(person, install)
        if (program / "_internal" / "left-over-of-an-older-version").exists() or person.run(
            "ledger", "export"
        ) != spent:
            raise SystemExit("the upgrade left old files, or did not keep the ledger")
        step("upgrade: program replaced, ledger kept")
        run_as(person, ["sh", str(program / "uninstall.sh")])
        left = [
            path.relative_to(home).as_posix()
            for path in home.rglob("*")
            if path.is_file() and "hexveil" in path.name and "share/hexveil/" not in path.as_posix()
        ]
        mine = [name for name in left if not name.startswith(("austin/", "sample/", "real/"))]
        if program.exists() or mine or not (data / "hexveil" / "ledger.sqlite").is_file():
            raise SystemExit(f"the uninstall was not clean, or took the ledger: {mine}")
        step("uninstall: nothing left but the home's own ledger, keys and settings")
    return {**figures, "install_seconds": seconds, "file_mb": size_mb(installer)}


def run_as(person: Person, arguments: Sequence[str]) -> None:
    """Run something that is no program of ours as the person."""
    line = person.command(arguments, traced=False)
    done = subprocess.run(line, cwd="/", capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{arguments} gave {done.returncode}:\n{done.stdout}\n{done.stderr}")


def smoke_deb() -> dict[str, Any]:
    """The package in a bare Debian root: installed by root, used by an ordinary user, purged."""
    if os.geteuid() != 0:
        raise SystemExit("a bare Debian root can be made by root only: sudo make smoke")
    (package,) = (ROOT / "dist").glob("hexveil_*.deb")
    with tempfile.TemporaryDirectory(prefix="hexveil-root-") as name, mounted(bare_root(Path(name))) as root:
        if found := [*root.glob("usr/bin/python*"), *root.glob("usr/local/bin/python*")]:
            raise SystemExit(f"this root has Python already: {found}")
        shutil.copyfile(package, root / "tmp" / package.name)
        install = ["chroot", str(root), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        start = time.monotonic()
        subprocess.run(
            [*install, "--no-install-recommends", "install", f"/tmp/{package.name}"], check=True, **quiet
        )
        seconds = round(time.monotonic() - start, 1)
        if found := [*root.glob("usr/bin/python3*")]:
            raise SystemExit(f"the package brought Python: {found}")
        step(f"installed with its dependencies in {seconds} s; no Python on the machine")
        subprocess.run(
            ["chroot", str(root), "useradd", "-m", "-d", "/srv/clerk", "-u", "4242", "clerk"], check=True
        )
        person = Person(
            program="/opt/hexveil",
            home=root / "srv/clerk",
            seen_home="/srv/clerk",
            inside=root,
            user=4242,
        )
        # the name that menus and people use
        run_as(person, ["hexveil", "--version"])
        figures = check_all(person, "deb", root / "opt/hexveil")
        spent = person.run("ledger", "export")
        subprocess.run([*install, "--reinstall", "install", f"/tmp/{package.name}"], check=True, **quiet)
        if person.run("ledger", "export") != spent:
            raise SystemExit("the upgrade did not keep the ledger")
        step("upgrade: ledger kept")
        subprocess.run([*install, "purge", "hexveil"], check=True, **quiet)
        left = [*root.glob("usr/share/**/*hexveil*"), *root.glob("opt/hexveil")]
        if left or not (person.home / ".local/share/hexveil/ledger.sqlite").is_file():
            raise SystemExit(f"the removal was not clean, or took the ledger: {left}")
        step("purge: nothing left but the person's ledger, keys and settings")
    return {**figures, "install_seconds": seconds, "file_mb": size_mb(package)}


def bare_root(folder: Path) -> Path:
    """A minimal Debian, from what debootstrap finds."""
    folder.chmod(0o755)
    root = folder / "root"
    suite = os.environ.get("HEXVEIL_SUITE", "bookworm")
    mirror = os.environ.get("HEXVEIL_MIRROR", "")
    line = ["debootstrap", "--variant=minbase", suite, str(root), *([mirror] if mirror else [])]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"debootstrap failed:\n{done.stdout[-2000:]}")
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    return root


@contextlib.contextmanager
def mounted(root: Path) -> Iterator[Path]:
    """The root with what a running system has: processes, shared memory, the X server's socket."""
    sockets = Path("/tmp/.X11-unix")
    sockets.mkdir(mode=0o1777, exist_ok=True)
    (root / "tmp/.X11-unix").mkdir(exist_ok=True)
    (root / "dev/shm").mkdir(exist_ok=True)
    mounts = [
        (["-t", "proc", "proc"], root / "proc"),
        (["-t", "tmpfs", "-o", "mode=1777", "tmpfs"], root / "dev/shm"),
        (["--bind", str(sockets)], root / "tmp/.X11-unix"),
    ]
    done: list[Path] = []
    try:
        for options, place in mounts:
            subprocess.run(["mount", *options, str(place)], check=True)
            done.append(place)
        yield root
    finally:
        for place in reversed(done):
            subprocess.run(["umount", "--lazy", str(place)], check=True)


KINDS = {"built": smoke_built, "deb": smoke_deb, "run": smoke_run}


def main(arguments: Sequence[str]) -> None:
    """Run the named kind."""
    if len(arguments) != 1 or arguments[0] not in KINDS:
        raise SystemExit(textwrap.dedent(__doc__ or ""))
    (kind,) = arguments
    print(f"smoke: {kind}", flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    figures = KINDS[kind]()
    (OUT / f"{kind}.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(f"smoke: {kind} passed {json.dumps(figures)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
