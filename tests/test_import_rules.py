"""Who may import whom: the layers of core, the rooms of ui, the one room of each library and each name."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from resources.installer.parts import LOADED_LATE
from tests.syntax_tree import nodes_of

ROOT = Path(__file__).resolve().parent.parent

LAYERS = (
    {"errors", "parameter_fields", "progress", "privacy", "fixed_point", "discovery", "codec", "system"}
    | {
        "release_texts",
        "references",
        "fine_means",
        "arrays",
        "quantity",
        "subject",
        "place_words",
        "counted",
        "texts",
        "catalogue",
    },
    {"records", "charts", "signed"},
    {"read"},
    {"hats", "clean", "geodata"},
    {"store"},
    {"assist"},
    {"contributions", "selection", "grouping"},
    {"engines"},
    {"noise", "accounting"},
    {"mechanisms", "statistics"},
    {"city", "bounding", "shares"},
    {"prior"},
    {"planning"},
    {"advice"},
    {"spec"},
    {"draft"},
    {"keys"},
    {"bundle"},
    {"portal"},
    {"verify"},
    {"release", "evaluate", "synthesize"},
    {"figures", "published"},
    {"console"},
    {"cli"},
)
"""Rooms of core, lowest first: a room imports its own layer and those before it."""
APART = {"release", "evaluate", "synthesize"}
"""Rooms of one layer that never import each other."""
ONLY_IN = {
    "opendp": {"core/noise/secure.py"},
    "PIL": {"core/charts/png.py", "core/charts/typeface.py"},
    "pyproj": {"core/clean/projections.py"},
    "shapefile": {"core/geodata/shapefile_layer.py"},
    "shapely": {
        "core/geodata/part_trees.py",
        "core/geodata/shapefile_layer.py",
        "core/geodata/shapes.py",
        "core/geodata/zone_layer.py",
        "core/geodata/zones.py",
        "core/selection/polygon_cells.py",
        "core/published/frame_files.py",
        "core/portal/geoparquet.py",
        "core/bundle/row_outlines.py",
        "core/verify/maps.py",
    },
}
DATABASES = {"core/accounting/ledger_file.py", "core/read/map_database.py"}
"""The ledger, and maps of the analyst's, which are only read."""
STEPS = {"data", "parameters", "errors", "distributions", "map", "table", "release", "verify"}
"""Rooms of ui with the pages of one step each; none knows another."""
PLACES = {"ledger", "compare"}
"""Rooms of ui apart from the steps, kept apart likewise."""
BASIS = {"language", "layout", "kit", "plots"}
"""Rooms of ui that every page uses; none knows the session."""
UI_ROOMS = {
    "language": {"language"},
    "layout": {"language", "layout"},
    "kit": {"language", "layout", "kit"},
    "plots": BASIS,
    "session": BASIS | {"session"},
    "budget": BASIS | {"session", "budget"},
    "web_map": BASIS | {"session", "web_map"},
    **{page: BASIS | {"session", "budget", page} for page in STEPS | PLACES},
    "map": BASIS | {"session", "budget", "web_map", "map"},
    "shell": BASIS | {"session", "budget", "web_map", *STEPS, *PLACES, "shell"},
}
"""Room of ui -> rooms of ui that its files may import; nobody but `main.py` imports the shell."""
KIT_KNOWS = (
    "core.catalogue.",
    "core.place_words.",
    "core.errors.",
    "core.parameter_fields.",
    "core.progress.",
    "core.spec.",
    "core.subject.",
    "core.system.fault_report.",
    "core.system.paths.",
    "core.texts.",
)
"""What they know of core: to fail and say so, to declare, to show progress, to find files, keys of a spec,
texts with their templates, and what is protected in words."""
WIDGETS_OF_SESSION = {f"ui/session/{name}.py" for name in ("origin_badge", "pack_button", "slot_chips")}
ONE_TRANSLATOR = "ui/language/translation.py"
DECLARED_BY_MANY = {"MECHANISM", "STATISTIC", "READER", "RULE", "add_arguments", "run", "main"}
"""What each file of a registry calls its entry, each command its two functions, each program its first."""
MOST_FILES = 30
"""Of a room's own folder: more than a person looks through for the one that is meant."""
MOST_LINES = 400
"""Of a class: longer, it is of more than one idea."""
DECLARE_SLOTS = {"ui/kit/jobs.py", "ui/web_map/late_answers.py", "ui/web_map/page_bridge.py"}
"""Called from other threads, and by the page."""
MAY_PRINT = ("core/cli/", "core/console/")


