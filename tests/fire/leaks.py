"""Planted ids, values, paths and names, and true means worked out anew: searched in all that a run leaves.

python -m tests.fire.leaks             # make leaks: commands, a window, crashes, and figures

Numbers are looked for in two releases of the same records under two populations: what both hold alike at the
precision of the true value is no noise. Everything else may be nowhere. `strace` watches all
of it for calls that would reach a network.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import io
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from core.cli import main as command_line
from core.release import draw, prepare_publish
from core.system import passphrase_key
from tests.city import DAYS, PASSPHRASE, POPULATION, SPEC, write_city
from tests.unpacked import unpacked

ID, FOLDER, FILE, HOST, USER = "zq7plate", "zq7folder", "zq7file", "zq7host", "zq7user"
"""Parts of what is planted: nothing else holds them by chance."""
RARE = "zq7rare"
"""A label that one vehicle alone has."""
SPEEDS = tuple(f"{11.003 + 3.107 * vehicle:.3f}" for vehicle in range(12))
"""One for each vehicle, so that few numbers stand for all of its records."""
OTHER = "Other buses"
BY_ROUTE = (
    ('unit = "km/h"', 'unit = "km/h"\ncolumns = { route = "route" }'),
    ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["route"]'),
)
"""Edits of the spec: a group of open labels."""
_PLACES = ((21.17, 72.83), (21.20, 72.86), (21.14, 72.80))
_NEW_HOST = 0x04000000
_CALLS = "socket,connect,bind,sendto,sendmsg,sendmmsg"
_NAMES_AN_ADDRESS = re.compile(r"\b(?:connect|bind|send(?:to|msg|mmsg))\(.*\bsa_family=AF_INET6?\b")
_INTERNET = re.compile(r"\bsocket\(AF_INET6?\b")
_JOB, _BUNDLE = "--job", "test-speed-1.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Some of what a run leaves, and what may not be in it."""

    name: str
    files: dict[str, bytes]
    words: tuple[str, ...]
    releases: bool = False
    """Two of the same records, in a folder each: only what both hold alike is no noise."""


