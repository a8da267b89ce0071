"""Who may import whom (DESIGN 1): the layers of core, and the one room of each library."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LAYERS = (
    {"errors", "params", "progress", "privacy", "values", "parallel", "files", "paths", "discovery", "texts"}
    | {"references"},
    {"records"},
    {"read"},
    {"hats", "clean"},
    {"store"},
    {"assist"},
    {"contributions", "selection", "grouping"},
    {"noise", "accounting"},
    {"mechanisms", "statistics"},
    {"planning"},
    {"spec", "draft"},
    {"release", "evaluate", "synthesize"},
    {"cli"},
)
"""Rooms of core, lowest first: a room imports its own layer and those before it."""
APART = {"release", "evaluate", "synthesize"}
"""Rooms of one layer that never import each other."""
ONLY_IN = {"opendp": "core/noise/secure.py", "shapely": "core/selection/polygon_cells.py"}
MAY_PRINT = {"core/cli.py"}
MAY_IMPORT_LATE = {"core/cli.py"}


@dataclass(frozen=True)
class Source:
    """One parsed file."""

    path: str
    """Relative to the root, with forward slashes."""
    tree: ast.Module
    imports: tuple[tuple[str, bool], ...]
    """(dotted name of a module, is it imported inside a function)."""

    @property
    def room(self) -> str:
        """First part below core: `ingest`, `values`; empty outside core and for core/__init__.py."""
        parts = Path(self.path).with_suffix("").parts
        return "" if parts[0] != "core" or parts[1:] == ("__init__",) else parts[1]


Rule = Callable[[list[Source]], Iterator[str]]


def read_sources(root: Path) -> list[Source]:
    paths = [*root.glob("*.py"), *(root / "core").rglob("*.py"), *(root / "ui").rglob("*.py")]
    return [_read(path.relative_to(root), path.read_text(encoding="utf-8")) for path in sorted(paths)]


def _read(path: Path, text: str) -> Source:
    tree = ast.parse(text)
    late = {
        inner
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(function)
    }
    found = [(name, node in late) for node in ast.walk(tree) for name in _names(node, path)]
    return Source(path=path.as_posix(), tree=tree, imports=tuple(found))


def _names(node: ast.AST, path: Path) -> list[str]:
    """What an import statement names; `from a import b` counts as `a.b`, relative ones made absolute."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = list(path.parts[: -node.level]) if node.level else []
        base += node.module.split(".") if node.module else []
        return [".".join([*base, alias.name]) for alias in node.names]
    return []


def _top(name: str) -> str:
    return name.partition(".")[0]


def _room_of(name: str) -> str:
    """The room that an imported name lies in; empty for `core` itself and its version."""
    parts = name.split(".")
    return parts[1] if parts[0] == "core" and len(parts) > 1 and not parts[1].startswith("__") else ""


def layer_of(room: str) -> int | None:
    return next((number for number, rooms in enumerate(LAYERS) if room in rooms), None)


