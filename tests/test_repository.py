"""The repository as a whole: nothing that ties it to a machine or a registry, every source tested."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.syntax_tree import nodes_of

ROOT = Path(__file__).resolve().parent.parent

# Put together from pieces: this file must not hold what it looks for.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("deb", "debian", "org"),
        ("security", "debian", "org"),
        ("archive", "ubuntu", "com"),
        ("registry", "npmjs"),
        ("registry", "yarnpkg"),
        ("conda", "anaconda", "org"),
    )
]
REGISTRY = re.compile("|".join(map(re.escape, HOSTS)).encode())
MACHINE_PATH = re.compile(rb"(?<![\w.~/-])/(?:work|root|home)/")

UNTESTED = {
    "core/arrays.py": "two short names of types; mypy sees to their use",
    "core/engines/base.py": "what every engine is asked; each engine is tested against it",
    "core/verify/source.py": "a protocol and what it speaks of; folder and zip are tested against it",
    "core/noise/source.py": "protocols only; every source of noise is tested against them",
}
"""Source files without a test file of their own, and why. Packages' `__init__.py` need none."""


def _tracked() -> list[Path]:
    """Files under version control, as they are in the working tree."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def _text_hits(paths: list[Path], pattern: re.Pattern[bytes]) -> list[str]:
    """`path:line` of each hit in a text file."""
    hits = []
    for path in paths:
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.splitlines(), start=1):
            if pattern.search(line):
                hits.append(f"{path}:{number}")
    return hits


def test_no_file_names_a_registry() -> None:
    assert _text_hits(_tracked(), REGISTRY) == []


def test_no_file_holds_a_path_of_a_machine() -> None:
    assert _text_hits(_tracked(), MACHINE_PATH) == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_planted_registry_is_found(tmp_path: Path, host: str) -> None:
    planted = tmp_path / "requirements.txt"
    planted.write_text(f"numpy\nfetched from {host}\n")
    assert _text_hits([planted], REGISTRY) == [f"{planted}:2"]


@pytest.mark.parametrize("folder", ["work", "root", "home"])
def test_a_planted_machine_path_is_found(tmp_path: Path, folder: str) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text(f"see `/{folder}/someone/file`\nresources/{folder}/x is fine\n")
    assert _text_hits([planted], MACHINE_PATH) == [f"{planted}:1"]


def test_no_large_file_is_tracked() -> None:
    assert [path.name for path in _tracked() if path.stat().st_size > 3_000_000] == []


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ASSERTING = {
    "raises",
    "warns",
    "fail",
    "waitUntil",
    "assertNotEmitted",
    "assert_array_equal",
    "assert_allclose",
}
"""Calls that fail a test by themselves."""


@dataclass
class Pin:
    """One pinned version; a package may have several, for different Pythons or systems."""

    name: str
    version: str
    hashes: int = 0


def _locked() -> list[Pin]:
    pins: list[Pin] = []
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if pin := re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", line):
            pins.append(Pin(canonicalize_name(pin[1]), pin[2]))
        elif re.fullmatch(r"\s+--hash=sha256:[0-9a-f]{64}( \\)?", line):
            pins[-1].hashes += 1
        else:
            assert re.match(r"\s*(#|$)", line), f"not a pin, a hash or a comment: {line}"
    return pins


APART = {"spark": ROOT / "tests" / "core" / "engines" / "spark.lock"}
"""Extras with a lock of their own, which neither ship nor are needed by `make test`."""


def _declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["optional-dependencies"]
    optional = [text for name, group in groups.items() if name not in APART for text in group]
    return [Requirement(text) for text in [*project["dependencies"], *optional]]


@pytest.mark.parametrize("name", sorted(APART))
def test_an_extra_apart_is_pinned_in_its_own_lock(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = APART[name].read_text("utf-8")
    for wanted in project["optional-dependencies"][name]:
        assert f"{wanted} \\\n    --hash=sha256:" in lock


def test_every_locked_package_has_hashes() -> None:
    pins = _locked()
    assert len(pins) > 30
    assert [pin.name for pin in pins if not pin.hashes] == []


def test_the_lock_keeps_what_pyproject_declares() -> None:
    """An exact pin in pyproject.toml is the only version in the lock; a range holds every locked one."""
    versions: dict[str, set[str]] = {}
    for pin in _locked():
        versions.setdefault(pin.name, set()).add(pin.version)
    declared = _declared()
    absent = [str(wanted) for wanted in declared if canonicalize_name(wanted.name) not in versions]
    assert absent == []
    unkept = [
        f"{wanted} but locked {version}"
        for wanted in declared
        for version in versions[canonicalize_name(wanted.name)]
        if not wanted.specifier.contains(version)
    ]
    assert unkept == []


def _test_of(source: Path) -> Path:
    return Path("tests") / source.parent / f"test_{source.name}"


def test_every_source_file_of_core_has_its_test_file() -> None:
    sources = [path.relative_to(ROOT) for path in (ROOT / "core").rglob("*.py") if path.name != "__init__.py"]
    missing = [
        source.as_posix()
        for source in sorted(sources)
        if source.as_posix() not in UNTESTED and not (ROOT / _test_of(source)).is_file()
    ]
    assert missing == []


def test_tests_of_a_room_of_the_window_mirror_its_files() -> None:
    """What crosses rooms is tested right in tests/ui."""
    rooms = ROOT / "tests" / "ui"
    astray = [
        test.relative_to(ROOT).as_posix()
        for test in sorted(rooms.glob("*/test_*.py"))
        if not (ROOT / "ui" / test.parent.name / test.name.removeprefix("test_")).is_file()
    ]
    assert astray == []


def test_exceptions_are_still_needed_and_justified() -> None:
    for name, reason in UNTESTED.items():
        assert (ROOT / name).is_file(), name
        assert not (ROOT / _test_of(Path(name))).exists(), name
        assert len(reason) > 20, name


@dataclass(frozen=True)
class Function:
    """What a test or helper calls by name, and whether it can fail by itself."""

    name: str
    calls: frozenset[str]
    asserts: bool


def _functions(tree: ast.Module) -> Iterator[Function]:
    for function in nodes_of(tree):
        if isinstance(function, FUNCTIONS):
            calls = set()
            for node in nodes_of(function):
                if isinstance(node, ast.Assert):
                    calls.add("assert")
                    break  # it can fail, whatever it calls
                if isinstance(node, ast.Call):
                    calls.add(_name(node.func))
            yield Function(function.name, frozenset(calls), bool(calls & {"assert", *ASSERTING}))


def _asserting(functions: list[Function]) -> set[str]:
    """Names of functions that assert something, or call one that does."""
    called: dict[str, set[str]] = {}
    for function in functions:
        called.setdefault(function.name, set()).update(function.calls)
    found = {function.name for function in functions if function.asserts}
    while more := {name for name, calls in called.items() if name not in found and calls & found}:
        found |= more
    return found


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _silent_tests(texts: Iterable[str]) -> list[str]:
    # no tree is kept: a search for garbage looks at every node that is
    functions = [function for text in texts for function in _functions(ast.parse(text))]
    names = {function.name for function in functions if function.name.startswith("test_")}
    return sorted(names - _asserting(functions))


SHARED_RANDOM = (
    (re.compile(rb""), re.compile(rb"(?<![\w.])(np|numpy)\.random\.(?!default_rng)[a-z]\w*\(")),
    (re.compile(rb"^import random$", re.MULTILINE), re.compile(rb"(?<![\w.])random\.[a-z]\w*\(")),
    (re.compile(rb""), re.compile(rb"^from (random|numpy\.random) import (?!Random$)")),
)
"""In files where the first is found: a draw from Python's or numpy's one generator for all."""


def _shared_draws(paths: list[Path]) -> list[str]:
    return [
        hit
        for where, pattern in SHARED_RANDOM
        for hit in _text_hits([path for path in paths if where.search(path.read_bytes())], pattern)
    ]


def test_nothing_draws_from_a_generator_that_all_share() -> None:
    """Its draws depend on who drew before; and tests/conftest.py has hypothesis leave it alone."""
    assert _shared_draws([path for path in _tracked() if path.suffix == ".py"]) == []


@pytest.mark.parametrize(
    "draw",
    ["import {0}\n{0}.{0}()", "x = np.{0}.normal(0, 1)", "numpy.{0}.seed(1)", "from {0} import choice"],
)
def test_a_draw_from_a_shared_generator_is_found(tmp_path: Path, draw: str) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(draw.format("random"), encoding="utf-8")
    assert len(_shared_draws([planted])) == 1
    own = "rng.{0}()\n{0}.shuffle(x)\nnp.{0}.default_rng(3)\nnp.{0}.Generator(bits)\n"
    planted.write_text(own.format("random"), encoding="utf-8")
    assert _shared_draws([planted]) == []


def test_every_test_asserts_something() -> None:
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert _silent_tests(path.read_text(encoding="utf-8") for path in tests) == []


def test_a_test_that_asserts_nothing_is_found() -> None:
    planted = """