@dataclass(frozen=True)
class Source:
    """One parsed file."""

    path: str
    """Relative to the root, with forward slashes."""
    tree: ast.Module
    imports: tuple[tuple[str, bool], ...]
    """(dotted name of a module, is it imported inside a function)."""
    at_start: tuple[str, ...]
    """Those that the file needs before it can be imported itself: neither late nor for types only."""

    @property
    def room(self) -> str:
        """First part below core: `read`, `files`; empty outside core and for core/__init__.py."""
        parts = Path(self.path).with_suffix("").parts
        return "" if parts[0] != "core" or parts[1:] == ("__init__",) else parts[1]

    @property
    def ui_room(self) -> str:
        """First part below ui; empty outside ui and for ui/__init__.py."""
        parts = Path(self.path).with_suffix("").parts
        return "" if parts[0] != "ui" or parts[1:] == ("__init__",) else parts[1]

    @property
    def module(self) -> str:
        """Dotted name."""
        return ".".join(Path(self.path).with_suffix("").parts).removesuffix(".__init__")


Rule = Callable[[list[Source]], Iterator[str]]


def read_sources(root: Path) -> list[Source]:
    paths = [*root.glob("*.py"), *(root / "core").rglob("*.py"), *(root / "ui").rglob("*.py")]
    return [_read(path.relative_to(root), path.read_text(encoding="utf-8")) for path in sorted(paths)]


def _read(path: Path, text: str) -> Source:
    tree = ast.parse(text)
    found = [
        (name, late, for_types) for node, late, for_types in _statements(tree) for name in _names(node, path)
    ]
    return Source(
        path=path.as_posix(),
        tree=tree,
        imports=tuple((name, late) for name, late, _ in found),
        at_start=tuple(name for name, late, for_types in found if not late and not for_types),
    )


def _statements(
    parent: ast.AST, late: bool = False, for_types: bool = False
) -> Iterator[tuple[ast.AST, bool, bool]]:
    """All below a node, each with: does it lie in a function, does it lie below `if TYPE_CHECKING:`."""
    late = late or isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef)
    typing = (
        parent.body
        if isinstance(parent, ast.If)
        and isinstance(parent.test, ast.Name)
        and parent.test.id == "TYPE_CHECKING"
        else []
    )
    for node in ast.iter_child_nodes(parent):
        # of the rest, expressions above all, nothing holds a statement
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            below = for_types or node in typing
            yield node, late, below
            yield from _statements(node, late, below)


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


def _ui_room_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if parts[0] == "ui" and len(parts) > 1 else ""


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
            if source.path not in ONLY_IN.get(_top(name), {source.path}):
                yield f"{source.path}: {_top(name)} belongs into {' or '.join(sorted(ONLY_IN[_top(name)]))}"


def databases_have_one_file_each(sources: list[Source]) -> Iterator[str]:
    """sqlite3: the ledger, and the analyst's map files, by which the command line names hexagons too."""
    users = {source.path for source in sources for name, _ in source.imports if _top(name) == "sqlite3"}
    for path in sorted(users - DATABASES):
        yield f"{path}: sqlite3 belongs into {' or '.join(sorted(DATABASES))}"


