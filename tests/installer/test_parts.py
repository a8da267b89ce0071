"""What is built into the program."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from core import __version__
from core.cli.commands import COMMANDS, load_command
from core.discovery import discover
from core.mechanisms.registry import all_mechanisms
from core.selection.registry import all_rules
from core.statistics.registry import all_statistics
from resources.installer.parts import (
    EXCLUDED,
    LOADED_LATE,
    is_dropped,
    is_excluded,
    is_opendp_library,
    is_stripped,
    own_data,
    own_modules,
    program_version,
    pruned,
)

ROOT = Path(__file__).resolve().parent.parent.parent


def discovered_packages(sources: list[Path]) -> set[tuple[str, str]]:
    """(package, attribute) of every call of `core.discovery.discover` in the sources."""
    found = set()
    for path in sources:
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "discover":
                package, attribute = node.args
                assert isinstance(package, ast.Name)
                assert isinstance(attribute, ast.Constant)
                found.add((getattr(module, package.id).__name__, str(attribute.value)))
    return found


def test_what_core_asks_of_scipy_is_collected() -> None:
    asked = {
        f"scipy.{node.attr}"
        for path in (ROOT / "core").rglob("*.py")
        if "import scipy" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "scipy"
    }
    assert asked == set(LOADED_LATE)


def test_every_part_that_is_discovered_is_collected() -> None:
    users = [path for path in (ROOT / "core").rglob("*.py") if "discover(" in path.read_text("utf-8")]
    packages = discovered_packages([path for path in users if path.name != "discovery.py"])
    assert {"core.mechanisms", "core.statistics", "core.selection"} <= {name for name, _ in packages}
    collected = set(own_modules())
    for name, attribute in packages:
        package = import_module(name)
        parts = discover(package, attribute)
        assert parts
        holders = {
            f"{name}.{path.stem}"
            for path in Path(str(package.__file__)).parent.glob("*.py")
            if re.search(rf"^{attribute}\b", path.read_text("utf-8"), re.MULTILINE)
        }
        assert len(holders) == len(parts)
        assert holders <= collected
    assert len(all_mechanisms()) + len(all_statistics()) + len(all_rules()) >= 15


def test_modules_that_are_named_as_text_are_collected() -> None:
    named = {
        found
        for path in (ROOT / "ui").rglob("*.py")
        for found in re.findall(r'"(ui\.[a-z_.]+)"', path.read_text("utf-8"))
    }
    assert "ui.shell.workspace" in named
    assert named <= set(own_modules())


def test_every_command_is_collected() -> None:
    assert {load_command(name).run.__module__ for name in COMMANDS} <= set(own_modules())


def test_a_package_counts_by_its_own_name() -> None:
    modules = own_modules()
    assert {"core", "core.release.prepare_publish", "ui.shell.app"} <= set(modules)
    assert not [name for name in modules if name.endswith("__init__")]


def test_resources_ship_without_scripts_and_pictures() -> None:
    places = {place for _, place in own_data()}
    assert {"resources/sample", "resources/map", "resources/templates", "resources/replica"} <= places
    assert {"resources/languages", "resources/zones", "resources/tour"} <= places
    assert not places & {"resources/installer", "resources/pictures"}
    assert all(Path(source).is_dir() for source, _ in own_data())


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/qml/QtQuick/libqtquick2plugin.so",
        "PySide6/Qt/resources/qtwebengine_devtools_resources.pak",
        "PySide6/Qt/lib/libQt6Quick3D.so.6",
        "libQt6Multimedia.so.6",
        "PySide6\\Qt6Pdf.dll",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt/translations/qtwebengine_locales/de.pak",
        "pyarrow/libarrow_flight.so.2600",
        "pyarrow/_s3fs.cpython-311-x86_64-linux-gnu.so",
        "pyarrow/lib.pyx",
        "libgtk-3.so.0",
        "pyarrow/libarrow_python.so",
        "pyarrow/libarrow_python.so.2600.1.0",
    ],
)
def test_what_nobody_needs_is_dropped(place: str) -> None:
    assert is_dropped(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/lib/libQt6WebEngineCore.so.6",
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "PySide6/Qt/lib/libQt6QmlModels.so.6",
        "PySide6\\Qt6Core.dll",
        "PySide6/Qt/libexec/QtWebEngineProcess",
        "PySide6/Qt/resources/icudtl.dat",
        "PySide6/Qt/translations/qtwebengine_locales/en-US.pak",
        "PySide6/Qt/translations/qtbase_hi.qm",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "pyarrow/libarrow_substrait.so.2600",
        "pyarrow/libparquet.so.2600",
        "pyarrow/libarrow_python.so.2600",
        "opendp/lib/opendp.abi3.so",
        "resources/sample/surat-synthetic.parquet",
    ],
)
def test_what_the_program_links_stays(place: str) -> None:
    assert not is_dropped(place)


def test_files_of_modules_that_stay_out_are_known() -> None:
    for place in ("PIL/_avif.cp311-win_amd64.pyd", "scipy\\stats\\_stats.py", "tests/__init__.py", "yaml.py"):
        assert is_excluded(place)
    for place in (
        "PIL/_imaging.pyd",
        "scipy/special/_ufuncs.pyd",
        "attrib.py",
        "numpy/tests/x.py",
        "pip_x/a.py",
    ):
        assert not is_excluded(place)


def test_pruning_keeps_the_order() -> None:
    retained = [("b", "x", "BINARY"), ("a", "y", "DATA")]
    assert pruned([retained[0], ("PySide6/Qt/qml/x", "z", "DATA"), retained[1]]) == retained


def test_libraries_with_needless_symbols_are_stripped() -> None:
    for place in ("opendp/lib/opendp.abi3.so", "libpython3.11.so.1.0", "pyarrow/libarrow.so.2600"):
        assert is_stripped(place)
    for place in ("numpy.libs/libscipy_openblas64_.so", "PySide6/Qt/lib/libQt6Core.so.6", "pyarrow/_csv.so"):
        assert not is_stripped(place)


def test_the_library_of_opendp_is_found() -> None:
    assert is_opendp_library("opendp/lib/opendp.abi3.so")
    assert is_opendp_library("opendp\\lib\\opendp.pyd")
    assert not is_opendp_library("opendp/lib/opendp.h")
    assert not is_opendp_library("numpy.libs/libopenblas.so")


def test_nothing_of_ours_is_excluded() -> None:
    declared = re.findall(
        r'^    "([A-Za-z0-9-]+)', (ROOT / "pyproject.toml").read_text("utf-8").split("[project.opt")[0], re.M
    )
    assert "numpy" in declared
    assert not {name.replace("-", "_") for name in declared} & set(EXCLUDED)


def test_the_version_is_read_without_an_import(tmp_path: Path) -> None:
    assert program_version() == __version__
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match="no version"):
        program_version(tmp_path)