def check(found): assert found
def twice(found): check(found)
def test_it_runs(): print(1)
def test_it_holds(): twice(1)
def test_it_raises():
    with pytest.raises(ValueError): int("a")
"""
    assert _silent_tests([planted]) == ["test_it_runs"]


GUARD = """
import os, sys
from PySide6.QtCore import QObject, Signal
class Source(QObject):
    fired = Signal()
source = Source()
source.fired.emit()
before = sys.getrefcount(True)
for _ in range(100):
    source.fired.emit()
lost = before - sys.getrefcount(True)
sys.stdout.flush()
os._exit(lost > 50)
"""


def test_qt_signals_do_not_eat_references() -> None:
    """PySide6 6.12.0 on Python 3.11 loses one reference to `True` per emit, until the process aborts."""
    done = subprocess.run([sys.executable, "-c", GUARD], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- resources/installer/system-packages.sh, against a made-up dpkg ------------------------------

SCRIPT = ROOT / "resources" / "installer" / "system-packages.sh"
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="a script for Debian's relatives")


def _command(path: Path, body: str) -> None:
    path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
    path.chmod(0o755)


def _run_script(tmp_path: Path, purpose: str, **commands: str) -> subprocess.CompletedProcess[str]:
    """Run it where nothing but the given commands (and Python) exist."""
    bash = shutil.which("bash")
    assert bash
    for name, body in {"python3.11": f'exec "{sys.executable}" "$@"', **commands}.items():
        _command(tmp_path / name.replace("_", "-"), body)
    return subprocess.run(
        [bash, str(SCRIPT), purpose],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


INSTALLED = "printf installed"
ABSENT = "exit 1"
OLD_RELEASE = 'case "$*" in *t64*) exit 100;; esac'


@needs_bash
def test_no_missing_package_no_word(tmp_path: Path) -> None:
    done = _run_script(tmp_path, "test", dpkg_query=INSTALLED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_bash
def test_a_system_without_dpkg_goes_on(tmp_path: Path) -> None:
    done = _run_script(tmp_path, "test")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_bash
@pytest.mark.parametrize(
    ("apt_cache", "sound"), [(OLD_RELEASE, "libasound2"), ("exit 0", "libasound2t64")], ids=["old", "new"]
)
def test_an_ordinary_user_gets_the_line_to_run(tmp_path: Path, apt_cache: str, sound: str) -> None:
    done = _run_script(
        tmp_path, "run", dpkg_query=ABSENT, apt_cache=apt_cache, id="echo 1000", apt_get="exit 9"
    )
    assert done.returncode == 2
    line = done.stderr.splitlines()[-1].split()
    assert line[:4] == ["sudo", "apt-get", "install", "--no-install-recommends"]
    assert sound in line
    assert "libnss3" in line
    assert "xvfb" not in line


@needs_bash
def test_root_installs_only_what_is_missing(tmp_path: Path) -> None:
    done = _run_script(
        tmp_path,
        "test",
        dpkg_query='case "$*" in *minisign*) exit 1;; esac; printf installed',
        apt_cache="exit 0",
        id="echo 0",
        apt_get='echo "called: $*"',
    )
    assert done.returncode == 0
    assert "called: install -y -qq --no-install-recommends minisign\n" in done.stderr


@needs_bash
@pytest.mark.skipif(not shutil.which("make"), reason="make")
def test_make_clean_and_a_new_environment_leave_what_others_put_there(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    made = (
        "build/deb/x",
        "build/figures/a.png",
        "build/sample-20260101-101010/x",
        "dist/hexveil/hexveil",
        "dist/hexveil-0.1.0-x86_64.run",
        "dist/hexveil-0.1.0-setup.exe.minisig",
        "core/__pycache__/a.pyc",
        ".mypy_cache/x",
    )
    mine = (
        "build/thesis.txt",
        "build/sample-plans/x",
        "dist/mine.pub",
        "dist/mine.minisig",
        "core/__pycache__/mine.txt",
        "other/__pycache__/a.pyc",
        ".venv/mine.txt",
    )
    for name in (*made, *mine, *(f"{folder}/x" for folder in ("docs", "resources", "tests", "ui"))):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    subprocess.run(["make", "clean"], cwd=tmp_path, check=True, capture_output=True)
    assert [name for name in made if (tmp_path / name).exists()] == []
    assert [name for name in mine if not (tmp_path / name).exists()] == []
    text = (ROOT / "Makefile").read_text("utf-8")
    assert text.index("is no virtual environment") < text.index("rm -rf $(VENV)")


@needs_bash
def test_who_builds_installers_gets_the_library_of_python_where_it_is_missing(tmp_path: Path) -> None:
    """PyInstaller takes it along; Debian's `python3.11` does without."""
    others = {"dpkg_query": INSTALLED, "apt_cache": "exit 0", "id": "echo 1000"}
    assert _run_script(tmp_path, "build", **others).returncode == 0  # of this Python it is there
    absent = {**others, "dpkg_query": 'case "$*" in *libpython*) exit 1;; esac; printf installed'}
    no_library = f'case "$*" in *CDLL*) exit 1;; esac; exec "{sys.executable}" "$@"'
    done = _run_script(tmp_path, "build", **absent, **{"python3.11": no_library})
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].split()[4:] == ["libpython3.11"]
    assert _run_script(tmp_path, "test", **absent, **{"python3.11": no_library}).returncode == 0


@needs_bash
@pytest.mark.parametrize(
    ("system", "chosen"),
    [("exit 0", "system"), ('case "$*" in *ensurepip*) exit 1;; esac', "own"), ("exit 1", "own")],
    ids=["complete", "without ensurepip", "of another version"],
)
def test_the_distribution_s_python_goes_first_where_it_can_make_environments(
    tmp_path: Path, system: str, chosen: str
) -> None:
    bash = shutil.which("bash")
    assert bash
    for folder, body in {"own": "exit 0", "system": system}.items():
        (tmp_path / folder).mkdir()
        _command(tmp_path / folder / "python3.11", body)
    done = subprocess.run(
        [bash, str(SCRIPT.with_name("chosen-python.sh")), str(tmp_path / "system")],
        env={"PATH": f"{tmp_path / 'own'}:{tmp_path / 'system'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{tmp_path / chosen / 'python3.11'}\n"


@needs_bash
def test_root_without_a_connection_gets_the_line_too(tmp_path: Path) -> None:
    done = _run_script(
        tmp_path, "run", dpkg_query=ABSENT, apt_cache="exit 0", id="echo 0", apt_get="exit 100"
    )
    assert done.returncode == 2
    assert "sudo apt-get install" in done.stderr