def every_room_has_a_layer(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if source.room and layer_of(source.room) is None:
            yield f"{source.path}: the room {source.room} has no layer"


def layers_import_downwards(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, _ in source.imports:
            own, other = layer_of(source.room), layer_of(_room_of(name))
            if own is not None and other is not None and other > own:
                yield f"{source.path}: {name} lies in a higher layer"


def apart_stays_apart(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, _ in source.imports:
            if {source.room, _room_of(name)} <= APART and source.room != _room_of(name):
                yield f"{source.path}: {name} must not be imported here"


def core_knows_no_window(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, _ in source.imports:
            if source.path.startswith("core/") and _top(name) in {"ui", "main", "tests", "PySide6"}:
                yield f"{source.path}: {name} in core"


def qt_lives_below_ui(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, late in source.imports:
            if "/" not in source.path and (_top(name) == "PySide6" or (_top(name) == "ui" and not late)):
                yield f"{source.path}: {name} outside ui, or not inside a function"


def libraries_have_one_room(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, _ in source.imports:
            if ONLY_IN.get(_top(name), source.path) != source.path:
                yield f"{source.path}: {_top(name)} belongs into {ONLY_IN[_top(name)]}"


def databases_have_one_file_each(sources: list[Source]) -> Iterator[str]:
    """sqlite3: the ledger in core, and one file of ui (the analyst's map tiles)."""
    users = {source.path for source in sources for name, _ in source.imports if _top(name) == "sqlite3"}
    in_ui = {path for path in users if path.startswith("ui/")}
    for path in sorted(users - in_ui - {"core/accounting/ledger.py"}):
        yield f"{path}: sqlite3 belongs into core/accounting/ledger.py"
    if len(in_ui) > 1:
        yield f"{', '.join(sorted(in_ui))}: sqlite3 in more than one file of ui"


def core_imports_at_the_top(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, late in source.imports:
            if late and source.path.startswith("core/") and source.path not in MAY_IMPORT_LATE:
                yield f"{source.path}: {name} is imported inside a function"


def core_does_not_print(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if not source.path.startswith("core/") or source.path in MAY_PRINT:
            continue
        for node in ast.walk(source.tree):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id == "print":
                yield f"{source.path}: print in core"


RULES: tuple[Rule, ...] = (
    every_room_has_a_layer,
    layers_import_downwards,
    apart_stays_apart,
    core_knows_no_window,
    qt_lives_below_ui,
    libraries_have_one_room,
    databases_have_one_file_each,
    core_imports_at_the_top,
    core_does_not_print,
)


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read_sources(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_sources_keep_the_rule(rule: Rule, sources: list[Source]) -> None:
    assert list(rule(sources)) == []


def test_the_checker_reads_the_real_sources(sources: list[Source]) -> None:
    paths = {source.path for source in sources}
    assert {"main.py", "core/errors.py", "core/synthesize/job.py"} <= paths
    assert ("core.errors.InputError", False) in next(s for s in sources if s.path == "core/values.py").imports


PLANTED = [
    (every_room_has_a_layer, "core/kitchen.py", ""),
    (layers_import_downwards, "core/values.py", "from core.clean import mapping"),
    (layers_import_downwards, "core/hats/cells.py", "import core.release.job"),
    (layers_import_downwards, "core/grouping/bestfit.py", "from core import cli"),
    (layers_import_downwards, "core/noise/source.py", "from ..planning import adviser"),
    (layers_import_downwards, "core/release/job.py", "def run():\n    from core import cli"),
    (apart_stays_apart, "core/release/job.py", "from core.evaluate.trials import run"),
    (apart_stays_apart, "core/evaluate/trials.py", "from core import release"),
    (core_knows_no_window, "core/cli.py", "def window():\n    import ui.shell.app"),
    (core_knows_no_window, "core/values.py", "from PySide6.QtCore import QObject"),
    (qt_lives_below_ui, "main.py", "from ui.shell.app import run"),
    (qt_lives_below_ui, "main.py", "def main():\n    from PySide6 import QtCore"),
    (libraries_have_one_room, "core/noise/simulated.py", "import opendp.prelude as dp"),
    (libraries_have_one_room, "ui/shell/app.py", "from opendp import measurements"),
    (libraries_have_one_room, "core/selection/boundary.py", "import shapely"),
    (databases_have_one_file_each, "core/accounting/compose.py", "import sqlite3"),
    (core_imports_at_the_top, "core/values.py", "async def f():\n    if True:\n        import math"),
    (core_does_not_print, "core/values.py", "print(1)"),
]


@pytest.mark.parametrize(
    ("rule", "path", "text"), PLANTED, ids=[f"{rule.__name__}-{path}" for rule, path, _ in PLANTED]
)
def test_a_planted_fault_is_found_in_its_file(tmp_path: Path, rule: Rule, path: str, text: str) -> None:
    _plant(tmp_path, path, text)
    faults = list(rule(read_sources(tmp_path)))
    assert faults
    assert all(fault.startswith(path) for fault in faults)


def test_two_databases_in_the_window_are_found(tmp_path: Path) -> None:
    for name in ("tiles", "notes"):
        _plant(tmp_path, f"ui/{name}.py", "import sqlite3")
    assert list(databases_have_one_file_each(read_sources(tmp_path)))


def test_what_is_allowed_passes(tmp_path: Path) -> None:
    _plant(tmp_path, "core/__init__.py", '__version__ = "1"')
    _plant(tmp_path, "core/errors.py", "from core import __version__")
    _plant(tmp_path, "core/accounting/ledger.py", "import sqlite3\nfrom core.errors import LedgerError")
    _plant(tmp_path, "core/noise/secure.py", "import opendp.prelude as dp")
    _plant(tmp_path, "core/cli.py", "def f():\n    from core.release import job\n    print(job)")
    _plant(tmp_path, "main.py", "import core.cli\ndef main():\n    import ui.shell.app")
    _plant(
        tmp_path,
        "ui/shell/app.py",
        "from PySide6 import QtCore\nimport core.cli\ndef f():\n    import pandas",
    )
    _plant(tmp_path, "ui/tiles.py", "import sqlite3")
    assert [fault for rule in RULES for fault in rule(read_sources(tmp_path))] == []


def _plant(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("module", ["core.cli", "main"])
def test_the_command_line_loads_no_qt(module: str) -> None:
    code = f"import {module}, sys; assert not any(name.startswith('PySide6') for name in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_frame_of_the_window_waits_for_no_geometry() -> None:
    code = "import ui.shell.main_window, sys; assert 'shapely' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