def core_imports_at_the_top(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, late in source.imports:
            if late and source.path.startswith("core/"):
                yield f"{source.path}: {name} is imported inside a function"


def core_does_not_print(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if not source.path.startswith("core/") or source.path.startswith(MAY_PRINT):
            continue
        for node in nodes_of(source.tree):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id == "print":
                yield f"{source.path}: print in core"


def every_room_of_ui_is_known(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if source.ui_room and source.ui_room not in UI_ROOMS:
            yield f"{source.path}: nothing says what the room {source.ui_room} may import"


def rooms_of_ui_keep_apart(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        allowed = UI_ROOMS.get(source.ui_room, set())
        for name, _ in source.imports:
            if source.ui_room and _ui_room_of(name) not in {"", *allowed}:
                yield f"{source.path}: {name} belongs to another room"


def kit_knows_no_state(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for name, _ in source.imports:
            if source.ui_room in BASIS and _top(name) == "core" and not name.startswith(KIT_KNOWS):
                yield f"{source.path}: {name} in what every room uses"


def session_knows_no_widget(sources: list[Source]) -> Iterator[str]:
    """But in files that are one, which several rooms show."""
    for source in sources:
        for name, _ in source.imports:
            shown = source.path in WIDGETS_OF_SESSION
            if source.ui_room == "session" and name.startswith("PySide6.QtWidgets") and not shown:
                yield f"{source.path}: {name} in what is chosen and known"


def files_import_in_no_circle(sources: list[Source]) -> Iterator[str]:
    """Of files, by what each needs before it can be imported itself."""
    modules = {source.module: source for source in sources}
    needs = {
        name: {
            target for entry in source.at_start if (target := _module_of(entry, modules)) not in {"", name}
        }
        for name, source in modules.items()
    }
    for circle in _circles(needs):
        yield f"{modules[circle[0]].path}: imports itself by way of {' -> '.join(circle)}"


def rooms_import_in_no_circle(sources: list[Source]) -> Iterator[str]:
    """Of the folders and files right below core and ui, by every import, late ones too."""
    needs: dict[str, set[str]] = {}
    first: dict[str, str] = {}
    for source in (source for source in sources if "/" in source.path):
        own = ".".join(source.module.split(".")[:2])
        first.setdefault(own, source.path)
        others = {".".join(name.split(".")[:2]) for name, _ in source.imports if _top(name) in {"core", "ui"}}
        needs.setdefault(own, set()).update(others - {own, "core", "ui"})
    for circle in _circles(needs):
        yield f"{first[circle[0]]}: its room imports itself by way of {' -> '.join(circle)}"


def _module_of(name: str, modules: Mapping[str, Source]) -> str:
    """The module that an imported name is, or lies in; empty for one that is not ours."""
    return name if name in modules else next((m for m in (name.rpartition(".")[0],) if m in modules), "")


def _circles(needs: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """One circle through each node that can reach itself, the shortest, told once."""
    told: set[str] = set()
    for start in sorted(needs):
        paths = [[start]]
        seen: set[str] = set()
        while paths and start not in told:
            path = paths.pop(0)
            for other in sorted(needs.get(path[-1], ())):
                if other == start:
                    told.update(path)
                    yield [*path, start]
                    paths.clear()
                    break
                if other not in seen:
                    seen.add(other)
                    paths.append([*path, other])


def texts_are_translated_in_one_file(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        if not source.path.startswith("ui/") or source.path == ONE_TRANSLATOR:
            continue
        for node in nodes_of(source.tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "QCoreApplication.translate":
                yield f"{source.path}: take the translator of {ONE_TRANSLATOR}"


def hooks_are_given_not_missing(sources: list[Source]) -> Iterator[str]:
    """What a widget needs of its users it asks for in its constructor: there its absence is seen at once."""
    for source in sources:
        if not source.path.startswith("ui/"):
            continue
        for node in nodes_of(source.tree):
            if isinstance(node, ast.Name) and node.id == "NotImplementedError":
                yield f"{source.path}: a method that somebody may forget to write"


def slots_are_declared_for_others_alone(sources: list[Source]) -> Iterator[str]:
    """Qt calls any method; another thread and the map's page call what is declared to them."""
    for source in sources:
        declares = any(name == "PySide6.QtCore.Slot" for name, _ in source.imports)
        if declares and source.path.startswith("ui/") and source.path not in DECLARE_SLOTS:
            yield f"{source.path}: a slot that nobody has to be told of"


def a_public_name_is_one_module_s(sources: list[Source]) -> Iterator[str]:
    """Classes, functions and constants at the top of a module, but for what registries are made of."""
    defined: dict[str, list[str]] = {}
    for source in sources:
        if source.path.startswith(("core/", "ui/")):
            for name in sorted(_public_names(source.tree) - DECLARED_BY_MANY):
                defined.setdefault(name, []).append(source.path)
    for name, (first, *others) in defined.items():
        yield from (f"{path}: {name} is also a name of {first}" for path in others)


def no_room_is_crowded(sources: list[Source]) -> Iterator[str]:
    """A folder of core or ui, without what lies in folders below it and without its own `__init__.py`."""
    rooms: dict[str, list[str]] = {}
    for source in sources:
        room, _, name = source.path.rpartition("/")
        if room.startswith(("core", "ui")) and name != "__init__.py":
            rooms.setdefault(room, []).append(name)
    for room, names in rooms.items():
        if len(names) > MOST_FILES:
            yield f"{room}: {len(names)} files in one room, of {MOST_FILES} at most"


def no_class_is_too_long(sources: list[Source]) -> Iterator[str]:
    """A class of so many lines is of more than one idea."""
    for source in sources:
        for node in nodes_of(source.tree):
            if isinstance(node, ast.ClassDef) and source.path.startswith(("core/", "ui/")):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MOST_LINES:
                    yield f"{source.path}: {node.name} has {lines} lines, of {MOST_LINES} at most"


def _public_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not _is_type_variable(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
            }
    return {name for name in names if not name.startswith("_")}


def _is_type_variable(value: ast.expr | None) -> bool:
    """A letter that stands for a type means nothing outside of its module."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar"


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
    every_room_of_ui_is_known,
    rooms_of_ui_keep_apart,
    kit_knows_no_state,
    session_knows_no_widget,
    files_import_in_no_circle,
    rooms_import_in_no_circle,
    texts_are_translated_in_one_file,
    hooks_are_given_not_missing,
    slots_are_declared_for_others_alone,
    a_public_name_is_one_module_s,
    no_room_is_crowded,
    no_class_is_too_long,
)


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read_sources(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_sources_keep_the_rule(rule: Rule, sources: list[Source]) -> None:
    assert list(rule(sources)) == []


def test_the_checker_reads_the_real_sources(sources: list[Source]) -> None:
    paths = {source.path for source in sources}
    assert {"main.py", "core/errors.py", "core/synthesize/synthetic_records.py"} <= paths
    assert ("core.errors.InputError", False) in next(
        s for s in sources if s.path == "core/accounting/epsilon_input.py"
    ).imports


PLANTED = [
    (every_room_has_a_layer, "core/kitchen.py", ""),
    (layers_import_downwards, "core/fixed_point.py", "from core.clean import mapping"),
    (layers_import_downwards, "core/hats/cells.py", "import core.release.prepare_publish"),
    (layers_import_downwards, "core/grouping/bestfit.py", "from core import cli"),
    (layers_import_downwards, "core/prior/timetable.py", "from core.verify.verify import verify_bundle"),
    (layers_import_downwards, "core/bounding/public_counts.py", "import core.prior.timetable"),
    (layers_import_downwards, "core/noise/source.py", "from ..planning import adviser"),
    (layers_import_downwards, "core/release/prepare_publish.py", "def run():\n    from core import cli"),
    (apart_stays_apart, "core/release/prepare_publish.py", "from core.evaluate.simulated_errors import run"),
    (apart_stays_apart, "core/evaluate/simulated_errors.py", "from core import release"),
    (core_knows_no_window, "core/cli/ledger.py", "def window():\n    import ui.shell.app"),
    (core_knows_no_window, "core/fixed_point.py", "from PySide6.QtCore import QObject"),
    (qt_lives_below_ui, "main.py", "from ui.shell.app import run"),
    (qt_lives_below_ui, "main.py", "def main():\n    from PySide6 import QtCore"),
    (libraries_have_one_room, "core/noise/simulated.py", "import opendp.prelude as dp"),
    (libraries_have_one_room, "ui/shell/app.py", "from opendp import measurements"),
    (libraries_have_one_room, "core/selection/boundary.py", "import shapely"),
    (databases_have_one_file_each, "core/accounting/compose.py", "import sqlite3"),
    (databases_have_one_file_each, "ui/map/tiles.py", "import sqlite3"),
    (core_imports_at_the_top, "core/fixed_point.py", "async def f():\n    if True:\n        import math"),
    (core_imports_at_the_top, "core/cli/release.py", "def run():\n    from core.release import job"),
    (core_does_not_print, "core/fixed_point.py", "print(1)"),
    (core_does_not_print, "core/client.py", "print(1)"),
    (every_room_of_ui_is_known, "ui/kitchen/stove.py", ""),
    (rooms_of_ui_keep_apart, "ui/kit/cards.py", "from ui.session.session import Session"),
    (rooms_of_ui_keep_apart, "ui/session/steps.py", "from ui.budget.decision_card import DecisionCard"),
    (rooms_of_ui_keep_apart, "ui/budget/charged_units.py", "import ui.errors.page"),
    (rooms_of_ui_keep_apart, "ui/errors/error_plot.py", "from ui.distributions import cdf"),
    (rooms_of_ui_keep_apart, "ui/map/page.py", "def late():\n    from ui.table.rows import HatRows"),
    (rooms_of_ui_keep_apart, "ui/verify/page.py", "from ui.shell.workspace import Workspace"),
    (kit_knows_no_state, "ui/kit/cards.py", "from core.accounting.ledger import Ledger"),
    (kit_knows_no_state, "ui/kit/cards.py", "from core import draft"),
    (session_knows_no_widget, "ui/session/planning.py", "from PySide6.QtWidgets import QWidget"),
    (texts_are_translated_in_one_file, "ui/map/page.py", "QCoreApplication.translate('Map', 'Slot')"),
    (hooks_are_given_not_missing, "ui/map/page.py", "def paint(self):\n    raise NotImplementedError"),
    (slots_are_declared_for_others_alone, "ui/map/page.py", "from PySide6.QtCore import Qt, Slot"),
    (no_class_is_too_long, "core/hats/cells.py", "class Cells:" + "\n    size = 1" * MOST_LINES),
]


@pytest.mark.parametrize(
    ("rule", "path", "text"), PLANTED, ids=[f"{rule.__name__}-{path}" for rule, path, _ in PLANTED]
)
def test_a_planted_fault_is_found_in_its_file(tmp_path: Path, rule: Rule, path: str, text: str) -> None:
    _plant(tmp_path, path, text)
    faults = list(rule(read_sources(tmp_path)))
    assert faults
    assert all(fault.startswith(path) for fault in faults)


def test_circles_of_files_and_of_rooms_are_found(tmp_path: Path) -> None:
    _plant(tmp_path, "ui/map/page.py", "from ui.map.map_view import MapView")
    _plant(tmp_path, "ui/map/map_view.py", "from ui.map import layers")
    _plant(tmp_path, "ui/map/layers.py", "import ui.map.page")
    _plant(tmp_path, "core/hats/cells.py", "from core.clean.mapping import Box")
    _plant(tmp_path, "core/clean/mapping.py", "def late():\n    from core.hats import slots")
    _plant(tmp_path, "core/hats/slots.py", "")
    sources = read_sources(tmp_path)
    assert list(files_import_in_no_circle(sources)) == [
        "ui/map/layers.py: imports itself by way of "
        "ui.map.layers -> ui.map.page -> ui.map.map_view -> ui.map.layers"
    ]
    assert list(rooms_import_in_no_circle(sources)) == [
        "core/clean/mapping.py: its room imports itself by way of core.clean -> core.hats -> core.clean"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "class Row:\n    pass",
        "def Row():\n    pass",
        "Row = int",
        "Row: type = int",
        "First, Row = int, str",
    ],
)
def test_a_name_of_two_modules_is_found(tmp_path: Path, text: str) -> None:
    _plant(tmp_path, "core/fixed_point.py", "Row = tuple[str, ...]\nRULE = 1")
    _plant(tmp_path, "ui/table/rows.py", f"{text}\nRULE = 2\n_private = 3")
    _plant(tmp_path, "ui/table/model.py", "def f():\n    Row = 1\nRULE = 3\n_private = 4")
    assert list(a_public_name_is_one_module_s(read_sources(tmp_path))) == [
        "ui/table/rows.py: Row is also a name of core/fixed_point.py"
    ]


def test_a_room_of_too_many_files_is_found(tmp_path: Path) -> None:
    for number in range(MOST_FILES):
        _plant(tmp_path, f"core/read/part_{number}.py", "")
        _plant(tmp_path, f"ui/map/part_{number}.py", "")
        _plant(tmp_path, f"part_{number}.py", "")
    for path in ("core/read/__init__.py", "core/read/readers/one.py", "ui/map/__init__.py", "main.py"):
        _plant(tmp_path, path, "")
    assert list(no_room_is_crowded(read_sources(tmp_path))) == []
    _plant(tmp_path, "ui/map/one_more.py", "")
    assert list(no_room_is_crowded(read_sources(tmp_path))) == ["ui/map: 31 files in one room, of 30 at most"]


def test_what_is_allowed_passes(tmp_path: Path) -> None:
    _plant(tmp_path, "core/__init__.py", '__version__ = "1"')
    _plant(tmp_path, "core/errors.py", "from core import __version__")
    _plant(tmp_path, "core/accounting/ledger_file.py", "import sqlite3\nfrom core.errors import LedgerError")
    _plant(tmp_path, "core/noise/secure.py", "import opendp.prelude as dp")
    _plant(tmp_path, "core/cli/release.py", "from core.release import job\nprint(job)")
    _plant(tmp_path, "main.py", "import core.cli\ndef main():\n    import ui.shell.app")
    _plant(
        tmp_path,
        "ui/shell/app.py",
        "from PySide6 import QtCore\nimport core.cli\ndef run():\n    import pandas",
    )
    _plant(tmp_path, "core/read/map_database.py", "import sqlite3\nfrom core.errors import InputError")
    _plant(tmp_path, "ui/map/tiles.py", "from ui.session.session import Session")
    _plant(tmp_path, "ui/session/session.py", "from ui.kit.jobs import Job\nimport core.draft.draft")
    _plant(
        tmp_path,
        "ui/kit/jobs.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ui.kit.theme import Theme",
    )
    _plant(tmp_path, "ui/kit/theme.py", "from core.progress import Progress\nimport ui.kit.jobs")
    assert [fault for rule in RULES for fault in rule(read_sources(tmp_path))] == []


def _plant(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


EVERY_COMMAND = "from core.cli.commands import COMMANDS, load_command; [*map(load_command, COMMANDS)]"


@pytest.mark.parametrize("imports", [EVERY_COMMAND, "import main"])
def test_the_command_line_loads_no_qt(imports: str) -> None:
    code = f"{imports}; import sys; assert not any(name.startswith('PySide6') for name in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_frame_of_the_window_waits_for_no_geometry_and_no_solver() -> None:
    late = {"shapely", *LOADED_LATE}
    code = f"import ui.shell.main_window, sys; assert not {late} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