def planted_city(folder: Path) -> Path:
    """Records of twelve vehicles, each always at its own speed; the spec."""
    spec = write_city(folder)
    rows = ["vehicle,time,lat,lon,speed,route"]
    for vehicle, speed in enumerate(SPEEDS):
        for day in DAYS:
            for ping in range(4 + 4 * vehicle):
                lat, lon = _PLACES[(vehicle + ping // 6) % 3]
                minute = 9 * 60 + (ping * 7) % 180
                clock = f"{minute // 60:02d}:{minute % 60:02d}:{ping % 60:02d}"
                route = RARE if vehicle == 0 and ping else ping % 2
                rows.append(f"{ID}-{vehicle:02d},{day}T{clock}+05:30,{lat},{lon},{speed},{route}")
    (folder / "records.csv").unlink()
    (folder / f"{FILE}.csv").write_text("\n".join(rows) + "\n")
    text = SPEC.replace("records.csv", f"{FILE}.csv")
    for old, new in BY_ROUTE:
        text = text.replace(old, new)
    spec.write_text(text)
    other = text.replace(POPULATION, OTHER)
    spec.with_name("other.toml").write_text(other)
    return spec


def true_means(path: Path) -> set[str]:
    """Of each (place, hour, route), by plain arithmetic on the file: with three and with six decimals."""
    groups: dict[tuple[str, ...], list[float]] = {}
    for line in path.read_text().splitlines()[1:]:
        _, time, lat, lon, speed, route = line.split(",")
        groups.setdefault((lat, lon, time[11:13], route), []).append(float(speed))
    means = [float(np.mean(values)) for values in groups.values()]
    return {f"{mean:.{decimals}f}" for mean in means for decimals in (3, 6)}


# The run, in a process of its own


def job(folder: Path) -> int:
    """Commands, a window and two crashes; what they print goes into a folder."""
    host = _name_this_host()
    said = folder / "said"
    said.mkdir()
    (folder / "host").write_text(host)
    passphrase_key.COST = 1 << 4
    spec = folder / FOLDER / "spec.toml"
    data, out, home = str(spec.with_name(f"{FILE}.csv")), folder / "out", folder / "home"
    limits = [["ledger", "set-limit", name, "--per-vehicle", "6"] for name in (POPULATION, OTHER)]
    (folder / "tables").mkdir()
    tables = [
        [
            "contributions",
            data,
            "--spec",
            str(spec),
            "--encrypt",
            "--out",
            str(folder / "tables" / name),
            *how,
        ]
        for name, how in (("parts", ["--partition-by", "date"]), ("duckdb.parquet", ["--engine", "duckdb"]))
        if name == "parts" or importlib.util.find_spec("duckdb")
    ]
    commands: list[list[str]] = [
        ["keygen"],
        *limits,
        ["ledger", "link", POPULATION, OTHER],
        ["inspect", data, "--spec", str(spec), "--json"],
        ["table", data, "--resolutions", "6,7", "--spec", str(spec)],
        ["plan", str(spec)],
        ["release", str(spec), "--out", str(out / "a"), "--yes"],
        ["ledger", "set-limit", POPULATION, "--per-vehicle", "40"],
        ["ledger", "set-limit", OTHER, "--per-vehicle", "40"],
        ["release", str(spec.with_name("other.toml")), "--out", str(out / "b"), "--yes"],
        ["release", str(spec), "--out", str(out / "a"), "--yes"],  # refused: it is there
        ["verify", str(out / "a" / _BUNDLE), "--json"],
        ["ledger", "show"],
        ["ledger", "export"],
        ["ledger", "check"],
        *tables,
        ["notice", str(out / "a" / _BUNDLE), "--reason", "a bound was wrong"],
        ["keynote", "--revoke", "--reason", "a laptop was lost", "--out", str(out / "a")],
    ]
    for number, command in enumerate(commands):
        (said / f"{number:02d}-{command[0]}.txt").write_text(_run(command))
    (said / "crash.txt").write_text(_crashed(spec, out))
    (said / "window.txt").write_text(_in_a_window(home, spec, folder / "exports"))
    return 0


def _run(command: list[str]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        command_line(command)
    return output.getvalue()


def _fault(spec: Path) -> ValueError:
    """As a library may raise it: it quotes a row, its value and its file."""
    return ValueError(f"cannot convert {SPEEDS[0]} of {ID}-00 in {spec.parent} of {USER}")


# Taken when this file is imported, as the suite does: a step that has moved is noticed there.
_STEPS: tuple[tuple[ModuleType, Callable[..., object]], ...] = (
    (prepare_publish, prepare_publish.request_of),
    (draw, draw.drawn),
)
"""Before budget is reserved, and after it: the rehearsal has a name of its own for what it draws by."""


def _crashed(spec: Path, out: Path) -> str:
    """A command that fails where nobody foresaw it, before and after budget was reserved."""
    told = []
    for place, retained in _STEPS:
        name = retained.__name__

        def fail(*_: object, **__: object) -> object:
            raise _fault(spec)

        setattr(place, name, fail)
        other = spec.with_name("crash.toml")
        other.write_text(spec.read_text().replace('total = "6"', 'total = "5"'))
        told.append(_run(["release", str(other), "--out", str(out / "crash"), "--yes"]))
        setattr(place, name, retained)
    return "\n".join(told)


def _in_a_window(home: Path, spec: Path, exports: Path) -> str:
    """Load, save a project, copy the table, and a fault that the window tells."""
    from PySide6.QtWidgets import QApplication

    from core.draft.draft import draft_of
    from core.spec import load_spec
    from core.system.fault_report import fault_report
    from core.system.paths import Home
    from tests.ui.whole_window import bare_window, settle, wait_until
    from ui.shell.app import prepare_process
    from ui.shell.exception_handler import ExceptionHandler

    prepare_process()
    application = QApplication([])
    told = []
    exports.mkdir()
    with bare_window(application, Home(home)) as window:
        workspace = window.workspace
        assert workspace is not None
        handler = ExceptionHandler(application)
        handler.caught.connect(window.show_fault)
        draft, source = draft_of(load_spec(spec))
        workspace.session.load(source, draft)
        settle(window)
        workspace.project.save(exports / "work")
        wait_until(lambda: any(exports.iterdir()))
        handler.receive(_fault(spec))
        told.append(fault_report(_fault(spec)))
        told += [dock.toPlainText() for dock in window.log_dock.findChildren(_text_kind())]
    return "\n".join(told)


def _text_kind() -> type:
    from PySide6.QtWidgets import QPlainTextEdit

    return QPlainTextEdit


def _name_this_host() -> str:
    """Give this process alone a host name that can be found; the name it has where that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and libc.unshare(_NEW_HOST) == 0:
        libc.sethostname(HOST.encode(), len(HOST))
    return os.uname().nodename


# The search


def places(folder: Path) -> Iterator[Place]:
    """What a run has left, by who may see it."""
    host = (folder / "host").read_text()
    names = tuple(name for name in (USER, host) if len(name) > 5)
    everything = (ID, FOLDER, FILE, RARE, *names)
    yield Place(name="bundles", files=_files(folder / "out"), words=everything, releases=True)
    yield Place(name="what commands print", files=_files(folder / "said"), words=(ID,))
    exported = {
        name: content for name, content in _files(folder / "said").items() if re.search("ledger|verify", name)
    }
    yield Place(name="exports of the ledger", files=exported, words=(ID, FILE, RARE, *names))
    home = _files(folder / "home")
    retained = {name: content for name, content in home.items() if name.startswith("ledger")}
    yield Place(name="ledger", files=retained, words=everything)
    logs = {name: content for name, content in home.items() if name.startswith("errors")}
    crashes = {name: content for name, content in _files(folder / "said").items() if "crash" in name}
    yield Place(name="crash reports and logs", files=logs | crashes, words=(ID, RARE, *names))
    own = {
        name: content for name, content in home.items() if not name.startswith(("ledger", "errors", "cache"))
    }
    yield Place(name="settings, keys, recovery", files=own, words=(ID,))
    yield Place(name="project files", files=_files(folder / "exports"), words=(ID,))
    tables = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in (folder / "tables").rglob("*")
        if path.is_file()
    }
    assert tables
    yield Place(name="encrypted tables", files=tables, words=everything)
    yield Place(name="temporary files", files=_files(folder / "tmp"), words=everything)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): unpacked(path.name, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def found_in(place: Place, numbers: Sequence[str]) -> list[str]:
    """Everything planted that is there."""
    found = [
        f"{word} in {name}"
        for name, content in place.files.items()
        for word in place.words
        if word.encode() in content or word.encode("utf-16-le") in content
    ]
    found += [f"{word} in the name {name}" for name in place.files for word in place.words if word in name]
    holding = Counter(
        (number, name.partition("/")[2] if place.releases else name)
        for name, content in place.files.items()
        for number in numbers
        if any(form in content for form in _forms(number))
    )
    copies = 2 if place.releases else 1
    found += [f"{number} in {name}" for (number, name), times in holding.items() if times >= copies]
    return found


def _forms(number: str) -> tuple[bytes, ...]:
    """A number as text, as a binary double, and as a whole number of thousandths."""
    value = float(number)
    doubles = (struct.pack("<d", value), struct.pack(">d", value))
    whole = (struct.pack("<q", round(value * 1000)),) if len(number.partition(".")[2]) == 3 else ()
    return (number.encode(), *doubles, *whole)


def open_to_others(home: Path) -> list[str]:
    """What somebody else may read of a home, or enter, but for public keys."""
    return [
        str(path.relative_to(home))
        for path in (home, *home.rglob("*"))
        if path.suffix != ".pub" and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]


def to_the_network(trace: str) -> list[str]:
    """Calls in a trace that name an address of a network: without one before it nothing can be sent."""
    return [line for line in trace.splitlines() if _NAMES_AN_ADDRESS.search(line)]


def main(arguments: Sequence[str]) -> int:
    """Run, search, and print figures; 1 where anything is found that may not be, or a network is reached."""
    if arguments[:1] == [_JOB]:
        return job(Path(arguments[1]))
    if shutil.which("strace") is None:
        print("strace is missing: calls to a network cannot be watched", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        planted_city(folder / FOLDER)
        (folder / "tmp").mkdir()
        environment = os.environ | {
            "HEXVEIL_HOME": str(folder / "home"),
            "HEXVEIL_PASSPHRASE": PASSPHRASE,
            "HEXVEIL_TABLE_PASSPHRASE": "correct horse battery",
            "HOME": str(folder / USER),
            "LOGNAME": USER,
            "QT_QPA_PLATFORM": "offscreen",
            "TMPDIR": str(folder / "tmp"),
            "USER": USER,
        }
        calls = folder / "calls.txt"
        run = ["strace", "-f", "--seccomp-bpf", "-e", f"trace={_CALLS}", "-o", str(calls)]
        run += [sys.executable, "-m", "tests.fire.leaks", _JOB, str(folder)]
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(run, env=environment, check=False, cwd=root, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        (folder / "said" / "stderr.txt").write_text(done.stderr)
        if missing := [name for name in ("a", "b") if not (folder / "out" / name / _BUNDLE).is_dir()]:
            print(f"not released: {missing}", file=sys.stderr)
            return 1
        numbers = sorted({*SPEEDS, *true_means(folder / FOLDER / f"{FILE}.csv")})
        leaks = 0
        for place in places(folder):
            found = found_in(place, numbers)
            size = sum(map(len, place.files.values())) / 1e3
            searched = f"{len(place.files)} files, {size:.0f} kB searched for {len(place.words)} words"
            print(f"{place.name}: {searched} and {len(numbers)} numbers: {len(found)} found")
            print("".join(f"  {one}\n" for one in found), end="")
            leaks += len(found)
        unguarded = open_to_others(folder / "home")
        print(f"files of the home that others may read: {len(unguarded)}")
        print("".join(f"  {one}\n" for one in unguarded), end="")
        trace = calls.read_text(errors="replace")
        reached, unused = to_the_network(trace), len(_INTERNET.findall(trace))
        watched = f"{len(reached)} of {len(trace.splitlines())} watched"
        print(f"calls that name a network's address: {watched}, {unused} internet sockets opened")
        print("".join(f"  {one}\n" for one in reached), end="")
    return 1 if leaks or unguarded or reached else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
